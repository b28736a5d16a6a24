"""The morning: income, travelers that leave, and the next round; and the turns of the night before it."""

from __future__ import annotations

import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Build, Pass
from engine.bloody_inn.events import Income, Passed, PoliceCame, RoundBegan, TravelersLeft, WagesPaid
from engine.bloody_inn.state import Phase
from tests.engine.bloody_inn.positions import (
    after,
    events,
    guests,
    last_of_night,
    money,
    morning,
    night,
    player,
    told,
)


def test_a_room_with_an_own_key_pays_a_franc_if_it_still_holds_a_guest() -> None:
    state = morning(last_of_night(player(cash=0), player(cash=0), rooms="baron - duke - monk", keys="1 1 1 2 2"))
    assert (money(state), money(state, seat=2)) == ((2, 1), (1, 1))


def test_white_keys_pay_nobody() -> None:
    state = morning(last_of_night(player(cash=0), player(cash=0), rooms="baron baron baron", keys="- - -"))
    assert (money(state), money(state, seat=2)) == ((0, 1), (0, 1))


def test_all_travelers_in_rooms_go_to_the_exit_stack() -> None:
    state = last_of_night(rooms="baron - duke", exit="monk")
    assert morning(state).exit == ("baron", "duke", "monk")
    assert guests(morning(state)) == "- - -"
    assert told(state, Pass(), TravelersLeft) == [TravelersLeft(((1, "baron"), (3, "duke")))]


def test_an_empty_inn_has_nobody_to_leave_and_nothing_to_tell() -> None:
    kinds = [type(event) for event in events(last_of_night(player("", cash=5), rooms="- -"), Pass())]
    assert kinds == [Passed, RoundBegan]


@pytest.mark.parametrize(("annexes", "cash"), [("gardener", 2), ("gardener gardener", 4), ("", 0)])
def test_gardens_bring_2_francs_when_the_travelers_leave(annexes: str, cash: int) -> None:
    assert money(morning(last_of_night(player("", annexes, cash=0), rooms="- -"))) == (cash, 1)


def test_income_is_gained_as_one_sum_and_capped() -> None:
    state = last_of_night(player("", "gardener", cash=38), rooms="baron -")
    assert told(state, Pass(), Income) == [Income(1, 1, 2, 2, 1)]


def test_income_at_40_francs_is_lost_although_wages_follow_d21() -> None:
    state = morning(last_of_night(player("baron duke", "gardener", cash=40), rooms="monk -"))
    assert money(state) == (38, 1)


def test_a_monks_new_key_pays_the_same_morning_r12() -> None:
    state = last_of_night(player("monk peasant", cash=0), rooms="- - baron", keys="1 2 -")
    assert money(after(state, Build("monk", 3, ("peasant",)))) == (1, 1)


def test_gardens_built_tonight_count_the_same_morning_d20() -> None:
    state = last_of_night(player("gardener peasant peasant peasant", cash=0), rooms="- -")
    assert money(after(state, Build("gardener", 0, ("peasant",) * 3))) == (2, 1)


def test_a_distillery_built_tonight_counts_the_same_morning_d20() -> None:
    state = last_of_night(player("distiller peasant peasant baron", cash=5), rooms="- -")
    assert money(after(state, Build("distiller", 0, ("peasant",) * 2))) == (5, 1)


def test_the_morning_goes_police_income_travelers_wages_next_round_d21() -> None:
    state = last_of_night(player("baron", cash=5), rooms="major -")
    kinds = [type(event) for event in events(state, Pass())][1:]
    assert kinds == [PoliceCame, Income, TravelersLeft, WagesPaid, RoundBegan]


def test_the_first_player_card_passes_one_seat_to_the_left() -> None:
    assert morning(last_of_night(seats=3, rooms="- - -")).first == 3
    assert morning(last_of_night(first=2, seats=2)).first == 1


def test_from_the_first_player_everybody_acts_once_then_a_second_time() -> None:
    state, turns = night(seats=3, first=2, turn=2, rooms="- - -"), []
    while state.phase is Phase.NIGHT:
        decision = GAME.waiting(state)[0]
        turns.append((decision.seat, decision.ordinal))
        state = after(state, Pass(), seat=decision.seat)
    assert turns == [(2, 1), (3, 1), (1, 1), (2, 2), (3, 2), (1, 2)]


def test_two_players_go_a_b_a_b_then_b_a_b_a_d27() -> None:
    state, turns = night(first=1, turn=1, options={"welcome": "first-come"}), []
    for _ in range(8):
        turns.append(state.turn)
        state = after(state, Pass(), seat=state.turn)
    assert turns == [1, 2, 1, 2, 2, 1, 2, 1]


def test_alone_both_actions_are_ones_own_d3() -> None:
    state = night(seats=1, rooms="- - - -")
    assert GAME.waiting(state)[0].key == "1/night/1/1"
    state = after(state, Pass())
    assert GAME.waiting(state)[0].key == "1/night/1/2"
    assert after(state, Pass()).first == 1
