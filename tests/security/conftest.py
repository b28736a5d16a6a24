"""A table in its first night, made once and copied for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conversations.conftest import LODGE, SIGN_UP, START
from tests.conversations.transcript import play
from tests.conversations.world import World


@pytest.fixture(scope="session")
def _first_night(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("first-night"))
    play(world, SIGN_UP + START + LODGE)
    return world


@pytest.fixture
def night(_first_night: World, tmp_path: Path) -> World:
    """Anna, Bob and Chen play inn-1, which Modi moderates; Anna is awaited for her 1st action."""
    return _first_night.copied(tmp_path)
