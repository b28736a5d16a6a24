"""The processes of one host: two that want the mailbox, and workers."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from tests.kills.house import House
from tests.kills.life import Life

FOREMEN: Final = 2
RUN: Final = "run"
WORK: Final = "work"
ENDS_WELL: Final = (0, -signal.SIGTERM)
"""How a process ends that is asked to: after what is at hand, or before it has begun."""
GLANCE: Final = 0.01


class Crew:
    """`workers` of a house and two that take turns at its mailbox. A context manager, which leaves none alive."""

    def __init__(self, house: House, workers: int) -> None:
        self.house = house
        self.lives = [(RUN, self._begin(RUN)) for _ in range(FOREMEN)]
        self.lives += [(WORK, self._begin(WORK)) for _ in range(workers)]

    @property
    def workers(self) -> list[Life]:
        return [life for command, life in self.lives if command == WORK]

    def kill(self, chance: random.Random) -> str:
        """End one at once, wherever it is, and begin another in its place; what it was."""
        at = chance.randrange(len(self.lives))
        command, life = self.lives[at]
        life.kill()
        self.lives[at] = (command, self._begin(command))
        return command

    def until(self, done: Callable[[], object], patience: float, meanwhile: Callable[[], int] = lambda: 0) -> bool:
        """Whether it is `done` in so many seconds, in which people go on."""
        end = time.monotonic() + patience
        while not done():
            if time.monotonic() > end:
                return False
            if not meanwhile():
                time.sleep(GLANCE)
        return True

    def stop(self) -> list[str]:
        """Ask all to end; what went wrong with that."""
        for _, life in self.lives:
            life.resume()
        ended = [(command, life.stop()) for command, life in self.lives]
        return [f"pbem {command} was to stop, and its status is {code}" for command, code in ended if not _well(code)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for _, life in self.lives:
            life.kill()

    def _begin(self, command: str) -> Life:
        return Life(self.house.folder, command=command)


def _well(code: int | None) -> bool:
    return code in ENDS_WELL
