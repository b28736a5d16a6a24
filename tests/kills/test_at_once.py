"""Two processes at one mailbox, and a mail that ends whichever process begins it: the real program, on Dovecot."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pbem.bootstrap import store_of
from pbem.config import load
from pbem.keeping import moderate_all, parked
from tests.kills.house import House, Street
from tests.kills.judge import judged
from tests.kills.life import Life
from tests.kills.points import BEFORE
from tests.servers.fixtures import require_dovecot

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

PATIENCE = 120.0
ORDERS = 12


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    require_dovecot()
    with Street() as street:
        yield House(street, tmp_path)


@pytest.fixture
def begin(house: House) -> Iterator[Callable[[], Life]]:
    """Starts a process of the host, which is ended with the test at the latest."""
    with ExitStack() as lives:

        def begun() -> Life:
            life = Life(house.folder)
            lives.callback(life.kill)
            return life

        yield begun


def until(done: Callable[[], object], house: House) -> None:
    """Let everybody play until it is done."""
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end, house.waiting()
        house.turn()
        time.sleep(0.01)


def test_two_processes_at_one_mailbox_do_everything_once(house: House, begin: Callable[[], Life]) -> None:
    both = [begin(), begin()]
    for _ in range(2):
        house.seat(2)
    until(lambda: sum(guest.orders for guest in house.guests) >= ORDERS, house)
    until_quiet(house)
    assert all(done for _, _, done in moderate_all(house.config, "END WITH RESULT"))
    until_quiet(house)
    assert [life.stop() for life in both] == [0, 0]
    assert judged(house, Counter()) == []


def until_quiet(house: House) -> None:
    end = time.monotonic() + PATIENCE
    while waiting := house.waiting():
        assert time.monotonic() < end, waiting
        time.sleep(0.05)


def test_a_mail_that_ends_every_process_is_put_aside_and_the_next_one_is_answered(
    house: House, begin: Callable[[], Life]
) -> None:
    house.set("limits", attempts=3)
    house.seat(2)
    for _ in range(3):
        assert Life(house.folder, {f"{BEFORE} handling": 1}).ended()[0] == f"{BEFORE} handling"
    begin()
    until_quiet(house)
    (poison,) = parked(house.config)
    assert poison.sender == house.guests[0].box.address
    with store_of(load(house.config)) as store:
        assert store.work(9) == ()
    first, second = (house.post.answers[guest.box.written[0]] for guest in house.guests)
    assert (first, second) == (0, 1), "it came from a stranger, who is owed no answer, and held up nobody"
