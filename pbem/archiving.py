"""When the archive shows a game anew; what could not be written is tried in every pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
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
"""Under which the store keeps the names of games whose archive could not be written, or is asked for by a worker."""
_AT: Final = "@"
"""Between the name of a table and the version that a worker asks for, so that what is asked for later is not lost."""

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
        return self._written(table, self._waiting(table.name))

    def _written(self, table: Table, waited: frozenset[str]) -> int:
        """Write it now. Of the words for it that wait those in `waited` are done with that; later ones are not."""
        failures = self._failures_of(table)
        if failures and not waited:
            self.store.amend_mark(UNPUBLISHED, lambda words: _words({*words.split(), table.name}))
        elif waited and not failures:
            self.store.amend_mark(UNPUBLISHED, lambda words: _words(set(words.split()) - waited))
        return failures

    def again(self) -> int:
        """Write those that could not be written before, or that workers have asked for; how many still cannot."""
        waiting = {name: self._waiting(name) for name in sorted({_name(word) for word in self._unpublished()})}
        tables = ((self.store.table(name, self.games), words) for name, words in waiting.items())
        return sum([self._written(table, words) for table, words in tables if table is not None and self.shows(table)])

    def _waiting(self, name: str) -> frozenset[str]:
        return frozenset(word for word in self._unpublished() if _name(word) == name)

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


@dataclass(frozen=True, slots=True)
class AskedFor(Archiving):
    """The archive as a worker sees it, who may be on a machine that has none: he asks for what it is to show.

    Who has the turn writes it with his next pass.
    """

    def _write(self, table: Table) -> int:
        asked = f"{table.name}{_AT}{table.version}"
        self.store.amend_mark(UNPUBLISHED, lambda words: _words({*words.split(), asked}))
        return 0


def _name(word: str) -> str:
    return word.partition(_AT)[0]


def _words(words: Set[str]) -> str:
    return " ".join(sorted(words))
