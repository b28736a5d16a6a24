"""How the tables of a sandbox stand: who is awaited, and until when. Nothing here shows a hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from engine.game import AnyGame
from pbem.store import Store
from pbem.stuck import awaited
from pbem.table import Status, Table


@dataclass(frozen=True, slots=True)
class Standing:
    """A table as anybody there may know it."""

    name: str
    title: str
    status: Status
    paused: bool
    names: tuple[str, ...]
    """Of the seats, in order."""
    bots: frozenset[str]
    """The names of the seats where a bot plays."""
    awaited: tuple[str, ...]
    due_at: datetime | None
    """The next deadline."""
    lapses_at: datetime | None
    """When it acts: after the time that the table, or its player's bank, gives beyond it."""


def standings(store: Store, games: Mapping[str, AnyGame]) -> tuple[Standing, ...]:
    """Every table, the newest first, those that are over too."""
    tables = (store.table(name, games) for name in reversed(store.living(*Status)))
    return tuple(_standing(table) for table in tables if table is not None)


def _standing(table: Table) -> Standing:
    running = table.status is Status.RUNNING
    clocks = [chair.clock for chair in table.chairs if running and chair.clock]
    return Standing(
        name=table.name,
        title=table.game.title,
        status=table.status,
        paused=running and table.running.paused,
        names=table.names,
        bots=frozenset(table.names[chair.seat - 1] for chair in table.chairs if chair.bot),
        awaited=awaited(table) if running else (),
        due_at=min((clock.due_at for clock in clocks), default=None),
        lapses_at=min((clock.lapses_at for clock in clocks), default=None),
    )
