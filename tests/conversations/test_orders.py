"""Order mails as players write them: what runs, what waits, what is refused, and what is never run."""

from __future__ import annotations

import pytest

from engine.record import By, Move
from tests.conversations.transcript import play
from tests.conversations.world import World


def moves(world: World) -> list[tuple[int, str, By]]:
    whats = [entry.what for entry in world.entries()]
    return [(what.seat, what.action["type"], what.by) for what in whats if isinstance(what, Move)]


LODGED = [(1, "lodge", By.SEAT)]


def test_a_night_by_mail(at_night: World) -> None:
    play(
        at_night,
        """
        anna >> BRIBE monk WITH peasant
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
            DONE BRIBE monk WITH peasant
        bob < [inn-1] Round 1, night: your 1st action - by Thu 12:00
            Anna bribed the Monk
        bob >> BRIBE newsboy / PASS
        bob < Re: [inn-1] Round 1, night: done - you are not awaited
            DONE BRIBE newsboy
            PLANNED PASS
        chen < [inn-1] Round 1, night: your 1st action - by Thu 12:00
        chen >> PASS
        chen < Re: [inn-1] Round 1, night: done - you are not awaited
        anna < [inn-1] Round 1, night: your 2nd action - by Thu 12:00
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
        bob < [inn-1] Round 1, night: done - you are not awaited
            From what you had planned: DONE PASS
        chen < [inn-1] Round 1, night: your 2nd action - by Thu 12:00
            Bob passed
        """,
    )
    assert moves(at_night)[-3:] == [(3, "pass", By.SEAT), (1, "pass", By.SEAT), (2, "pass", By.PLAN)]


def test_a_line_sent_before_its_turn_waits_for_it(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> PASS
        bob < Re: [inn-1] Round 1, night: planned - you are not awaited
            PLANNED PASS
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
        bob < [inn-1] Round 1, night: done - you are not awaited
        chen < [inn-1] Round 1, night: your 1st action - by Thu 12:00
        """,
    )
    assert moves(at_night) == [*LODGED, (1, "pass", By.SEAT), (2, "pass", By.PLAN)]


def test_an_order_of_another_phase_is_neither_done_nor_kept(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> LODGE 3
        bob < Re: [inn-1] Round 1, night: not done - you are not awaited
            Nothing of this kind is left for you to decide in this round
        """,
    )
    assert moves(at_night) == LODGED


def test_an_illegal_order_says_why_and_what_would_work_and_stops_its_mail(at_night: World) -> None:
    play(
        at_night,
        """
        anna >> KILL major WITH 2 peasants / PASS
        anna < Re: [inn-1] Round 1, night: not done - your 1st action - by Thu 12:00
            NOT DONE KILL major WITH 2 peasants
            NOT TRIED PASS
            YOU MAY
        """,
    )
    assert moves(at_night) == LODGED
    assert at_night.table().plans == ()


def test_a_misspelt_order_is_never_guessed_into_effect(at_night: World) -> None:
    play(
        at_night,
        """
        anna >> BRIBBE monk
        anna < Re: [inn-1] Round 1, night: not done - your 1st action - by Thu 12:00
            NOT READ BRIBBE monk
            Did you mean BRIBE monk?
        """,
    )
    assert moves(at_night) == LODGED


QUIET = ["", "Thank you, what a nice game!", "I shall think about it / and answer tomorrow"]


@pytest.mark.parametrize("text", QUIET, ids=["nothing", "a thank-you", "prose"])
def test_quoted_example_lines_never_run_and_the_mail_is_answered_with_the_state(at_night: World, text: str) -> None:
    assert "\n  PASS  " in at_night.last("anna").lines
    at_night.answer("anna", *text.split(" / "))
    sent = at_night.tick()
    assert [mail.to for mail in sent] == ["anna"]
    assert "YOUR HAND" in sent[0].text
    assert moves(at_night) == LODGED


def test_an_answer_to_a_decision_that_has_passed_changes_nothing_and_brings_the_newest_state(at_night: World) -> None:
    old = at_night.last("anna")
    play(
        at_night,
        """
        anna >> BRIBE monk WITH peasant / PASS
        ... <
        bob >> PASS
        ... <
        chen >> PASS
        ... <
        """,
    )
    before = moves(at_night)
    at_night.answer("anna", "KILL brigadier WITH peasant", to=old)
    sent = at_night.tick()
    assert [mail.to for mail in sent] == ["anna"]
    assert "about a decision that has been made since, so nothing was done" in sent[0].text
    assert "YOUR HAND" in sent[0].text
    assert moves(at_night) == before


def test_the_same_orders_five_times_have_one_effect(at_night: World) -> None:
    asked = at_night.last("anna")
    for _ in range(5):
        at_night.answer("anna", "PASS", to=asked)
    sent = at_night.tick()
    assert sorted(mail.to for mail in sent) == ["anna", "bob"]
    assert moves(at_night) == [*LODGED, (1, "pass", By.SEAT)]


def test_orders_of_a_paused_game_are_kept_and_run_when_it_goes_on(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> PAUSE
        ... <
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: planned - the game is paused
            PLANNED PASS
        """,
    )
    assert moves(at_night) == LODGED
    modis = at_night.last("modi")
    at_night.answer("modi", "RESUME", to=modis)
    at_night.tick()
    assert moves(at_night) == [*LODGED, (1, "pass", By.PLAN)]


def fresh(world: World, *lines: str, **headers: str) -> None:
    """Anna writes a new mail to the address of her seat, in answer to none."""
    world.write("anna", *lines, to=world.last("anna").message["Reply-To"], **headers)


def test_the_same_orders_five_times_in_mails_of_their_own_have_one_effect_and_are_told_when(at_night: World) -> None:
    for minutes in (0, 0, 1, 1, 0):
        at_night.wait(minutes=minutes)
        fresh(at_night, "PASS", "See you!")
        at_night.tick()
    assert moves(at_night) == [*LODGED, (1, "pass", By.SEAT)]
    assert not at_night.table().plans
    text = at_night.last("anna").text
    assert "You sent the same before, on Tuesday 1 December, 12:00 UTC." in text
    assert "If you mean it once more, send it in answer to this mail." in text


def test_who_means_the_same_order_once_more_answers_the_newest_mail_or_takes_his_time(at_night: World) -> None:
    fresh(at_night, "PASS")
    at_night.tick()
    at_night.answer("anna", "PASS")
    at_night.tick()
    assert len(at_night.table().plans) == 1
    at_night.answer("anna", "CANCEL PLAN")
    at_night.tick()
    fresh(at_night, "PASS")
    at_night.tick()
    assert len(at_night.table().plans) == 1


def test_an_order_given_again_some_minutes_later_is_meant(at_night: World) -> None:
    fresh(at_night, "PASS")
    at_night.tick()
    at_night.wait(minutes=3)
    fresh(at_night, "PASS")
    at_night.tick()
    assert len(at_night.table().plans) == 1


def test_an_order_given_again_before_the_mail_upon_the_first_was_sent_is_a_copy(at_night: World) -> None:
    at_night.courier.down = True
    for _ in range(3):
        fresh(at_night, "PASS")
        at_night.tick()
        at_night.wait(minutes=10)
    at_night.courier.down = False
    at_night.tick()
    assert moves(at_night) == [*LODGED, (1, "pass", By.SEAT)]
    assert not at_night.table().plans


def test_an_order_that_was_refused_may_be_given_again_at_once(at_night: World) -> None:
    for line in ("BURY novice", "BURY novice", "PASS"):
        fresh(at_night, line)
        at_night.tick()
    assert moves(at_night) == [*LODGED, (1, "pass", By.SEAT)]


def test_after_a_rollback_the_same_order_counts_again(at_night: World) -> None:
    fresh(at_night, "PASS")
    at_night.tick()
    at_night.answer("modi", "ROLLBACK 1")
    at_night.tick()
    fresh(at_night, "PASS")
    at_night.tick()
    assert moves(at_night)[-1] == (1, "pass", By.SEAT)
