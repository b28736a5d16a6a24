"""After an outage: every clock that ran gets back what the host has cost it, in one transaction and once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.parties import Role
from pbem.schedule import delayed
from pbem.store import codec
from pbem.store.games import RUNNING, clock_of
from pbem.store.saving import clock_values
from pbem.store.tables import CHAIR, CO_MODERATOR, GAME, HOST, NOTICE, PERSON
from pbem.times import span

OUTAGE: Final = "outage"
_MODERATOR: Final = PERSON.alias("moderator")
_CLOCKS: Final = (
    sa.select(
        CHAIR,
        *GAME.c["name", "schedule", "moderator_id"],
        PERSON.c.address,
        _MODERATOR.c.address.label("moderator_address"),
    )
    .join(GAME, GAME.c.id == CHAIR.c.game_id)
    .join(_MODERATOR, _MODERATOR.c.id == GAME.c.moderator_id)
    .outerjoin(PERSON, PERSON.c.id == CHAIR.c.person_id)
    .where(CHAIR.c.due_at.is_not(None), RUNNING)
    .order_by(CHAIR.c.game_id, CHAIR.c.seat)
)

_BESIDE: Final = (
    sa.select(CO_MODERATOR.c.game_id, *PERSON.c["id", "address"])
    .join(PERSON, PERSON.c.id == CO_MODERATOR.c.person_id)
    .where(CO_MODERATOR.c.game_id.in_(sa.bindparam("games", expanding=True)))
    .order_by(CO_MODERATOR.c.game_id, PERSON.c.id)
)


def give_back(connection: Connection, heartbeat: str, since: datetime, now: datetime) -> bool:
    """Move every running clock by what it lost between `since`, as the mark `heartbeat` has it, and `now`.

    Nothing is done, and False, if another process has done it already: then the mark says so.
    """
    same = sa.and_(HOST.c.key == heartbeat, HOST.c.value == since.isoformat())
    if connection.execute(HOST.update().where(same).values(value=now.isoformat())).rowcount != 1:
        return False
    moved = [row for row in connection.execute(_CLOCKS) if row.began_at < now]
    if moved:
        _move(connection, moved, since, now)
        _tell(connection, moved, span(now - since))
    return bool(moved)


def _move(connection: Connection, rows: Sequence[Any], since: datetime, now: datetime) -> None:
    clocks = [{"game": row.game_id, "seat_": row.seat, **clock_values(_delayed(row, since, now))} for row in rows]
    one = sa.and_(CHAIR.c.game_id == sa.bindparam("game"), CHAIR.c.seat == sa.bindparam("seat_"))
    connection.execute(CHAIR.update().where(one), clocks)
    games = [{"game": game} for game in dict.fromkeys(row.game_id for row in rows)]
    moved_on = GAME.update().where(GAME.c.id == sa.bindparam("game"))
    connection.execute(moved_on.values(restless=True, version=GAME.c.version + 1), games)


def _delayed(row: Any, since: datetime, now: datetime) -> Any:
    clock = clock_of(row)
    assert clock is not None
    return delayed(codec.schedule(row.schedule), clock, since, now)


def _tell(connection: Connection, rows: Sequence[Any], lost: str) -> None:
    """A notice for every seat whose clock ran, and one for each moderator of its table, unless he has got one."""
    seats = [
        _notice(row, Role.SEAT, row.address, row.person_id, row.seat, lost) for row in rows if row.person_id is not None
    ]
    told = {(row.game_id, row.person_id) for row in rows}
    tables = {row.game_id: row for row in rows}
    main = [(row, row.moderator_id, row.moderator_address) for row in tables.values()]
    beside = connection.execute(_BESIDE, {"games": list(tables)})
    others = [(tables[each.game_id], each.id, each.address) for each in beside]
    moderators = [
        _notice(row, Role.MODERATOR, address, person, 0, lost)
        for row, person, address in (*main, *others)
        if (row.game_id, person) not in told
    ]
    connection.execute(NOTICE.insert(), [*seats, *moderators])


def _notice(row: Any, role: Role, address: str, person: int, seat: int, lost: str) -> dict[str, Any]:
    return {
        "role": role,
        "address": address,
        "person_id": person,
        "game_id": row.game_id,
        "seat": seat,
        "kind": OUTAGE,
        "facts": codec.text({"game": row.name, "lost": lost}),
        "settled": False,
    }
