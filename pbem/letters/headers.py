"""Header fields as people read them: decoded words, addresses, message ids."""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from collections.abc import Iterator
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
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
# A quoted local part, or none of the characters that structure an address field.
ADDRESS: Final = re.compile(r'(?:"[^"\n]{1,64}"|[^\s<>,;:"()\[\]\\@]{1,128})@[^\s<>,;:"()\\@]{1,255}')
_MESSAGE_ID: Final = re.compile(r"<[^<>\s]{1,500}>")


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
    return [decoded_words(value) for value in unfolded(message, name)]


def field(message: Message, name: str) -> str:
    """The first value of a field, unfolded and decoded; empty when it is missing."""
    return next(iter(fields(message, name)), "")


def unfolded(message: Message, name: str) -> list[str]:
    """The values of a field on one line each, in order, with their encoded words as they are."""
    # Raw 8-bit headers occur (no MIME at all): they get the same guess as a text without a charset.
    return [_in_a_line(_FOLD.sub(" ", decoded(value[:MAX_FIELD]))).strip() for value in raw_fields(message, name)]


def _in_a_line(text: str) -> str:
    """`text` with blanks for line ends and other controls, which encoded words can hold and no header may."""
    return _CONTROL.sub(" ", text)


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
    return _in_a_line("".join((*out, text[end:])))


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
    return [found for value in unfolded(message, name) for found in ADDRESS.findall(value)]


def message_ids(value: str) -> tuple[str, ...]:
    """Message-IDs in a field, angles included, in order."""
    return tuple(_MESSAGE_ID.findall(value))


def without_comments(value: str) -> str:
    """`value` with a blank for whatever stands in parentheses, which may be nested; those within quotes stay."""
    return "".join(" " if depth else char for char, depth in _by_depth(value))


def comments(value: str) -> list[str]:
    """What stands in parentheses in `value`, each with what is nested in it."""
    return [text for text in "".join(char if depth else "\0" for char, depth in _by_depth(value)).split("\0") if text]


def _by_depth(value: str) -> Iterator[tuple[str, int]]:
    """The characters of `value`, but for the parentheses around comments, and in how many comments each stands."""
    depth, quoted, escaped = 0, False, False
    for char in value:
        if escaped or char == "\\":
            escaped = not escaped
        elif char == '"' and not depth:
            quoted = not quoted
        elif char in "()" and not quoted:
            depth = max(0, depth + (1 if char == "(" else -1))
            continue
        yield char, depth
