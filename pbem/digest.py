"""One mail for a player in several games: whether he wants it, and when it is due."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem import wall


@dataclass(frozen=True, slots=True)
class Digest:
    """That somebody wants the mails of all his games in one."""

    at: int | None = None
    """Daily, at so many minutes after midnight on his clock; nothing: with every pass of the host."""
    next_at: datetime | None = None
    """When the next daily one is due, in UTC."""

    def waits(self, now: datetime) -> bool:
        """Whether what is not urgent waits for the daily mail."""
        return self.next_at is not None and now < self.next_at


def daily(at: int, zone: str, now: datetime) -> Digest:
    """A daily mail at `at` minutes after midnight in `zone`, the next of them after `now`."""
    day = wall.local(now, zone).date()
    today = wall.on(day, at, zone)
    return Digest(at, today if today > now else wall.on(day + wall.DAY, at, zone))
