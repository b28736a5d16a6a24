"""A clock that is looked at twice when it jumps: what it shows is compared with one that only ever goes forward."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

TOLERANCE: Final = timedelta(minutes=1)
"""Less may be a clock that is being set right."""


@dataclass(slots=True)
class Watch:
    """Reads the clock `now`, which somebody may set, beside `steady`, in seconds from anywhere, which nobody can."""

    now: Callable[[], datetime]
    steady: Callable[[], float] = lambda: time.monotonic()  # asked for by its name, as it can be frozen
    _last: tuple[datetime, float] | None = field(default=None, init=False)

    def read(self) -> datetime | None:
        """The time; ``None`` once after a jump. What the clock shows then is believed if it has not jumped again."""
        before, self._last = self._last, (self.now(), self.steady())
        if before is None:
            return self._last[0]
        shown, passed = self._last[0] - before[0], timedelta(seconds=self._last[1] - before[1])
        return self._last[0] if abs(shown - passed) <= TOLERANCE else None
