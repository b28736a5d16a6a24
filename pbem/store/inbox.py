"""Mails that came in: taken in once, handled once, or parked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.names import canonical
from pbem.store.database import insert_or
from pbem.store.tables import INBOX, Stage
from pbem.store.values import Conflict, Incoming, Work

ATTEMPTS: Final = 3
"""How often a mail is begun before it is given up, where the settings say nothing else."""

_WORK: Final = sa.select(INBOX.c.id, INBOX.c.sender, INBOX.c.received_at, INBOX.c.attempts)


def intake(connection: Connection, mails: Iterable[Incoming]) -> tuple[int, ...]:
    """Keep `mails`, each begun once by that; the ids of the new ones, in order. One that is known is counted only."""
    rows = (_take(connection, mail) for mail in mails)
    return tuple(row.id for row in rows if row.copies == 1)


def _take(connection: Connection, mail: Incoming) -> sa.Row[Any]:
    insert = insert_or(connection, INBOX).values(
        digest=mail.digest,
        folder=mail.folder,
        uid=mail.uid,
        sender=canonical(mail.sender),
        raw=mail.raw,
        received_at=mail.received_at,
        attempts=1,
        copies=1,
        stage=Stage.NEW,
        problem="",
    )
    again = insert.on_conflict_do_update(index_elements=["digest"], set_={"copies": INBOX.c.copies + 1})
    return connection.execute(again.returning(INBOX.c.id, INBOX.c.copies)).one()


def work(connection: Connection, limit: int, attempts: int) -> tuple[Work, ...]:
    """Mails to be handled, in order of intake, that were begun less than `attempts` times."""
    return _new(connection, INBOX.c.attempts < attempts, limit)


def worn_out(connection: Connection, limit: int, attempts: int) -> tuple[Work, ...]:
    """Mails that were begun `attempts` times and never came to an end: to be parked."""
    return _new(connection, INBOX.c.attempts >= attempts, limit)


def _new(connection: Connection, condition: sa.ColumnElement[bool], limit: int) -> tuple[Work, ...]:
    query = _WORK.where(INBOX.c.stage == Stage.NEW, condition).order_by(INBOX.c.id).limit(limit)
    return tuple(Work(row.id, row.sender, row.received_at, row.attempts) for row in connection.execute(query))


def raw(connection: Connection, id: int) -> bytes:
    """The bytes of a mail."""
    return bytes(connection.execute(sa.select(INBOX.c.raw).where(INBOX.c.id == id)).scalar_one())


def begin_again(connection: Connection, id: int) -> None:
    """Count one more attempt; to be committed before it is made."""
    connection.execute(INBOX.update().where(INBOX.c.id == id).values(attempts=INBOX.c.attempts + 1))


def finish(connection: Connection, id: int, problem: str = "") -> None:
    """The mail is done, or parked for its `problem`. `Conflict` when it is no longer new: then it was handled."""
    values: dict[str, Any] = {"stage": Stage.PARKED if problem else Stage.DONE, "problem": problem}
    found = connection.execute(INBOX.update().where(INBOX.c.id == id, INBOX.c.stage == Stage.NEW).values(**values))
    if found.rowcount != 1:
        raise Conflict(f"mail {id} was handled by now")
