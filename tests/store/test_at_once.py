"""Several processes at one database: nobody is locked out, and nobody overwrites another."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import sqlalchemy as sa

from engine.record import Override, Verb
from pbem.parties import Changed, Decided
from pbem.store import Conflict, Store
from pbem.table import overrule
from tests.store.scene import NOW, running_table, the_table

TURNS = 10
WRITERS = 3


def at_once(act: Callable[[int], int]) -> list[int]:
    with ThreadPoolExecutor(WRITERS) as pool:
        return list(pool.map(act, range(WRITERS)))


def toggle(store: Store, name: str) -> None:
    """Pause or resume a table: one entry."""
    table = the_table(store, name)
    after, written = overrule(table, Override(Verb.RESUME if table.running.paused else Verb.PAUSE))
    store.write(Decided(tables=(Changed(table, after, written),)), inbox=None, now=NOW)


def test_writers_at_different_tables_do_not_disturb_each_other(store: Store) -> None:
    for number in range(WRITERS):
        names = [f"{name}{number}" for name in ("Anna", "Bob")]
        running_table(store, *names, name=f"choices-{number}")

    def play(number: int) -> int:
        for _ in range(TURNS):
            toggle(store, f"choices-{number}")
        return the_table(store, f"choices-{number}").running.n

    assert at_once(play) == [1 + TURNS] * WRITERS


def test_writers_at_one_table_lose_no_entry_and_write_none_twice(store: Store) -> None:
    running_table(store)

    def play(_: int) -> int:
        conflicts = 0
        for _ in range(TURNS):
            while True:
                try:
                    toggle(store, "choices-1")
                    break
                except Conflict:
                    conflicts += 1
        return conflicts

    at_once(play)
    table = the_table(store)
    assert [logged.entry.n for logged in store.log(table)] == list(range(1, 2 + WRITERS * TURNS))
    assert table.running.n == 1 + WRITERS * TURNS


def test_only_one_at_a_time_has_the_turn_and_it_is_free_again_however_it_ends(store: Store) -> None:
    with suppress(RuntimeError), store.turn() as mine:
        assert mine
        with store.turn() as other:
            assert not other
        with store.turn() as other:
            assert not other, "who had none does not end another's"
        raise RuntimeError
    with store.turn() as mine:
        assert mine


def test_a_look_shows_one_moment_whoever_writes_in_between(sqlite: Store) -> None:
    running_table(sqlite)
    with sqlite.looking() as seen:
        before = the_table(seen)
        toggle(sqlite, before.name)
        assert the_table(seen) == before
    assert the_table(sqlite).running.n == before.running.n + 1


def test_several_questions_of_a_look_take_one_connection(store: Store) -> None:
    table = running_table(store)
    taken: list[object] = []
    sa.event.listen(store.engine, "checkout", lambda connection, *_: taken.append(connection))
    with store.looking() as seen, seen.looking() as again:
        again.unanswered(table.name)
        again.log(the_table(seen))
    assert len(taken) == 1
