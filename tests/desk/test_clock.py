"""A deadline acts once, on everybody who is due, and reminds once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.record import By, Move
from pbem.clock import MISSED, REFERRED, WAITING, pass_over, remind, sweep
from pbem.parties import Changed, Decided, Party, Role
from pbem.schedule import Absence, Missed, Schedule, Span, delayed
from pbem.settle import REMINDER, Telling
from pbem.table import Chair, Person, Status, Table, begin
from tests.desk.sitting import ANNA, BOB, CHEN, MODI, PLAYERS, Sitting, open_table, reference
from tests.games.choices import GAME as CHOICES

HOURS = timedelta(hours=1)


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
    assert [(n.kind, n.to.seat, n.facts) for n in decided.notices] == [
        (MISSED, 1, {"order": "PASS", "misses": 1, "skipped": False, "bot": False})
    ]
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
    assert remind(sitting.table, sitting.now + 10_000 * HOURS) is None


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
    assert remind(sitting.table, sitting.now + 35 * HOURS) is None
    decided = remind(sitting.table, sitting.now + 36 * HOURS)
    assert decided is not None
    assert [notice.to.seat for notice in decided.notices] == [1]
    sitting.write(decided)
    assert remind(sitting.table, sitting.now + 37 * HOURS) is None


def test_a_short_deadline_is_reminded_of_at_half_time() -> None:
    sitting = night(hours=4)
    assert remind(sitting.table, sitting.now + HOURS) is None
    assert remind(sitting.table, sitting.now + 2 * HOURS) is not None


def test_missing_the_evening_lodges_everybody_in_number_order() -> None:
    sitting = Sitting.started(timedelta(hours=24))
    sitting.settle()
    sitting.now += 24 * HOURS
    sitting.sweep()
    assert [decision.kind for decision in sitting.table.waiting] == ["act"]


# What a table may choose


def scheduled_night(schedule: Schedule) -> Sitting:
    """Three players, the guests lodged, Anna asked for her first action."""
    sitting = Sitting(open_table(*PLAYERS, schedule=schedule, first="1"))
    sitting.moderator("START")
    sitting.seat(1, "LODGE 1 2 3 4 5 6")
    sitting.settle()
    return sitting


def two_days(**chosen: object) -> Schedule:
    return Schedule(time=Span(seconds=48 * 3600), **chosen)  # type: ignore[arg-type]


def passing_over(sitting: Sitting) -> int:
    """Make the moves for which nobody waits; how many there were."""
    count = 0
    while (decided := pass_over(sitting.table, sitting.now)) is not None:
        sitting.write(decided)
        count += 1
    return count


def by(sitting: Sitting) -> By:
    """Why the last move was made that somebody could choose."""
    moves = [entry.what for entry in sitting.entries if isinstance(entry.what, Move)]
    return next(move.by for move in reversed(moves) if move.by is not By.HOST)


def test_a_bot_moves_if_the_table_has_chosen_it_and_the_same_each_time() -> None:
    heads = set()
    for _ in range(2):
        sitting = scheduled_night(two_days(missed=Missed.BOT))
        sitting.now += 48 * HOURS
        decided = sitting.sweep()
        assert decided is not None
        assert by(sitting) is By.BOT
        assert decided.notices[0].facts["bot"] is True
        heads.add(sitting.table.head)
    assert len(heads) == 1


@pytest.mark.parametrize(
    ("beside", "asked"), [((CHEN,), [MODI, CHEN]), ((ANNA,), [MODI])], ids=["chen", "who sits there"]
)
def test_every_moderator_is_asked_about_a_seat_but_who_sits_there(
    beside: tuple[Person, ...], asked: list[Person]
) -> None:
    sitting = scheduled_night(two_days(missed=Missed.MODERATOR))
    assert sitting.table.chair(1).person == ANNA
    sitting.table = replace(sitting.table, co_moderators=beside)
    sitting.now += 48 * HOURS
    decided = sitting.sweep()
    assert decided is not None
    assert [n.to.person for n in decided.notices if n.kind == REFERRED] == asked


def test_the_moderator_is_asked_and_after_his_silence_the_game_goes_on() -> None:
    sitting = scheduled_night(two_days(missed=Missed.MODERATOR, moderator_silent=2))
    sitting.now += 48 * HOURS
    decided = sitting.sweep()
    assert decided is not None
    assert [(n.kind, n.to.role) for n in decided.notices] == [(REFERRED, Role.MODERATOR), (WAITING, Role.SEAT)]
    assert [decision.seat for decision in sitting.table.waiting] == [1]
    sitting.settle()
    sitting.now += 47 * HOURS
    assert sitting.sweep() is None
    sitting.now += HOURS
    sitting.sweep()
    assert by(sitting) is By.FALLBACK
    assert sitting.table.chair(1).misses == 1, "it was missed once, however often one looked"


def test_a_seat_may_still_play_while_its_moderator_is_asked() -> None:
    sitting = scheduled_night(two_days(missed=Missed.MODERATOR))
    sitting.now += 49 * HOURS
    sitting.sweep()
    sitting.seat(1, "PASS")
    assert by(sitting) is By.SEAT
    assert sitting.table.chair(1).misses == 0


def test_a_moderator_is_not_asked_about_his_own_seat() -> None:
    table = open_table(*PLAYERS, schedule=two_days(missed=Missed.MODERATOR), first="1")
    sitting = Sitting(replace(table, moderator=ANNA))
    sitting.send(Party(Role.MODERATOR, ANNA.address, ANNA, "inn-7"), ["START"])
    sitting.settle()
    sitting.now += 48 * HOURS
    sitting.sweep()
    assert by(sitting) is By.FALLBACK


def missing(sitting: Sitting, times: int) -> None:
    """Whoever is awaited lets his deadline pass, so many times."""
    for _ in range(times):
        sitting.now += 49 * HOURS
        sitting.sweep()
        passing_over(sitting)
        sitting.settle()


def test_misses_are_counted_and_after_so_many_nobody_waits_any_more() -> None:
    sitting = scheduled_night(two_days(skip_after=1))
    sitting.now += 49 * HOURS
    decided = sitting.sweep()
    assert decided is not None
    assert decided.notices[0].facts == {"order": "PASS", "misses": 1, "skipped": True, "bot": False}
    sitting.settle()
    sitting.seat(2, "PASS")
    sitting.seat(3, "PASS")
    assert [decision.seat for decision in sitting.table.waiting] == [1]
    assert passing_over(sitting) == 1
    assert [decision.seat for decision in sitting.table.waiting] == [2]


def test_where_everybody_is_missing_nobody_is_in_a_hurry() -> None:
    sitting = scheduled_night(two_days(skip_after=1))
    missing(sitting, 3)
    assert [chair.misses for chair in sitting.table.chairs] == [1, 1, 1]
    assert passing_over(sitting) == 0
    assert sitting.table.waiting


@pytest.mark.parametrize("line", ["PASS", "KILL nobody", "BRIBE emperor WITH gold"])
def test_any_order_brings_a_missing_player_back(line: str) -> None:
    sitting = scheduled_night(two_days(skip_after=1))
    missing(sitting, 1)
    sitting.seat(1, line)
    assert sitting.table.chair(1).misses == 0
    sitting.seat(2, "PASS")
    sitting.seat(3, "PASS")
    assert passing_over(sitting) == 0


def test_an_order_that_comes_too_late_brings_its_player_back_too() -> None:
    sitting = scheduled_night(two_days(skip_after=1))
    (telling,) = (each for each in said(sitting) if each.to.seat == 1)
    missing(sitting, 1)
    sitting.seat(1, "PASS", reference=reference(telling, sitting.table.running.n))
    assert sitting.table.chair(1).misses == 0


def said(sitting: Sitting) -> tuple[Telling, ...]:
    sitting.seat(1, "STATUS")
    return sitting.settle()


def test_prose_and_questions_bring_nobody_back() -> None:
    sitting = scheduled_night(two_days(skip_after=1))
    missing(sitting, 1)
    sitting.seat(1, "I am on holiday, sorry!", "GAMES")
    assert sitting.table.chair(1).misses == 1


def test_who_has_announced_an_absence_is_not_passed_over() -> None:
    sitting = scheduled_night(two_days(skip_after=1))
    missing(sitting, 1)
    chair = sitting.table.chair(1)
    away = replace(ANNA, away=Absence(sitting.now, sitting.now + 100 * HOURS))
    sitting.table = sitting.table.with_chair(replace(chair, person=away))
    sitting.seat(2, "PASS")
    sitting.seat(3, "PASS")
    assert passing_over(sitting) == 0
    sitting.now += 100 * HOURS
    assert passing_over(sitting) == 1


def test_a_miss_empties_the_bank_and_an_order_in_time_fills_it() -> None:
    sitting = scheduled_night(two_days(bank=10 * HOURS))
    sitting.now += 44 * HOURS
    sitting.seat(1, "PASS")
    assert sitting.table.chair(1).bank == 4 * HOURS
    sitting.settle()
    sitting.seat(2, "PASS")
    sitting.seat(3, "PASS")
    sitting.settle()
    sitting.now += 51 * HOURS
    assert sitting.sweep() is None, "the bank lasts an hour longer"
    sitting.now += HOURS
    sitting.sweep()
    assert (by(sitting), sitting.table.chair(1).bank) == (By.FALLBACK, 0 * HOURS)


def test_a_list_of_reminders_sends_each_once_and_says_which_is_the_last() -> None:
    sitting = scheduled_night(two_days(remind=(24 * HOURS, 6 * HOURS)))
    last = []
    for _ in range(96):
        sitting.now += HOURS / 2
        if (decided := remind(sitting.table, sitting.now)) is not None:
            sitting.write(decided)
            last += [notice.facts["last"] for notice in decided.notices]
    assert last == [False, True]


def test_of_reminders_that_were_slept_through_only_one_is_sent() -> None:
    sitting = scheduled_night(two_days(remind=(24 * HOURS, 12 * HOURS, 6 * HOURS)))
    sitting.now += 47 * HOURS
    decided = remind(sitting.table, sitting.now)
    assert decided is not None
    assert [notice.facts["last"] for notice in decided.notices] == [True]


def test_two_who_are_idle_are_treated_at_the_same_time() -> None:
    people = (ANNA, BOB)
    table = Table(
        id=1,
        name="choices-7",
        game=CHOICES,
        options={"bonus": "on"},
        places=2,
        status=Status.OPEN,
        moderator=MODI,
        secret="ab" * 32,
        schedule=two_days(),
        chairs=tuple(Chair(seat, person) for seat, person in enumerate(people, 1)),
    )
    sitting = Sitting(table)
    sitting.write(Decided(tables=(Changed(table, *begin(table)),)))
    sitting.settle()
    sitting.now += 48 * HOURS
    decided = sitting.sweep()
    assert decided is not None
    assert [notice.to.seat for notice in decided.notices] == [1, 2]
    assert {chair.misses for chair in sitting.table.chairs} == {1}


LOOKS = st.lists(
    st.tuples(st.sampled_from(["sweep", "remind", "settle", "pass over", "outage"]), st.integers(-20, 60)), max_size=40
)


@settings(max_examples=60, deadline=None)
@given(LOOKS, st.sampled_from(list(Missed)), st.integers(0, 2))
def test_no_sequence_of_looks_early_late_or_doubled_reminds_or_punishes_twice(
    looks: list[tuple[str, int]], missed: Missed, skip_after: int
) -> None:
    """The clock may jump back and forth between them, and outages move what runs."""
    schedule = two_days(remind=(24 * HOURS, 6 * HOURS), missed=missed, skip_after=skip_after)
    sitting = scheduled_night(schedule)
    punished, told = Counter[str](), Counter[tuple[str, bool]]()
    for what, hours in looks:
        sitting.now += hours * HOURS
        asked = {chair.seat: chair.asked for chair in sitting.table.chairs}
        late = {chair.seat for chair in sitting.table.chairs if chair.clock and chair.clock.lapses_at <= sitting.now}
        if what == "settle":
            sitting.settle()
            continue
        if what == "outage":
            sitting.table = given_back(sitting.table, sitting.now - hours * HOURS, sitting.now)
            continue
        decided = LOOKING[what](sitting)
        for notice in decided.notices if decided else ():
            if notice.kind == REMINDER:
                told[asked[notice.to.seat], bool(notice.facts["last"])] += 1
            elif notice.kind in (MISSED, WAITING):
                assert notice.to.seat in late
                punished[f"{notice.kind} {asked[notice.to.seat]}"] += 1
    assert [key for key, count in (punished + told).items() if count > 1] == []


def given_back(table: Table, since: datetime, now: datetime) -> Table:
    """`table` after the host was away from `since` until `now`."""
    for chair in table.chairs:
        if chair.clock is not None:
            table = table.with_chair(replace(chair, clock=delayed(table.schedule, chair.clock, since, now)))
    return table


def looked(sitting: Sitting, decided: Decided | None) -> Decided | None:
    return sitting.write(decided) if decided else None


LOOKING: dict[str, Callable[[Sitting], Decided | None]] = {
    "sweep": Sitting.sweep,
    "remind": lambda sitting: looked(sitting, remind(sitting.table, sitting.now)),
    "pass over": lambda sitting: looked(sitting, pass_over(sitting.table, sitting.now)),
}
