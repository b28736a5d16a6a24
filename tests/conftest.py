"""What all tests share."""

from __future__ import annotations

import pytest

from tests import databases

pytest_plugins = ["tests.servers.fixtures", "tests.terminal"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--database", choices=databases.KINDS, default=databases.SQLITE, help="what conversations use")


def pytest_configure(config: pytest.Config) -> None:
    databases.choose(config.getoption("--database"))
