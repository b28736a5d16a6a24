"""An outgoing mail from its parts to bytes: headers folded, MIME joined once.

Building the same with the email package costs ten milliseconds a mail, half of all the work of a host;
here its slow parts are used only for headers that are not plain ASCII. What people call themselves goes
into headers, so nothing here may let a line end through.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime
from enum import StrEnum
from functools import lru_cache
from typing import Final

from pbem.names import ascii_address

MARK_SIZE: Final = 8
"""Characters of the mark that tells one of our mails when it is quoted."""
_SEATS: Final = 8
"""Of a table, more than games have."""
_MARK_BYTES: Final = MARK_SIZE * 5 // 8
DATA_NAME: Final = "pbem.json"
RECORD_NAME: Final = "record.json"
CALENDAR_NAME: Final = "deadline.ics"
_CALENDAR: Final = "text/calendar; method=PUBLISH; charset=utf-8"
_LINE: Final = 76
"""Where headers are folded and base64 is broken (RFC 2045, RFC 5322)."""
_LONGEST_LINE: Final = 998
_LONGEST_ID: Final = 250
"""A longer Message-ID would not fit on a line of References."""
_MOST_REFERENCES: Final = 20

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_MESSAGE_ID: Final = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]+>")
_ATOMS: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+")
_PRINTED: Final = bytes(range(0x20, 0x7F)) + b"\t\r\n"
_NOT_ASCII: Final = re.compile(rb"[\x7f-\xff]")


class Automatic(StrEnum):
    """The value of Auto-Submitted (RFC 3834): whether somebody's mail made us write."""

    REPLIED = "auto-replied"
    GENERATED = "auto-generated"


@dataclass(frozen=True, slots=True)
class Inline:
    """A picture that the HTML shows by its Content-ID."""

    id: str
    """Without brackets."""
    png: bytes
    name: str = "picture.png"
    """What a mail program calls it that lists it as a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMail:
    """What a mail is made of."""

    message_id: str
    date: datetime
    """Aware."""
    sender: str
    sender_name: str = ""
    to: str
    to_name: str = ""
    reply_to: str
    """The only place where the token stands."""
    subject: str
    text: str
    html: str = ""
    picture: Inline | None = None
    """Nothing where there is no HTML to show it."""
    data: str = ""
    """One JSON value, attached; or nothing."""
    data_name: str = DATA_NAME
    """What the file is called: by default the name that programs that play look for."""
    record: str = ""
    """The record of a game that is over, attached as `pbem verify` takes it; or nothing."""
    calendar: str = ""
    """A calendar file, attached; or nothing."""
    answers: tuple[str, ...] = ()
    """The Message-IDs of the mails that this one answers, the newest last."""
    automatic: Automatic = Automatic.GENERATED
    host: str
    """Of X-PBEM-Host, by which a host knows its own mail when it comes back."""


def message_id(domain: str, entropy: bytes) -> str:
    """A Message-ID of `domain`; `entropy` is random, 16 bytes or more."""
    return f"<{_base32(entropy)}@{domain}>"


def mark(message_id: str) -> str:
    """The eight characters, lower-case base32, by which a quoted mail is known again; no secret."""
    return _base32(hashlib.sha256(message_id.encode()).digest()[:_MARK_BYTES])


def compose(mail: OutgoingMail) -> bytes:
    """`mail` as it goes over the wire, with CRLF. `ValueError` for an address or Message-ID that cannot be written."""
    kind, body = _body(mail)
    headers = [f"{name}: {value}\r\n" for name, value in _headers(mail)]
    return "".join((*headers, "MIME-Version: 1.0\r\n", kind, "\r\n", body)).encode("ascii")


def shortened(raw: bytes, text: str) -> bytes:
    """The mail `raw`, as `compose` made it, with `text` in the place of all that it held: the same mail otherwise."""
    head = raw.partition(b"\r\n\r\n")[0].decode("ascii")
    kept = head[: head.index("MIME-Version: ")]
    kind, body = _text("plain", text)
    return f"{kept}MIME-Version: 1.0\r\n{kind}\r\n{body}".encode("ascii")


def _base32(data: bytes) -> str:
    return base64.b32encode(data).decode("ascii").rstrip("=").lower()


# Headers


def _headers(mail: OutgoingMail) -> Iterator[tuple[str, str]]:
    answered = tuple(each for each in mail.answers if _is_message_id(each))
    if not _is_message_id(mail.message_id):
        raise ValueError("this cannot be a Message-ID")
    yield "From", _mailbox("From", mail.sender_name, mail.sender)
    yield "To", _mailbox("To", mail.to_name, mail.to)
    yield "Reply-To", _address(mail.reply_to)
    yield "Subject", unstructured("Subject", mail.subject)
    yield "Date", format_datetime(mail.date)
    yield "Message-ID", mail.message_id
    if answered:
        yield "In-Reply-To", answered[-1]
        yield "References", "\r\n ".join(answered[-_MOST_REFERENCES:])
    yield "Auto-Submitted", mail.automatic.value
    yield "X-Auto-Response-Suppress", "All"
    yield "X-PBEM-Host", unstructured("X-PBEM-Host", mail.host)


def unstructured(name: str, text: str) -> str:
    """`text` as the folded value of the header `name`, whatever it holds."""
    plain = _CONTROLS.sub(" ", text).strip()
    if not plain.isascii() or "=?" in plain or any(len(word) > _LINE - 20 for word in plain.split()):
        return Header(plain, "utf-8", maxlinelen=_LINE, header_name=name).encode(linesep="\r\n")
    return "\r\n ".join(_folded(plain.split(), len(name) + 2))


def _folded(words: Iterable[str], used: int) -> Iterator[str]:
    """`words` as lines; the first has `used` columns less."""
    line, room = "", _LINE - used
    for word in words:
        joined = f"{line} {word}" if line else word
        if len(joined) > room and line:
            yield line
            joined, room = word, _LINE - 1
        line = joined
    yield line


def _mailbox(header: str, name: str, address: str) -> str:
    """``Name <address>``; the name quoted or encoded as it needs."""
    bare = _address(address)
    plain = " ".join(_CONTROLS.sub(" ", name).split())
    if not plain:
        return bare
    return f"{_phrase(header, plain)}{_between(plain, bare)}<{bare}>"


def _between(name: str, address: str) -> str:
    return " " if len(name) + len(address) < _LINE - 20 and name.isascii() else "\r\n "


def _phrase(header: str, name: str) -> str:
    if not name.isascii() or "=?" in name or len(name) > _LINE - 20:
        return Header(name, "utf-8", maxlinelen=_LINE, header_name=header).encode(linesep="\r\n")
    if _ATOMS.fullmatch(name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _address(address: str) -> str:
    """`address` with an international domain in its ASCII form."""
    written = ascii_address(address)
    if not written:
        raise ValueError("an address that cannot stand in a header")
    return written


def _is_message_id(text: str) -> bool:
    return len(text) <= _LONGEST_ID and _MESSAGE_ID.fullmatch(text) is not None


# Body


def _body(mail: OutgoingMail) -> tuple[str, str]:
    """The Content headers of the whole, each with its line end, and the body below them."""
    boundary = f"=_pbem_{hashlib.sha256(mail.message_id.encode()).hexdigest()[:32]}"
    content = _text("plain", mail.text)
    if mail.html:
        sheet = _text("html", mail.html)
        if mail.picture:
            sheet = _multipart("related", f"{boundary}_r", sheet, _inline(mail.picture))
        content = _multipart("alternative", f"{boundary}_a", content, sheet)
    attached = [_attachment("application/json", mail.data_name, mail.data)] if mail.data else []
    attached += [_attachment("application/json", RECORD_NAME, mail.record)] if mail.record else []
    attached += [_attachment(_CALENDAR, CALENDAR_NAME, mail.calendar)] if mail.calendar else []
    return _multipart("mixed", f"{boundary}_m", content, *attached) if attached else content


def _multipart(kind: str, boundary: str, *parts: tuple[str, str]) -> tuple[str, str]:
    inner = "".join(f"--{boundary}\r\n{headers}\r\n{body}\r\n" for headers, body in parts)
    of = ' type="text/html";' if kind == "related" else ""
    return f'Content-Type: multipart/{kind};{of}\r\n boundary="{boundary}"\r\n', f"{inner}--{boundary}--\r\n"


def _text(kind: str, text: str) -> tuple[str, str]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
    if not lines.endswith("\r\n"):
        lines += "\r\n"
    if _is_seven_bit(lines):
        return _content(f"text/{kind}; charset=us-ascii", "7bit"), lines
    data = lines.encode("utf-8", "replace")
    # Quoted-printable triples what it has to encode, base64 adds a third to everything.
    if len(_NOT_ASCII.findall(data)) * 6 > len(data):
        return _content(f"text/{kind}; charset=utf-8", "base64"), _base64(data)
    return _content(f"text/{kind}; charset=utf-8", "quoted-printable"), _quoted_printable(data)


def _is_seven_bit(lines: str) -> bool:
    """Whether `lines` may travel as they are. Mailboxes in the mbox format change a line that begins with "From "."""
    return (
        lines.isascii()
        and not lines.encode().translate(None, delete=_PRINTED)
        and not lines.startswith("From ")
        and "\nFrom " not in lines
        and max(map(len, lines.split("\r\n"))) <= _LONGEST_LINE
    )


def _content(kind: str, encoding: str) -> str:
    return f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n"


def _attachment(kind: str, name: str, data: str) -> tuple[str, str]:
    headers = _content(kind, "base64")
    disposition = f'Content-Disposition: attachment; filename="{name}"\r\n'
    return headers + disposition, _base64(data.encode())


@lru_cache(maxsize=_SEATS)
def _inline(picture: Inline) -> tuple[str, str]:
    """The part of a picture, which all seats of a table get one after the other."""
    headers = _content("image/png", "base64")
    disposition = f'Content-Disposition: inline; filename="{picture.name}"\r\n'
    return f"{headers}Content-ID: <{picture.id}>\r\n{disposition}", _base64(picture.png)


def _quoted_printable(data: bytes) -> str:
    encoded = binascii.b2a_qp(data, istext=True).decode("ascii")
    return f"\n{encoded}".replace("\nFrom ", "\n=46rom ")[1:]


def _base64(data: bytes) -> str:
    return base64.encodebytes(data).decode("ascii").replace("\n", "\r\n")
