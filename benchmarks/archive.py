"""Building the archive of many finished games: what one costs among many and among few, and where nothing is new."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

from benchmarks.house import in_memory
from benchmarks.multiply import multiply
from benchmarks.rounds import Cost, cost, cpu_over, say
from benchmarks.tables import KINDS, NOW, begun
from engine.record import By
from engine.shuffle import Stream
from pbem.files import resource
from pbem.parties import Changed, Decided
from pbem.publish import Built, Site, build
from pbem.render import Renderer
from pbem.store import Store
from pbem.table import Written, play

DIFFERENT: Final = 50
"""Games that are played; all others are copies of them."""
COUNTS: Final = (250, 500, 1000)


def measured() -> dict[str, float]:
    """The CPU of a game among the most over that among the fewest, and of one that is as it was over one made anew."""
    costs = {count: _built(count) for count in COUNTS}
    fresh, again = costs[COUNTS[-1]]
    return {
        "archive": cpu_over(fresh, costs[COUNTS[0]][0]),
        "archive_same": cpu_over(again, fresh),
    }


def _built(count: int) -> tuple[Cost, Cost]:
    """Building the archive of `count` games, and once more."""
    with _finished(count) as (store, site):
        fresh = cost(lambda: _games(build(site, store, KINDS, lambda _: True), renewed=count))
        again = cost(lambda: _games(build(site, store, KINDS, lambda _: True), renewed=0))
    each = f"{fresh.cpu_each * 1000:.1f} ms of CPU a game, {again.cpu_each * 1000:.1f} once more"
    say(f"archive: {count} games in {fresh.seconds:.1f} s, {again.seconds:.1f} s once more; {each}")
    return fresh, again


def _games(built: Built, renewed: int) -> int:
    assert built.renewed == renewed, built
    return built.games


@contextmanager
def _finished(count: int) -> Iterator[tuple[Store, Site]]:
    """A database with so many finished games, and an empty archive."""
    with tempfile.TemporaryDirectory() as young, tempfile.TemporaryDirectory() as old:
        with in_memory(Path(young)) as (_, store, _):
            _play(store)
        shutil.copy(Path(young) / "pbem.db", old)
        multiply(Path(old) / "pbem.db", count // DIFFERENT)
        folder = Path(old) / "archive"
        folder.mkdir()
        with in_memory(Path(old)) as (_, store, _):
            yield store, Site(folder=folder, renderer=Renderer(KINDS, resource("templates")))


def _play(store: Store) -> None:
    """Play games of four at random to their ends."""
    tables: list[Changed] = []
    for number, (table, dealt) in enumerate(begun(store, DIFFERENT)):
        stream = Stream(f"archive {number}".encode())
        written: list[Written] = list(dealt)
        while table.waiting:
            seat = table.waiting[0].seat
            legal = tuple(islice(table.game.legal(table.running.state, seat), 30))
            table, more = play(table, seat, legal[stream.below(len(legal))], By.SEAT)
            written += more
        tables.append(Changed(None, table, tuple(written)))
    store.write(Decided(tables=tuple(tables)), inbox=None, now=NOW)
