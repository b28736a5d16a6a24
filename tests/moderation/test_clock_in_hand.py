"""Deadlines, more time, excuses and the table's way with time, in a moderator's hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from engine.record import By, Move, Override, Verb
from pbem.parties import Party, Role
from pbem.verdicts import Reason, Said
from tests.desk.sitting import ANNA, MODI, NOW, Sitting

TWO_DAYS = timedelta(days=2)
HOUR = timedelta(hours=1)


def asked(deadline: timedelta | None = TWO_DAYS) -> Sitting:
    sitting = Sitting.at_night(deadline=deadline)
    sitting.settle()
    return sitting


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("24h", NOW + 24 * HOUR),
        ("3 days", NOW + 72 * HOUR),
        ("90 min", NOW + 1.5 * HOUR),
        ("18:00", datetime(2026, 12, 1, 17)),
        ("9:00", datetime(2026, 12, 2, 8)),
        ("2026-12-24", datetime(2026, 12, 24, 22, 59)),
        ("2026-12-24 18:30", datetime(2026, 12, 24, 17, 30)),
        ("2027-07-01 18:30", datetime(2027, 7, 1, 16, 30)),
    ],
)
def test_a_deadline_is_meant_by_the_moderators_own_clock(text: str, due: datetime) -> None:
    sitting = asked()
    brussels = replace(MODI, zone="Europe/Brussels")
    sitting.table = replace(sitting.table, moderator=brussels)
    sitting.send(Party(Role.MODERATOR, MODI.address, brussels, "inn-7"), [f"DEADLINE Anna {text}"])
    assert sitting.table.chair(1).due_at == due.replace(tzinfo=NOW.tzinfo)


@pytest.mark.parametrize("text", ["2026-11-30", "2026-12-01 09:00", "2028-12-01", "2026-13-01", "25:00", "99 weeks"])
def test_a_deadline_lies_ahead_and_within_a_year(text: str) -> None:
    sitting = asked()
    before = sitting.table
    assert sitting.moderator(f"DEADLINE Anna {text}").lines[0].reason == Reason.BAD_TIME
    assert sitting.table == before


def test_a_deadline_stands_in_the_record_and_before_and_after_beside_it() -> None:
    sitting = asked()
    due = sitting.table.chair(1).due_at
    sitting.moderator("DEADLINE Anna 24h")
    assert sitting.entries[-1].what == Override(Verb.DEADLINE, seat=1, due="2026-12-02T10:00:00Z")
    remark = sitting.log[-1].remark
    assert due is not None
    assert remark is not None
    assert remark.facts == {"times": [[1, due.isoformat(), (NOW + 24 * HOUR).isoformat()]]}


def test_a_deadline_that_was_moved_acts_at_its_new_time_and_not_at_the_old_one() -> None:
    sitting = asked()
    sitting.moderator("EXTEND Anna by 24h")
    sitting.now = NOW + TWO_DAYS + HOUR
    assert sitting.sweep() is None
    sitting.now = NOW + TWO_DAYS + 25 * HOUR
    assert sitting.sweep() is not None
    assert isinstance(what := sitting.entries[-1].what, Move)
    assert (what.seat, what.by) == (1, By.FALLBACK)


def test_a_deadline_may_be_set_where_the_table_has_none() -> None:
    sitting = asked(deadline=None)
    assert sitting.table.chair(1).due_at is None
    assert sitting.moderator("EXTEND ALL 24h").lines[0].reason == Reason.NO_DEADLINE
    sitting.moderator("DEADLINE ALL 24h")
    assert sitting.table.chair(1).due_at == NOW + 24 * HOUR


def test_a_deadline_may_be_put_off_for_ever() -> None:
    sitting = asked()
    sitting.moderator("DEADLINE Anna none")
    assert sitting.entries[-1].what == Override(Verb.DEADLINE, seat=1)
    sitting.now = NOW + 100 * TWO_DAYS
    assert sitting.sweep() is None


def test_only_who_is_awaited_and_has_been_asked_has_a_deadline() -> None:
    sitting = Sitting.at_night(deadline=TWO_DAYS)
    assert sitting.moderator("DEADLINE Anna 24h").lines[0].reason == Reason.NOT_ASKED
    sitting.settle()
    assert sitting.moderator("DEADLINE Bob 24h").lines[0].reason == Reason.NOT_AWAITED
    sitting.moderator("PAUSE")
    assert sitting.moderator("DEADLINE ALL 24h").lines[0].reason == Reason.PAUSED


def test_an_excuse_takes_one_miss_back_and_there_must_be_one() -> None:
    sitting = asked()
    sitting.now = NOW + TWO_DAYS
    sitting.sweep()
    assert sitting.table.chair(1).misses == 1
    assert [line.reason for line in sitting.moderator("EXCUSE Anna", "EXCUSE Anna").lines] == ["", Reason.NO_MISS]
    assert sitting.table.chair(1).misses == 0


@pytest.mark.parametrize("line", ["EXTEND Anna by 24h", "DEADLINE Anna 24h"])
def test_a_decision_that_is_given_more_time_counts_once_however_often_it_is_late(line: str) -> None:
    sitting = Sitting.at_night(deadline=TWO_DAYS)
    sitting.moderator("OPTIONS missed=moderator")
    sitting.settle()
    sitting.now = NOW + TWO_DAYS
    for _ in range(3):
        sitting.sweep()
        assert sitting.table.chair(1).misses == 1
        assert sitting.moderator(line).lines[0].reason == ""
        assert sitting.table.chair(1).misses == 0
        sitting.now += TWO_DAYS


def test_to_be_skipped_is_no_miss() -> None:
    sitting = asked()
    sitting.moderator("SKIP Anna")
    assert sitting.table.chair(1).misses == 0


def test_the_time_per_turn_may_change_in_mid_game_and_a_running_clock_keeps_its_own() -> None:
    sitting = asked()
    due = sitting.table.chair(1).due_at
    sitting.moderator("OPTIONS deadline=24h grace=2h")
    assert sitting.table.chair(1).due_at == due
    assert sitting.table.schedule.grace == 2 * HOUR
    assert sitting.entries[-1].what == Override(Verb.OPTIONS)


@pytest.mark.parametrize("line", ["OPTIONS length=long", "OPTIONS deadline=soon", "OPTIONS deadlin=24h"])
def test_what_is_no_option_of_time_cannot_change(line: str) -> None:
    sitting = asked()
    before = sitting.table
    assert sitting.moderator(line).lines[0].reason == Reason.BAD_OPTION
    assert sitting.table == before


def test_everybody_awaited_is_processed_if_the_game_stands_where_the_moderator_means() -> None:
    sitting = asked()
    assert sitting.moderator("PROCESS 1 evening").lines[0].reason == Reason.OTHER_PHASE
    assert sitting.moderator("PROCESS round 1, night").lines[0].said is Said.DONE
    assert [decision.seat for decision in sitting.table.waiting] == [2]
    assert ANNA.name == sitting.table.names[0]
