"""Mails that go out: the queue, what became of them, and the clocks that they start."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.parties import Reference, Role
from pbem.store.tables import CHAIR, GAME, OUTBOX, Sending
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
    """For each chair that is asked something with a deadline: when it is due."""
    rows = connection.execute(
        sa.select(OUTBOX.c.game_id, OUTBOX.c.seat, OUTBOX.c.asks, GAME.c.deadline_seconds)
        .join(GAME, GAME.c.id == OUTBOX.c.game_id)
        .where(OUTBOX.c.id.in_(ids), OUTBOX.c.asks != "", GAME.c.deadline_seconds.is_not(None))
    )
    return [
        {"game": row.game_id, "seat_": row.seat, "asks": row.asks, "due": now + timedelta(seconds=row.deadline_seconds)}
        for row in rows
    ]


def _start(connection: Connection, clocks: list[dict[str, Any]]) -> None:
    """Set what is due and move the tables on, so that nobody writes a chair that he read before."""
    asked = sa.and_(
        CHAIR.c.game_id == sa.bindparam("game"),
        CHAIR.c.seat == sa.bindparam("seat_"),
        CHAIR.c.asked == sa.bindparam("asks"),
        CHAIR.c.due_at.is_(None),
    )
    connection.execute(CHAIR.update().where(asked).values(due_at=sa.bindparam("due"), reminded=False), clocks)
    games = sorted({clock["game"] for clock in clocks})
    connection.execute(GAME.update().where(GAME.c.id.in_(games)).values(version=GAME.c.version + 1))


def retry_later(connection: Connection, id: int, when: datetime, error: str) -> None:
    """A mail was not accepted for now; it is tried again at `when`."""
    _tried(connection, id, next_try_at=when, error=error)


def failed(connection: Connection, id: int, error: str) -> None:
    """A mail was refused for good."""
    _tried(connection, id, status=Sending.FAILED, error=error)


def _tried(connection: Connection, id: int, **values: Any) -> None:
    connection.execute(OUTBOX.update().where(OUTBOX.c.id == id).values(attempts=OUTBOX.c.attempts + 1, **values))


def reference(connection: Connection, message_ids: Sequence[str]) -> Reference | None:
    """The first of `message_ids` that is a mail of this host."""
    rows = connection.execute(
        sa.select(*OUTBOX.c["message_id", "seat", "decision", "n", "raw"], GAME.c.name)
        .outerjoin(GAME, GAME.c.id == OUTBOX.c.game_id)
        .where(OUTBOX.c.message_id.in_(message_ids))
    ).all()
    known = {row.message_id: row for row in rows}
    for each in message_ids:
        if row := known.get(each):
            return Reference(row.message_id, row.name or "", row.seat, row.decision, row.n, bytes(row.raw))
    return None
