"""Everything that is kept about one person, for that person. Nothing of others, no secret, no token."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.digest import Digest
from pbem.names import canonical
from pbem.press import Delivery
from pbem.schedule import Absence
from pbem.store import aliases, codec, press
from pbem.store.tables import CHAIR, GAME, INBOX, INVITATION, OUTBOX, PERSON, VERDICT, WATCHER
from pbem.table import Person

FORMAT = 1


class Seat(msgspec.Struct, frozen=True):
    """A table at which the person sits or sat, or which he moderates (seat 0)."""

    table: str
    kind: str
    status: str
    seat: int
    moderator: bool
    phrase: str
    created_at: datetime


class Offer(msgspec.Struct, frozen=True):
    """A place that the person was offered; no table: leave to register."""

    table: str
    seat: int
    open: bool
    created_at: datetime


class Mail(msgspec.Struct, frozen=True):
    """A mail from or to the person: what it was called, and when."""

    subject: str
    at: datetime


class Words(msgspec.Struct, frozen=True):
    """Something that he said to other players; what he told some alone is kept as long as mails are."""

    table: str
    at: datetime
    private: bool
    text: str


class Answer(msgspec.Struct, frozen=True):
    """What became of a mail of his: his lines, and the fate of each."""

    subject: str
    received_at: datetime | None
    reason: str
    lines: tuple[tuple[str, str, str], ...]
    """Text, fate, reason."""


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """All of it."""

    format: int
    name: str
    address: str
    further_addresses: tuple[str, ...]
    """Those from which he may write too, and those that have not answered yet."""
    confirmed: bool
    zone: str
    language: str
    mails: str
    stopped: bool
    away: Absence | None
    """The last absence that he announced."""
    calendar: bool
    plain: bool
    """He wants no HTML."""
    brief: bool
    """He wants text in few lines."""
    pictures: bool
    """He wants the position as a picture."""
    press: Delivery
    """When he reads what others say to him."""
    digest: Digest | None
    """Whether he wants the mails of all his games in one, and when."""
    tables: tuple[Seat, ...]
    watches: tuple[str, ...]
    """Names of the tables that he watches."""
    invitations: tuple[Offer, ...]
    received: tuple[datetime, ...]
    """When mails came from his address; their subjects stand in `answers`."""
    sent: tuple[Mail, ...]
    said: tuple[Words, ...]
    answers: tuple[Answer, ...]


def export(connection: Connection, person: Person) -> Export:
    """Everything about `person`, a statement for each kind of thing."""
    row = connection.execute(sa.select(PERSON).where(PERSON.c.id == person.id)).one()
    return Export(
        format=FORMAT,
        name=row.name,
        address=row.address,
        further_addresses=tuple(alias.address for alias in aliases.of(connection, person)),
        confirmed=row.confirmed,
        zone=row.zone,
        language=row.language,
        mails=row.mails.value,
        stopped=row.stopped,
        away=person.away,
        calendar=person.calendar,
        plain=person.plain,
        brief=person.brief,
        pictures=person.pictures,
        press=person.press,
        digest=person.digest,
        tables=_tables(connection, person.id),
        watches=_watches(connection, person.id),
        invitations=_invitations(connection, row.canonical),
        received=_received(connection, canonical(row.address)),
        sent=_sent(connection, person.id),
        said=tuple(
            Words(each.table, each.at, each.private, "\n".join(each.lines))
            for each in press.said_by(connection, person.id)
        ),
        answers=_answers(connection, person.id),
    )


def _tables(connection: Connection, person: int) -> tuple[Seat, ...]:
    chair = sa.and_(CHAIR.c.game_id == GAME.c.id, CHAIR.c.person_id == person)
    own = sa.union(
        sa.select(CHAIR.c.game_id).where(CHAIR.c.person_id == person),
        sa.select(GAME.c.id).where(GAME.c.moderator_id == person),
    )
    rows = connection.execute(
        sa.select(*GAME.c["name", "kind", "status", "moderator_id", "created_at"], CHAIR.c.seat, CHAIR.c.phrase)
        .select_from(GAME.outerjoin(CHAIR, chair))
        .where(GAME.c.id.in_(own))
        .order_by(GAME.c.id)
    )
    return tuple(
        Seat(r.name, r.kind, r.status.value, r.seat or 0, r.moderator_id == person, r.phrase or "", r.created_at)
        for r in rows
    )


def _watches(connection: Connection, person: int) -> tuple[str, ...]:
    query = sa.select(GAME.c.name).join(WATCHER, WATCHER.c.game_id == GAME.c.id).where(WATCHER.c.person_id == person)
    return tuple(connection.execute(query.order_by(GAME.c.id)).scalars())


def _invitations(connection: Connection, address: str) -> tuple[Offer, ...]:
    rows = connection.execute(
        sa.select(GAME.c.name, *INVITATION.c["seat", "open", "created_at"])
        .select_from(INVITATION.outerjoin(GAME, GAME.c.id == INVITATION.c.game_id))
        .where(INVITATION.c.canonical == address)
        .order_by(INVITATION.c.id)
    )
    return tuple(Offer(row.name or "", row.seat, row.open, row.created_at) for row in rows)


def _received(connection: Connection, address: str) -> tuple[datetime, ...]:
    query = sa.select(INBOX.c.received_at).where(INBOX.c.sender == address).order_by(INBOX.c.id)
    return tuple(connection.execute(query).scalars())


def _sent(connection: Connection, person: int) -> tuple[Mail, ...]:
    query = sa.select(OUTBOX.c.subject, OUTBOX.c.created_at).where(OUTBOX.c.person_id == person).order_by(OUTBOX.c.id)
    return tuple(Mail(row.subject, row.created_at) for row in connection.execute(query))


def _answers(connection: Connection, person: int) -> tuple[Answer, ...]:
    query = sa.select(VERDICT.c.data).where(VERDICT.c.person_id == person).order_by(VERDICT.c.id)
    return tuple(_answer(data) for data in connection.execute(query).scalars())


def _answer(data: str) -> Answer:
    verdict: Any = codec.verdict(data)
    lines = tuple((line.text, line.said.value, line.reason) for line in verdict.lines)
    return Answer(verdict.subject, verdict.received_at, verdict.reason, lines)
