"""When the host last did all of its work. What it lost by not being there it gives back to every clock that ran.

A pass counts in which the mailbox could be looked at and mail could be sent. While the last such pass is longer ago
than the keeper's setting no deadline acts; with the next one all of them move by what was lost, once.

So long a gap may also be a clock that is wrong. It is believed when two passes agree on it; the first does nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pbem.store import Store

HEARTBEAT: Final = "heartbeat"
HELD: Final = "held"
"""Set while the server that takes our mail refuses it for reasons of the host's own; cleared when it takes one."""
DOUBTED: Final = "doubted"
"""The time of the last pass, if it lay too far from the last heartbeat."""
OFTEN: Final = timedelta(minutes=1)
"""More often the heart need not be written."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """The heart of a host; `outage` is how long it may stand still before that counts (``None``: for ever)."""

    store: Store
    outage: timedelta | None
    marks: Mapping[str, str]
    """What the host keeps in mind; it changes by what this pass does alone."""

    def believes(self, now: datetime) -> bool:
        """Whether it can be `now`: not far from the last pass that counts, or from what the pass before was told."""
        if self.outage is None:
            return True
        if self._is_near(HEARTBEAT, now) is not False:
            self._set(DOUBTED, "")
            return True
        agreed = self._is_near(DOUBTED, now)
        self._set(DOUBTED, now.isoformat())
        return bool(agreed)

    def _is_near(self, mark: str, now: datetime) -> bool | None:
        """Whether `mark` is not further from `now` than an outage; ``None`` if it is not set."""
        assert self.outage is not None
        kept = self.marks.get(mark)
        return abs(now - datetime.fromisoformat(kept)) <= self.outage if kept else None

    def _set(self, mark: str, value: str) -> None:
        if self.marks.get(mark, "") != value:
            self.store.set_mark(mark, value)

    def silent_since(self, now: datetime) -> datetime | None:
        """The last pass that counts, if it is so long ago that the host was out of reach."""
        last = self._last()
        if last is None or self.outage is None or now - last <= self.outage:
            return None
        return last

    def beat(self, now: datetime, sent: int) -> bool:
        """A pass went well and `sent` so many mails: whether clocks have been moved, so that there is news to tell."""
        if self.outage is None or self._is_held(sent):
            return False
        since = self.silent_since(now)
        if since is not None:
            return self.store.give_back(HEARTBEAT, since, now)
        last = self._last()
        if last is None or abs(now - last) >= OFTEN:
            self.store.set_mark(HEARTBEAT, now.isoformat())
        return False

    def _last(self) -> datetime | None:
        kept = self.marks.get(HEARTBEAT)
        return datetime.fromisoformat(kept) if kept else None

    def _is_held(self, sent: int) -> bool:
        """Whether mail is held back; it is not any more once some was taken, or when none waits."""
        if not self.marks.get(HELD):
            return False
        if not sent and self.store.is_mail_waiting():
            return True
        self.store.set_mark(HELD, "")
        return False
