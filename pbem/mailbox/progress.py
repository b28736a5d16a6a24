"""How far a folder has been read, and how far it has been done."""

from __future__ import annotations

from collections.abc import Iterable


class Progress:
    """UIDs grow, so one number says what was read; what was read and is not done holds the mark back."""

    def __init__(self, done_up_to: int) -> None:
        self.read_up_to = done_up_to
        self._undone: set[int] = set()

    @property
    def done_up_to(self) -> int:
        """The highest UID with nothing undone at or before it."""
        return min(self._undone) - 1 if self._undone else self.read_up_to

    def skipped(self, uid: int) -> None:
        """There is nothing up to `uid` that was not read."""
        self.read_up_to = max(self.read_up_to, uid)

    def read(self, uids: Iterable[int]) -> None:
        """These were read, in growing order after all others."""
        for uid in uids:
            self._undone.add(uid)
            self.skipped(uid)

    def done(self, uids: Iterable[int]) -> None:
        """These are done. To say so again changes nothing."""
        self._undone.difference_update(uids)
