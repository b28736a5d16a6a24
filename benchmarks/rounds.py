"""Rounds that measure two things side by side, and what they come to."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Final

ROUNDS: Final = 7


@dataclass(frozen=True, slots=True)
class Cost:
    """What some work took: seconds on the wall and of this process's own CPU, and how many pieces of work it was."""

    seconds: float
    cpu: float
    pieces: int

    @property
    def each(self) -> float:
        """Seconds a piece."""
        return self.seconds / self.pieces

    @property
    def cpu_each(self) -> float:
        """Seconds of own CPU a piece."""
        return self.cpu / self.pieces


Work = Callable[[], int]
"""Does some work and gives how many pieces it was."""
Prepare = Callable[[], Work]
"""Makes ready for one round, which is not measured, and gives the work that is."""


def cost(work: Work) -> Cost:
    """Do `work` once, with the garbage of earlier work out of the way."""
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    pieces = work()
    return Cost(time.perf_counter() - wall, time.process_time() - cpu, pieces)


def side_by_side(one: Prepare, other: Prepare, rounds: int = ROUNDS) -> list[tuple[Cost, Cost]]:
    """The costs of `one` and `other`, round by round: what else the machine does meets both alike.

    They take turns in being first. One more round before is not counted, so that nothing is done for the first time.
    """
    pairs: list[tuple[Cost, Cost]] = []
    for number in range(rounds + 1):
        first, second = one(), other()
        if number % 2:
            late, early = cost(second), cost(first)
            pairs.append((early, late))
        else:
            pairs.append((cost(first), cost(second)))
    return pairs[1:]


def middle(pairs: list[tuple[Cost, Cost]], ratio: Callable[[Cost, Cost], float]) -> float:
    """The median over the rounds of a ratio within each."""
    return median(ratio(one, other) for one, other in pairs)


def time_over(one: Cost, other: Cost) -> float:
    """How many times as long a piece of the first takes."""
    return one.each / other.each


def rate_over(one: Cost, other: Cost) -> float:
    """The rate of the first as a multiple of the rate of the second."""
    return other.each / one.each


def output_over(one: Cost, other: Cost) -> float:
    """The same by the CPU of each, for work that waits for nothing: so other work on the machine does not count."""
    return other.cpu_each / one.cpu_each


def cpu_over(one: Cost, other: Cost) -> float:
    """How many times as much CPU of its own a piece of the first takes."""
    return one.cpu_each / other.cpu_each


def say(text: str) -> None:
    """Progress, for a person."""
    print(text, file=sys.stderr, flush=True)
