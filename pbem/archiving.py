"""The archives of games that are over: those that could not be written are tried in every pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from engine.game import AnyGame
from pbem.errors import DatabaseTrouble, Trouble
from pbem.settle import Logged
from pbem.store import Store
from pbem.table import Status, Table

UNPUBLISHED: Final = "unpublished"
"""Under which the store keeps the names of games whose archive could not be written."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Archiving:
    """`publish` writes the archive of a table from its log."""

    store: Store
    games: Mapping[str, AnyGame]
    publish: Callable[[Table, Sequence[Logged]], object]

    def write(self, table: Table) -> int:
        """Write the archive of a game that is over; how many could not be written."""
        waiting = self._unpublished()
        failures = self._failures_of(table)
        (waiting.add if failures else waiting.discard)(table.name)
        if waiting != self._unpublished():
            self.store.set_mark(UNPUBLISHED, " ".join(sorted(waiting)))
        return failures

    def again(self) -> int:
        """Write those that could not be written before; how many still cannot."""
        tables = (self.store.table(name, self.games) for name in sorted(self._unpublished()))
        return sum([self.write(table) for table in tables if table is not None])

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


def is_for_the_archive(table: Table) -> bool:
    """Whether it was played to an end, or ended, and nothing of it is to stay closed."""
    over = table.status in (Status.OVER, Status.ENDED) and table.position is not None
    return over and not table.is_trial and not table.sealed
