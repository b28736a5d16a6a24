"""The database fails: its disk is full, somebody holds it, it may not be written. Nothing is lost by that."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.errors import DatabaseTrouble
from pbem.store import Incoming, Store
from tests.conversations.test_run import Restless, running
from tests.conversations.test_run import _signals as _signals
from tests.conversations.world import NOON, World


@contextmanager
def set_to(world: World, pragma: str, healthy: str) -> Iterator[None]:
    """Every connection of the world's database is set to `pragma` until it is cured."""
    said = [pragma]
    sa.event.listen(world.store.engine, "checkout", lambda driver, *_: driver.execute(f"PRAGMA {said[0]}"))
    yield
    said[0] = healthy


@contextmanager
def full(world: World) -> Iterator[None]:
    """Not a page more can be written: as on a full disk."""
    with set_to(world, "max_page_count=1", "max_page_count=1000000000"):
        yield


@contextmanager
def read_only(world: World) -> Iterator[None]:
    """Nothing can be written: as on a file system that was mounted anew after a failure."""
    with set_to(world, "query_only=ON", "query_only=OFF"):
        yield


@contextmanager
def locked(world: World) -> Iterator[None]:
    """Somebody else has begun to write, and does not end."""
    with (
        set_to(world, "busy_timeout=1", "busy_timeout=30000"),
        closing(sqlite3.connect(world.store.engine.url.database or "")) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        yield


Ill = Callable[[World], AbstractContextManager[None]]
ills = pytest.mark.parametrize("ill", [full, read_only, locked])


@ills
def test_a_database_that_fails_loses_no_order_and_costs_no_attempt(at_night: World, ill: Ill) -> None:
    at_night.answer("anna", "BRIBE newsboy", "PASS")
    with ill(at_night):
        for _ in range(at_night.settings.limits.attempts + 2):
            done, sent = at_night.passed()
            assert isinstance(done.trouble, DatabaseTrouble)
            assert (sent, done.failures) == ([], 0)
    assert sorted(mail.to for mail in at_night.tick()) == ["anna", "bob"]
    assert at_night.store.parked() == ()
    assert at_night.tick() == []


@ills
def test_one_that_fails_between_intake_and_handling_does_not_put_the_mail_aside(
    at_night: World, monkeypatch: pytest.MonkeyPatch, ill: Ill
) -> None:
    intake = Store.intake
    at_night.answer("anna", "BRIBE newsboy", "PASS")
    with ExitStack() as illness:

        def then_ill(store: Store, mails: Sequence[Incoming]) -> tuple[int, ...]:
            taken = intake(store, mails)
            if taken:
                illness.enter_context(ill(at_night))
            return taken

        monkeypatch.setattr(Store, "intake", then_ill)
        for _ in range(at_night.settings.limits.attempts + 2):
            assert at_night.passed()[0].trouble
    assert sorted(mail.to for mail in at_night.tick()) == ["anna", "bob"]
    assert at_night.store.parked() == ()


@pytest.mark.parametrize("ill", [read_only, locked])
def test_one_that_cannot_note_what_was_sent_lets_it_be_sent_once_more_and_not_in_every_pass(
    at_night: World, monkeypatch: pytest.MonkeyPatch, ill: Ill
) -> None:
    at_night.answer("anna", "BRIBE newsboy", "PASS")
    at_night.courier.taken.clear()
    accepted = Store.accepted
    with ExitStack() as illness:

        def ill_before(store: Store, ids: Sequence[int], now: datetime) -> None:
            monkeypatch.undo()
            illness.enter_context(ill(at_night))
            accepted(store, ids, now)

        monkeypatch.setattr(Store, "accepted", ill_before)
        for _ in range(4):
            assert at_night.passed()[0].trouble
    at_night.tick()
    assert len(at_night.courier.taken) == 2 * len(set(at_night.courier.taken)) > 0
    assert at_night.tick() == []


def test_a_host_goes_on_when_its_database_is_well_again(tmp_path: Path) -> None:
    world = running(tmp_path, Restless(away=0, looks=2))
    with ExitStack() as illness:
        illness.enter_context(read_only(world))
        passes = count()

        def cured_at_the_third() -> datetime:
            if next(passes) == 3:
                illness.close()
            return NOON

        world.host.now = cured_at_the_third
        world.host.run()
    assert next(passes) > 3
    assert len(world.courier.taken) == 1
