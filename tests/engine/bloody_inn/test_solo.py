"""Alone: both actions each night, lost with a corpse in the open, and four grades."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Kill, Pass
from engine.bloody_inn.events import Ended, Income, Lost, PoliceCame
from engine.bloody_inn.state import Phase, State
from engine.game import Outcome
from tests.engine.bloody_inn.positions import after, events, last_of_night, money, morning, player, told


def alone(corpses: str = "", cash: int = 5, checks: int = 1, **facts: Any) -> State:
    return last_of_night(
        player(corpses=corpses, cash=cash, checks=checks), **({"seats": 1, "rooms": "- - - -"} | facts)
    )


def last(corpses: str = "", wealth: int = 0, length: str = "long") -> State:
    """The last action of a game alone."""
    options = {"length": length}
    return alone(
        corpses, wealth % 10, wealth // 10, entrance="", season=2, last_round=True, keys="- - - -", options=options
    )


@pytest.mark.parametrize("wealth", [0, 10, 400])
def test_a_corpse_before_the_police_loses_at_once_whatever_is_owned_d3(wealth: int) -> None:
    state = alone("baron", wealth % 40, wealth // 10, rooms="major - - -")
    assert told(state, Pass(), Lost) == [Lost("police")]
    lost = morning(state)
    assert (lost.phase, lost.lost, lost.turn, GAME.waiting(lost)) == (Phase.OVER, True, 0, ())
    assert GAME.outcome(lost) == Outcome((0,), (None,))


def test_the_loss_comes_before_income_d3() -> None:
    state = alone("baron", rooms="major - - -")
    assert [type(event) for event in events(state, Pass())][1:] == [PoliceCame, Lost]
    assert money(morning(state)) == (5, 1)
    assert told(state, Pass(), Income) == []


def test_police_without_a_corpse_do_no_harm_d3() -> None:
    state = morning(alone(rooms="major - - -"))
    assert (state.phase, state.lost) == (Phase.EVENING, False)


def test_a_corpse_without_police_does_no_harm_before_the_end_d3() -> None:
    assert morning(alone("baron", rooms="duke - - -")).phase is Phase.EVENING


def test_killing_the_last_officer_is_a_corpse_but_no_investigation_r15() -> None:
    state = alone(rooms="peacekeeper - - -")
    assert after(state, Kill((1,))).phase is Phase.EVENING


def test_a_corpse_left_at_the_end_loses_too_and_has_no_score_d3() -> None:
    state = last("peasant", wealth=200)
    assert told(state, Pass(), Lost) == [Lost("gravedigger")]
    assert told(state, Pass(), Ended) == []
    over = morning(state)
    assert (GAME.outcome(over), over.accounts) == (Outcome((0,), (None,)), ())


@pytest.mark.parametrize(
    ("wealth", "grade"),
    [
        (0, ""),
        (109, ""),
        (110, "promising"),
        (129, "promising"),
        (130, "crafty"),
        (149, "crafty"),
        (150, "feared"),
        (169, "feared"),
        (170, "legendary"),
        (230, "legendary"),
    ],
)
def test_a_long_game_has_four_grades_and_below_110_francs_none_d3(wealth: int, grade: str) -> None:
    assert GAME.outcome(morning(last(wealth=wealth))) == Outcome((1,), (wealth,), grade)


@pytest.mark.parametrize("wealth", [50, 110, 170])
def test_a_short_game_has_its_score_alone_d3(wealth: int) -> None:
    assert GAME.outcome(morning(last(wealth=wealth, length="short"))) == Outcome((1,), (wealth,), "")


def test_one_traveler_is_enough_for_a_last_round_d3() -> None:
    state = morning(alone(entrance="baron", season=2))
    assert (state.phase, state.last_round, state.short) == (Phase.EVENING, True, False)


def test_one_player_is_first_player_always_d3() -> None:
    assert morning(alone()).first == 1


def test_two_peasants_wait_in_the_bistro_at_the_start_of_a_game_alone() -> None:
    state = GAME.start(1, {})
    assert (state.players[0].hand, state.bistro) == (("peasant", "peasant"), 2)
