"""Mails that go out: the queue, what became of them, and the clocks that they start."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.parties import Reference, Role
from pbem.schedule import Clock, started
from pbem.store import codec
from pbem.store.people import absence
from pbem.store.saving import clock_values
from pbem.store.tables import CHAIR, GAME, OUTBOX, PERSON, Sending
from pbem.store.values import Outgoing


def queue(connection: Connection, now: datetime, limit: int) -> tuple[Outgoing, ...]:
    """Mails to be sent now, the one that waits longest first."""
    rows = connection.execute(
        sa.select(*OUTBOX.c["id", "message_id", "address", "raw", "attempts", "seat"], GAME.c.name)
        .outerjoin(GAME, GAME.c.id == OUTBOX.c.game_id)
        .where(OUTBOX.c.status == Sending.QUEUED, OUTBOX.c.next_try_at <= now)
        .order_by(OUTBOX.c.next_try_at, OUTBOX.c.id)
        .limit(limit)
    )
    return tuple(
        Outgoing(row.id, row.message_id, row.address, row.raw, row.attempts, row.name or "", row.seat) for row in rows
    )


def is_waiting(connection: Connection) -> bool:
    """Whether there is any mail to be sent, now or later."""
    query = sa.select(OUTBOX.c.id).where(OUTBOX.c.status == Sending.QUEUED).limit(1)
    return connection.execute(query).one_or_none() is not None


def sent_since(connection: Connection, when: datetime) -> int:
    """How many mails were accepted for sending after `when`."""
    count = sa.select(sa.func.count()).select_from(OUTBOX).where(OUTBOX.c.sent_at > when)
    return int(connection.execute(count).scalar_one())


def accepted(connection: Connection, ids: Sequence[int], now: datetime) -> None:
    """Mails were accepted for sending: the clocks of the decisions that they ask for begin."""
    connection.execute(
        OUTBOX.update()
        .where(OUTBOX.c.id.in_(ids))
        .values(status=Sending.SENT, sent_at=now, attempts=OUTBOX.c.attempts + 1, error="")
    )
    # A stranger's address is needed only until his mail is sent.
    strangers = OUTBOX.update().where(OUTBOX.c.id.in_(ids), OUTBOX.c.role == Role.STRANGER)
    connection.execute(strangers.values(address="", raw=b""))
    start_clocks(connection, ids, now)


def start_clocks(connection: Connection, ids: Sequence[int], now: datetime) -> None:
    """The clocks of the decisions that mails ask for begin."""
    if clocks := _clocks(connection, ids, now):
        _start(connection, clocks)


def _clocks(connection: Connection, ids: Sequence[int], now: datetime) -> list[dict[str, Any]]:
    """The clock of each chair that is asked something with a deadline."""
    rows = connection.execute(
        sa.select(*CHAIR.c["game_id", "seat", "asked", "kind", "bank_seconds"], GAME.c.schedule, *_AWAY)
        .select_from(OUTBOX)
        .join(CHAIR, sa.and_(CHAIR.c.game_id == OUTBOX.c.game_id, CHAIR.c.seat == OUTBOX.c.seat))
        .join(GAME, GAME.c.id == CHAIR.c.game_id)
        .join(PERSON, PERSON.c.id == CHAIR.c.person_id)
        .where(OUTBOX.c.id.in_(ids), OUTBOX.c.asks != "", CHAIR.c.asked == OUTBOX.c.asks, CHAIR.c.due_at.is_(None))
    )
    clocks = ((row, _clock(row, now)) for row in rows)
    return [
        {"game": row.game_id, "seat_": row.seat, "asks": row.asked, **clock_values(clock)}
        for row, clock in clocks
        if clock is not None
    ]


_AWAY: Final = (PERSON.c.away_from, PERSON.c.away_until)


def _clock(row: Any, now: datetime) -> Clock | None:
    bank = timedelta(seconds=row.bank_seconds)
    return started(codec.schedule(row.schedule), row.kind, now, bank, absence(row.away_from, row.away_until))


def _start(connection: Connection, clocks: list[dict[str, Any]]) -> None:
    """Set the clocks and move the tables on, so that nobody writes a chair that he read before."""
    asked = sa.and_(
        CHAIR.c.game_id == sa.bindparam("game"),
        CHAIR.c.seat == sa.bindparam("seat_"),
        CHAIR.c.asked == sa.bindparam("asks"),
        CHAIR.c.due_at.is_(None),
    )
    connection.execute(CHAIR.update().where(asked), clocks)
    games = sorted({clock["game"] for clock in clocks})
    connection.execute(GAME.update().where(GAME.c.id.in_(games)).values(version=GAME.c.version + 1))


def retry_later(connection: Connection, id: int, when: datetime, error: str) -> None:
    """A mail was not accepted for now; it is tried again at `when`."""
    _tried(connection, id, next_try_at=when, error=error)


def shorten(connection: Connection, id: int, raw: bytes, error: str) -> None:
    """A mail was too large: it goes out as `raw`, which says so, and is otherwise the same."""
    _tried(connection, id, raw=raw, error=error)


def failed(connection: Connection, id: int, error: str) -> None:
    """A mail was refused for good."""
    _tried(connection, id, status=Sending.FAILED, error=error)


def _tried(connection: Connection, id: int, **values: Any) -> None:
    connection.execute(OUTBOX.update().where(OUTBOX.c.id == id).values(attempts=OUTBOX.c.attempts + 1, **values))


def read_from(connection: Connection, person: int, game: int, seat: int) -> datetime | None:
    """When the newest mail to a seat was accepted for sending; nothing while it waits, or without any."""
    newest = sa.select(OUTBOX.c.sent_at).where(
        OUTBOX.c.person_id == person, OUTBOX.c.game_id == game, OUTBOX.c.seat == seat
    )
    found: datetime | None = connection.execute(newest.order_by(OUTBOX.c.id.desc()).limit(1)).scalar_one_or_none()
    return found


def reference(connection: Connection, message_ids: Sequence[str]) -> Reference | None:
    """The first of `message_ids` that is a mail of this host."""
    rows = connection.execute(
        sa.select(*OUTBOX.c["message_id", "seat", "decision", "n", "raw", "address"], GAME.c.name)
        .outerjoin(GAME, GAME.c.id == OUTBOX.c.game_id)
        .where(OUTBOX.c.message_id.in_(message_ids))
    ).all()
    known = {row.message_id: row for row in rows}
    for each in message_ids:
        if row := known.get(each):
            return Reference(row.message_id, row.name or "", row.seat, row.decision, row.n, bytes(row.raw), row.address)
    return None
