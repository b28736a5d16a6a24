"""A store of its own for each test, on both databases, and an ear for what it says to them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.store import Store
from pbem.store.database import connect
from pbem.store.tables import METADATA
from pbem.tokens import Tokens
from tests.servers.postgresql import server
from tests.store.ear import Ear

TOKENS = Tokens(b"a key for tests")


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty SQLite database in its newest form, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "pbem.db"
    Store.open(f"sqlite:///{path}", TOKENS).close()
    return path


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Store]:
    """A store on a PostgreSQL server of our own."""
    url = server().create()
    with closing(Store(connect(url), TOKENS)) as opened:
        yield opened
    server().drop(url)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """An empty store, on either database."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite")
        return
    opened = request.getfixturevalue("postgresql")
    yield opened
    _emptied(opened)


@pytest.fixture
def sqlite(migrated: Path, tmp_path: Path) -> Iterator[Store]:
    copied = shutil.copy(migrated, tmp_path / "pbem.db")
    with closing(Store(connect(f"sqlite:///{copied}"), TOKENS)) as opened:
        yield opened


def _emptied(store: Store) -> None:
    """The server lives on, for the next test."""
    with store.engine.begin() as connection:
        for table in reversed(METADATA.sorted_tables):
            connection.execute(table.delete())
        for table in METADATA.sorted_tables:
            if "id" in table.c:
                connection.execute(sa.text(f'ALTER SEQUENCE "{table.name}_id_seq" RESTART'))


@pytest.fixture
def tokens() -> Tokens:
    return TOKENS


@pytest.fixture
def ear(store: Store) -> Ear:
    return Ear(store.engine)
