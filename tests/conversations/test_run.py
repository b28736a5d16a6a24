"""`pbem run`: pass after pass until it is asked to stop, through troubles of the mail server."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from pbem.mailbox import Arrival
from pbem.store import Store
from tests.conversations.world import NOON, Mailbox, World


class Restless(Mailbox):
    """Is away for the first looks, and has the process asked to stop at the last one."""

    def __init__(self, away: int, looks: int) -> None:
        super().__init__()
        self.looked: list[float] = []
        """When, in seconds of a clock that only goes forward."""
        self.waited: list[float] = []
        """How long the host wanted to wait for mail."""
        self._away, self._looks = away, looks

    def fetch(self, limit: int) -> list[Arrival]:
        self.down = len(self.looked) < self._away
        self.looked.append(time.monotonic())
        if len(self.looked) == self._looks:
            os.kill(os.getpid(), signal.SIGTERM)
        return super().fetch(limit)

    def wait(self, seconds: float) -> bool:
        self.waited.append(seconds)
        return True


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """The handlers that the test finds are there again when it is over."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def running(folder: Path, mailbox: Restless) -> World:
    world = World(folder)
    world.mailbox = mailbox
    world.restart()
    world.host.now = lambda: NOON
    world.host.interval = timedelta(milliseconds=20)
    world.write("anna", "REGISTER Anna")
    return world


def test_a_mailbox_that_is_away_is_asked_less_and_less_often_until_it_is_back(tmp_path: Path) -> None:
    world = running(tmp_path, Restless(away=4, looks=7))
    world.host.run()
    mailbox = world.mailbox
    assert isinstance(mailbox, Restless)
    pauses = [later - earlier for earlier, later in zip(mailbox.looked, mailbox.looked[1:], strict=False)][:4]
    assert all(pause >= 0.02 * 2**failures for failures, pause in enumerate(pauses))
    assert len(world.courier.taken) == 1


def test_between_passes_the_host_waits_for_mail_and_stops_when_it_is_asked_to(tmp_path: Path) -> None:
    world = running(tmp_path, Restless(away=0, looks=3))
    world.host.run()
    assert isinstance(world.mailbox, Restless)
    assert world.mailbox.waited[0] == 0.02
    assert len(world.mailbox.looked) >= 3
    assert len(world.courier.taken) == 1


def test_who_stands_by_says_so_once_and_says_when_he_takes_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = running(tmp_path, Restless(away=0, looks=1))
    world.host.interval = timedelta(milliseconds=1)
    turns = iter([False, False, False, True])

    @contextmanager
    def turn(_: Store) -> Iterator[bool]:
        yield next(turns)

    monkeypatch.setattr(Store, "turn", turn)
    with capture_logs() as logged:
        world.host.run()
    assert [each["event"] for each in logged if each["event"] in ("nothing was done", "took over")] == [
        "nothing was done",
        "took over",
    ]
