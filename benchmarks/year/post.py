"""Mails as the people of the year see them: what is read of one from the host, and how they write."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.parser import BytesHeaderParser
from email.utils import format_datetime
from typing import Final

from benchmarks.tables import as_bytes
from pbem.mailbox import Parcel

_HEADERS: Final = BytesHeaderParser()
_SUBJECT: Final = re.compile(
    r"(?:Re: )?\[(?P<table>[a-z]+-\d+)\] (?P<reminder>Reminder: )?(?P<rest>.+)",
)
_ASKS: Final = re.compile(r"(?P<what>Round .+?: )(?:(?:not|partly) done - )?(?P<kind>.+?) - by (?P<due>.+)")
_IDS: Final = re.compile(r"<[^<>\s]+>")
MOVED: Final = b"Your deadline has passed, so"
_LATE: Final = re.compile(rb"(\w+) has let a deadline pass at")
REFERRED: Final = b"Your deadline has passed, and"


@dataclass(frozen=True, slots=True)
class Got:
    """What a person sees of a mail from the host, which sent it `at` this time."""

    at: datetime
    to: str
    subject: str
    id: str
    reply_to: str
    answers: tuple[str, ...]
    table: str = ""
    asked: str = ""
    """Round, phase and kind of the decision that the reader is awaited for."""
    due: str = ""
    """Its deadline, as the subject has it."""
    reminder: bool = False
    moderator: bool = False
    """It came to the moderator, whose words its reply address takes."""
    moved: bool = False
    """The host has moved for the reader, whose deadline had passed."""
    referred: bool = False
    """The reader's deadline has passed, and the moderator was asked."""
    late: str = ""
    """About whom its moderator is asked."""


def got(parcel: Parcel, at: datetime) -> Got:
    """What stands in a mail that the host sent."""
    head = _HEADERS.parsebytes(parcel.raw)
    subject = " ".join(str(head["Subject"]).split())
    found = _SUBJECT.fullmatch(subject)
    asks = _ASKS.fullmatch(found["rest"]) if found else None
    plain = parcel.raw.partition(b"\n\n")[2] or parcel.raw.partition(b"\r\n\r\n")[2]
    body = b" ".join(plain[:6000].split())
    late = _LATE.search(body)
    return Got(
        at=at,
        to=parcel.envelope_to,
        subject=subject,
        id=str(head["Message-ID"]),
        reply_to=str(head["Reply-To"] or head["From"]),
        answers=tuple(_IDS.findall(f"{head['References'] or ''} {head['In-Reply-To'] or ''}")),
        table=found["table"] if found else "",
        asked=f"{asks['what']}{asks['kind']}" if asks else "",
        due=asks["due"] if asks else "",
        reminder=bool(found and found["reminder"]),
        moderator="moderator -" in subject,
        moved=MOVED in body,
        referred=REFERRED in body,
        late=late[1].decode() if late else "",
    )


def written(sender: str, to: str, id: str, at: datetime, lines: Sequence[str], answered: Got | None = None) -> bytes:
    """A mail to the host; above a line of what it answers."""
    headers = {
        "From": sender,
        "To": to,
        "Subject": f"Re: {answered.subject}" if answered else "To the inn",
        "Date": format_datetime(at),
        "Message-ID": id,
        **({"In-Reply-To": answered.id, "References": answered.id} if answered else {}),
    }
    quoted = [f"On {at:%a, %d %b %Y} at {at:%H:%M}, The inn wrote:", "", f"> {answered.subject}"] if answered else []
    return as_bytes(headers, [*lines, "", *quoted])
