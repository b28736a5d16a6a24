"""After an upgrade: what is kept beside the records, to spare folding them, is made from them anew.

A state that earlier code wrote may lack what the code of today keeps in it, as who did what in a night: nothing is
lost, since the record tells it, but what needs it would be decided wrongly until the next round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

import structlog

from engine.game import AnyGame
from engine.record import Flawed
from pbem.errors import Trouble
from pbem.parties import Changed, Decided
from pbem.proving import last_position
from pbem.store import Conflict, Store
from pbem.store.migrate import newest_revision
from pbem.table import BEGUN

MARK: Final = "renewed"
"""Under which the store keeps the form of the database in which that was last done to the end."""

log = structlog.get_logger()


def renew(store: Store, games: Mapping[str, AnyGame], now: datetime) -> int:
    """Make every position anew from its record, once for each form of the database; how many were otherwise.

    A table that cannot be read, or whose record does not hold, is left as it is: `pbem backup` names it.
    """
    if store.mark(MARK) == newest_revision():
        return 0
    renewed = sum(_renewed(store, name, games, now) for name in store.living(*BEGUN))
    store.set_mark(MARK, newest_revision())
    if renewed:
        log.info("positions are made anew from their records, after an upgrade", games=renewed)
    return renewed


def _renewed(store: Store, name: str, games: Mapping[str, AnyGame], now: datetime) -> bool:
    try:
        table = store.table(name, games)
        position = last_position(table, store.log(table)) if table is not None and table.header else None
    except (Trouble, Flawed) as error:
        log.warning("a game is left as it is", game=name, why=type(error).__name__)
        return False
    if table is None or position is None or position == table.position:
        return False
    try:
        store.write(Decided(tables=(Changed(table, replace(table, position=position)),)), inbox=None, now=now)
    except Conflict:  # another process is at it; what it has written is of today
        return False
    return True
