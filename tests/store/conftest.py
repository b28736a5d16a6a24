"""A store of its own for each test, and an ear for what it says to the database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.store import Store
from pbem.tokens import Tokens
from tests.store.ear import Ear

TOKENS = Tokens(b"a key for tests")


@pytest.fixture
def tokens() -> Tokens:
    return TOKENS


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{tmp_path / 'pbem.db'}", TOKENS) as opened:
        yield opened


@pytest.fixture
def ear(store: Store) -> Ear:
    return Ear(store.engine)
