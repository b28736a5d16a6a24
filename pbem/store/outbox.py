"""Mails that go out: the queue, what became of them, and the clocks that they start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.parties import Reference, Role
from pbem.schedule import Clock, started
from pbem.store import codec
from pbem.store.database import Among
from pbem.store.people import PERSON_COLUMNS, absence, person_of
from pbem.store.saving import clock_values
from pbem.store.tables import CHAIR, GAME, OUTBOX, PERSON, Sending
from pbem.store.values import Bundle, Conflict, Outgoing, Queue

# Statements are built once: building one takes longer than running it.
_TO_SEND: Final = sa.and_(OUTBOX.c.status == Sending.QUEUED, OUTBOX.c.next_try_at <= sa.bindparam("now"))
DUE: Final = sa.select(OUTBOX.c.id).where(_TO_SEND)
_QUEUE: Final = (
    sa.select(*OUTBOX.c["id", "message_id", "address", "raw", "attempts", "seat"], GAME.c.name)
    .outerjoin(GAME, GAME.c.id == OUTBOX.c.game_id)
    .where(_TO_SEND)
    .order_by(OUTBOX.c.next_try_at, OUTBOX.c.id)
    .limit(sa.bindparam("most"))
)
_ALONE: Final = _QUEUE.outerjoin(PERSON, PERSON.c.id == OUTBOX.c.person_id).where(
    sa.not_(sa.and_(OUTBOX.c.role == Role.SEAT, OUTBOX.c.attempts == 0, sa.func.coalesce(PERSON.c.digest, sa.false())))
)
"""Without what `to_bundle` may still find another mail for."""
_REFERENCE: Final = Among(
    sa.select(*OUTBOX.c["id", "role", "message_id", "seat", "decision", "n", "raw", "address"], GAME.c.name).outerjoin(
        GAME, GAME.c.id == OUTBOX.c.game_id
    ),
    OUTBOX.c.message_id,
)


def queue(connection: Connection, now: datetime, limit: int, *, alone: bool = False) -> tuple[Outgoing, ...]:
    """Mails to be sent now, the one that waits longest first; or only those that are not for a digest."""
    rows = connection.execute(_ALONE if alone else _QUEUE, {"now": now, "most": limit})
    return tuple(
        Outgoing(row.id, row.message_id, row.address, row.raw, row.attempts, row.name or "", row.seat) for row in rows
    )


def is_waiting(connection: Connection) -> bool:
    """Whether there is any mail to be sent, now or later."""
    query = sa.select(OUTBOX.c.id).where(OUTBOX.c.status == Sending.QUEUED).limit(1)
    return connection.execute(query).one_or_none() is not None


def late(connection: Connection, before: datetime) -> Queue:
    """The mails written before `before` that wait to be sent, but for those that go with another one."""
    waits = sa.and_(OUTBOX.c.status == Sending.QUEUED, OUTBOX.c.bundle_id.is_(None), OUTBOX.c.created_at < before)
    row = connection.execute(sa.select(sa.func.count(), sa.func.min(OUTBOX.c.created_at)).where(waits)).one()
    return Queue(row[0], row[1])


def sent_since(connection: Connection, when: datetime) -> int:
    """How many mails were accepted for sending after `when`."""
    count = sa.select(sa.func.count()).select_from(OUTBOX).where(OUTBOX.c.sent_at > when, OUTBOX.c.bundle_id.is_(None))
    return int(connection.execute(count).scalar_one())


def accepted(connection: Connection, ids: Sequence[int], now: datetime) -> None:
    """Mails were accepted for sending: the clocks of the decisions that they ask for begin."""
    connection.execute(
        OUTBOX.update()
        .where(_with_parts(ids))
        .values(status=Sending.SENT, sent_at=now, attempts=OUTBOX.c.attempts + 1, error="")
    )
    # A stranger's address is needed only until his mail is sent.
    strangers = OUTBOX.update().where(OUTBOX.c.id.in_(ids), OUTBOX.c.role == Role.STRANGER)
    connection.execute(strangers.values(address="", raw=b""))
    start_clocks(connection, ids, now)


def _with_parts(ids: Sequence[int]) -> sa.ColumnElement[bool]:
    """Mails, and those that they were made of."""
    return sa.or_(OUTBOX.c.id.in_(ids), OUTBOX.c.bundle_id.in_(ids))


def ids_of(connection: Connection, message_ids: Iterable[str]) -> list[int]:
    """The ids of mails, by their Message-IDs."""
    rows = connection.execute(sa.select(OUTBOX.c.id).where(OUTBOX.c.message_id.in_(sorted(message_ids))))
    return list(rows.scalars())


def start_clocks(connection: Connection, ids: Sequence[int], now: datetime) -> None:
    """The clocks of the decisions that mails ask for begin; for a digest, those of its parts."""
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
        .where(
            _with_parts(ids),
            OUTBOX.c.asks != "",
            CHAIR.c.asked == OUTBOX.c.asks,
            CHAIR.c.due_at.is_(None),
        )
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
    games = sorted({clock["game"] for clock in clocks})
    # The table first, as whoever saves one does: two who lock in different order wait for each other.
    connection.execute(GAME.update().where(GAME.c.id.in_(games)).values(version=GAME.c.version + 1))
    connection.execute(CHAIR.update().where(asked), clocks)


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


_PART: Final = OUTBOX.c["message_id", "seat", "decision", "n", "address", "bundle_id"]


def parts(connection: Connection, digest: int) -> tuple[Reference, ...]:
    """What the mails were about that a digest was made of."""
    rows = connection.execute(
        sa.select(*_PART, GAME.c.name)
        .join(GAME, GAME.c.id == OUTBOX.c.game_id)
        .where(OUTBOX.c.bundle_id == digest)
        .order_by(OUTBOX.c.id)
    )
    return tuple(Reference(row.message_id, row.name, row.seat, row.decision, row.n, b"", row.address) for row in rows)


def to_bundle(connection: Connection, now: datetime) -> tuple[Bundle, ...]:
    """Mails about seats that are to be sent now, of each person who wants those of several games in one."""
    rows = connection.execute(
        sa.select(*OUTBOX.c["id", "subject", "raw"], GAME.c.name, *PERSON_COLUMNS)
        .join(GAME, GAME.c.id == OUTBOX.c.game_id)
        .join(PERSON, PERSON.c.id == OUTBOX.c.person_id)
        .where(OUTBOX.c.status == Sending.QUEUED, OUTBOX.c.next_try_at <= now, OUTBOX.c.attempts == 0)
        .where(OUTBOX.c.role == Role.SEAT, PERSON.c.digest)
        .order_by(OUTBOX.c.id)
    )
    found: dict[int, Bundle] = {}
    for row in rows:
        person = person_of(row)
        assert person is not None
        bundle = found.setdefault(person.id, Bundle(person))
        found[person.id] = replace(bundle, mails=(*bundle.mails, (row.id, row.name, row.subject, bytes(row.raw))))
    return tuple(bundle for bundle in found.values() if len({name for _, name, _, _ in bundle.mails}) > 1)


def bundle(connection: Connection, ids: Sequence[int], digest: int) -> None:
    """Mails become parts of a digest. `Conflict` when one of them was sent in the meantime."""
    waiting = OUTBOX.update().where(OUTBOX.c.id.in_(ids), OUTBOX.c.status == Sending.QUEUED)
    if connection.execute(waiting.values(status=Sending.SENT, bundle_id=digest)).rowcount != len(ids):
        raise Conflict(f"of {ids} some were sent by now")


def reference(connection: Connection, message_ids: Sequence[str]) -> Reference | None:
    """The first of `message_ids` that is a mail of this host."""
    rows = _REFERENCE.run(connection, message_ids)
    known = {row.message_id: row for row in rows}
    for each in message_ids:
        if row := known.get(each):
            whole = parts(connection, row.id) if row.role == Role.PERSON else ()
            return Reference(
                row.message_id, row.name or "", row.seat, row.decision, row.n, bytes(row.raw), row.address, whole
            )
    return None
