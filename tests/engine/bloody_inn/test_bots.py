"""The players made of code: they play by the rules, from what their seat sees, and the steady one plays well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest
from msgspec.structs import replace

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Action, Bribe, Bury, Kill, Pass, Pay
from engine.bloody_inn.bots import BOTS
from engine.bloody_inn.candidates import candidates
from engine.bloody_inn.rules import check
from engine.bloody_inn.state import Phase, State
from engine.game import DEALER, Deal, Outcome
from engine.shuffle import Stream, permutation
from tests.engine.bloody_inn.positions import last_of_night, night, player, position

pytestmark = pytest.mark.slow

ITERATIONS: Final = 300


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def played(bots: Sequence[str], number: int, **options: str) -> tuple[State, list[Action]]:
    """A whole game, with the moves of all seats."""
    chance = Stream(seed(number))
    state, moves = GAME.start(len(bots), options), []
    while waiting := GAME.waiting(state):
        seat = waiting[0].seat
        if seat == DEALER:
            state = GAME.apply(state, DEALER, Deal(permutation(seed(number + state.round), waiting[0].size))).state
            continue
        moves.append(chosen(bots[seat - 1], state, seat, chance))
        state = GAME.apply(state, seat, moves[-1]).state
    return state, moves


def chosen(bot: str, state: State, seat: int = 1, chance: Stream | None = None, iterations: int = ITERATIONS) -> Action:
    action: Action = BOTS[bot].choose(GAME.view(state, seat), (), iterations, chance or Stream(seed(0)))
    return action


def result(state: State) -> Outcome:
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome


# --- the steady one ---


def test_the_steady_bot_beats_two_random_ones_in_nine_games_of_ten() -> None:
    won = 0
    for number in range(30):
        bots = ["random", "random"]
        bots.insert(number % 3, "steady")
        state, _ = played(bots, number)
        won += result(state).places[number % 3] == 1
    assert won >= 27


@pytest.mark.parametrize("length", ["short", "long"])
def test_the_steady_bot_alone_keeps_out_of_prison(length: str) -> None:
    lost = sum(played(["steady"], number, length=length)[0].lost for number in range(15))
    assert lost <= 1


def test_the_steady_bot_buries_nearly_all_that_it_kills() -> None:
    for number in range(3):
        state, moves = played(["steady"] * 3, number)
        killed = sum(len(move.rooms) + move.peasants for move in moves if isinstance(move, Kill))
        buried = sum(len(move.graves) for move in moves if isinstance(move, Bury))
        assert killed >= 8
        assert buried >= 0.75 * killed
        assert len(state.gone) <= 0.25 * killed


@pytest.mark.parametrize(
    "options",
    [
        {"length": "long", "hands": "open"},
        {"welcome": "first-come", "unlimited": "on"},
        {"reshuffle": "at-once", "last-round": "full-inn", "first": "2"},
    ],
)
@pytest.mark.parametrize("bots", [("steady", "random"), ("random", "steady", "random", "steady")])
def test_bots_finish_games_under_all_options(bots: tuple[str, ...], options: dict[str, str]) -> None:
    state, _ = played(bots, 7, **options)
    assert len(result(state).places) == len(bots)


def test_a_corpse_is_buried_before_the_police_come() -> None:
    state = last_of_night(player("peasant", "abbot", "duke novice"), rooms="brigadier - - - -", seats=1)
    saved = player("peasant", "abbot", "novice")
    assert isinstance(chosen("steady", replace(state, players=(saved,))), Bury)


def test_alone_the_last_officer_is_removed_when_two_corpses_cannot_both_be_buried() -> None:
    state = last_of_night(player("peasant", "abbot", "baron novice"), rooms="brigadier - - - -", seats=1)
    assert chosen("steady", state) in (Kill((1,), 0, ("peasant",)), Bribe((1,), 0, ("peasant",)))


def test_money_is_laundered_before_it_overflows() -> None:
    state = night(player("", "barn[count]", cash=39), rooms="major major - - -")
    action = chosen("steady", state)
    assert isinstance(action, Pass)
    assert action.launder >= 10


def test_nobody_is_killed_whom_there_is_no_place_to_bury() -> None:
    full = player("major major", "barn[count]", cash=20)
    state = last_of_night(full, player("", "barn[novice]"), rooms="duke brigadier - - -")
    assert not isinstance(chosen("steady", state), Kill)


def test_wages_are_kept_in_cash_when_the_police_can_be_paid_in_checks() -> None:
    payer = player("abbot novice peasant peasant", "", "duke", cash=12, checks=3)
    state = position(payer, phase=Phase.POLICE, turn=0, awaited=(1,))
    assert chosen("steady", state) == Pay(1)


# --- both ---


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_stream_gives_the_same_game(bot: str) -> None:
    assert played([bot] * 2, 11) == played([bot] * 2, 11)


def test_another_stream_gives_another_game() -> None:
    assert played(["random"] * 2, 11)[1] != played(["random"] * 2, 12)[1]


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("iterations", [0, 1, 50, 100_000])
def test_any_number_of_iterations_gives_a_legal_action(bot: str, iterations: int) -> None:
    state = night(player("abbot major peasant", "abbot", "count"), rooms="monk baron brigadier - -", bistro=2)
    action = chosen(bot, state, iterations=iterations)
    check(state, 1, action)


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_does_not_see_what_its_seat_does_not(bot: str) -> None:
    """The stack below its top and others' hands may be anything: the same view, the same choice."""
    state = night(
        player("abbot major peasant", "abbot", "count"),
        player("monk duke"),
        rooms="monk baron brigadier - -",
        entrance="baron duke monk",
    )
    other = replace(state, entrance=("baron", "monk", "duke"), players=(state.players[0], player("novice major")))
    assert chosen(bot, state) == chosen(bot, other)


def test_the_random_bot_may_choose_each_of_few_actions() -> None:
    state = night(player("", cash=30), rooms="major major - - -", bistro=1)
    chance = Stream(seed(5))
    assert {chosen("random", state, 1, chance) for _ in range(200)} == set(GAME.legal(state, 1))


def test_candidates_are_legal_and_name_every_single_target() -> None:
    state = night(
        player("abbot major peasant monk", "abbot butcher archbishop", "count novice novice"),
        player("", "abbot"),
        rooms="monk baron brigadier - duke",
        bistro=2,
    )
    listed = list(candidates(state, 1))
    assert len(listed) == len(set(listed))
    for action in listed:
        check(state, 1, action)
    single = {action.rooms for action in listed if isinstance(action, Kill)}
    assert single >= {action.rooms for action in GAME.legal(state, 1) if isinstance(action, Kill)}
    assert max(len(action.graves) for action in listed if isinstance(action, Bury)) == 3


def test_candidates_pay_with_what_comes_back_and_then_with_what_is_missed_least() -> None:
    state = night(player("abbot major novice peasant"), rooms="monk abbot prince - -")
    paid = {action.rooms: action.pay for action in candidates(state, 1) if isinstance(action, Kill) and action.rooms}
    assert paid == {(1,): ("major",), (2,): ("major", "peasant"), (3,): ("major", "novice", "peasant")}
