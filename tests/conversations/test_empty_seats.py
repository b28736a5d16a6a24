"""A seat that nobody sits on any more, in a game that goes on."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine.record import By, Move
from tests.conversations.transcript import play
from tests.conversations.world import World

OFFERED = """
modi >> REPLACE Anna dora@example.org
modi < Re: [inn-1] Round 1, night: moderator - done
    inn-1 waits for Seat 1, where nobody sits
    REPLACE Seat 1 anna@example.org
    until Friday 4 December, 12:00 UTC
... <
"""
FALLEN = """
wait 24h
modi < [inn-1] Round 1, night: moderator - an empty seat is awaited
    inn-1 waits for Seat 1
wait 47h
nobody <
wait 1h
bob < [inn-1] Round 1, night: your 1st action - by Sun 12:00
    Nobody has taken Seat 1 at inn-1, so the game waits for it no longer
    the host moved
chen < [inn-1] Round 1, night: you may plan ahead
    Nobody has taken Seat 1
modi < [inn-1] Round 1, night: moderator - an empty seat is played on
    You can still give it to somebody
"""


def moves(world: World) -> list[tuple[int, By]]:
    """By whom each move was made that somebody could choose, and for which seat."""
    made = [entry.what for entry in world.entries() if isinstance(entry.what, Move)]
    return [(move.seat, move.by) for move in made if move.by is not By.HOST]


def test_an_empty_seat_is_waited_for_as_long_as_a_moderator_and_then_played_on_at_once(at_night: World) -> None:
    play(at_night, OFFERED + FALLEN)
    assert moves(at_night)[-1] == (1, By.FALLBACK)
    at_night.answer("bob", "PASS")
    at_night.tick()
    at_night.answer("chen", "PASS")
    at_night.tick()
    assert moves(at_night)[-1] == (1, By.FALLBACK), "nobody waits for it again"
    assert [decision.seat for decision in at_night.table().waiting] == [2]


def test_whoever_was_offered_a_seat_still_gets_it_when_the_host_has_played_on(at_night: World) -> None:
    play(at_night, OFFERED + FALLEN)
    at_night.answer("dora", "JOIN AS Dora")
    at_night.tick()
    for name in ("bob", "chen"):
        at_night.answer(name, "PASS")
        at_night.tick()
    assert [at_night.table().names[decision.seat - 1] for decision in at_night.table().waiting] == ["Dora"]
    assert at_night.table().chair(1).due_at is not None


def test_who_takes_an_empty_seat_in_time_has_the_whole_time_for_a_decision(at_night: World) -> None:
    play(at_night, OFFERED)
    at_night.wait(days=2, hours=23)
    at_night.answer("dora", "JOIN AS Dora")
    at_night.tick()
    at_night.wait(hours=47)
    at_night.tick()
    assert moves(at_night)[-1] == (1, By.SEAT)
    assert [decision.seat for decision in at_night.table().waiting] == [1]


def test_an_empty_seat_that_is_not_awaited_costs_nobody_time_or_mails(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> OPEN Bob
        ... <
        wait 35h
        nobody <
        """,
    )
    assert at_night.table().chair(2).clock is None


def test_a_moderator_may_have_more_time_for_an_empty_seat(at_night: World) -> None:
    play(at_night, OFFERED)
    play(
        at_night,
        """
        modi >> EXTEND Seat 1 by 72h
        modi < Re: [inn-1] Round 1, night: moderator - done
            Monday 7 December, 12:00
        ... <
        wait 24h
        modi < [inn-1] Round 1, night: moderator - an empty seat is awaited
        wait 48h
        modi < [inn-1] Round 1, night: moderator - an empty seat is awaited
        wait 71h
        nobody <
        wait 1h
        ... <
        """,
    )
    assert moves(at_night)[-1] == (1, By.FALLBACK)


def test_a_moderator_lets_the_host_play_on_for_an_empty_seat_at_once(at_night: World) -> None:
    play(at_night, OFFERED)
    play(
        at_night,
        """
        modi >> EJECT Seat 1
        modi < Re: [inn-1] Round 1, night: moderator - done
            The host plays on for Seat 1
        bob < [inn-1] Round 1, night: your 1st action - by Thu 12:00
            Modi lets the host play on for Seat 1, where nobody sits
        ... <
        """,
    )
    assert moves(at_night)[-1] == (1, By.FALLBACK)


@pytest.mark.parametrize(("days", "hours"), [(1, [12]), (3, [24]), (7, [24, 72]), (14, [24, 72, 168])])
def test_moderators_are_reminded_of_an_empty_seat_at_growing_distances(
    at_night: World, days: int, hours: list[int]
) -> None:
    at_night.answer("modi", f"OPTIONS moderator-silent={days}")
    at_night.tick()
    at_night.answer("modi", "OPEN Anna")
    at_night.tick()
    told = []
    for hour in range(1, 24 * days):
        at_night.wait(hours=1)
        told += [hour for mail in at_night.tick() if mail.to == "modi"]
    assert told == hours


def test_an_outage_gives_an_empty_seat_its_time_back(at_night: World) -> None:
    at_night.set("clock", outage=timedelta(hours=2))
    play(at_night, OFFERED)
    before = at_night.table().chair(1).clock
    at_night.wait(days=5)
    told = [mail.to for _ in range(3) for mail in at_night.tick()]
    after = at_night.table().chair(1).clock
    assert before is not None
    assert after is not None
    assert (after.lapses_at - before.lapses_at, "modi" in told) == (timedelta(days=5), True)


def test_a_seat_that_is_given_up_while_no_deadline_may_act_is_played_on_all_the_same(at_night: World) -> None:
    """No mail can come from there, and nothing would bring the table back to mind."""
    at_night.set("clock", outage=timedelta(hours=2))
    at_night.tick()
    at_night.wait(hours=3)
    at_night.answer("modi", "EJECT Anna")
    for _ in range(3):
        at_night.tick()
    assert moves(at_night)[-1] == (1, By.FALLBACK)


def test_a_trial_copy_waits_for_its_moderator_for_ever(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> CLONE
        ... <
        wait 2400h
        ... <
        """,
    )
    assert [chair.clock for chair in at_night.table("inn-1-trial-2").chairs] == [None, None, None]
