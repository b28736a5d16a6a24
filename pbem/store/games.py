"""Tables: loading one, the log of one, and which of them want attention."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engine.game import AnyGame
from engine.record import Entry, Position
from pbem.errors import Trouble
from pbem.schedule import Clock
from pbem.settle import Logged
from pbem.store import codec
from pbem.store.database import Among
from pbem.store.people import PERSON_COLUMNS, person_of
from pbem.store.tables import CHAIR, CO_MODERATOR, ENTRY, GAME, PERSON, PLAN, REMARK, WATCHER
from pbem.table import Chair, Person, Plan, Remark, Status, Table
from pbem.watcher import Watcher

T = TypeVar("T")

# Statements are built once: building one takes longer than running it.
_SHARED: Final = sa.exists().where(CO_MODERATOR.c.game_id == GAME.c.id).label("shared")
_WATCHED: Final = sa.exists().where(WATCHER.c.game_id == GAME.c.id).label("watched")
_PLANNED: Final = sa.exists().where(PLAN.c.game_id == GAME.c.id).label("planned")
_TABLES: Final = Among(
    sa.select(GAME, _SHARED, _WATCHED, _PLANNED, *PERSON_COLUMNS)
    .join(PERSON, PERSON.c.id == GAME.c.moderator_id)
    .order_by(GAME.c.id),
    GAME.c.name,
)
_CHAIRS: Final = Among(
    sa.select(CHAIR, *PERSON_COLUMNS)
    .outerjoin(PERSON, PERSON.c.id == CHAIR.c.person_id)
    .order_by(CHAIR.c.game_id, CHAIR.c.seat),
    CHAIR.c.game_id,
)
_PLANS: Final = Among(sa.select(PLAN).order_by(PLAN.c.id), PLAN.c.game_id)
_CO_MODERATORS: Final = Among(
    sa.select(CO_MODERATOR.c.game_id, *PERSON_COLUMNS)
    .join(CO_MODERATOR, CO_MODERATOR.c.person_id == PERSON.c.id)
    .order_by(PERSON.c.id),
    CO_MODERATOR.c.game_id,
)
_WATCHERS: Final = Among(
    sa.select(WATCHER, *PERSON_COLUMNS).join(PERSON, PERSON.c.id == WATCHER.c.person_id).order_by(PERSON.c.id),
    WATCHER.c.game_id,
)
_LOG: Final = (
    sa.select(ENTRY, *REMARK.c["person_id", "why", "facts"], PERSON.c.name.label("person_name"))
    .outerjoin(REMARK, sa.and_(REMARK.c.game_id == ENTRY.c.game_id, REMARK.c.n == ENTRY.c.n))
    .outerjoin(PERSON, PERSON.c.id == REMARK.c.person_id)
    .where(ENTRY.c.game_id == sa.bindparam("game"), ENTRY.c.n.between(sa.bindparam("first"), sa.bindparam("last")))
    .order_by(ENTRY.c.n)
)
_NO_END: Final = 2**31 - 1
RUNNING: Final = sa.and_(sa.func.coalesce(GAME.c.status, "") == Status.RUNNING, sa.not_(GAME.c.paused))
"""An expression, so that a search for deadlines begins with those that are due, not with all games that run."""


def load(connection: Connection, names: Sequence[str], games: Mapping[str, AnyGame]) -> dict[str, Table]:
    """The tables called `names`, those that there are, from two statements, whatever their number and history, and
    from one more each where there are plans, where several moderate and where somebody watches.

    `Trouble` when the game of one is not among `games`.
    """
    rows = _TABLES.run(connection, names).all()
    for row in rows:
        if row.kind not in games:
            raise Trouble(f"{row.name} is a game of {row.kind}, which is not installed", f"Install the game {row.kind}")
    ids = [row.id for row in rows]
    chairs = _by_game(_CHAIRS.run(connection, ids), _chair) if rows else {}
    plans = _by_game(_PLANS.run(connection, ids), _plan) if any(row.planned for row in rows) else {}
    beside = _by_game(_CO_MODERATORS.run(connection, ids), person_of) if any(row.shared for row in rows) else {}
    watching = _by_game(_WATCHERS.run(connection, ids), _watcher) if any(row.watched for row in rows) else {}
    return {
        row.name: _table(
            row,
            games[row.kind],
            tuple(chairs.get(row.id, ())),
            tuple(plans.get(row.id, ())),
            tuple(filter(None, beside.get(row.id, ()))),
            tuple(watching.get(row.id, ())),
        )
        for row in rows
    }


def _by_game(rows: Iterable[Any], make: Callable[[Any], T]) -> dict[int, list[T]]:
    """What `make` makes of each of `rows`, by the game that the row belongs to."""
    found: dict[int, list[T]] = defaultdict(list)
    for row in rows:
        found[row.game_id].append(make(row))
    return found


def _watcher(row: Any) -> Watcher:
    person = person_of(row)
    assert person is not None
    return Watcher(person, row.told, row.round, row.mailed_at)


def _table(
    row: Any,
    game: AnyGame,
    chairs: tuple[Chair, ...],
    plans: tuple[Plan, ...],
    beside: tuple[Person, ...],
    watchers: tuple[Watcher, ...],
) -> Table:
    moderator = person_of(row)
    assert moderator is not None
    return Table(
        id=row.id,
        name=row.name,
        label=row.label,
        rematch_of=row.rematch_of,
        game=game,
        options=codec.mapping(row.options),
        places=row.places,
        status=row.status,
        moderator=moderator,
        co_moderators=beside,
        moderator_epoch=row.moderator_epoch,
        secret=row.secret,
        chosen=row.chosen,
        schedule=codec.schedule(row.schedule),
        chairs=chairs,
        header=codec.header(row.header) if row.header else None,
        position=_position(row, game),
        head=row.head,
        sealed=row.sealed,
        rolled=row.rolled,
        undone=(row.undone_to, row.undone_at),
        hold=codec.hold(row.held, game.decode_state(row.held_state)) if row.held else None,
        plans=plans,
        witnesses=codec.ids(row.witnesses),
        watchers=watchers,
        version=row.version,
    )


def _position(row: Any, game: AnyGame) -> Position | None:
    if row.state is None:
        return None
    return Position(game.decode_state(row.state), row.n, row.deals, row.paused, row.ended)


def _chair(row: Any) -> Chair:
    return Chair(
        seat=row.seat,
        person=person_of(row),
        epoch=row.epoch,
        machine=row.machine,
        phrase=row.phrase,
        told=row.told,
        asked=row.asked,
        phase=row.phase,
        kind=row.kind,
        clock=clock_of(row),
        bank=timedelta(seconds=row.bank_seconds),
        misses=row.misses,
        mailed_at=row.mailed_at,
        orders=codec.orders(row.orders) if row.orders else None,
        given_up=row.given_up,
        unreachable=row.unreachable,
        bot=row.level,
        free=row.free,
        lessons=tuple(row.lessons.split()),
        called=row.called,
        ballot=codec.ballot(row.ballot) if row.ballot else None,
    )


def clock_of(row: Any) -> Clock | None:
    """The running clock of a chair, from its row."""
    if row.due_at is None:
        return None
    return Clock(row.began_at, row.due_at, row.lapses_at, row.remind_at, row.referred)


def _plan(row: Any) -> Plan:
    return Plan(row.seat, row.decision, row.text, row.inbox_id or 0, row.line, row.id)


def log(connection: Connection, table: Table, after: int = 0, upto: int | None = None) -> tuple[Logged, ...]:
    """The entries behind entry `after` up to `upto` (to the last), with what they caused, secrets included."""
    last = _NO_END if upto is None else upto
    rows = connection.execute(_LOG, {"game": table.id, "first": after + 1, "last": last})
    return tuple(
        Logged(Entry(row.n, codec.what(row.what), row.hash), codec.events(table.game, row.events), row.at, _remark(row))
        for row in rows
    )


def _remark(row: Any) -> Remark | None:
    """What stands beside an entry, if anything does."""
    if row.facts is None:
        return None
    return Remark(row.person_id or 0, row.person_name or "", row.why, codec.mapping(row.facts))


# Which of them want attention


def _by_time(time: sa.ColumnElement[datetime]) -> sa.Select[str]:
    """Names of running games by a time of their chairs that has come, the longest first."""
    return (
        sa.select(GAME.c.name)
        .join(CHAIR, CHAIR.c.game_id == GAME.c.id)
        .where(time <= sa.bindparam("now", type_=time.type), RUNNING)
        .order_by(time)
    )


DUE: Final = _by_time(CHAIR.c.lapses_at)
TO_REMIND: Final = _by_time(CHAIR.c.remind_at)
HELD: Final = sa.select(GAME.c.name).where(GAME.c.held_until < sa.bindparam("now", type_=GAME.c.held_until.type))
ABSENT: Final = (
    sa.select(GAME.c.name)
    .select_from(PERSON.join(CHAIR, CHAIR.c.person_id == PERSON.c.id).join(GAME, GAME.c.id == CHAIR.c.game_id))
    .where(
        PERSON.c.away_bot == sa.true(),
        PERSON.c.away_from <= sa.bindparam("now", type_=PERSON.c.away_from.type),
        PERSON.c.away_until > sa.bindparam("now", type_=PERSON.c.away_from.type),
        CHAIR.c.asked != "",
        RUNNING,
    )
    .order_by(GAME.c.id)
)
"""A chair's `asked` is empty once its decision is made."""
RESTLESS: Final = sa.select(GAME.c.name).where(GAME.c.restless == sa.true()).order_by(GAME.c.id)
_RESTLESS: Final = RESTLESS.limit(sa.bindparam("limit"))


def held(connection: Connection, now: datetime) -> tuple[str, ...]:
    """Names of games in which an order may no longer be taken back."""
    return tuple(connection.execute(HELD, {"now": now}).scalars())


def restless(connection: Connection, limit: int) -> tuple[str, ...]:
    """Names of tables where something happened since they were last settled."""
    return tuple(connection.execute(_RESTLESS, {"limit": limit}).scalars())


def due(connection: Connection, now: datetime) -> tuple[str, ...]:
    """Names of running games in which somebody's time was over by `now`, the longest first."""
    return _each_once(connection, DUE, now)


def to_remind(connection: Connection, now: datetime) -> tuple[str, ...]:
    """Names of running games in which a reminder was due by `now`."""
    return _each_once(connection, TO_REMIND, now)


def played_for_absent(connection: Connection, now: datetime) -> tuple[str, ...]:
    """Names of running games with the open decision of somebody who is away and wants a bot to play meanwhile."""
    return _each_once(connection, ABSENT, now)


def _each_once(connection: Connection, query: sa.Select[str], now: datetime) -> tuple[str, ...]:
    return tuple(dict.fromkeys(connection.execute(query, {"now": now}).scalars()))
