"""Fifty real deaths of the real program on Dovecot and SQLite, at points all along the way of a mail."""

from __future__ import annotations

import pytest

from tests.kills.__main__ import killed
from tests.kills.points import COMMON, EVERY
from tests.servers.fixtures import require_dovecot

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

KILLS = 50
SEED = 11


def test_a_host_that_is_killed_fifty_times_loses_nothing_and_does_nothing_twice() -> None:
    require_dovecot()
    found = killed(KILLS, SEED)
    assert found.faults == []
    assert found.kills.total() >= KILLS
    assert len(found.kills.keys() & EVERY) > len(COMMON) / 2, "it died at hardly any of the points"
    assert found.counts["orders"]
    assert found.counts["records"]
