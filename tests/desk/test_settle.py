"""At rest, each seat gets at most one mail, and only for a reason."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from pbem.parties import Role
from pbem.settle import Telling
from pbem.table import Mails
from pbem.verdicts import Said
from tests.desk.sitting import BOB, Sitting


def by_seat(tellings: tuple[Telling, ...]) -> dict[int, Telling]:
    seats = [telling.to.seat for telling in tellings if telling.to.seat]
    assert len(seats) == len(set(seats)), "one mail a seat"
    return {telling.to.seat: telling for telling in tellings if telling.to.seat}


def test_when_the_night_begins_every_seat_is_mailed_so_that_it_can_plan() -> None:
    told = by_seat(Sitting.at_night().settle())
    assert {seat: telling.state for seat, telling in told.items()} == {1: True, 2: True, 3: True}
    assert [telling.asks for telling in told.values()] == ["1/night/1/1", "", ""]
    assert [telling.decision for telling in told.values()] == ["1/night/1/1", "1/night/2/1", "1/night/3/1"]


def test_a_table_at_rest_with_nothing_new_is_silent() -> None:
    sitting = Sitting.at_night()
    sitting.settle()
    assert sitting.settle() == ()


def test_who_becomes_awaited_is_mailed_and_nobody_else() -> None:
    sitting = Sitting.at_night()
    sitting.settle()
    sitting.seat(1, "PASS")
    told = by_seat(sitting.settle())
    assert set(told) == {1, 2}, "the receipt, and the next in turn"
    assert not told[1].state
    assert told[2].asks == "1/night/2/1"


def test_several_mails_are_answered_by_one() -> None:
    sitting = Sitting.at_night()
    sitting.settle()
    sitting.seat(2, "HELP")
    sitting.seat(2, "PASS")
    assert len(by_seat(sitting.settle())[2].verdicts) == 2


def test_a_plan_that_ran_meanwhile_is_told_in_the_line_of_its_mail() -> None:
    sitting = Sitting.at_night()
    sitting.seat(2, "PASS", "PASS")
    sitting.seat(1, "PASS")
    verdict = by_seat(sitting.settle())[2].verdicts[0]
    assert [line.said for line in verdict.lines] == [Said.DONE, Said.PLANNED]


def test_what_a_line_did_is_told_there_and_not_again_as_news() -> None:
    sitting = Sitting.at_night()
    sitting.settle()
    sitting.seat(1, "PASS")
    told = by_seat(sitting.settle())
    assert told[1].news == ()
    assert [type(event).__name__ for events in told[1].done.values() for event in events] == ["Passed"]
    assert [type(event).__name__ for event in told[2].news] == ["Passed"]


def test_news_are_told_once() -> None:
    sitting = Sitting.at_night()
    sitting.settle()
    sitting.seat(1, "PASS")
    sitting.settle()
    sitting.seat(2, "PASS")
    assert [event.seat for event in by_seat(sitting.settle())[3].news] == [1, 2]


def test_a_move_that_the_moderator_makes_for_a_seat_is_told_to_all_seats() -> None:
    sitting = Sitting.at_night()
    sitting.settle()
    sitting.moderator("ACT AS Anna: PASS")
    told = by_seat(sitting.settle())
    assert set(told) == {1, 2, 3}
    assert all([type(item).__name__ for item in telling.news] == ["Announced", "Passed"] for telling in told.values())


def test_who_wants_mails_only_for_his_turn_is_not_told_when_the_night_begins() -> None:
    sitting = Sitting.at_night()
    quiet = replace(BOB, mails=Mails.TURN)
    sitting.table = sitting.table.with_chair(replace(sitting.table.chair(2), person=quiet))
    assert set(by_seat(sitting.settle())) == {1, 3}
    sitting.seat(1, "PASS")
    assert by_seat(sitting.settle())[2].state


def test_daily_news_come_at_most_once_a_day() -> None:
    sitting = Sitting.at_night()
    daily = replace(BOB, mails=Mails.DAILY)
    sitting.table = sitting.table.with_chair(
        replace(sitting.table.chair(2), person=daily, mailed_at=sitting.now - timedelta(hours=2))
    )
    assert 2 not in by_seat(sitting.settle())
    sitting.now += timedelta(hours=23)
    assert by_seat(sitting.settle())[2].state


def test_a_moderator_who_does_not_play_learns_that_the_game_is_over() -> None:
    sitting = Sitting.at_night()
    sitting.settle()
    sitting.moderator("END")
    last = [telling for telling in sitting.settle() if telling.to.role is Role.MODERATOR]
    assert [notice.kind for telling in last for notice in telling.notices] == ["ended"]
    assert sitting.settle() == ()
