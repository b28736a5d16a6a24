"""Wages: what is due, who leaves, and how several answer."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Dismiss, Pass
from engine.bloody_inn.events import Answered, AnswerSealed, Dismissed, WagesPaid
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.state import Phase, State
from engine.game import Secret
from tests.engine.bloody_inn.positions import (
    after,
    cards,
    events,
    last_of_night,
    legal,
    money,
    morning,
    player,
    refused,
    told,
)

BYSTANDER = player(cash=0)


def short(hand: str, cash: int, annexes: str = "", checks: int = 1) -> State:
    """The wages of seat 1, who cannot pay them all."""
    state = morning(last_of_night(player(hand, annexes, cash=cash, checks=checks), BYSTANDER))
    assert state.phase is Phase.WAGES
    return state


@pytest.mark.parametrize(
    ("hand", "cash", "annexes", "left"),
    [
        ("baron duke monk", 5, "", 2),
        ("baron duke monk", 3, "", 0),
        ("", 5, "", 5),
        ("baron duke monk", 5, "distiller", 3),
        ("baron duke monk", 5, "distiller distiller", 4),
        ("baron", 5, "distiller distiller", 5),
        ("", 5, "distiller", 5),
    ],
)
def test_each_card_in_hand_costs_a_franc_less_distilleries_d8(hand: str, cash: int, annexes: str, left: int) -> None:
    state = morning(last_of_night(player(hand, annexes, cash=cash), BYSTANDER))
    assert state.phase is Phase.EVENING
    assert money(state) == (left, 1)
    assert state.players[0].hand == cards(hand)


def test_a_distillery_with_an_empty_hand_gains_nothing_r8() -> None:
    assert money(morning(last_of_night(player("", "distiller", cash=5), BYSTANDER))) == (5, 1)


def test_two_distilleries_add_up_r3() -> None:
    assert money(morning(last_of_night(player("baron duke", "distiller distiller", cash=5), BYSTANDER))) == (5, 1)


def test_wages_are_announced_with_what_was_due_and_paid() -> None:
    assert told(last_of_night(player("baron duke", cash=5)), Pass(), WagesPaid) == [WagesPaid(1, 2, 2)]


def test_the_unpaid_leave_and_the_player_chooses_any_of_the_hand_d8() -> None:
    state = short("baron duke peasant", cash=1)
    assert legal(state, Dismiss) == [
        Dismiss(("baron", "duke")),
        Dismiss(("baron", "peasant")),
        Dismiss(("duke", "peasant")),
    ]
    paid = after(state, Dismiss(("baron", "peasant")))
    assert paid.players[0].hand == ("duke",)
    assert money(paid) == (0, 1)
    assert (paid.exit, paid.bistro) == (("baron",), 1)


def test_checks_do_not_pay_wages_and_are_not_cashed_d8() -> None:
    state = short("baron duke", cash=0, checks=9)
    assert GAME.waiting(state)[0].kind == "dismiss"
    refused(state, Pass(cash=10), Refusal.WRONG_KIND, kind="dismiss")


@pytest.mark.parametrize(
    ("gone", "reason", "facts"),
    [
        ((), Refusal.DISMISS_COUNT, {"given": 0, "due": 1}),
        (("baron", "duke"), Refusal.DISMISS_COUNT, {"given": 2, "due": 1}),
        (("monk",), Refusal.NOT_IN_HAND, {"cards": ("monk",)}),
        (("baron", "baron"), Refusal.NOT_IN_HAND, {"cards": ("baron",)}),
    ],
)
def test_nobody_who_is_paid_may_be_dismissed_and_nobody_unpaid_stays_d8(
    gone: tuple[str, ...], reason: Refusal, facts: dict[str, Any]
) -> None:
    refused(short("baron duke", cash=1), Dismiss(gone), reason, **facts)


def test_a_distillery_spares_a_card_before_anybody_leaves_d8() -> None:
    state = short("baron duke monk", cash=1, annexes="distiller")
    assert [len(action.cards) for action in legal(state, Dismiss)] == [1, 1, 1]


def test_equal_cards_or_a_whole_hand_leave_no_choice() -> None:
    assert GAME.waiting(short("peasant peasant", cash=1))[0].answers == 1
    assert GAME.waiting(short("baron duke", cash=0))[0].answers == 1
    assert GAME.waiting(short("baron duke", cash=1))[0].answers == 2


def test_several_dismissals_are_asked_at_once_and_stay_sealed_d10() -> None:
    state = morning(last_of_night(player("baron duke", cash=1), player("monk count", cash=1), rooms="- -"))
    assert [decision.key for decision in GAME.waiting(state)] == ["1/wages/1/1", "1/wages/2/1"]
    assert events(state, Dismiss(("monk",)), seat=2) == (
        Secret(2, AnswerSealed(2, "dismiss", 0, ("monk",)), Answered(2, "dismiss")),
    )
    one = after(state, Dismiss(("monk",)), seat=2)
    assert (one.players[1].hand, one.exit) == (("count", "monk"), ())
    other = after(state, Dismiss(("count",)), seat=2)
    assert GAME.encode(GAME.view(one, 1)) == GAME.encode(GAME.view(other, 1))
    assert [event for event in events(one, Dismiss(("duke",))) if isinstance(event, WagesPaid | Dismissed)] == [
        WagesPaid(2, 2, 1),
        Dismissed(2, ("monk",)),
        WagesPaid(1, 2, 1),
        Dismissed(1, ("duke",)),
    ]


def test_wages_are_paid_from_the_income_of_that_morning() -> None:
    state = morning(last_of_night(player("baron", cash=0), BYSTANDER, rooms="duke -"))
    assert (state.phase, money(state), state.players[0].hand) == (Phase.EVENING, (0, 1), ("baron",))


def test_there_is_no_limit_on_the_hand_d27() -> None:
    hand = "peasant " * 8 + "baron " * 4
    state = morning(last_of_night(player(hand, cash=40), BYSTANDER))
    assert (len(state.players[0].hand), money(state)) == (12, (28, 1))
