"""Views: what is secret and what is not (D24, R20)."""

from __future__ import annotations

import random

import msgspec
import pytest
from msgspec.structs import replace

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Action, Bribe
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.state import Phase, State, View
from engine.game import Illegal
from tests.engine.bloody_inn.positions import after, cards, evening, last_of_night, morning, night, player, refused
from tests.engine.bloody_inn.random_games import positions_of_a_game


def test_hands_are_private_unless_the_table_plays_with_open_hands_r20() -> None:
    private = night(player("baron"), player("duke monk"))
    shown = GAME.view(private, 1).players
    assert [(seat.hand, seat.hand_size, seat.hand_shown) for seat in shown] == [(("baron",), 1, True), ((), 2, False)]
    in_the_open = night(player("baron"), player("duke monk"), options={"hands": "open"})
    assert [seat.hand for seat in GAME.view(in_the_open, None).players] == [("baron",), ("duke", "monk")]


def test_the_public_sees_no_hand_r20() -> None:
    view = GAME.view(night(player("baron"), player("duke")), None)
    assert view.seat == 0
    assert all(seat.hand == () and not seat.hand_shown for seat in view.players)


def test_names_are_given_or_seats() -> None:
    assert [seat.name for seat in GAME.view(night(), 1, ("Anna", "Bob")).players] == ["Anna", "Bob"]
    assert [seat.name for seat in GAME.view(night(), 1).players] == ["Seat 1", "Seat 2"]


def test_the_first_player_sees_the_current_traveler_and_the_next_one_only() -> None:
    view = GAME.view(evening(entrance="baron monk duke", rooms="- -"), 1)
    assert (view.guest, view.top, view.entrance_size) == ("baron", "monk", 2)
    assert b"duke" not in GAME.encode(view)


def test_the_top_card_of_the_entrance_stack_is_public() -> None:
    view = GAME.view(night(entrance="monk duke"), None)
    assert (view.guest, view.top, view.entrance_size) == ("", "monk", 2)


def test_the_last_traveler_has_no_card_below_him() -> None:
    view = GAME.view(evening(entrance="baron", season=2), 1)
    assert (view.guest, view.top, view.entrance_size) == ("baron", "", 0)


def test_the_exit_stack_may_be_looked_through_d24() -> None:
    assert GAME.view(night(exit="monk baron"), None).exit == ("baron", "monk")


def test_removed_travelers_are_laid_open_at_the_end_only_d24() -> None:
    state = last_of_night(entrance="", season=2, removed=("duke",))
    assert GAME.view(state, 1).removed == ()
    assert GAME.view(morning(state), None).removed == ("duke",)


def test_hands_are_laid_open_at_the_end() -> None:
    over = morning(last_of_night(player("baron", cash=5), entrance="", season=2))
    assert GAME.view(over, None).players[0].hand == ("baron",)


def test_whether_another_seat_has_a_choice_is_not_told() -> None:
    only_pass = night(player("", cash=0, checks=0), rooms="duke")
    assert GAME.view(only_pass, 1).waiting[0].answers == 1
    assert GAME.view(only_pass, 2).waiting[0].answers == 2
    assert GAME.view(only_pass, None).waiting[0].answers == 2


def hidden_changed(state: State, reader: int, rng: random.Random) -> State:
    """`state` with everything permuted that `reader` cannot know, other hands included."""
    hands = {seat: player.hand for seat, player in enumerate(state.players, start=1) if seat != reader}
    known = 1 + (state.phase is Phase.EVENING and state.turn != 0)
    pool = [*state.removed, *state.entrance[known:], *(card for hand in hands.values() for card in hand)]
    rng.shuffle(pool)
    players = list(state.players)
    for seat, hand in hands.items():
        players[seat - 1] = replace(players[seat - 1], hand=cards(" ".join(pool.pop() for _ in hand)))
    removed = tuple(sorted(pool.pop() for _ in state.removed))
    return replace(state, players=tuple(players), removed=removed, entrance=(*state.entrance[:known], *pool))


def answered(state: State, seat: int, action: Action) -> str:
    """How the rules answer `seat`: the refusal, or that it is allowed."""
    try:
        GAME.apply(state, seat, action)
    except Illegal as illegal:
        return f"{illegal.reason} {illegal.facts}"
    return "allowed"


@pytest.mark.parametrize("seed", range(6))
def test_what_a_seat_cannot_know_changes_neither_its_view_nor_its_refusals(seed: int) -> None:
    rng = random.Random(seed)
    for state in positions_of_a_game(rng, seats=2 + seed % 3, every=5):
        if state.phase in (Phase.SETUP, Phase.OVER):
            continue
        for seat in range(1, len(state.players) + 1):
            other = hidden_changed(state, seat, rng)
            assert GAME.encode(GAME.view(state, seat)) == GAME.encode(GAME.view(other, seat))
            assert list(GAME.legal(state, seat)) == list(GAME.legal(other, seat))
            for action in (Bribe((1,)), Bribe((1,), 0, ("duke",)), Bribe((9,))):
                assert answered(state, seat, action) == answered(other, seat, action)


@pytest.mark.parametrize("seed", range(3))
def test_the_public_view_tells_nothing_that_is_hidden(seed: int) -> None:
    rng = random.Random(seed)
    for state in positions_of_a_game(rng, seats=3, every=7):
        if state.phase not in (Phase.SETUP, Phase.OVER):
            other = hidden_changed(state, 0, rng)
            assert GAME.encode(GAME.view(state, None)) == GAME.encode(GAME.view(other, None))


@pytest.mark.parametrize("seed", range(3))
def test_a_seat_finds_the_same_legal_actions_in_its_view_as_in_the_state(seed: int) -> None:
    for state in positions_of_a_game(random.Random(seed), seats=4, every=3):
        for decision in GAME.waiting(state):
            if decision.seat:
                view = GAME.view(state, decision.seat)
                assert list(GAME.legal(view, decision.seat)) == list(GAME.legal(state, decision.seat))


def test_every_field_of_a_view_is_chosen_by_hand() -> None:
    names = {field.name for field in msgspec.structs.fields(View)}
    assert not names & {"entrance", "sealed", "box", "shuffle_due"}


def test_a_hidden_hand_is_not_in_a_refusal() -> None:
    refused(night(player("peasant"), player("duke"), rooms="viscount"), Bribe((1,), 0, ("duke",)),
            Refusal.NOT_IN_HAND, cards=("duke",))  # fmt: skip
    state = night(player("peasant"), player("duke"), rooms="viscount")
    assert after(state, Bribe((1,), 0, ("peasant",))).players[1].hand == ("duke",)
