"""Deadlines over weekends, quiet hours and changes of the clock, in zones that do it in different ways."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.schedule import (
    NO_DEADLINE,
    NOTHING,
    Absence,
    Clock,
    Quiet,
    Schedule,
    Span,
    counted,
    delayed,
    due,
    lapse,
    reminded,
    reminders,
    saved,
    started,
)
from pbem.times import zone_of
from pbem.wall import minutes_of

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
BRUSSELS, NEW_YORK, LORD_HOWE = "Europe/Brussels", "America/New_York", "Australia/Lord_Howe"
WEEKEND = (5, 6)
NIGHT = Quiet(22 * 60, 8 * 60)


def at(text: str, zone: str = "UTC") -> datetime:
    """A moment by the clock of `zone`, in UTC; behind a clock that goes back, a second ``!`` means the later one."""
    shown = datetime.fromisoformat(text.rstrip("!"))
    return shown.replace(tzinfo=zone_of(zone), fold=int(text.endswith("!"))).astimezone(UTC)


def shown(moment: datetime | None, zone: str) -> str:
    assert moment is not None
    return f"{moment.astimezone(zone_of(zone)):%a %Y-%m-%d %H:%M}"


def hours(count: int, **other: object) -> Schedule:
    return Schedule(time=Span(seconds=count * 3600), **other)  # type: ignore[arg-type]


def days(count: int, **other: object) -> Schedule:
    return Schedule(time=Span(days=count), **other)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("zone", "asked", "in_hours", "in_days"),
    [
        # In spring an hour is missing, in autumn one comes twice; on Lord Howe Island it is half an hour.
        (BRUSSELS, "2026-03-28 18:00", "Sun 2026-03-29 19:00", "Sun 2026-03-29 18:00"),
        (BRUSSELS, "2026-10-24 18:00", "Sun 2026-10-25 17:00", "Sun 2026-10-25 18:00"),
        (NEW_YORK, "2026-03-07 18:00", "Sun 2026-03-08 19:00", "Sun 2026-03-08 18:00"),
        (NEW_YORK, "2026-10-31 18:00", "Sun 2026-11-01 17:00", "Sun 2026-11-01 18:00"),
        (LORD_HOWE, "2026-10-03 18:00", "Sun 2026-10-04 18:30", "Sun 2026-10-04 18:00"),
        (LORD_HOWE, "2026-04-04 18:00", "Sun 2026-04-05 17:30", "Sun 2026-04-05 18:00"),
        (BRUSSELS, "2028-02-28 18:00", "Tue 2028-02-29 18:00", "Tue 2028-02-29 18:00"),
        (BRUSSELS, "2027-02-28 18:00", "Mon 2027-03-01 18:00", "Mon 2027-03-01 18:00"),
    ],
)
def test_hours_are_hours_and_days_end_at_the_same_time_of_day(
    zone: str, asked: str, in_hours: str, in_days: str
) -> None:
    assert shown(due(hours(24, zone=zone), "act", at(asked, zone)), zone) == in_hours
    assert shown(due(days(1, zone=zone), "act", at(asked, zone)), zone) == in_days


@pytest.mark.parametrize(
    ("zone", "asked", "schedule", "expected"),
    [
        (BRUSSELS, "2026-03-28 02:30", days(1), "2026-03-29 03:30"),  # 2:30 does not exist that day
        (BRUSSELS, "2026-10-24 02:30", days(1), "2026-10-25 02:30!"),  # 2:30 comes twice: the second counts
        (LORD_HOWE, "2026-10-03 02:15", days(1), "2026-10-04 02:45"),
        (NEW_YORK, "2026-11-01 00:00", hours(1, at=90), "2026-11-01 01:30!"),
        (NEW_YORK, "2026-03-07 12:00", hours(1, at=150), "2026-03-08 03:30"),
    ],
)
def test_a_time_that_is_left_out_is_later_and_of_two_alike_the_second_counts(
    zone: str, asked: str, schedule: Schedule, expected: str
) -> None:
    schedule = Schedule(time=schedule.time, at=schedule.at, zone=zone)
    assert due(schedule, "act", at(asked, zone)) == at(expected, zone)


@pytest.mark.parametrize(
    ("schedule", "asked", "expected"),
    [
        (hours(48), "2026-12-04 18:00", "Sun 2026-12-06 18:00"),
        (hours(48, off=WEEKEND), "2026-12-04 18:00", "Tue 2026-12-08 18:00"),
        (days(2, off=WEEKEND), "2026-12-04 18:00", "Tue 2026-12-08 18:00"),
        (days(1, off=WEEKEND), "2026-12-05 10:00", "Tue 2026-12-08 00:00"),
        (hours(1, off=WEEKEND), "2026-12-04 23:30", "Mon 2026-12-07 00:30"),
        (hours(30, quiet=NIGHT), "2026-12-01 18:00", "Thu 2026-12-03 08:00"),
        (hours(12, quiet=NIGHT), "2026-12-01 18:00", "Wed 2026-12-02 08:00"),
        (hours(12, quiet=Quiet(1 * 60, 9 * 60)), "2026-12-01 18:00", "Wed 2026-12-02 09:00"),
        (hours(4, quiet=NIGHT), "2026-12-01 18:00", "Wed 2026-12-02 08:00"),
        (hours(3, quiet=NIGHT), "2026-12-01 18:00", "Tue 2026-12-01 21:00"),
        (hours(6, quiet=NIGHT, off=WEEKEND), "2026-12-04 16:30", "Mon 2026-12-07 08:00"),
        (hours(24, at=18 * 60), "2026-12-01 10:00", "Wed 2026-12-02 18:00"),
        (hours(24, at=18 * 60), "2026-12-01 18:00", "Wed 2026-12-02 18:00"),
        (hours(24, at=18 * 60), "2026-12-01 18:01", "Thu 2026-12-03 18:00"),
        (hours(24, at=18 * 60, off=WEEKEND), "2026-12-03 20:00", "Mon 2026-12-07 18:00"),
    ],
)
def test_days_off_quiet_hours_and_a_time_of_day_only_ever_make_it_later(
    schedule: Schedule, asked: str, expected: str
) -> None:
    assert shown(due(schedule, "act", at(asked)), "UTC") == expected


def test_a_kind_of_decision_may_have_a_time_of_its_own_or_none() -> None:
    schedule = hours(48, by_kind={"lodge": Span(seconds=3600), "pay": None})
    asked = at("2026-12-01 10:00")
    assert [due(schedule, kind, asked) for kind in ("act", "lodge", "pay")] == [asked + 48 * HOUR, asked + HOUR, None]


def test_without_a_deadline_there_is_no_clock() -> None:
    assert started(NO_DEADLINE, "act", at("2026-12-01 10:00"), 5 * HOUR) is None


@pytest.mark.parametrize(
    ("leads", "length", "expected"),
    [
        ((24, 6), 48, [24, 42]),
        ((12,), 4, [2]),  # never before half time
        ((24, 6), 8, [4]),
        ((), 48, []),
    ],
)
def test_reminders_come_before_the_deadline_but_not_in_its_first_half(
    leads: tuple[int, ...], length: int, expected: list[int]
) -> None:
    begins = at("2026-12-01 10:00")
    schedule = hours(length, remind=tuple(lead * HOUR for lead in leads))
    found = reminders(schedule, begins, begins + length * HOUR)
    assert [(moment - begins) / HOUR for moment in found] == expected


def test_a_reminder_that_would_come_in_quiet_hours_comes_before_them() -> None:
    schedule = hours(24, quiet=NIGHT, remind=(6 * HOUR,))
    clock = started(schedule, "act", at("2026-12-01 11:00"))
    assert clock is not None
    assert clock.remind_at == at("2026-12-01 22:00")


def test_a_clock_begins_when_its_player_is_back() -> None:
    away = Absence(at("2026-12-24 00:00"), at("2027-01-03 00:00"))
    for asked, begins in (("2026-12-23 23:59", None), ("2026-12-24 00:00", away.ends_at), ("2027-01-03 00:00", None)):
        clock = started(hours(48), "act", at(asked), away=away)
        assert clock is not None
        assert clock.began_at == (begins or at(asked))
        assert clock.due_at == clock.began_at + 48 * HOUR


def test_grace_and_bank_make_a_lapse_later_and_leave_the_deadline() -> None:
    schedule = hours(24, grace=2 * HOUR, bank=10 * HOUR, off=WEEKEND)
    due_at = at("2026-12-04 20:00")
    assert lapse(schedule, due_at) == at("2026-12-04 22:00")
    assert lapse(schedule, due_at, 5 * HOUR) == at("2026-12-07 03:00")
    assert lapse(schedule, due_at, 99 * HOUR) == at("2026-12-07 08:00"), "no more than the bank holds"


@pytest.mark.parametrize(
    ("bank", "answered", "expected"),
    [
        (0, -30, 10),  # 24 of 54 hours were left: more than fits
        (0, -4, 4),
        (3, -4, 7),
        (3, 0, 3),
        (3, 2, 3),  # grace is free
        (3, 4, 1),
        (3, 5, 0),
    ],
)
def test_what_is_left_over_is_saved_and_what_is_late_is_drawn(bank: int, answered: int, expected: int) -> None:
    schedule = hours(54, grace=2 * HOUR, bank=10 * HOUR)
    clock = started(schedule, "act", at("2026-12-01 10:00"), bank * HOUR)
    assert clock is not None
    assert saved(schedule, bank * HOUR, clock, clock.due_at + answered * HOUR) == expected * HOUR


def test_a_weekend_off_is_not_saved() -> None:
    schedule = hours(48, bank=100 * HOUR, off=WEEKEND)
    clock = started(schedule, "act", at("2026-12-04 12:00"))
    assert clock is not None
    assert saved(schedule, NOTHING, clock, at("2026-12-04 13:00")) == 47 * HOUR


def test_who_answers_while_he_is_away_saves_no_more_than_his_whole_time() -> None:
    schedule = hours(24, bank=1000 * HOUR)
    away = Absence(at("2026-12-01 00:00"), at("2026-12-20 00:00"))
    clock = started(schedule, "act", at("2026-12-02 00:00"), away=away)
    assert clock is not None
    assert saved(schedule, NOTHING, clock, at("2026-12-03 00:00")) == 24 * HOUR


def test_an_outage_gives_back_what_it_took_and_no_more() -> None:
    schedule = hours(24, remind=(6 * HOUR,))
    since, now = at("2026-12-01 12:00"), at("2026-12-01 15:00")
    for asked, lost in (("2026-12-01 10:00", 3), ("2026-12-01 14:00", 1), ("2026-12-01 15:00", 0)):
        clock = started(schedule, "act", at(asked))
        assert clock is not None
        assert clock.remind_at is not None
        moved = delayed(schedule, clock, since, now)
        assert moved == Clock(
            clock.began_at,
            clock.due_at + lost * HOUR,
            clock.lapses_at + lost * HOUR,
            clock.remind_at + lost * HOUR,
        )


def test_a_deadline_that_an_outage_moves_into_the_night_waits_for_the_morning() -> None:
    schedule = hours(12, quiet=NIGHT)
    clock = started(schedule, "act", at("2026-12-01 09:00"))
    assert clock is not None
    assert shown(delayed(schedule, clock, at("2026-12-01 10:00"), at("2026-12-01 14:00")).due_at, "UTC") == (
        "Wed 2026-12-02 08:00"
    )


def test_a_reminder_that_was_put_before_the_night_is_no_second_one_when_an_outage_moves_the_deadline() -> None:
    schedule = hours(48, remind=(12 * HOUR,), quiet=NIGHT)
    clock = started(schedule, "act", at("2026-05-18 11:00"))
    assert clock is not None
    assert shown(clock.remind_at, "UTC") == "Tue 2026-05-19 22:00"
    moved = delayed(schedule, clock, at("2026-05-18 13:00"), at("2026-05-18 22:00"))
    assert shown(moved.remind_at, "UTC") == "Wed 2026-05-20 08:00"
    assert moved.remind_at is not None
    assert reminded(schedule, moved, moved.remind_at).remind_at is None


# Whatever a table may choose

MOMENTS = st.datetimes(datetime(2024, 1, 1), datetime(2032, 12, 31)).map(lambda moment: moment.replace(tzinfo=UTC))
ZONES = st.sampled_from([BRUSSELS, NEW_YORK, LORD_HOWE, "Asia/Kathmandu", "America/Santiago", "UTC"])
MINUTES = st.integers(0, 24 * 60 - 1)
QUIET = st.tuples(MINUTES, MINUTES).filter(lambda pair: pair[0] != pair[1]).map(lambda pair: Quiet(*pair))
SPANS = st.one_of(
    st.integers(1, 30).map(lambda count: Span(days=count)),
    st.integers(1, 400).map(lambda count: Span(seconds=count * 3600)),
)
LENGTHS = st.integers(0, 100).map(lambda count: count * HOUR)
SCHEDULES = st.builds(
    Schedule,
    time=SPANS,
    off=st.sets(st.integers(0, 6), max_size=6).map(lambda chosen: tuple(sorted(chosen))),
    quiet=st.none() | QUIET,
    at=st.none() | MINUTES,
    grace=LENGTHS,
    bank=LENGTHS,
    remind=st.lists(LENGTHS, max_size=4).map(tuple),
    zone=ZONES,
).filter(lambda schedule: schedule.at is None or schedule.quiet is None or not schedule.quiet.holds(schedule.at))


def runs(schedule: Schedule, asked: datetime, bank: timedelta = NOTHING) -> Clock:
    clock = started(schedule, "act", asked, bank)
    assert clock is not None
    return clock


@settings(max_examples=300, deadline=None)
@given(SCHEDULES, MOMENTS, LENGTHS)
def test_no_deadline_comes_early_in_the_night_or_on_a_day_off(
    schedule: Schedule, asked: datetime, bank: timedelta
) -> None:
    assert schedule.time is not None
    clock = runs(schedule, asked, bank)
    # Days are days on the wall: the clock may have gone forward meanwhile.
    least = timedelta(days=schedule.time.days, seconds=schedule.time.seconds) - HOUR * (schedule.time.days > 0)
    assert clock.due_at >= asked + least
    assert clock.lapses_at >= clock.due_at + schedule.grace + min(bank, schedule.bank)
    for moment in (clock.due_at, clock.lapses_at):
        local = moment.astimezone(zone_of(schedule.zone))
        assert local.weekday() not in schedule.off
        assert schedule.quiet is None or not schedule.quiet.holds(minutes_of(local))


@settings(max_examples=300, deadline=None)
@given(SCHEDULES, MOMENTS, st.lists(st.integers(-200, 2000), max_size=30))
def test_whenever_one_looks_every_reminder_comes_once_and_before_the_deadline(
    schedule: Schedule, asked: datetime, looks: list[int]
) -> None:
    clock, sent = runs(schedule, asked), []
    for minutes in looks:
        now = asked + timedelta(minutes=minutes * 30)
        if clock.remind_at is not None and clock.remind_at <= now < clock.due_at:
            sent.append(clock.remind_at)
            clock = reminded(schedule, clock, now)
    assert len(sent) == len(set(sent)) <= len(set(schedule.remind))
    assert all(asked < moment < clock.due_at for moment in sent)


@settings(max_examples=200, deadline=None)
@given(SCHEDULES, MOMENTS, st.lists(st.tuples(st.booleans(), st.integers(1, 200)), max_size=20))
def test_an_outage_adds_no_reminder(schedule: Schedule, asked: datetime, looks: list[tuple[bool, int]]) -> None:
    """A look finds what is due since the last one, or that the host was away all the time."""
    clock, sent, now = runs(schedule, asked), 0, asked
    for away, passed in looks:
        since, now = now, now + passed * HOUR
        if away:
            clock = delayed(schedule, clock, since, now)
        if clock.remind_at is not None and clock.remind_at <= now:
            clock, sent = reminded(schedule, clock, now), sent + 1
    assert sent <= len(set(schedule.remind))


@settings(max_examples=300, deadline=None)
@given(SCHEDULES, MOMENTS, LENGTHS, st.integers(0, 10_000))
def test_a_bank_never_holds_less_than_nothing_or_more_than_it_can(
    schedule: Schedule, asked: datetime, bank: timedelta, minutes: int
) -> None:
    clock = runs(schedule, asked, bank)
    after = saved(schedule, bank, clock, min(clock.lapses_at, asked + timedelta(minutes=minutes)))
    assert NOTHING <= after <= schedule.bank


@settings(max_examples=300, deadline=None)
@given(SCHEDULES, MOMENTS, LENGTHS, LENGTHS)
def test_time_that_counts_adds_up(schedule: Schedule, start: datetime, first: timedelta, second: timedelta) -> None:
    middle, end = start + first, start + first + second
    whole = counted(schedule, start, end)
    assert whole == counted(schedule, start, middle) + counted(schedule, middle, end)
    assert NOTHING <= whole <= first + second
