"""Pass: nothing, or money changed in tens and one way."""

from __future__ import annotations

import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Pass
from engine.bloody_inn.events import Passed
from engine.bloody_inn.reasons import Refusal
from tests.engine.bloody_inn.positions import after, events, legal, money, night, player, refused


def test_a_pass_without_a_change_of_money_is_legal_r19() -> None:
    state = night(player(cash=25, checks=2))
    assert money(after(state, Pass())) == (25, 2)
    assert events(state, Pass()) == (Passed(1, 0, 0),)


@pytest.mark.parametrize(("amount", "left"), [(10, (25, 3)), (20, (15, 4)), (30, (5, 5))])
def test_cash_becomes_checks_in_tens(amount: int, left: tuple[int, int]) -> None:
    state = night(player(cash=35, checks=2))
    assert money(after(state, Pass(launder=amount))) == left
    assert events(state, Pass(launder=amount)) == (Passed(1, amount, 0),)


@pytest.mark.parametrize(("amount", "left"), [(10, (15, 3)), (30, (35, 1))])
def test_checks_become_cash_in_tens(amount: int, left: tuple[int, int]) -> None:
    assert money(after(night(player(cash=5, checks=4)), Pass(cash=amount))) == left


def test_cashing_up_to_exactly_40_francs_is_legal() -> None:
    assert money(after(night(player(cash=10, checks=3)), Pass(cash=30))) == (40, 0)


@pytest.mark.parametrize(
    ("action", "reason", "facts"),
    [
        (Pass(launder=5), Refusal.TENS, {"amount": 5}),
        (Pass(cash=15), Refusal.TENS, {"amount": 15}),
        (Pass(launder=-10), Refusal.TENS, {"amount": -10}),
        (Pass(cash=-10), Refusal.TENS, {"amount": -10}),
        (Pass(10, 10), Refusal.BOTH_WAYS, {}),
        (Pass(launder=20), Refusal.CASH_SHORT, {"amount": 20, "there": 19}),
        (Pass(cash=40), Refusal.CHECKS_SHORT, {"amount": 40, "there": 30}),
        (Pass(cash=30), Refusal.CASH_LIMIT, {"amount": 30, "there": 19}),
    ],
)
def test_what_a_pass_may_not_change(action: Pass, reason: Refusal, facts: dict[str, int]) -> None:
    refused(night(player(cash=19, checks=3)), action, reason, **facts)


@pytest.mark.parametrize("cash", range(31, 41))
def test_from_31_francs_up_nothing_can_be_cashed_d27(cash: int) -> None:
    state = night(player(cash=cash, checks=5))
    refused(state, Pass(cash=10), Refusal.CASH_LIMIT, amount=10, there=cash)
    assert all(not action.cash for action in legal(state, Pass))


@pytest.mark.parametrize("unlimited", ["off", "on"])
def test_cashing_stops_at_40_francs_with_unlimited_wealth_too_d13(unlimited: str) -> None:
    state = night(player(cash=35, checks=5), options={"unlimited": unlimited})
    refused(state, Pass(cash=10), Refusal.CASH_LIMIT, amount=10, there=35)


def test_every_change_of_money_is_listed_after_the_plain_pass() -> None:
    state = night(player(cash=25, checks=2))
    assert legal(state, Pass) == [Pass(), Pass(launder=10), Pass(launder=20), Pass(cash=10)]


def test_a_pass_that_is_the_only_legal_action_is_no_choice_d22() -> None:
    alone = GAME.waiting(night(player(cash=9, checks=0), rooms="duke"))[0]
    assert (alone.seat, alone.kind, alone.answers) == (1, "act", 1)
    assert GAME.waiting(night(player(cash=10, checks=0), rooms="duke"))[0].answers == 2
