"""How much there is in a database and what waits in it, in a few numbers, each found by an index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.store import games, outbox
from pbem.store.tables import GAME, HOST, INBOX, Stage
from pbem.store.values import Queue
from pbem.table import Status


@dataclass(frozen=True, slots=True)
class Vitals:
    """What a look at the database found."""

    games: Mapping[Status, int]
    """Tables by their status: every one, at nought too."""
    overdue: int
    """Running games in which somebody's time is over, and nothing has followed yet."""
    restless: int
    """Tables where something happened that has not been told yet."""
    to_handle: Queue
    parked: int
    """Mails that were put aside."""
    to_send: Queue
    size: int
    """Bytes."""
    backed_up: datetime | None
    """When a backup was last written and found whole."""


BACKED_UP: Final = "backed up"
"""The mark that says when that was."""
_SIZE: Final = {
    "sqlite": sa.text("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"),
    "postgresql": sa.text("SELECT pg_database_size(current_database())"),
}
_GAMES: Final = sa.select(GAME.c.status, sa.func.count()).group_by(GAME.c.status)
_RESTLESS: Final = sa.select(sa.func.count()).select_from(GAME).where(GAME.c.restless == sa.true())
_TO_HANDLE: Final = sa.select(sa.func.count(), sa.func.min(INBOX.c.received_at)).where(INBOX.c.stage == Stage.NEW)
_PARKED: Final = sa.select(sa.func.count()).select_from(INBOX).where(INBOX.c.stage == Stage.PARKED)
_MARK: Final = sa.select(HOST.c.value).where(HOST.c.key == BACKED_UP)


def look(connection: Connection, now: datetime) -> Vitals:
    """The numbers as of `now`; nothing is written."""
    counted = {row[0]: int(row[1]) for row in connection.execute(_GAMES)}
    to_handle = connection.execute(_TO_HANDLE).one()
    backed_up = connection.execute(_MARK).scalar_one_or_none()
    return Vitals(
        games={status: counted.get(status, 0) for status in Status},
        overdue=len(games.due(connection, now)),
        restless=int(connection.execute(_RESTLESS).scalar_one()),
        to_handle=Queue(*to_handle),
        parked=int(connection.execute(_PARKED).scalar_one()),
        to_send=outbox.late(connection, now),
        size=int(connection.execute(_SIZE[connection.dialect.name]).scalar_one()),
        backed_up=datetime.fromisoformat(backed_up) if backed_up else None,
    )
