"""Worlds in which the second game is played through the whole host, with its mail on a server.

Much has to happen before anybody plays, so that is made once, and each test goes on from a copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from pbem.mailbox.loopback import LoopbackServer
from tests.conversations.test_each_way import posted
from tests.conversations.transcript import play
from tests.conversations.world import World
from tests.games.installed import CHOICES, installed
from tests.servers.fixtures import ServerPost

SIGN_UP: Final = """
modi > REGISTER Modi
modi < Re: [pbem] please confirm your name
modi >> NEW choices anna@example.org bob@example.org chen@example.org bonus=off NOT PLAYING
... <
anna >> JOIN AS Anna
bob >> JOIN AS Bob
chen >> JOIN AS Chen
... <
modi >> START
... <
"""


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> World:
    """As `begun`, in memory; to be copied only."""
    with installed(tmp_path_factory.mktemp("packages"), choices=CHOICES):
        world = World(tmp_path_factory.mktemp("begun"))
        play(world, SIGN_UP)
    return world


@pytest.fixture
def choices(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The second game is installed."""
    with installed(tmp_path_factory.mktemp("packages"), choices=CHOICES):
        yield


@pytest.fixture
def world(choices: None, loopback: LoopbackServer, tmp_path: Path) -> World:  # noqa: ARG001
    """A host with both games that nobody has written to."""
    return posted(World(tmp_path), ServerPost(loopback))


@pytest.fixture
def begun(choices: None, pristine: World, loopback: LoopbackServer, tmp_path: Path) -> World:  # noqa: ARG001
    """Anna, Bob and Chen are to pick in the first round of choices-1; Modi, who does not play, moderates."""
    return posted(pristine.copied(tmp_path), ServerPost(loopback))
