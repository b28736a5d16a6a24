"""A clock that jumps is asked twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.watch import Watch

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("shown", "believed"),
    [
        ([0, 60, 120, 180], [True, True, True, True]),
        ([0, 60 + 30, 120, 180], [True, True, True, True]),
        ([0, 60 + 5400, 120, 180], [True, False, False, True]),
        ([0, 60 + 5400, 120 + 5400, 180 + 5400], [True, False, True, True]),
        ([0, 60, 120 - 5400, 180 - 5400], [True, True, False, True]),
    ],
    ids=["goes right", "is set by seconds", "is wrong once", "stays ahead", "is set back"],
)
def test_what_a_clock_shows_after_a_jump_is_believed_when_it_stays_so(shown: list[int], believed: list[bool]) -> None:
    """A minute passes from one look to the next, and `shown` are the seconds since noon on the wall."""
    wall, steady = iter(shown), iter(range(0, 1000, 60))
    watch = Watch(lambda: NOON + timedelta(seconds=next(wall)), lambda: float(next(steady)))
    assert [watch.read() is not None for _ in shown] == believed
