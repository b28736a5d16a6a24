"""When the archive shows a game anew; what could not be written is tried in every pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import structlog

from engine.game import AnyGame
from pbem.errors import DatabaseTrouble, Trouble
from pbem.settle import Logged
from pbem.store import Store
from pbem.table import Status, Table
from pbem.tally import round_of

UNPUBLISHED: Final = "unpublished"
"""Under which the store keeps the names of games whose archive could not be written."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Archiving:
    """Lets the archive show what changed."""

    store: Store
    games: Mapping[str, AnyGame]
    publish: Callable[[Table, Sequence[Logged]], object]
    """Writes what the archive shows of a table, from its log."""
    shows: Callable[[Table], bool]
    """Whether the archive shows a table as it is now."""
    _shown: dict[str, object] = field(default_factory=dict, init=False)
    """By table that runs: what it was like when this process last let the archive show it."""

    def show(self, table: Table) -> int:
        """Write what the archive shows of a table at rest, if that may have changed: how many could not be written.

        What runs changes with each round, and when somebody, or the table, is called otherwise.
        """
        if not self.shows(table):
            return 0
        if table.status is not Status.RUNNING:
            self._shown.pop(table.name, None)
            return self._write(table)
        like = (round_of(table), table.rolled, table.names, table.label)
        if self._shown.get(table.name) == like:
            return 0
        self._shown[table.name] = like
        return self._write(table)

    def _write(self, table: Table) -> int:
        before = self._unpublished()
        failures = self._failures_of(table)
        waiting = before | {table.name} if failures else before - {table.name}
        if waiting != before:
            self.store.set_mark(UNPUBLISHED, " ".join(sorted(waiting)))
        return failures

    def again(self) -> int:
        """Write those that could not be written before; how many still cannot."""
        tables = (self.store.table(name, self.games) for name in sorted(self._unpublished()))
        return sum([self._write(table) for table in tables if table is not None and self.shows(table)])

    def _failures_of(self, table: Table) -> int:
        try:
            self.publish(table, self.store.log(table))
        except DatabaseTrouble:
            raise
        except Trouble as trouble:
            log.warning("the archive was not written", table=table.name, trouble=str(trouble))
            return 1
        return 0

    def _unpublished(self) -> set[str]:
        return set((self.store.mark(UNPUBLISHED) or "").split())
