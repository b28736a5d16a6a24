"""The evening: lodging, Room Service, and the choices that are none."""

from __future__ import annotations

import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Build, Kill, Lodge, Pass
from engine.bloody_inn.events import Lodged, Served
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.state import Phase
from tests.engine.bloody_inn.positions import (
    after,
    evening,
    events,
    guests,
    last_of_night,
    legal,
    money,
    night,
    player,
    refused,
)


def test_the_first_player_lodges_the_top_traveler_in_any_open_empty_room() -> None:
    state = evening(entrance="monk count baron", rooms="- duke -", first=2)
    (decision,) = GAME.waiting(state)
    assert (decision.seat, decision.kind, decision.ordinal) == (2, "lodge", 2)
    assert guests(after(state, Lodge((3,)), seat=2)) == "- duke monk"
    assert events(state, Lodge((3,)), seat=2) == (Lodged(2, 3, "monk"),)


def test_night_falls_when_every_open_room_holds_a_guest() -> None:
    state = after(evening(entrance="monk count baron duke", rooms="- - -"), Lodge((3, 1, 2)))
    assert guests(state) == "count baron monk"
    assert (state.phase, state.turn, state.action, state.entrance) == (Phase.NIGHT, 1, 1, ("duke",))


def test_several_rooms_lodge_travelers_in_that_order_as_they_come_up() -> None:
    state = after(evening(entrance="monk count baron duke", rooms="- - - -"), Lodge((4, 2)))
    assert guests(state) == "- count - monk"
    assert GAME.waiting(state)[0].ordinal == 3


def test_rooms_for_which_no_traveler_is_left_are_no_fault_d22() -> None:
    state = after(evening(entrance="monk count", rooms="- - - -", season=2), Lodge((4, 3, 2, 1)))
    assert guests(state) == "- - count monk"
    assert state.phase is Phase.NIGHT


@pytest.mark.parametrize(
    ("rooms", "reason", "facts"),
    [
        ((), Refusal.NO_ROOM_NAMED, {}),
        ((4,), Refusal.ROOM_CLOSED, {"room": 4}),
        ((0,), Refusal.ROOM_CLOSED, {"room": 0}),
        ((2,), Refusal.ROOM_TAKEN, {"room": 2}),
        ((1, 2), Refusal.ROOM_TAKEN, {"room": 2}),
        ((1, 9), Refusal.ROOM_CLOSED, {"room": 9}),
        ((1, 1), Refusal.TARGET_TWICE, {"room": 1}),
    ],
)
def test_one_bad_room_refuses_the_whole_lodging(rooms: tuple[int, ...], reason: Refusal, facts: dict[str, int]) -> None:
    refused(evening(rooms="- duke -"), Lodge(rooms), reason, **facts)


def test_only_the_first_player_lodges() -> None:
    refused(evening(), Lodge((1,)), Refusal.NOT_AWAITED, by=2, seat=2)


def test_in_the_evening_no_action_of_the_night_is_taken() -> None:
    refused(evening(), Pass(), Refusal.WRONG_KIND, kind="lodge")


def test_empty_rooms_with_the_same_key_owner_and_token_are_equal_d22() -> None:
    state = evening(rooms="- - - - - -", keys="1 2 - - - 1", tokens="- - - 2 - -")
    assert legal(state, Lodge) == [Lodge((1,)), Lodge((2,)), Lodge((3,)), Lodge((4,))]
    assert guests(after(state, Lodge((5,)))) == "- - - - viscount -"


def test_the_last_room_leaves_no_choice_d22() -> None:
    (decision,) = GAME.waiting(evening(rooms="baron - duke"))
    assert decision.answers == 1
    (decision,) = GAME.waiting(evening(rooms="- - duke"))
    assert decision.answers == 2


def test_equal_rooms_leave_no_choice_d22() -> None:
    (decision,) = GAME.waiting(evening(rooms="baron duke - - -"))
    assert decision.answers == 1


def test_first_come_first_served_fills_the_rooms_in_number_order_d23() -> None:
    state = after(
        last_of_night(entrance="monk count baron duke", rooms="- - -", options={"welcome": "first-come"}), Pass()
    )
    assert guests(state) == "monk count baron"
    assert state.phase is Phase.NIGHT
    assert state.entrance == ("duke",)


@pytest.mark.parametrize(("guest", "rank"), [("baron", 0), ("viscount", 1), ("count", 2), ("duke", 3), ("major", 3)])
def test_room_service_pays_the_travelers_rank_when_he_is_lodged(guest: str, rank: int) -> None:
    state = after(evening(entrance=f"{guest} monk", rooms="- -", tokens="2 -"), Lodge((1,)))
    assert money(state, seat=2) == (5 + rank, 1)
    assert money(state, seat=1) == (5, 1)


def test_room_service_pays_the_tokens_owner_whoever_holds_the_key_d27() -> None:
    state = evening(entrance="duke", rooms="- -", keys="1 2", tokens="2 -")
    assert events(state, Lodge((1,)))[:2] == (Lodged(1, 1, "duke"), Served(2, 1, 3, 0))


def test_a_token_stays_when_the_key_changes_r9() -> None:
    state = night(player("monk peasant"), rooms="- -", keys="- -", tokens="2 -")
    claimed = after(state, Build("monk", 1, ("peasant",))).rooms[0]
    assert (claimed.key, claimed.token) == (1, 2)


def test_a_guest_who_is_already_there_pays_nothing_for_a_new_token_r10() -> None:
    state = night(player("concierge peasant peasant"), rooms="duke -", tokens="- -")
    assert money(after(state, Build("concierge", 1, ("peasant", "peasant")))) == (5, 1)


def test_a_guest_pays_room_service_even_if_he_is_killed_that_night_r10() -> None:
    state = evening(player("peasant peasant peasant"), entrance="duke duke", rooms="-", tokens="1")
    lodged = after(state, Lodge((1,)))
    killed = after(lodged, Kill((1,), 0, ("peasant", "peasant", "peasant")))
    assert money(killed) == (8, 1)


def test_room_service_above_40_francs_is_lost() -> None:
    state = evening(player(cash=39), entrance="duke monk", rooms="- -", tokens="1 -")
    assert events(state, Lodge((1,)))[1] == Served(1, 1, 1, 2)
    assert money(after(state, Lodge((1,)))) == (40, 1)


def test_a_token_built_tonight_pays_from_the_next_lodging_d20() -> None:
    state = last_of_night(
        player("concierge peasant peasant", cash=5),
        rooms="- -",
        entrance="count duke",
        options={"welcome": "first-come"},
    )
    assert money(after(state, Build("concierge", 1, ("peasant", "peasant")))) == (7, 1)
