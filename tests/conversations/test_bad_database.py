"""The database fails: its disk is full, somebody holds it, it may not be written. Nothing is lost by that."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
import sqlalchemy as sa

from pbem.errors import DatabaseTrouble
from pbem.store import Incoming, Store
from pbem.store.database import connect
from pbem.store.tables import METADATA
from tests.conversations.test_run import Restless, running
from tests.conversations.test_run import _signals as _signals
from tests.conversations.world import NOON, World
from tests.databases import POSTGRESQL, SQLITE, chosen
from tests.servers.postgresql import server

pytestmark = pytest.mark.each_database


@contextmanager
def set_to(world: World, ill: str, healthy: str) -> Iterator[None]:
    """Every connection of the world's database is told `ill` when it is taken up, until it is cured."""
    said = [ill]

    def tell(driver: Any, *_: object) -> None:
        driver.execute(said[0])
        driver.commit()

    sa.event.listen(world.store.engine, "checkout", tell)
    yield
    said[0] = healthy


@contextmanager
def full(world: World) -> Iterator[None]:
    """Not a page more can be written: as on a full disk."""
    with set_to(world, "PRAGMA max_page_count=1", "PRAGMA max_page_count=1000000000"):
        yield


@contextmanager
def read_only(world: World) -> Iterator[None]:
    """Nothing can be written: as on a file system that was mounted anew after a failure."""
    with set_to(world, "PRAGMA query_only=ON", "PRAGMA query_only=OFF"):
        yield


@contextmanager
def locked(world: World) -> Iterator[None]:
    """Somebody else has begun to write, and does not end."""
    with (
        set_to(world, "PRAGMA busy_timeout=1", "PRAGMA busy_timeout=30000"),
        closing(sqlite3.connect(world.store.engine.url.database or "")) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def stand_by(world: World) -> Iterator[None]:
    """The server only reads: as one that follows another, before it takes over."""
    mode = "SET SESSION CHARACTERISTICS AS TRANSACTION READ {}"
    with set_to(world, mode.format("ONLY"), mode.format("WRITE")):
        yield


@contextmanager
def tables_locked(world: World) -> Iterator[None]:
    """Somebody else has locked all tables against writing, and does not end."""
    with ExitStack() as stack:
        stack.enter_context(set_to(world, "SET lock_timeout = 1", "SET lock_timeout = 0"))
        other = connect(world.settings.database.url)
        stack.callback(other.dispose)
        names = ", ".join(f'"{name}"' for name in METADATA.tables)
        stack.enter_context(other.connect()).exec_driver_sql(f"LOCK TABLE {names} IN EXCLUSIVE MODE")
        yield


@contextmanager
def hung_up(world: World) -> Iterator[None]:
    """The server ends every connection before it is asked anything: as one that is restarted again and again."""
    url, engine = world.settings.database.url, world.store.engine

    def hang_up(*_: object) -> None:
        server().hang_up(url)

    sa.event.listen(engine, "checkout", hang_up)
    yield
    sa.event.remove(engine, "checkout", hang_up)


@dataclass(frozen=True, slots=True)
class Ill:
    """Something that a database may suffer from, as it is brought about on each kind."""

    on: Mapping[str, Callable[[World], AbstractContextManager[None]]]

    def __call__(self, world: World) -> AbstractContextManager[None]:
        return self.on[chosen()](world)


CANNOT_WRITE: Final[Mapping[str, Ill]] = {
    "only read": Ill({SQLITE: read_only, POSTGRESQL: stand_by}),
    "locked": Ill({SQLITE: locked, POSTGRESQL: tables_locked}),
}
GONE: Final = Ill({SQLITE: full, POSTGRESQL: hung_up})
ills = pytest.mark.parametrize("ill", [*CANNOT_WRITE.values(), GONE], ids=[*CANNOT_WRITE, "gone"])


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


@pytest.mark.parametrize("ill", CANNOT_WRITE.values(), ids=CANNOT_WRITE)
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
    world = running(tmp_path, Restless(away=0, looks=4))
    with ExitStack() as illness:
        illness.enter_context(CANNOT_WRITE["only read"](world))
        passes = count()

        def cured_at_the_third() -> datetime:
            if next(passes) == 3:
                illness.close()
            return NOON

        world.host.now = cured_at_the_third
        world.host.run()
    assert next(passes) > 3
    assert len(world.courier.taken) == 1
