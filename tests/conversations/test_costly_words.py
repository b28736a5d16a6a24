"""Words that cannot be taken back: nothing happens before their code is repeated."""

from __future__ import annotations

import pytest

from engine.record import Move, Override, Verb
from pbem.table import Status
from tests.conversations.transcript import code_for, play
from tests.conversations.world import World


@pytest.mark.parametrize("word", ["RESIGN", "LEAVE", "resign inn-1", "Leave inn-1."])
def test_a_costly_word_alone_changes_nothing_and_is_answered_with_its_code(at_night: World, word: str) -> None:
    before = at_night.entries()
    at_night.answer("anna", word)
    sent = at_night.tick()
    assert [mail.to for mail in sent] == ["anna"]
    assert "Nothing is done yet" in sent[0].text
    assert code_for(at_night, "anna", "RESIGN")
    assert at_night.entries() == before


def test_a_seat_that_is_given_up_plays_on_and_its_player_gets_nothing_more(at_night: World) -> None:
    at_night.answer("anna", "RESIGN")
    at_night.tick()
    private = at_night.last("bob")
    at_night.answer("anna", code_for(at_night, "anna", "RESIGN"))
    sent = {mail.to: mail.text for mail in at_night.tick()}
    assert "You have resigned from inn-1" in sent["anna"]
    assert "YOUR HAND" not in sent["anna"]
    assert "Anna has resigned from inn-1" in sent["modi"]
    assert "has given up the seat" in sent["bob"]
    given_up, moved = (entry.what for entry in at_night.entries()[-2:])
    assert given_up == Override(Verb.RESIGN, seat=1)
    assert isinstance(moved, Move)
    assert moved.seat == 1
    assert at_night.table().chair(1).person is None
    at_night.answer("bob", "PASS", to=private)
    at_night.tick()
    at_night.answer("chen", "PASS")
    assert "anna" not in {mail.to for mail in at_night.tick()}
    assert at_night.table().open_decision(1) is None


def test_what_a_player_planned_is_gone_when_he_resigns(at_night: World) -> None:
    at_night.answer("bob", "PASS")
    at_night.tick()
    assert [plan.seat for plan in at_night.table().plans] == [2]
    at_night.answer("bob", "RESIGN")
    at_night.tick()
    at_night.answer("bob", code_for(at_night, "bob", "RESIGN"))
    at_night.tick()
    assert at_night.table().plans == ()


def test_a_code_is_for_one_decision_only(at_night: World) -> None:
    at_night.answer("anna", "RESIGN")
    at_night.tick()
    old = code_for(at_night, "anna", "RESIGN")
    for name in ("anna", "bob", "chen"):
        at_night.answer(name, "PASS")
        at_night.tick()
    at_night.answer("anna", old)
    sent = at_night.tick()
    assert "no longer" in sent[0].text
    assert code_for(at_night, "anna", "RESIGN") != old
    assert at_night.table().chair(1).person is not None


def test_a_code_is_for_one_seat_only(at_night: World) -> None:
    at_night.answer("anna", "RESIGN")
    at_night.tick()
    at_night.answer("bob", code_for(at_night, "anna", "RESIGN"))
    at_night.tick()
    assert all(chair.person for chair in at_night.table().chairs)


def test_a_code_without_the_private_address_is_worth_nothing(at_night: World) -> None:
    at_night.answer("anna", "RESIGN")
    at_night.tick()
    at_night.write("anna", code_for(at_night, "anna", "RESIGN"), subject="[inn-1]")
    at_night.tick()
    assert at_night.table().chair(1).person is not None


def test_the_code_in_the_quoted_mail_never_runs(at_night: World) -> None:
    at_night.answer("anna", "RESIGN")
    at_night.tick()
    at_night.answer("anna", "Let me think about it.")
    at_night.tick()
    assert at_night.table().chair(1).person is not None


def test_the_last_to_resign_ends_the_game(at_night: World) -> None:
    for name in ("anna", "bob", "chen"):
        at_night.answer(name, "RESIGN")
        at_night.tick()
        at_night.answer(name, code_for(at_night, name, "RESIGN"))
        at_night.tick()
    assert at_night.table().status is Status.ENDED
    assert "Since nobody is left to play" in at_night.last("chen").text


def test_a_moderator_ends_a_game_only_with_the_code(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> END
        ... <
        """,
    )
    assert at_night.table().status is Status.RUNNING
    at_night.answer("modi", code_for(at_night, "modi", "END"))
    at_night.tick()
    assert at_night.table().status is Status.ENDED


def test_before_the_start_leaving_costs_nothing(signed_up: World) -> None:
    signed_up.answer("chen", "LEAVE inn-1")
    signed_up.tick()
    assert [chair.person.name for chair in signed_up.table().chairs if chair.person] == ["Anna", "Bob"]
