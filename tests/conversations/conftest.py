"""Worlds in which something has happened already. Much has to happen, so each is made once and then copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import pytest
import structlog

from pbem.parties import Decided
from pbem.reception import Arrived, Reception
from tests import databases
from tests.conversations.transcript import play
from tests.conversations.world import World

SIGN_UP: Final = """
modi > REGISTER Modi
modi < Re: [pbem] please confirm your name
modi >> CONFIRM / NEW bloody-inn anna@example.org bob@example.org chen@example.org first=1 NOT PLAYING
... <
anna >> JOIN AS Anna
bob >> JOIN AS Bob
chen >> JOIN AS Chen
... <
"""
START: Final = """
modi >> START
... <
"""
LODGE: Final = """
anna >> LODGE 1 2 3 4 5 6
... <
"""


@pytest.fixture(autouse=True, scope="session")
def _plain_logs() -> Iterator[None]:
    """What the host logs goes to the captured output, faults with a plain traceback."""
    structlog.configure(
        processors=[structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()],
        logger_factory=structlog.PrintLoggerFactory(),
    )
    yield
    structlog.reset_defaults()


@pytest.fixture(autouse=True)
def _dropped(tmp_path: Path) -> Iterator[None]:
    yield
    databases.drop(tmp_path)


class Past:
    """What has happened already, once on each kind of database."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self._folders = folders
        self._worlds: dict[tuple[str, str], World] = {}

    def signed_up(self) -> World:
        return self._once("signed-up", lambda folder: _played(World(folder), SIGN_UP))

    def at_night(self) -> World:
        return self._once("at-night", lambda folder: _played(self.signed_up().copied(folder), START + LODGE))

    def _once(self, name: str, made: Callable[[Path], World]) -> World:
        key = name, databases.chosen()
        if key not in self._worlds:
            self._worlds[key] = made(self._folders.mktemp(name))
        return self._worlds[key]


def _played(world: World, script: str) -> World:
    play(world, script)
    return world


@pytest.fixture(scope="session")
def _past(tmp_path_factory: pytest.TempPathFactory) -> Past:
    return Past(tmp_path_factory)


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A host that nobody has written to."""
    return World(tmp_path)


@pytest.fixture
def signed_up(_past: Past, tmp_path: Path) -> World:
    """Modi, who does not play, moderates inn-1; Anna, Bob and Chen have joined it."""
    return _past.signed_up().copied(tmp_path)


@pytest.fixture
def at_night(_past: Past, tmp_path: Path) -> World:
    """The same in the first night: Anna is awaited for her 1st action, then Bob and Chen."""
    return _past.at_night().copied(tmp_path)


@pytest.fixture
def fail_on(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], list[int]]:
    """Let the host fail on every mail that holds certain words; gives the mails that it failed on, one a time."""

    def install(words: bytes) -> list[int]:
        failed: list[int] = []
        healthy = Reception.decided

        def decided(self: Reception, arrived: Arrived, now: datetime) -> Decided:
            if words in arrived.raw:
                failed.append(arrived.id)
                raise RuntimeError("this is our fault")
            return healthy(self, arrived, now)

        monkeypatch.setattr(Reception, "decided", decided)
        return failed

    return install
