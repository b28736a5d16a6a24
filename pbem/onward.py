"""What a table does by itself once nobody's mail is being handled: one step after the other, until it is at rest."""

from __future__ import annotations

import traceback
from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from engine.game import Decision
from pbem import bots_at_table, clock, vacancy
from pbem.parties import Decided
from pbem.plans import releasing, standing
from pbem.table import Table


class Fault(Protocol):
    """Logs the exception that is being handled, with its traceback or without, and counts it."""

    def __call__(self, event: str, *, exc_info: bool = True, **facts: Any) -> None: ...


@dataclass(frozen=True, slots=True)
class Steps:
    """What tables may do by themselves in one pass, at `now`. A step that fails holds up nobody: `fault` is told."""

    now: datetime
    fault: Fault
    looked: bool
    """The pass has looked at the mailbox: only then is anybody's time up."""
    held: Set[str]
    """The names of tables for whose players a mail waits to be handled again: no deadline acts there."""

    def next(self, table: Table) -> Decided | None:
        """The plan that is due, what is settled beforehand, or the move of a seat for which nobody waits any more;
        nothing when the table is at rest."""
        if (decision := bots_at_table.due(table)) is not None:
            return self._bot_moved(table, decision)
        plan = releasing.due(table)
        if plan is None:
            return self._answered(table) or self._of_nobody(table)
        try:
            return releasing.release(table, plan)
        except Exception:
            self.fault("a plan failed", table=table.name)
            return releasing.park(table, plan)

    def _bot_moved(self, table: Table, decision: Decision) -> Decided:
        """A bot's move; where it fails, the fallback. Its words may name cards: the log tells only where it was."""
        try:
            return bots_at_table.move(table, decision)
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            at = f"{place.filename}:{place.lineno}"
            self.fault("a bot failed", exc_info=False, table=table.name, error=type(error).__name__, at=at)
            return bots_at_table.instead(table, decision)

    def _answered(self, table: Table) -> Decided | None:
        """What a standing choice settles; one that fails leaves the decision to its player."""
        try:
            return standing.answer(table)
        except Exception:
            self.fault("a standing choice failed", table=table.name)
            return None

    def _of_nobody(self, table: Table) -> Decided | None:
        """What is done for a seat whose player is not there, or that has none."""
        stood_in = clock.play_on(table) or self._stood_in(table) or self._passed_over(table)
        return stood_in or vacancy.awaited(table, self.now)

    def _stood_in(self, table: Table) -> Decided | None:
        """The move of a bot for somebody who is away."""
        decision = bots_at_table.due_for_absent(table, self.now) if self.looked else None
        return self._bot_moved(table, decision) if decision is not None else None

    def _passed_over(self, table: Table) -> Decided | None:
        return clock.pass_over(table, self.now) if self.looked and table.name not in self.held else None
