"""The tables. Rows never leave `pbem.store`; queries use the statements of SQLAlchemy's core on ``NAME.c``.

Texts that hold JSON are exact: an entry's hash is taken over what its text says.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlmodel import Field

from pbem.parties import Role
from pbem.press import Delivery
from pbem.store.rows import KEPT_TELL as KEPT_TELL
from pbem.store.rows import METADATA as METADATA
from pbem.store.rows import TO_HOST as TO_HOST
from pbem.store.rows import (
    Foreign,
    Id,
    MaybeTime,
    Row,
    Time,
    choice,
    nameless,
    unswept,
    unswept_words,
    where,
)
from pbem.store.rows import Sending as Sending
from pbem.store.rows import Stage as Stage
from pbem.store.types import text_enum
from pbem.table import Mails, Status


class Person(Row, table=True):
    """Somebody with a name and an address."""

    __table_args__ = (sa.Index(None, "digest_next"), sa.Index(None, "unconfirmed_since"))

    id: Id = None
    name: str
    folded: str = Field(unique=True)
    address: str
    canonical: str = Field(unique=True)
    confirmed: bool
    unconfirmed_since: MaybeTime
    """When the name was last asked for; nothing once the address has confirmed it, or is forgotten."""
    zone: str
    language: str
    mails: Mails = choice(Mails)
    epoch: int
    stopped: bool = Field(sa_column_kwargs={"server_default": sa.false()})
    """Wants no mail any more; `Silence` holds it too, and for ever."""
    away_from: MaybeTime
    away_until: MaybeTime
    away_bot: bool = Field(index=True, sa_column_kwargs={"server_default": sa.false()})
    """A bot plays meanwhile."""
    calendar: bool = Field(sa_column_kwargs={"server_default": sa.false()})
    plain: bool = Field(sa_column_kwargs={"server_default": sa.false()})
    pictures: bool = Field(sa_column_kwargs={"server_default": sa.true()})
    brief: bool = Field(sa_column_kwargs={"server_default": sa.false()})
    press: Delivery = Field(sa_type=text_enum(Delivery), sa_column_kwargs={"server_default": Delivery.NEXT.value})
    digest: bool = Field(sa_column_kwargs={"server_default": sa.false()})
    digest_at: int | None
    digest_next: MaybeTime


class Alias(Row, table=True):
    """Another address of a person, who may write from it as well; mail goes to the one in `Person`."""

    id: Id = None
    person_id: int = Field(foreign_key="person.id", index=True)
    address: str
    canonical: str = Field(unique=True)
    confirmed: bool
    """It has answered the code that it got."""
    created_at: Time


class Game(Row, table=True):
    """A table; `state` and what stands behind it are a cache of its record."""

    __table_args__ = (
        sa.Index(None, "restless", "id"),
        sa.Index(None, "status", "id"),
        sa.Index(None, "held_until"),
    )

    id: Id = None
    name: str = Field(unique=True)
    label: str = Field(sa_column_kwargs={"server_default": ""})
    """What people call it beside its name."""
    rematch_of: str = Field(index=True, sa_column_kwargs={"server_default": ""})
    """The name of the table whose players sit again, or nothing."""
    kind: str
    options: str
    places: int
    status: Status = choice(Status)
    moderator_id: int = Field(foreign_key="person.id", index=True)
    moderator_epoch: int
    secret: str
    chosen: bool
    schedule: str
    """How long its decisions may take."""
    watchable: bool = Field(index=True, sa_column_kwargs={"server_default": sa.false()})
    """It runs, and anybody may watch."""
    header: str | None
    state: bytes | None
    n: int
    deals: int
    paused: bool
    ended: bool
    sealed: bool = Field(sa_column_kwargs={"server_default": sa.false()})
    """It was ended and not laid open."""
    head: str
    rolled: int
    undone_to: int = Field(sa_column_kwargs={"server_default": "0"})
    undone_at: int = Field(sa_column_kwargs={"server_default": "0"})
    held: str | None
    """What a seat may still take back, but for its time and the state before it."""
    held_state: bytes | None
    held_until: MaybeTime
    witnesses: str = Field(sa_column_kwargs={"server_default": "[]"})
    """Who may have seen every hand: ids of people, as JSON."""
    version: int
    restless: bool
    """Something happened since it was last looked at: plans may run, people may have to be told."""
    created_at: Time
    ended_at: MaybeTime


class CoModerator(Row, table=True):
    """Somebody who moderates a table beside its moderator."""

    __tablename__ = "co_moderator"

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    person_id: int = Field(primary_key=True, foreign_key="person.id", index=True)


class Watcher(Row, table=True):
    """Somebody who watches a table, and what he has been told of it."""

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    person_id: int = Field(primary_key=True, foreign_key="person.id", index=True)
    told: int
    round: int
    mailed_at: MaybeTime


class Chair(Row, table=True):
    """A seat of a table and whoever sits there."""

    __table_args__ = (sa.Index(None, "lapses_at"), sa.Index(None, "remind_at"), sa.Index(None, "free"))

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    seat: int = Field(primary_key=True)
    person_id: int | None = Field(foreign_key="person.id", index=True)
    epoch: int
    machine: bool
    phrase: str
    told: int
    asked: str
    phase: str
    kind: str
    began_at: MaybeTime
    due_at: MaybeTime
    lapses_at: MaybeTime
    remind_at: MaybeTime
    referred: bool
    bank_seconds: int
    misses: int
    mailed_at: MaybeTime
    orders: str | None
    """The last that did something, as JSON."""
    given_up: bool = Field(sa_column_kwargs={"server_default": sa.false()})
    unreachable: bool = Field(sa_column_kwargs={"server_default": sa.false()})
    level: str = Field(sa_column_kwargs={"server_default": ""})
    """Of the bot that answers for it."""
    free: bool = Field(sa_column_kwargs={"server_default": sa.false()})
    lessons: str = Field(sa_column_kwargs={"server_default": ""})
    """With spaces between them."""
    called: str = Field(sa_column_kwargs={"server_default": ""})
    """At this table alone."""
    ballot: str | None
    """What its player has voted for, as JSON."""


class Entry(Row, table=True):
    """An entry of a record, and the events that it caused with their secrets."""

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    n: int = Field(primary_key=True)
    what: str
    hash: str
    events: str
    at: Time


class Remark(Row, table=True):
    """What stands beside an entry that a moderator made, and can be withdrawn: the record itself names nobody."""

    __table_args__ = (sa.ForeignKeyConstraint(["game_id", "n"], ["entry.game_id", "entry.n"]),)

    game_id: int = Field(primary_key=True)
    n: int = Field(primary_key=True)
    person_id: int | None = Field(foreign_key="person.id", index=True)
    """Nobody: the keeper of the host."""
    why: Foreign
    facts: str


class Inbox(Row, table=True):
    """A mail that came in."""

    __table_args__ = (
        sa.Index(None, "stage", "id"),
        sa.Index(None, "sender", "received_at"),
        unswept("inbox", "received_at"),
    )

    id: Id = None
    digest: str = Field(unique=True)
    folder: str
    uid: int = Field(sa_type=sa.BigInteger)
    sender: Foreign
    """In canonical form."""
    raw: bytes
    """Empty once it was swept."""
    received_at: Time
    attempts: int
    copies: int
    """How often it came."""
    stage: Stage = choice(Stage)
    problem: Foreign
    worth: int = Field(sa_column_kwargs={"server_default": "0"})
    """What it was good for (`pbem.loops.Worth`), so that robots are known by how much they write of no worth."""
    proved: bool = Field(sa_column_kwargs={"server_default": sa.false()})
    """It was shown whose it is: what others forge is counted apart."""
    lane: str = Field(sa_column_kwargs={"server_default": ""})
    """The table with whose mails it is handled in order, where workers do that; nothing: with those of no table."""


class Plan(Row, table=True):
    """An order kept for later."""

    __table_args__ = (sa.ForeignKeyConstraint(["game_id", "seat"], ["chair.game_id", "chair.seat"]),)

    id: Id = None
    game_id: int = Field(index=True)
    seat: int
    decision: str
    text: str
    inbox_id: int | None = Field(foreign_key="inbox.id")
    line: int


class Invitation(Row, table=True):
    """A place offered to an address; or, without a game, leave to register."""

    __table_args__ = (
        sa.UniqueConstraint("game_id", "canonical"),
        sa.Index("uq_invitation_host", "canonical", unique=True, **where(TO_HOST)),
        sa.Index(None, "inviter_id", "created_at"),
    )

    id: Id = None
    game_id: int | None = Field(foreign_key="game.id")
    address: str
    canonical: str = Field(index=True)
    seat: int
    open: bool
    inviter_id: int | None = Field(foreign_key="person.id")
    """Nobody: the keeper of the host."""
    created_at: Time


class Credential(Row, table=True):
    """The hash of a token and what it stands for. Withdrawn ones stay, inactive."""

    __table_args__ = (sa.Index(None, "game_id", "role", "seat"), sa.Index(None, "person_id", "role"))

    id: Id = None
    hash: str = Field(unique=True)
    role: Role = choice(Role)
    person_id: int | None = Field(foreign_key="person.id")
    game_id: int | None = Field(foreign_key="game.id")
    seat: int
    invitation_id: int | None = Field(foreign_key="invitation.id", index=True)
    active: bool


class Addressed(Row):
    """Columns of what is for one party."""

    role: Role = choice(Role)
    address: str
    """Of a stranger only until he is answered."""
    person_id: int | None = Field(foreign_key="person.id", index=True)
    game_id: int | None = Field(foreign_key="game.id")
    seat: int


class Outbox(Addressed, table=True):
    """A mail that goes out, or went."""

    __table_args__ = (
        sa.Index(None, "status", "next_try_at", "id"),
        sa.Index(None, "sent_at"),
        unswept("outbox", "created_at"),
        nameless("outbox"),
    )

    id: Id = None
    message_id: str = Field(unique=True)
    subject: str
    raw: bytes
    """Empty once it was swept: the row stays, so that an answer to the mail finds what it was about."""
    decision: str
    n: int
    asks: str
    status: Sending = choice(Sending)
    attempts: int
    created_at: Time
    sent_at: MaybeTime
    next_try_at: Time
    bundle_id: int | None = Field(foreign_key="outbox.id", index=True)
    """The digest that it is a part of: it is sent with that, and not by itself."""
    error: Foreign


class Verdict(Addressed, table=True):
    """The answer to a mail, or news of a plan, as data; `settled` once it needs no mail any more."""

    __table_args__ = (sa.Index(None, "game_id", "settled"), nameless("verdict"))

    id: Id = None
    inbox_id: int | None = Field(foreign_key="inbox.id")
    data: str
    settled: bool
    outbox_id: int | None = Field(foreign_key="outbox.id")


class Press(Row, table=True):
    """What a player said to others: beside the record, so that it can be withdrawn."""

    __table_args__ = (sa.Index(None, "person_id", "at"), sa.Index(None, "due_at"), unswept_words())

    id: Id = None
    game_id: int = Field(foreign_key="game.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    words: Foreign
    """Its lines; nothing once they are withdrawn or swept."""
    private: bool
    """Not for all: it is kept only as long as mails are."""
    anonymous: bool
    at: Time
    """When it went out, or will: of anonymous words nothing says when they were written."""
    due_at: MaybeTime
    """The same, as long as it has not gone out."""


class Notice(Addressed, table=True):
    """News for one party that is not an answer."""

    __table_args__ = (sa.Index(None, "game_id", "settled"), nameless("notice"))

    id: Id = None
    press_id: int | None = Field(foreign_key="press.id", index=True)
    """Words that it brings."""
    kind: str
    facts: str
    settled: bool
    outbox_id: int | None = Field(foreign_key="outbox.id")


class Silence(Row, table=True):
    """An address that wants no mail, by its hash: this is kept even of who is forgotten."""

    hash: str = Field(primary_key=True)
    since: Time


class Locked(Row, table=True):
    """An address whose mails are read by nobody, by its hash: the keeper of the host wants it so."""

    __tablename__ = "lock"

    hash: str = Field(primary_key=True)
    why: Foreign
    since: Time
    told: bool


class Stranger(Row, table=True):
    """An answer to an address that nobody has confirmed, kept for a day to be counted."""

    id: Id = None
    hash: str
    """Of the address."""
    at: Time = Field(index=True)


class Host(Row, table=True):
    """What the host itself keeps in mind, a handful of rows."""

    key: str = Field(primary_key=True)
    value: str


PERSON: Final = METADATA.tables["person"]
ALIAS: Final = METADATA.tables["alias"]
GAME: Final = METADATA.tables["game"]
CO_MODERATOR: Final = METADATA.tables["co_moderator"]
WATCHER: Final = METADATA.tables["watcher"]
CHAIR: Final = METADATA.tables["chair"]
ENTRY: Final = METADATA.tables["entry"]
REMARK: Final = METADATA.tables["remark"]
PLAN: Final = METADATA.tables["plan"]
CREDENTIAL: Final = METADATA.tables["credential"]
INVITATION: Final = METADATA.tables["invitation"]
INBOX: Final = METADATA.tables["inbox"]
VERDICT: Final = METADATA.tables["verdict"]
PRESS: Final = METADATA.tables["press"]
NOTICE: Final = METADATA.tables["notice"]
OUTBOX: Final = METADATA.tables["outbox"]
LOCK: Final = METADATA.tables["lock"]
SILENCE: Final = METADATA.tables["silence"]
STRANGER: Final = METADATA.tables["stranger"]
HOST: Final = METADATA.tables["host"]
