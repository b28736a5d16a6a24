"""A deadline as a calendar file that any calendar can read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from icalendar import Calendar

from pbem.diary import Deadline, calendar_file

DEADLINE = Deadline(
    table="inn-7",
    decision="3/night/2/1",
    host="example.org",
    title="A game, with; marks: " + "and a title that has to be folded " * 4,
    due_at=datetime(2026, 12, 3, 17, tzinfo=UTC),
    written_at=datetime(2026, 12, 1, 17, tzinfo=UTC),
    alarm=timedelta(hours=6),
)


def event(deadline: Deadline) -> Any:
    calendar: Any = Calendar.from_ical(calendar_file(deadline))
    assert calendar["METHOD"] == "PUBLISH"
    (found,) = calendar.walk("VEVENT")
    return found


def test_the_entry_ends_with_the_deadline_and_rings_before_it() -> None:
    found = event(DEADLINE)
    assert found["DTEND"].dt == DEADLINE.due_at
    assert found["DTSTART"].dt < DEADLINE.due_at
    (alarm,) = found.walk("VALARM")
    assert alarm["TRIGGER"].dt == timedelta(hours=-6)
    assert str(found["SUMMARY"]) == DEADLINE.title


def test_a_later_file_for_the_same_decision_takes_the_place_of_the_first() -> None:
    moved = replace(DEADLINE, due_at=DEADLINE.due_at + timedelta(days=1), written_at=DEADLINE.due_at)
    first, second = event(DEADLINE), event(moved)
    assert first["UID"] == second["UID"] == "inn-7-3-night-2-1@example.org"
    assert first["SEQUENCE"] < second["SEQUENCE"]


def test_another_decision_is_another_entry() -> None:
    assert event(DEADLINE)["UID"] != event(replace(DEADLINE, decision="3/night/2/2"))["UID"]


def test_no_line_is_longer_than_calendars_take_and_all_end_as_in_mail() -> None:
    lines = calendar_file(DEADLINE).split("\r\n")
    assert max(len(line.encode()) for line in lines) <= 75
    assert not any("\n" in line for line in lines)
