"""A playroom for all tests, in which each begins a table of its own, and its pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from starlette.testclient import TestClient

from pbem.sandbox.app import app
from pbem.sandbox.guard import Door
from pbem.sandbox.home import Home
from pbem.sandbox.playroom import Playroom, playroom
from tests import databases

GAME: Final = "bloody-inn"
DOOR: Final = Door(8765)
HERE: Final = f"http://{DOOR.hosts[0]}"


def furnished(folder: Path) -> Home:
    """A new home in `folder`; its database need not be made step by step."""
    home = Home(folder)
    (folder / "pbem.db").write_bytes(databases.empty())
    return home


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose templates go before the host's own."""
    return tmp_path_factory.mktemp("templates")


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory, templates: Path) -> Iterator[Playroom]:
    with playroom(furnished(tmp_path_factory.mktemp("sandbox")), templates) as room:
        yield room


@pytest.fixture
def pages(room: Playroom) -> TestClient:
    """A browser without scripts, which has come in by the key."""
    client = TestClient(app(room, DOOR), base_url=HERE, headers={"Origin": HERE})
    assert client.get(f"/?key={DOOR.key}").status_code == 200
    return client
