"""A small share of `make workers`: real workers on PostgreSQL and Dovecot, killed at random moments."""

from __future__ import annotations

import random

import pytest

from tests.servers.fixtures import require_dovecot
from tests.workers.__main__ import tried

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def test_workers_and_foremen_that_are_killed_lose_no_order_and_do_none_twice() -> None:
    require_dovecot()
    found = tried(games=2, repeats=0, kills=8, chance=random.Random(11))
    assert found.faults == []
    assert found.kills.keys() == {"run", "work"}
    assert found.counts["orders"]
    assert found.counts["records"] == 2
