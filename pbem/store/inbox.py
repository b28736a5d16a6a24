"""Mails that came in: taken in once, handled once, or parked."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.loops import Worth, Written
from pbem.names import canonical
from pbem.store.database import insert_or
from pbem.store.tables import INBOX, Stage
from pbem.store.values import Conflict, Incoming, Parked, Work

AGAIN: Final = " again "
"""Stands in the digest of a mail that came another time, between that of the mail and the day: one a day is kept."""
ELSEWHERE: Final = timedelta(minutes=1)
"""So much later a mail in another folder, or in one made anew, has been sent again and is not only seen again."""
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
ATTEMPTS: Final = 3
"""How often a mail is begun before it is given up, where the settings say nothing else."""

# Statements are built once: building one takes longer than running it.
NEW: Final = (
    sa.select(*INBOX.c["id", "digest", "sender", "received_at", "attempts"])
    .where(INBOX.c.stage == Stage.NEW)
    .order_by(INBOX.c.id)
)
_FIRST: Final = NEW.limit(sa.bindparam("limit"))
_WORK: Final = _FIRST.where(INBOX.c.attempts < sa.bindparam("most"))
_WORN_OUT: Final = _FIRST.where(INBOX.c.attempts >= sa.bindparam("most"))
_RAW: Final = sa.select(INBOX.c.raw).where(INBOX.c.id == sa.bindparam("mail"))
_THIS: Final = INBOX.alias()
_EARLIER: Final = sa.and_(
    INBOX.c.sender == _THIS.c.sender,
    INBOX.c.received_at > sa.bindparam("since"),
    INBOX.c.id < _THIS.c.id,
    INBOX.c.proved == sa.bindparam("with_proof"),
)
_DAY_BEFORE: Final = (
    sa.select(sa.func.count(), sa.func.min(INBOX.c.received_at))
    .join(_THIS, _EARLIER)
    .where(_THIS.c.id == sa.bindparam("mail"))
)
_FINISH: Final = (
    INBOX.update()
    .where(INBOX.c.id == sa.bindparam("mail"), INBOX.c.stage == Stage.NEW)
    .values(
        stage=sa.bindparam("becomes"),
        problem=sa.bindparam("why"),
        worth=sa.bindparam("worth_of_it"),
        proved=sa.bindparam("proof_of_it"),
    )
)


def intake(connection: Connection, mails: Iterable[Incoming]) -> tuple[int, ...]:
    """Keep `mails`, each begun once by that; the ids of the new ones, in order.

    One that is known is counted only, but once a day it is new as a copy when its sender has sent it again.
    """
    taken = (_take(connection, mail) for mail in mails)
    return tuple(id for id in taken if id is not None)


def _take(connection: Connection, mail: Incoming) -> int | None:
    """The id of a mail that is to be handled."""
    insert = insert_or(connection, INBOX).values(**_values(mail, mail.digest))
    counted = insert.on_conflict_do_update(index_elements=["digest"], set_={"copies": INBOX.c.copies + 1})
    row = connection.execute(counted.returning(*INBOX.c["id", "copies", "folder", "uid", "received_at", "stage"])).one()
    if row.copies == 1:
        return int(row.id)
    if row.stage != Stage.DONE or not _is_sent_again(row, mail):
        return None
    copy = insert_or(connection, INBOX).values(**_values(mail, f"{mail.digest}{AGAIN}{mail.received_at:%Y-%m-%d}"))
    kept = connection.execute(copy.on_conflict_do_nothing(index_elements=["digest"]).returning(INBOX.c.id))
    found: int | None = kept.scalar_one_or_none()
    return found


def _is_sent_again(row: sa.Row[Any], mail: Incoming) -> bool:
    """Whether a mail was delivered another time, and not only read another time by us."""
    if row.folder == mail.folder:
        return bool(row.uid != mail.uid)
    return bool(mail.received_at - row.received_at > ELSEWHERE)


def _values(mail: Incoming, digest: str) -> dict[str, Any]:
    return {
        "digest": digest,
        "folder": mail.folder,
        "uid": mail.uid,
        "sender": canonical(mail.sender),
        "raw": mail.raw,
        "received_at": mail.received_at,
        "attempts": mail.attempts,
        "copies": 1,
        "stage": Stage.NEW,
        "problem": "",
        "lane": mail.lane,
    }


def work(connection: Connection, limit: int, attempts: int) -> tuple[Work, ...]:
    """Mails to be handled, in order of intake, that were begun less than `attempts` times."""
    return _works(connection, _WORK, limit, attempts)


def worn_out(connection: Connection, limit: int, attempts: int) -> tuple[Work, ...]:
    """Mails that were begun `attempts` times and never came to an end: to be parked."""
    return _works(connection, _WORN_OUT, limit, attempts)


def _works(connection: Connection, query: sa.Select[Any], limit: int, attempts: int) -> tuple[Work, ...]:
    return works(connection.execute(query, {"limit": limit, "most": attempts}))


def works(rows: Iterable[Any]) -> tuple[Work, ...]:
    """Mails to be handled, from their rows."""
    return tuple(Work(row.id, row.sender, row.received_at, row.attempts, AGAIN in row.digest) for row in rows)


def came_first(connection: Connection, id: int) -> datetime | None:
    """When the mail came in of which `id` is a copy."""
    digest: str = connection.execute(sa.select(INBOX.c.digest).where(INBOX.c.id == id)).scalar_one()
    first = sa.select(INBOX.c.received_at).where(INBOX.c.digest == digest.partition(AGAIN)[0])
    found: datetime | None = connection.execute(first).scalar_one_or_none()
    return found


def raw(connection: Connection, id: int) -> bytes:
    """The bytes of a mail."""
    return bytes(connection.execute(_RAW, {"mail": id}).scalar_one())


def begin_again(connection: Connection, id: int) -> None:
    """Count one more attempt; to be committed before it is made."""
    connection.execute(INBOX.update().where(INBOX.c.id == id).values(attempts=INBOX.c.attempts + 1))


def spare(connection: Connection, ids: Iterable[int]) -> None:
    """Count one attempt less at each: the last one never came to the mail itself."""
    begun = sa.and_(INBOX.c.id == sa.bindparam("mail"), INBOX.c.stage == Stage.NEW, INBOX.c.attempts > 0)
    connection.execute(
        INBOX.update().where(begun).values(attempts=INBOX.c.attempts - 1), [{"mail": id} for id in sorted(ids)]
    )


def written(connection: Connection, id: int, *, proved: bool) -> Written:
    """What the sender of a mail wrote in the hour before it, by its worth: with proof that it was he, or without."""
    this = connection.execute(sa.select(INBOX.c.sender, INBOX.c.received_at).where(INBOX.c.id == id)).one_or_none()
    if this is None:
        return Written(0, 0)
    earlier = (
        INBOX.c.sender == this.sender,
        INBOX.c.received_at > this.received_at - HOUR,
        INBOX.c.id < id,
        INBOX.c.proved == proved,
    )
    counted = (sa.func.count().filter(INBOX.c.worth == worth) for worth in (Worth.NOTHING, Worth.TALK, Worth.SILENCE))
    row: Any = connection.execute(sa.select(*counted).select_from(INBOX).where(*earlier)).one()
    return Written(*row)


def day_before(connection: Connection, id: int, received_at: datetime, *, proved: bool) -> tuple[int, datetime | None]:
    """How many mails their sender wrote in the 24 hours before a mail, with proof or without, and when the first."""
    row = connection.execute(_DAY_BEFORE, {"mail": id, "since": received_at - DAY, "with_proof": proved}).one()
    return row[0], row[1]


def finish(
    connection: Connection, id: int, problem: str = "", worth: Worth = Worth.NOTHING, *, proved: bool = False
) -> None:
    """The mail is done, or parked for its `problem`. `Conflict` when it is no longer new: then it was handled."""
    stage = Stage.PARKED if problem else Stage.DONE
    values = {"mail": id, "becomes": stage, "why": problem, "worth_of_it": worth.value, "proof_of_it": proved}
    if connection.execute(_FINISH, values).rowcount != 1:
        raise Conflict(f"mail {id} was handled by now")


def last_seen(connection: Connection, addresses: Iterable[str]) -> datetime | None:
    """When the last mail from one of `addresses` came in."""
    senders = sorted(map(canonical, addresses))
    last = sa.select(sa.func.max(INBOX.c.received_at)).where(INBOX.c.sender.in_(senders))
    found: datetime | None = connection.execute(last).scalar_one()
    return found


def parked(connection: Connection) -> tuple[Parked, ...]:
    """Mails that were put aside, in order of intake."""
    columns = INBOX.c["id", "sender", "received_at", "problem"]
    rows = connection.execute(sa.select(*columns).where(INBOX.c.stage == Stage.PARKED).order_by(INBOX.c.id))
    return tuple(Parked(row.id, row.sender, row.received_at, row.problem) for row in rows)


def unpark(connection: Connection, id: int) -> None:
    """A mail waits to be handled again, as if it had just come in. `Conflict` when it is not put aside any more."""
    _leave_parking(connection, id, stage=Stage.NEW, attempts=1, problem="")


def drop(connection: Connection, id: int) -> None:
    """A mail is done, without any effect; its bytes stay until they are swept."""
    _leave_parking(connection, id, stage=Stage.DONE)


def _leave_parking(connection: Connection, id: int, **values: Any) -> None:
    same = sa.and_(INBOX.c.id == id, INBOX.c.stage == Stage.PARKED)
    if connection.execute(INBOX.update().where(same).values(**values)).rowcount != 1:
        raise Conflict(f"mail {id} is not put aside")
