"""Once a day: handled mail that is older than the keeper wants it to be leaves the mailbox."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog

from pbem.errors import DatabaseTrouble, Trouble
from pbem.store import Store

MARK: Final = "tidied"
"""Under which the store keeps the day on which that was last done to the end."""
MOST: Final = 500
"""Mails that one pass takes away."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Tidying:
    """`take_away` takes away what came before a time, at most so many, and gives how many there were."""

    store: Store
    keep: timedelta
    """How long handled mail stays; no time at all: for ever."""
    take_away: Callable[[datetime, int], int]

    def tidy(self, now: datetime) -> None:
        """Take away what is due, unless that was done today. A mailbox that cannot be is asked tomorrow."""
        today = now.date().isoformat()
        if not self.keep or self.store.mark(MARK) == today:
            return
        try:
            gone = self.take_away(now - self.keep, MOST)
        except DatabaseTrouble:
            raise
        except Trouble as trouble:
            log.warning("handled mail could not be taken away", trouble=str(trouble))
            gone = 0
        if gone:
            log.info("handled mail was taken away", mails=gone)
        if gone < MOST:
            self.store.set_mark(MARK, today)
