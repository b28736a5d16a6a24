"""Lists: the tables of a person, the open ones, who is invited."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engine.game import AnyGame
from pbem.draft import Listed
from pbem.parties import Invitation
from pbem.store import codec
from pbem.store.tables import CHAIR, CO_MODERATOR, GAME, INVITATION, PERSON, WATCHER
from pbem.table import Chair, Status

OPEN_SHOWN: Final = 50
"""Most open tables of other people in a list, the newest of them."""
_LIVING: Final = (Status.OPEN, Status.RUNNING)


def listed(connection: Connection, person: int, kinds: Mapping[str, AnyGame]) -> tuple[Listed, ...]:
    """Tables that are not over: where `person` (0: nobody) sits or which he moderates, those that are open, and
    those that run and may be watched."""
    mine = _mine(connection, person) if person else frozenset()
    rows = connection.execute(
        sa.select(
            *GAME.c["id", "name", "label", "kind", "status", "places", "watchable", "schedule"],
            PERSON.c.name.label("moderator"),
        )
        .join(PERSON, PERSON.c.id == GAME.c.moderator_id)
        .where(GAME.c.id.in_(sorted(mine | _open(connection))), GAME.c.status.in_(_LIVING))
        .order_by(GAME.c.id)
    ).all()
    sitting = _sitting(connection, [row.id for row in rows])
    watched = _watched(connection, person) if person else frozenset()
    return tuple(_listed(row, kinds, sitting[row.id], row.id in mine, row.id in watched) for row in rows)


def _listed(row: Any, kinds: Mapping[str, AnyGame], chairs: Sequence[Any], mine: bool, watched: bool) -> Listed:
    return Listed(
        name=row.name,
        title=kinds[row.kind].title if row.kind in kinds else row.kind,
        status=row.status,
        seated=tuple(filter(None, map(_name, chairs))),
        places=row.places,
        moderator=row.moderator,
        mine=mine,
        label=row.label,
        watched=watched,
        watchable=row.watchable,
        round=max((int(chair.phase.partition("/")[0]) for chair in chairs if chair.phase), default=0),
        free=sum(chair.free for chair in chairs),
        schedule=codec.schedule(row.schedule),
    )


def _watched(connection: Connection, person: int) -> frozenset[int]:
    return frozenset(connection.execute(sa.select(WATCHER.c.game_id).where(WATCHER.c.person_id == person)).scalars())


def _mine(connection: Connection, person: int) -> frozenset[int]:
    own = sa.union(
        sa.select(CHAIR.c.game_id).where(CHAIR.c.person_id == person),
        sa.select(GAME.c.id).where(GAME.c.moderator_id == person),
        sa.select(CO_MODERATOR.c.game_id).where(CO_MODERATOR.c.person_id == person),
    )
    return frozenset(connection.execute(own).scalars())


def _open(connection: Connection) -> frozenset[int]:
    query = sa.select(GAME.c.id).where(GAME.c.status == Status.OPEN).order_by(GAME.c.id.desc()).limit(OPEN_SHOWN)
    vacant = sa.select(CHAIR.c.game_id).where(CHAIR.c.free).limit(OPEN_SHOWN)
    watchable = sa.select(GAME.c.id).where(GAME.c.watchable).order_by(GAME.c.id.desc()).limit(OPEN_SHOWN)
    return frozenset(id for each in (query, vacant, watchable) for id in connection.execute(each).scalars())


def _sitting(connection: Connection, games: Sequence[int]) -> Mapping[int, list[Any]]:
    """The chairs of each of `games` with who sits there, in order of seats."""
    rows = connection.execute(
        sa.select(*CHAIR.c["game_id", "seat", "level", "called", "phase", "free"], PERSON.c.name)
        .outerjoin(PERSON, PERSON.c.id == CHAIR.c.person_id)
        .where(CHAIR.c.game_id.in_(games))
        .order_by(CHAIR.c.game_id, CHAIR.c.seat)
    )
    sitting: defaultdict[int, list[Any]] = defaultdict(list)
    for row in rows:
        sitting[row.game_id].append(row)
    return sitting


def _name(chair: Any) -> str:
    """Of whoever sits there, or the bot; nothing for an empty chair."""
    if chair.name is None and not chair.level:
        return ""
    return chair.called or chair.name or Chair(chair.seat, None, bot=chair.level).name


def invitations(connection: Connection, whose: sa.ColumnElement[bool]) -> tuple[Invitation, ...]:
    """The open invitations of a table or an address."""
    rows = connection.execute(
        sa.select(GAME.c.name, *INVITATION.c["address", "seat", "inviter_id"])
        .select_from(INVITATION.outerjoin(GAME, GAME.c.id == INVITATION.c.game_id))
        .where(whose, INVITATION.c.open)
        .order_by(INVITATION.c.id)
    )
    return tuple(Invitation(row.name or "", row.address, row.seat, row.inviter_id or 0) for row in rows)


def rematches(connection: Connection, names: Iterable[str]) -> dict[str, str]:
    """By the name of a table: the name of the one at which its players sit again."""
    found = sa.select(GAME.c.rematch_of, GAME.c.name).where(GAME.c.rematch_of.in_(sorted(set(names))))
    return {row.rematch_of: row.name for row in connection.execute(found)}


def newcomers(connection: Connection, people: frozenset[int]) -> frozenset[int]:
    """Those of `people` who have never sat at a table that has begun."""
    begun = sa.select(CHAIR.c.person_id).join(GAME, GAME.c.id == CHAIR.c.game_id)
    found = begun.where(CHAIR.c.person_id.in_(sorted(people)), GAME.c.status != Status.OPEN).distinct()
    return people.difference(connection.execute(found).scalars())


def next_number(connection: Connection) -> int:
    """A number that no table has had."""
    return int(connection.execute(sa.select(sa.func.max(GAME.c.id))).scalar_one() or 0) + 1


def living(connection: Connection, status: Sequence[Status]) -> tuple[str, ...]:
    """Names of tables with one of `status`, oldest first."""
    names = connection.execute(sa.select(GAME.c.name).where(GAME.c.status.in_(status)).order_by(GAME.c.id))
    return tuple(names.scalars())
