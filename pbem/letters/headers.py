"""Header fields as people read them: decoded words, addresses, message ids."""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import Final

from pbem.letters.charsets import decoded

MAX_HEAD: Final = 64 * 1024
"""Bytes of a header block that are read."""
MAX_FIELD: Final = 20_000
"""Characters of one header field that are read."""

_ENCODED_WORD: Final = re.compile(r"=\?([^?\s*]{1,40})(?:\*[^?\s]{0,20})?\?([bBqQ])\?([^?]*)\?=")
_FOLD: Final = re.compile(r"\r?\n[ \t]?|\r")
# A quoted local part, or none of the characters that structure an address field.
_ADDRESS: Final = re.compile(r'(?:"[^"\n]{1,64}"|[^\s<>,;:"()\[\]\\@]{1,128})@[^\s<>,;:"()\\@]{1,255}')
_ANGLE: Final = re.compile(rf"<\s*({_ADDRESS.pattern})\s*>")
_COMMENT: Final = re.compile(r'"(?:[^"\\]|\\.)*"(?!@)|\([^()]*\)')
_NOTE: Final = re.compile(r"\(([^()]*)\)")
_MESSAGE_ID: Final = re.compile(r"<[^<>\s]{1,500}>")


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An address as its owner writes it, and the name that stands beside it."""

    address: str
    name: str = ""


def parsed_head(head: bytes) -> Message:
    """The header block as the standard library reads it; whatever follows its first blank line is its payload."""
    return BytesHeaderParser(policy=compat32).parsebytes(head[:MAX_HEAD])


def raw_fields(message: Message, name: str) -> list[bytes]:
    """The values of a field as they came over the wire, in order."""
    wanted = name.lower()
    return [
        value.encode("utf-8", "surrogateescape")
        for field, value in message.raw_items()
        if field.lower() == wanted and isinstance(value, str)
    ]


def fields(message: Message, name: str) -> list[str]:
    """The values of a field, unfolded and decoded, in order."""
    return [decoded_words(value) for value in _unfolded(message, name)]


def field(message: Message, name: str) -> str:
    """The first value of a field, unfolded and decoded; empty when it is missing."""
    return next(iter(fields(message, name)), "")


def _unfolded(message: Message, name: str) -> list[str]:
    # Raw 8-bit headers occur (no MIME at all): they get the same guess as a text without a charset.
    return [_FOLD.sub(" ", decoded(value[:MAX_FIELD])).strip() for value in raw_fields(message, name)]


def decoded_words(text: str) -> str:
    """`text` with its encoded words read. Neighbours of one charset are joined first: some clients cut characters."""
    out: list[str] = []
    pending, pending_charset, end = b"", "", 0
    for word in _ENCODED_WORD.finditer(text):
        gap = text[end : word.start()]
        charset = word[1].lower()
        if pending and (gap.strip() or charset != pending_charset):
            out.append(decoded(pending, pending_charset))
            pending = b""
        if gap.strip() or not end:
            out.append(gap)
        pending += _word_bytes(word[2].lower(), word[3])
        pending_charset, end = charset, word.end()
    out.append(decoded(pending, pending_charset or None))
    return "".join((*out, text[end:]))


def _word_bytes(encoding: str, payload: str) -> bytes:
    data = payload.encode("utf-8", "replace")
    return quopri.decodestring(data, header=True) if encoding == "q" else base64_bytes(data)


_NOT_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/]+")


def base64_bytes(data: bytes) -> bytes:
    """The bytes behind base64 text, as far as they go: strange characters and a torn end are passed over."""
    clean = _NOT_BASE64.sub(b"", data)
    clean = clean[: len(clean) - (len(clean) % 4 == 1)]
    try:
        return base64.b64decode(clean + b"=" * (-len(clean) % 4))
    except binascii.Error:
        return b""


def addresses(message: Message, name: str) -> list[str]:
    """Every address in the fields of a name, as written, in order."""
    return [found for value in _unfolded(message, name) for found in _ADDRESS.findall(value)]


def sender(message: Message) -> Mailbox:
    """The first mailbox of From. The address in angles counts, never one in a name or in a comment.

    Encoded words are read only after the address was found: they could hold another one.
    """
    value = next(iter(_unfolded(message, "From")), "")
    bare = _COMMENT.sub(" ", value)
    if angle := _ANGLE.search(bare) or _ANGLE.search(value):
        return Mailbox(angle[1], decoded_words(value[: value.find(angle[0])]).strip(' "'))
    plain = _ADDRESS.search(bare) or _ADDRESS.search(value)
    comment = _NOTE.search(value)
    return Mailbox(plain[0] if plain else "", decoded_words(comment[1]).strip() if plain and comment else "")


def message_ids(value: str) -> tuple[str, ...]:
    """Message-IDs in a field, angles included, in order."""
    return tuple(_MESSAGE_ID.findall(value))
