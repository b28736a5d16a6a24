"""What was made last: for things that several mails in a row need."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

T = TypeVar("T")


class Recent(dict[Hashable, T]):
    """What was made last, by key; the oldest goes first."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size

    def get_or_make(self, key: Hashable, make: Callable[[], T]) -> T:
        if key not in self:
            if len(self) >= self._size:
                del self[next(iter(self))]
            self[key] = make()
        return self[key]
