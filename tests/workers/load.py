"""The same load for one, two and four workers: mails of many games that wait, and how fast they are done."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Final

from pbem.store import Store
from pbem.store.database import connect
from pbem.tokens import Tokens
from tests.kills.house import House
from tests.workers.crew import Crew

ASKED: Final = "STATUS"
EACH: Final = 3
"""Mails of each player in a wave, beside his orders."""
PATIENCE: Final = 300.0


@dataclass(frozen=True, slots=True)
class Wave:
    """So many mails were done by so many workers in so many seconds."""

    workers: int
    mails: int
    seconds: float

    @property
    def speed(self) -> float:
        """Mails a second."""
        return self.mails / self.seconds


def waves(crew: Crew, sizes: Sequence[int], repeats: int) -> Iterator[Wave]:
    """Waves in turn for each number of workers, so that what else the machine does meets all of them alike."""
    for _ in range(repeats):
        for size in sizes:
            yield _wave(crew, size)


def best(done: Sequence[Wave], size: int) -> float:
    """The best speed of so many workers: least disturbed by others on the machine."""
    return max(wave.speed for wave in done if wave.workers == size)


def _wave(crew: Crew, size: int) -> Wave:
    """Let all workers stand still while the mails come in, then measure some of them."""
    house = crew.house
    assert crew.until(house.is_quiet, PATIENCE), house.waiting()
    with _standing_still(crew), _looking(house) as store:
        before = len(house.written)
        house.turn()
        for guest in house.guests:
            for _ in range(EACH):
                guest.ask(ASKED)
        mails = len(house.written) - before
        assert crew.until(lambda: _new(store) == mails, PATIENCE), "the foreman takes nothing in"
        for life in crew.workers[:size]:
            life.resume()
        began = time.perf_counter()
        assert crew.until(lambda: _is_done(store), PATIENCE), house.waiting()
        return Wave(size, mails, time.perf_counter() - began)


@contextmanager
def _standing_still(crew: Crew) -> Iterator[None]:
    for life in crew.workers:
        life.pause()
    try:
        yield
    finally:
        for life in crew.workers:
            life.resume()


@contextmanager
def _looking(house: House) -> Iterator[Store]:
    with closing(Store(connect(house.database), Tokens(b""), 100)) as store:
        yield store


def _new(store: Store) -> int:
    return len(store.work(100_000))


def _is_done(store: Store) -> bool:
    return not (store.work(1) or store.restless(1))
