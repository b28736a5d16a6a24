"""A deadline acts once, on everybody who is due, and reminds once."""

from __future__ import annotations

from datetime import timedelta

from engine.record import By, Move
from pbem.clock import MISSED, remind, sweep
from tests.desk.sitting import Sitting

HOURS = timedelta(hours=1)
LEAD = timedelta(hours=12)


def night(hours: int = 48) -> Sitting:
    sitting = Sitting.at_night(timedelta(hours=hours))
    sitting.settle()
    return sitting


def test_nothing_happens_before_the_deadline() -> None:
    sitting = night()
    assert sweep(sitting.table, sitting.now + 47 * HOURS) is None


def test_at_the_deadline_the_games_fallback_is_played_and_its_seat_is_told() -> None:
    sitting = night()
    sitting.now += 48 * HOURS
    decided = sitting.sweep()
    assert decided is not None
    assert [(n.kind, n.to.seat, n.facts) for n in decided.notices] == [(MISSED, 1, {"order": "PASS"})]
    what = sitting.entries[-1].what
    assert isinstance(what, Move)
    assert (what.seat, what.by) == (1, By.FALLBACK)
    assert [decision.seat for decision in sitting.table.waiting] == [2]


def test_a_second_look_at_the_same_time_punishes_nobody_again() -> None:
    sitting = night()
    sitting.now += 48 * HOURS
    sitting.sweep()
    assert sitting.sweep() is None


def test_the_next_seats_clock_starts_with_the_mail_that_asks_it() -> None:
    sitting = night()
    sitting.now += 48 * HOURS
    sitting.sweep()
    assert sweep(sitting.table, sitting.now + 100 * HOURS) is None, "nobody was asked yet"
    sitting.settle()
    assert sitting.table.chair(2).due_at == sitting.now + 48 * HOURS


def test_an_order_in_time_stops_the_clock() -> None:
    sitting = night()
    sitting.seat(1, "PASS")
    assert sweep(sitting.table, sitting.now + 48 * HOURS) is None


def test_a_table_without_deadline_waits_for_ever() -> None:
    sitting = Sitting.at_night()
    sitting.settle()
    assert sweep(sitting.table, sitting.now + 10_000 * HOURS) is None
    assert remind(sitting.table, sitting.now + 10_000 * HOURS, LEAD) is None


def test_a_paused_game_punishes_nobody_and_starts_anew_when_resumed() -> None:
    sitting = night()
    sitting.moderator("PAUSE")
    assert sweep(sitting.table, sitting.now + 100 * HOURS) is None
    sitting.now += 100 * HOURS
    sitting.moderator("RESUME")
    sitting.settle()
    assert sitting.table.chair(1).due_at == sitting.now + 48 * HOURS


def test_one_reminder_comes_before_the_deadline() -> None:
    sitting = night()
    assert remind(sitting.table, sitting.now + 35 * HOURS, LEAD) is None
    decided = remind(sitting.table, sitting.now + 36 * HOURS, LEAD)
    assert decided is not None
    assert [notice.to.seat for notice in decided.notices] == [1]
    sitting.write(decided)
    assert remind(sitting.table, sitting.now + 37 * HOURS, LEAD) is None


def test_a_short_deadline_is_reminded_of_at_half_time() -> None:
    sitting = night(hours=4)
    assert remind(sitting.table, sitting.now + HOURS, LEAD) is None
    assert remind(sitting.table, sitting.now + 2 * HOURS, LEAD) is not None


def test_missing_the_evening_lodges_everybody_in_number_order() -> None:
    sitting = Sitting.started(timedelta(hours=24))
    sitting.settle()
    sitting.now += 24 * HOURS
    sitting.sweep()
    assert [decision.kind for decision in sitting.table.waiting] == ["act"]
