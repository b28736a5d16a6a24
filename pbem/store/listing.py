"""Lists: the tables of a person, the open ones, who is invited."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engine.game import AnyGame
from pbem.draft import Listed
from pbem.parties import Invitation
from pbem.store.tables import CHAIR, CO_MODERATOR, GAME, INVITATION, PERSON
from pbem.table import Chair, Status

OPEN_SHOWN: Final = 50
"""Most open tables of other people in a list, the newest of them."""
_LIVING: Final = (Status.OPEN, Status.RUNNING)


def listed(connection: Connection, person: int, kinds: Mapping[str, AnyGame]) -> tuple[Listed, ...]:
    """Tables that are not over: where `person` (0: nobody) sits or which he moderates, and those that are open."""
    mine = _mine(connection, person) if person else frozenset()
    rows = connection.execute(
        sa.select(*GAME.c["id", "name", "label", "kind", "status", "places"], PERSON.c.name.label("moderator"))
        .join(PERSON, PERSON.c.id == GAME.c.moderator_id)
        .where(GAME.c.id.in_(sorted(mine | _open(connection))), GAME.c.status.in_(_LIVING))
        .order_by(GAME.c.id)
    ).all()
    seated = _seated(connection, [row.id for row in rows])
    return tuple(_listed(row, kinds, tuple(seated[row.id]), row.id in mine) for row in rows)


def _listed(row: Any, kinds: Mapping[str, AnyGame], seated: tuple[str, ...], mine: bool) -> Listed:
    title = kinds[row.kind].title if row.kind in kinds else row.kind
    return Listed(row.name, title, row.status, seated, row.places, row.moderator, mine, row.label)


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
    return frozenset(connection.execute(query).scalars()) | frozenset(connection.execute(vacant).scalars())


def _seated(connection: Connection, games: Sequence[int]) -> Mapping[int, list[str]]:
    """Who sits at each of `games`, in order of seats."""
    rows = connection.execute(
        sa.select(*CHAIR.c["game_id", "seat", "level", "called"], PERSON.c.name)
        .outerjoin(PERSON, PERSON.c.id == CHAIR.c.person_id)
        .where(CHAIR.c.game_id.in_(games), sa.or_(PERSON.c.id.is_not(None), CHAIR.c.level != ""))
        .order_by(CHAIR.c.game_id, CHAIR.c.seat)
    )
    seated: defaultdict[int, list[str]] = defaultdict(list)
    for row in rows:
        seated[row.game_id].append(row.called or row.name or Chair(row.seat, None, bot=row.level).name)
    return seated


def invitations(connection: Connection, whose: sa.ColumnElement[bool]) -> tuple[Invitation, ...]:
    """The open invitations of a table or an address."""
    rows = connection.execute(
        sa.select(GAME.c.name, *INVITATION.c["address", "seat", "inviter_id"])
        .select_from(INVITATION.outerjoin(GAME, GAME.c.id == INVITATION.c.game_id))
        .where(whose, INVITATION.c.open)
        .order_by(INVITATION.c.id)
    )
    return tuple(Invitation(row.name or "", row.address, row.seat, row.inviter_id or 0) for row in rows)


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
