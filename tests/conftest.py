"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import databases
from tests.databases import KINDS, SQLITE

pytest_plugins = ["tests.servers.fixtures", "tests.servers.issuer", "tests.servers.provider", "tests.terminal"]

_EACH = [kind if kind == SQLITE else pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS]


def pytest_addoption(parser: pytest.Parser) -> None:
    help = "what those tests use that are not marked each_database"
    parser.addoption("--database", choices=KINDS, default=SQLITE, help=help)


def pytest_configure(config: pytest.Config) -> None:
    databases.choose(config.getoption("--database"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.definition.get_closest_marker("each_database"):
        metafunc.parametrize("database", _EACH, indirect=True)


@pytest.fixture(autouse=True)
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """The kind of database that a test stands on: each in turn where it is marked so, else that of the command line."""
    kind: str = getattr(request, "param", request.config.getoption("--database"))
    with databases.using(kind):
        yield kind
