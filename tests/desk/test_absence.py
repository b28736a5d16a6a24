"""AWAY and BACK: what they cover, and what they do not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from pbem.days import day
from pbem.draft import HouseRules
from pbem.parties import Decided
from pbem.schedule import Absence, Schedule, Span
from pbem.table import Person
from pbem.verdicts import Line, Reason, Said, Verdict
from tests.desk.sitting import ANNA, NOW, PLAYERS, Sitting, open_table

HOURS = timedelta(hours=1)
BRUSSELS = replace(ANNA, zone="Europe/Brussels")


def sitting_of(person: Person = BRUSSELS) -> Sitting:
    """It is Tuesday, 1 December 2026, 11:00 in Brussels; Anna is asked for her first action."""
    schedule = Schedule(time=Span(seconds=48 * 3600))
    sitting = Sitting(open_table(person, *PLAYERS[1:], schedule=schedule, first="1"))
    sitting.moderator("START")
    sitting.seat(1, "LODGE 1 2 3 4 5 6")
    sitting.settle()
    return sitting


class Saying:
    """Lines of Anna's, and what becomes of her."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.people: tuple[Person, ...] = ()
        write = sitting.write

        def noting(decided: Decided) -> Decided:
            self.people = decided.people or self.people
            return write(decided)

        sitting.write = noting  # type: ignore[method-assign]

    def __call__(self, *lines: str) -> Line:
        verdict: Verdict = self.sitting.seat(1, *lines)
        return verdict.lines[-1]

    @property
    def away(self) -> Absence | None:
        return self.people[0].away

    def sits(self) -> None:
        """Her chair knows what she has said, as it does when it is loaded again."""
        table = self.sitting.table
        self.sitting.table = table.with_chair(replace(table.chair(1), person=self.people[0]))


@pytest.fixture
def say() -> Saying:
    return Saying(sitting_of())


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "begins", "ends"),
    [
        ("AWAY FROM 2026-12-24 TO 2027-01-02", "2026-12-23T23:00", "2027-01-02T23:00"),
        ("away 2026-12-24 - 2027-01-02", "2026-12-23T23:00", "2027-01-02T23:00"),
        ("AWAY 2026-12-24..2027-01-02", "2026-12-23T23:00", "2027-01-02T23:00"),
        ("Away from 24 Dec to 2 January.", "2026-12-23T23:00", "2027-01-02T23:00"),
        ("AWAY FROM 24 december 2026 UNTIL 2 jan. 2027", "2026-12-23T23:00", "2027-01-02T23:00"),
        ("AWAY UNTIL 2026-12-05", "2026-12-01T10:00", "2026-12-05T23:00"),
        ("AWAY FROM today TO tomorrow", "2026-12-01T10:00", "2026-12-02T23:00"),
        ("AWAY UNTIL Friday", "2026-12-01T10:00", "2026-12-04T23:00"),
        ("away from sat till Mon", "2026-12-04T23:00", "2026-12-07T23:00"),
        ("AWAY UNTIL Tues", "2026-12-01T10:00", "2026-12-01T23:00"),
        ("AWAY FROM 20 Nov TO 3 Dec", "2026-12-01T10:00", "2026-12-03T23:00"),
    ],
)
def test_both_days_are_included_on_the_player_s_own_clock(say: Saying, line: str, begins: str, ends: str) -> None:
    told = say(line)
    assert (told.said, told.info) == (Said.DONE, "away")
    assert say.away == Absence(utc(begins), utc(ends))
    assert told.facts["ends"] == utc(ends).isoformat()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("AWAY FROM 2026-12-24 TO 2026-12-20", Reason.ABSENCE_OVER),
        ("AWAY FROM 2026-11-01 TO 2026-11-20", Reason.ABSENCE_OVER),
        ("AWAY FROM 2026-12-24 TO 2027-03-24", Reason.ABSENCE_TOO_LONG),
        ("AWAY UNTIL 9999-12-31", Reason.ABSENCE_TOO_LONG),
        ("AWAY FROM 9999-12-30 TO 9999-12-31", Reason.ABSENCE_TOO_FAR),
        ("AWAY FROM 2026-13-24 TO 2027-01-02", Reason.USAGE),
        ("AWAY FROM 31 Feb TO 2 Mar", Reason.USAGE),
        ("AWAY FROM 24 foo TO 2 Jan", Reason.USAGE),
        ("AWAY", Reason.USAGE),
        ("AWAY soon", Reason.USAGE),
        ("AWAY UNTIL Fridge", Reason.USAGE),
    ],
)
def test_an_absence_that_cannot_be_is_refused_and_changes_nothing(say: Saying, line: str, reason: Reason) -> None:
    told = say(line)
    assert told.reason == reason
    assert say.people == ()


def test_the_longest_absence_is_the_host_s_to_settle() -> None:
    sitting = sitting_of()
    known = sitting.known
    sitting.known = lambda *a, **k: known(*a, **k, house=HouseRules(longest_absence_days=2))  # type: ignore[method-assign]
    assert sitting.seat(1, "AWAY UNTIL 2026-12-02").lines[0].said is Said.DONE
    told = sitting.seat(1, "AWAY UNTIL 2026-12-03").lines[0]
    assert (told.reason, told.facts) == (Reason.ABSENCE_TOO_LONG, {"days": 2})


def test_a_deadline_that_runs_already_runs_on_and_is_named(say: Saying) -> None:
    due_at = say.sitting.table.chair(1).due_at
    assert due_at is not None
    told = say("AWAY UNTIL 2026-12-20")
    assert told.facts["running"] == [["inn-7", due_at.isoformat()]]
    assert say.sitting.table.chair(1).due_at == due_at


def asked_while_away(say: Saying) -> datetime:
    """Anna is asked for something new while she is away; when it is due."""
    say("AWAY UNTIL 2026-12-20", "PASS")
    say.sits()
    say.sitting.settle()
    say.sitting.seat(2, "PASS")
    say.sitting.seat(3, "PASS")
    say.sitting.settle()
    due_at = say.sitting.table.chair(1).due_at
    assert due_at is not None
    return due_at


def test_what_is_asked_in_an_absence_waits_for_its_end(say: Saying) -> None:
    assert asked_while_away(say) == utc("2026-12-20T23:00") + 48 * HOURS


def test_who_is_back_early_is_asked_from_that_moment(say: Saying) -> None:
    asked_while_away(say)
    say.sitting.now += 24 * HOURS
    told = say("BACK")
    due_at = say.sitting.now + 48 * HOURS
    assert told.facts == {"was_away": True, "running": [["inn-7", due_at.isoformat()]]}
    assert (say.away, say.sitting.table.chair(1).due_at) == (None, due_at)


def test_to_be_back_moves_no_clock_that_was_running_before(say: Saying) -> None:
    due_at = say.sitting.table.chair(1).due_at
    say("AWAY UNTIL 2026-12-20")
    say.sits()
    say.sitting.now += 24 * HOURS
    say("BACK")
    assert say.sitting.table.chair(1).due_at == due_at


def test_a_second_absence_takes_the_place_of_the_first(say: Saying) -> None:
    say("AWAY FROM 2026-12-24 TO 2027-01-02")
    say.sits()
    assert say("AWAY FROM 2026-12-26 TO 2026-12-27").facts["replaces"] is True
    assert say.away == Absence(utc("2026-12-25T23:00"), utc("2026-12-27T23:00"))


@pytest.mark.parametrize("line", ["Back from holiday!", "back to the game", "Back again, sorry for the wait"])
def test_a_sentence_that_begins_with_back_is_prose_and_stops_nothing(say: Saying, line: str) -> None:
    verdict = say.sitting.seat(1, line, "PASS")
    assert [(each.text, each.said) for each in verdict.lines] == [("PASS", Said.DONE)]


@pytest.mark.parametrize(("line", "on"), [("CALENDAR ON", True), ("CALENDAR", True), ("CALENDAR OFF", False)])
def test_calendar_files_are_asked_for(say: Saying, line: str, on: bool) -> None:
    assert say(line).facts == {"on": on}
    assert say.people[0].calendar is on


@pytest.mark.parametrize(
    ("text", "today", "expected"),
    [
        ("29 feb", date(2026, 12, 1), date(2028, 2, 29)),
        ("29 feb", date(2028, 2, 29), date(2028, 2, 29)),
        ("28 feb", date(2028, 2, 29), date(2029, 2, 28)),
        ("1 january", date(2026, 12, 31), date(2027, 1, 1)),
        ("2028-02-29", date(2026, 12, 1), date(2028, 2, 29)),
        ("tomorrow", date(2026, 12, 31), date(2027, 1, 1)),
        ("tomorrow", date(2028, 2, 28), date(2028, 2, 29)),
    ],
)
def test_a_day_without_a_year_is_the_next_such_day(text: str, today: date, expected: date) -> None:
    assert day(text, today, today) == expected


def test_the_sitting_begins_when_these_tests_think_it_does() -> None:
    assert utc("2026-12-01T10:00") == NOW
