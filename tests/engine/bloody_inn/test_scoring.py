"""The end: gravedigger, end-of-game income, wealth, places, and unlimited wealth."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Build, Bury, Grave, Pass, Pay
from engine.bloody_inn.events import Ended, EndIncome, Gravedigger
from engine.bloody_inn.money import gain
from engine.bloody_inn.scoring import places
from engine.bloody_inn.state import Account, Options, Phase, Player, State
from engine.game import Outcome
from tests.engine.bloody_inn.positions import (
    after,
    last_of_night,
    money,
    morning,
    night,
    player,
    told,
)

UNLIMITED = {"unlimited": "on"}


def last_action(*players: Player, rooms: str = "- -", **facts: Any) -> State:
    """The last action of the last round, no keys, so that nothing but the end changes money."""
    return last_of_night(*players, rooms=rooms, keys="- -", entrance="", season=2, last_round=True, **facts)


def over(*players: Player, **facts: Any) -> State:
    state = morning(last_action(*players, **facts))
    assert state.phase is Phase.OVER
    return state


@pytest.mark.parametrize(
    ("corpses", "cash", "checks", "left", "paid"),
    [
        ("", 25, 2, (25, 2), 0),
        ("baron", 25, 2, (15, 2), 10),
        ("baron duke", 25, 2, (5, 2), 20),
        ("baron duke monk", 25, 2, (5, 1), 30),
        ("baron duke monk", 9, 2, (0, 0), 29),
        ("baron", 9, 2, (9, 1), 10),
        ("baron", 9, 0, (0, 0), 9),
        ("baron", 0, 0, (0, 0), 0),
    ],
)
def test_the_gravedigger_takes_cash_first_then_checks_without_asking_d11(
    corpses: str, cash: int, checks: int, left: tuple[int, int], paid: int
) -> None:
    state = over(player(corpses=corpses, cash=cash, checks=checks))
    assert money(state) == left
    assert state.accounts[0].gravedigger == paid


def test_the_gravedigger_comes_without_police_too() -> None:
    state = last_action(player(corpses="baron duke", cash=15, checks=3))
    assert told(state, Pass(), Gravedigger) == [Gravedigger(1, ("baron", "duke"), 10, 1)]
    assert morning(state).gone == ("baron", "duke")


def test_corpses_paid_for_on_the_last_morning_are_not_paid_for_again_d4() -> None:
    state = morning(last_action(player(corpses="baron", cash=25, checks=0), rooms="major -"))
    assert GAME.waiting(state)[0].kind == "pay"
    state = after(state, Pay(0))
    assert (money(state), state.accounts[0].gravedigger) == ((15, 0), 0)


@pytest.mark.parametrize(
    ("card", "exit", "francs"),
    [
        ("landscaper", "mechanic gardener baron", 8),
        ("landscaper", "", 0),
        ("grocer", "newsboy brewer concierge monk", 12),
        ("bishop", "novice priest", 8),
        ("duke", "baron count marquis prince viscount", 20),
        ("duke", "peacekeeper brigadier major brigadier_chief", 0),
    ],
)
def test_exit_stack_annexes_count_every_rank_of_their_color_and_police_for_nobody_d15(
    card: str, exit: str, francs: int
) -> None:
    state = over(player("", card, cash=0, checks=0), exit=exit)
    assert money(state) == (francs, 0)
    assert state.accounts[0].income == ((card, francs),)


def test_exit_stack_annexes_are_counted_after_the_last_morning_d15() -> None:
    state = over(player("", "duke", cash=0, checks=0), rooms="baron count", exit="viscount")
    assert money(state) == (12, 0)


def test_exit_stack_annexes_are_counted_after_the_leftover_travelers_d15() -> None:
    state = last_of_night(
        player("", "duke", cash=0, checks=0), rooms="- -", keys="- -", entrance="baron", season=2, exit="viscount"
    )
    assert money(morning(state)) == (8, 0)


def test_hands_annexes_and_corpses_do_not_count_as_cards_in_the_exit_stack() -> None:
    state = over(player("baron count", "duke viscount[baron]", corpses="prince", cash=2, checks=0), exit="baron")
    assert state.accounts[0].income == (("duke", 4),)


def test_a_greenhouse_brings_3_francs_a_check() -> None:
    assert money(over(player("", "prince", cash=1, checks=4))) == (13, 4)


def test_the_greenhouse_counts_checks_after_the_gravedigger_d12() -> None:
    state = over(player("", "prince", corpses="baron", cash=0, checks=3))
    assert (money(state), state.accounts[0].income) == ((6, 2), (("prince", 6),))


def test_end_income_is_gained_as_one_sum_and_capped_d12() -> None:
    state = last_action(player("", "duke prince", cash=35, checks=2), exit="baron")
    assert told(state, Pass(), EndIncome) == [EndIncome(1, (("duke", 4), ("prince", 6)), 5, 5)]
    assert money(morning(state)) == (40, 2)


def test_checks_that_end_income_creates_do_not_feed_the_greenhouse_d12() -> None:
    state = over(player("", "duke prince", cash=39, checks=2), exit="baron", options=UNLIMITED)
    assert money(state) == (39 + 4 + 6 - 40, 2 + 4)


def test_wealth_is_cash_and_10_francs_a_check() -> None:
    state = last_action(player(cash=7, checks=3), player(cash=12, checks=1))
    assert told(state, Pass(), Ended) == [Ended((37, 22), (1, 2))]
    assert GAME.outcome(morning(state)) == Outcome((1, 2), (37, 22))


def test_the_account_shows_how_the_wealth_came_about() -> None:
    state = over(
        player("", "barn[monk] duke[count peasant] prince", corpses="baron", cash=33, checks=3), exit="baron count"
    )
    assert state.accounts[0] == Account(
        cash=40, checks=3, gravedigger=10, income=(("duke", 8), ("prince", 9)), lost=0, wealth=70, graves=3
    )


def account(wealth: int, graves: int) -> Account:
    return Account(wealth, 0, 0, (), 0, wealth, graves)


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([(50, 0), (40, 9)], (1, 2)),
        ([(40, 1), (40, 2)], (2, 1)),
        ([(40, 2), (40, 2)], (1, 1)),
        ([(40, 2), (40, 2), (30, 9)], (1, 1, 3)),
        ([(30, 1), (40, 2), (30, 1), (30, 2)], (3, 1, 3, 2)),
    ],
)
def test_places_go_by_wealth_then_graves_then_are_shared_d14(
    results: list[tuple[int, int]], expected: tuple[int, ...]
) -> None:
    assert places(tuple(account(*result) for result in results)) == expected


def test_a_tie_counts_corpses_under_own_annexes_whoever_buried_them_barn_and_peasants_included_d14() -> None:
    state = over(player("", "barn[peasant]"), player("", "barn"))
    assert GAME.outcome(state) == Outcome((1, 2), (15, 15))


def test_the_barn_counts_for_ties_d16() -> None:
    state = night(player(corpses="peasant"))
    buried = after(state, Bury((Grave("peasant", 2, "barn"),)))
    assert [annex.graves for annex in buried.players[1].annexes] == [("peasant",)]


@pytest.mark.parametrize(
    ("cash", "amount", "expected"),
    [
        (38, 2, (40, 0)),
        (38, 3, (1, 4)),
        (40, 1, (1, 4)),
        (38, 26, (24, 4)),
        (40, 40, (40, 4)),
        (40, 41, (1, 8)),
        (0, 80, (40, 4)),
        (0, 121, (1, 12)),
        (40, 0, (40, 0)),
    ],
)
def test_with_unlimited_wealth_40_francs_become_four_checks_d13(
    cash: int, amount: int, expected: tuple[int, int]
) -> None:
    found = gain(player(cash=cash, checks=0), amount, Options(unlimited="on"))
    assert (found.player.cash, found.player.checks) == expected
    assert (found.gained, found.lost) == (amount, 0)


def test_unlimited_wealth_works_in_play_d13() -> None:
    state = night(player("marquis peasant peasant peasant", cash=30), options=UNLIMITED)
    assert money(after(state, Build("marquis", 0, ("peasant",) * 3))) == (8, 5)


def test_payments_never_break_checks_d13() -> None:
    state = over(player(corpses="baron", cash=9, checks=1), options=UNLIMITED)
    assert money(state) == (9, 0)


def test_a_running_game_has_no_outcome() -> None:
    assert GAME.outcome(night()) is None


def test_there_is_no_limit_on_checks_d27() -> None:
    assert money(after(night(player(cash=40, checks=30)), Pass(launder=40))) == (0, 34)
