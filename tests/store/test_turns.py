"""Who works where several processes want to: on PostgreSQL one has the turn for good, and another takes over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from pbem.store import Store
from pbem.store.database import connect
from tests.servers.postgresql import server
from tests.store.conftest import TOKENS

pytestmark = pytest.mark.slow


@pytest.fixture
def url() -> Iterator[str]:
    made = server().create()
    yield made
    server().drop(made)


def has_turn(store: Store) -> bool:
    with store.turn() as mine:
        return mine


def test_who_has_the_turn_keeps_it_between_passes_and_the_next_takes_over_when_he_ends(url: str) -> None:
    with closing(Store(connect(url), TOKENS)) as next_one:
        with closing(Store(connect(url), TOKENS)) as first:
            assert has_turn(first)
            assert not has_turn(next_one)
            assert has_turn(first)
        assert has_turn(next_one)


def test_who_lost_his_connection_stands_by_when_another_has_taken_over(url: str) -> None:
    with closing(Store(connect(url), TOKENS)) as first, closing(Store(connect(url), TOKENS)) as next_one:
        assert has_turn(first)
        server().hang_up(url)
        assert has_turn(next_one)
        assert not has_turn(first)
