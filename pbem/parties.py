"""Who wrote a mail, as far as it is proved, and what a mail may change. Values only."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from pbem.table import Person, Table, Written
from pbem.verdicts import Verdict


class Role(StrEnum):
    """As whom somebody writes: what the token in the address that he wrote to stands for."""

    STRANGER = "stranger"
    """An address that nobody has registered."""
    KNOWN = "known"
    """A player's address, but no token: may ask, may not order."""
    PERSON = "person"
    """A registered player, about no seat."""
    SEAT = "seat"
    MODERATOR = "moderator"
    INVITED = "invited"
    """The address of an invitation, with its token."""


@dataclass(frozen=True, slots=True)
class Party:
    """The sender of a mail, or the receiver of one."""

    role: Role
    address: str
    person: Person | None = None
    table: str = ""
    """The name of the table that the mail is about, by its token or else its subject; or nothing."""
    seat: int = 0
    """For `Role.SEAT`, and for an invitation to one certain seat."""


def seat_party(table: Table, seat: int) -> Party:
    """The party of an occupied seat."""
    person = table.chair(seat).person
    assert person is not None, "nobody sits there"
    return Party(Role.SEAT, person.address, person, table.name, seat)


def moderator_party(table: Table, who: Person | None = None) -> Party:
    """The party of the moderator, or of one beside him."""
    person = who or table.moderator
    return Party(Role.MODERATOR, person.address, person, table.name)


@dataclass(frozen=True, slots=True)
class Reference:
    """An outgoing mail that somebody answers, found by its Message-ID."""

    message_id: str
    table: str
    seat: int
    decision: str
    """The key of the decision that it was about, or nothing."""
    n: int
    """The last entry when it was written."""
    raw: bytes
    address: str = ""
    """Where it went."""
    parts: tuple[Reference, ...] = ()
    """Of a digest: the mails that it was made of, each about a seat."""


TO_MODERATE = -1
TO_ASSIST = -2
"""In the place of a seat: the table is offered to be moderated."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """A place at a table, offered to an address; or, without a table, leave to register."""

    table: str
    address: str
    seat: int = 0
    """0: any free place; or `TO_MODERATE`, or `TO_ASSIST`, to moderate as well."""
    by: int = 0
    """The id of the person who offers it; 0: the keeper of the host."""


@dataclass(frozen=True, slots=True)
class Alias:
    """Another address of a person, from which he may write. What he is told goes to his main one."""

    person: Person
    address: str
    confirmed: bool = False
    """It has answered the code that it got."""
    asked_at: datetime | None = None
    """When it was last sent one."""


@dataclass(frozen=True, slots=True)
class Lock:
    """The keeper of the host does not let somebody's mails be read."""

    why: str
    """In the keeper's words, or nothing."""
    since: datetime
    told: bool
    """Whoever it is about has been answered so."""


@dataclass(frozen=True, slots=True)
class Notice:
    """News for one party that is not an answer, as the name of a template and its data (JSON values)."""

    to: Party
    kind: str
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Words of a player for others, who are told by `notices`; these get the words when they are told."""

    table: str
    by: Person
    lines: tuple[str, ...]
    private: bool
    """Not for all."""
    anonymous: bool
    at: datetime
    """When they go out: anonymous ones later than they were written."""
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class Changed:
    """A table before (``None``: it is new) and after, with the entries to append."""

    before: Table | None
    after: Table
    written: tuple[Written, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """All that follows from one mail, one release or one look at the clock; written in one transaction."""

    verdict: Verdict | None = None
    to: Party | None = None
    """Whom `verdict` answers; ``None`` for robots and strangers, who get nothing."""
    further: tuple[tuple[Party, Verdict], ...] = ()
    """Answers to other parts of the same mail, which was about several tables."""
    tables: tuple[Changed, ...] = ()
    people: tuple[Person, ...] = ()
    """New (id 0) or changed."""
    invitations: tuple[Invitation, ...] = ()
    accepted: tuple[Invitation, ...] = ()
    """Invitations that are used up."""
    notices: tuple[Notice, ...] = ()
    spoken: tuple[Spoken, ...] = ()
    """What players say to each other."""
    silenced: tuple[str, ...] = ()
    """Addresses that want no mail any more, for ever."""
    unsilenced: tuple[str, ...] = ()
    """Addresses that have shown to be their owner's, who wants mail again."""
    aliases: tuple[Alias, ...] = ()
    """Further addresses that were added, or confirmed."""
    dropped: tuple[str, ...] = ()
    """Further addresses that are none any more."""
    proved: bool = False
    """The mail bore a token, or a signature, that shows whose it is."""
    told_locked: tuple[str, ...] = ()
    """Addresses that are answered, this once, that they are locked."""
    stranger: str = ""
    """The address that is answered without having shown that anybody wants it: such answers are counted."""
    forgotten: Person | None = None
    """Whose name and address are withdrawn everywhere."""


@dataclass(frozen=True, slots=True)
class Unsent:
    """An outgoing mail, ready to be queued."""

    to: Party
    message_id: str
    subject: str
    raw: bytes
    decision: str = ""
    n: int = 0
    asks: str = ""
    """The key of the open decision whose clock starts when this mail is accepted for sending."""
    created_at: datetime | None = None
    last_word: bool = False
    """It goes even to an address that wants no mail: it says that there will be none, or asks to be answered."""
