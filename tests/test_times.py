"""Moments and spans as their reader sees them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.times import When, clock, day, span, utc

NOW = datetime(2026, 12, 2, 9, 42, tzinfo=UTC)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("length", "said"),
    [
        (timedelta(days=1, hours=7, minutes=59), "1 day 7 hours"),
        (timedelta(days=2), "2 days"),
        (timedelta(days=2, minutes=59), "2 days"),
        (timedelta(hours=1, minutes=1), "1 hour 1 minute"),
        (timedelta(minutes=40, seconds=59), "40 minutes"),
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(), "less than a minute"),
        (-timedelta(hours=2), "2 hours"),
    ],
)
def test_a_span_is_said_in_its_two_largest_units(length: timedelta, said: str) -> None:
    assert span(length) == said


@pytest.mark.parametrize(
    ("moment", "zone", "said"),
    [
        ("2026-12-03 17:00", "Europe/Brussels", "Thursday 3 December, 18:00 in Brussels"),
        ("2026-12-03 17:00", "America/New_York", "Thursday 3 December, 12:00 in New York"),
        ("2026-12-03 20:00", "Asia/Taipei", "Friday 4 December, 04:00 in Taipei"),
        ("2026-12-03 17:00", "UTC", "Thursday 3 December, 17:00 UTC"),
        ("2026-12-03 17:00", "Etc/UTC", "Thursday 3 December, 17:00 UTC"),
        ("2026-12-03 17:00", "Nowhere/Land", "Thursday 3 December, 17:00 UTC"),
        ("2027-01-01 10:00", "Europe/Brussels", "Friday 1 January 2027, 11:00 in Brussels"),
    ],
)
def test_a_moment_is_said_in_the_zone_of_its_reader(moment: str, zone: str, said: str) -> None:
    assert When(at(moment), zone, NOW).long == said


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        ("2026-10-25 00:30", "Sunday 25 October, 02:30 (UTC+2) in Brussels"),
        ("2026-10-25 01:30", "Sunday 25 October, 02:30 (UTC+1) in Brussels"),
        ("2026-10-25 02:30", "Sunday 25 October, 03:30 in Brussels"),
        ("2026-03-29 01:30", "Sunday 29 March, 03:30 in Brussels"),
    ],
)
def test_a_time_that_the_clock_shows_twice_says_which_one_is_meant(moment: str, said: str) -> None:
    assert When(at(moment), "Europe/Brussels", NOW).long == said


@pytest.mark.parametrize(
    ("moment", "short", "distance"),
    [
        ("2026-12-03 17:00", "Thu 18:00", "in 1 day 7 hours"),
        ("2026-12-02 09:37", "Wed 10:37", "5 minutes ago"),
        ("2026-12-09 09:42", "9 Dec 10:42", "in 7 days"),
    ],
)
def test_a_weekday_alone_is_enough_within_a_week(moment: str, short: str, distance: str) -> None:
    when = When(at(moment), "Europe/Brussels", NOW)
    assert (when.short, when.distance) == (short, distance)


def test_a_moment_in_facts_is_in_utc_unless_it_says_otherwise() -> None:
    assert utc("2026-12-02T09:42:00") == utc("2026-12-02T10:42:00+01:00") == NOW


@pytest.mark.parametrize(
    ("moment", "date", "short"),
    [
        ("2026-12-03T00:30:00+01:00", "2 December 2026", "2 Dec 23:30"),
        ("2026-12-31T23:59:00+00:00", "31 December 2026", "31 Dec 23:59"),
    ],
)
def test_a_page_for_readers_anywhere_has_its_times_in_utc(moment: str, date: str, short: str) -> None:
    assert (day(utc(moment)), clock(utc(moment))) == (date, short)
