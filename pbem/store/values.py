"""What goes into the store and comes out of it, beside the core's own values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.parties import Unsent
from pbem.settle import Answers
from pbem.table import Person


class Conflict(Exception):
    """Somebody else has written in the meantime, and nothing was written now: read again, decide again."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A mail as the mailbox gave it."""

    folder: str
    """Folder and UIDVALIDITY in one word; with `uid` a short cut, never who it is."""
    uid: int
    digest: str
    """SHA-256 in hex over Message-ID, From, Date, Subject and body: who it is."""
    sender: str
    raw: bytes
    received_at: datetime
    lane: str = ""
    """The table that it is for, where workers handle the mails of each table in order; nothing: the host's own lane."""
    attempts: int = 1
    """How often it was begun by being kept: 0 where others handle it, who count each time."""


@dataclass(frozen=True, slots=True)
class Work:
    """A mail that waits to be handled; its bytes are asked for by its id."""

    id: int
    sender: str
    received_at: datetime
    attempts: int
    """How often it was begun, the present time included."""
    again: bool = False
    """The same mail was handled before."""


@dataclass(frozen=True, slots=True)
class Parked:
    """A mail that was put aside, for the keeper to look at."""

    id: int
    sender: str
    received_at: datetime
    problem: str


@dataclass(frozen=True, slots=True)
class Pending:
    """What waits to be told to one party, and the rows that it stands in."""

    answers: Answers
    verdicts: tuple[int, ...] = ()
    notices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Posting:
    """A mail to be queued and what it settles; without a mail, what needs none."""

    mail: Unsent | None
    settles: tuple[Pending, ...] = ()


@dataclass(frozen=True, slots=True)
class Bundle:
    """Queued mails that one person wants in one: id, table, subject and bytes of each."""

    person: Person
    mails: tuple[tuple[int, str, str, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A queued mail."""

    id: int
    message_id: str
    to: str
    raw: bytes
    attempts: int
    """How often it was tried so far."""
    table: str = ""
    seat: int = 0


@dataclass(frozen=True, slots=True)
class Queue:
    """Mails that should have gone out and did not."""

    count: int
    since: datetime | None
    """When the oldest of them was written."""
