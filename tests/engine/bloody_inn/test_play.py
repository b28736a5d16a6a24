"""Whole random games: nothing is lost or doubled, and one check says what is legal."""

from __future__ import annotations

import gc
import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from engine.bloody_inn import GAME, rules
from engine.bloody_inn.actions import Bribe, Build, Bury, Dismiss, Kill, Lodge, Pass, Pay
from engine.bloody_inn.cards import FACES
from engine.bloody_inn.state import Phase, State
from engine.game import DEALER, Illegal, told
from tests.engine.bloody_inn.random_games import all_cards, chosen, positions_of_a_game, random_options

DECK = Counter({face.id: face.copies for face in FACES.values()})
SEEDS = range(12)


def game(seed: int) -> Iterator[State]:
    rng = random.Random(seed)
    yield from positions_of_a_game(rng, seats=1 + seed % 4, options=random_options(rng))


@pytest.mark.parametrize("seed", SEEDS)
def test_no_card_is_lost_or_doubled_and_all_78_are_accounted_for(seed: int) -> None:
    for state in game(seed):
        if state.phase is not Phase.SETUP:
            assert all_cards(state) == DECK


@pytest.mark.parametrize("seed", SEEDS)
def test_cash_stays_between_0_and_40_and_checks_are_never_owed(seed: int) -> None:
    for state in game(seed):
        assert all(0 <= player.cash <= 40 and player.checks >= 0 for player in state.players)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_tuple_of_cards_is_sorted_but_the_entrance_stack(seed: int) -> None:
    for state in game(seed):
        piles = [state.exit, state.removed, state.gone]
        for player in state.players:
            piles += [player.hand, player.corpses, *(annex.graves for annex in player.annexes)]
        assert all(list(pile) == sorted(pile) for pile in piles)


@pytest.mark.parametrize("seed", SEEDS)
def test_nobody_awaited_means_over_and_over_has_an_outcome(seed: int) -> None:
    for state in game(seed):
        over = state.phase is Phase.OVER
        assert bool(GAME.waiting(state)) != over
        assert (GAME.outcome(state) is not None) == over


@pytest.mark.parametrize("seed", SEEDS)
def test_every_listed_action_is_legal_once_and_applies(seed: int) -> None:
    for state in game(seed):
        for decision in GAME.waiting(state):
            if decision.seat == DEALER:
                continue
            actions = list(islice(GAME.legal(state, decision.seat), 60))
            assert len(set(actions)) == len(actions)
            assert decision.answers == min(2, len(actions))
            for action in actions:
                rules.check(state, decision.seat, action)
                assert GAME.kind(action) == decision.kind
            GAME.apply(state, decision.seat, actions[-1])


def near_misses(action: Any) -> Iterator[Any]:
    """Actions that differ a little from a legal one."""
    if isinstance(action, Bribe | Kill | Build | Bury):
        yield replace(action, pay=tuple(sorted((*action.pay, "duke"))))
        yield replace(action, pay=action.pay[1:])
    if isinstance(action, Bribe | Kill):
        yield replace(action, rooms=(*action.rooms, 99))
        yield replace(action, peasants=action.peasants + 3)
    if isinstance(action, Build):
        yield replace(action, room=action.room + 1)
    if isinstance(action, Bury):
        yield replace(action, graves=action.graves * 2)
    if isinstance(action, Pass):
        yield replace(action, launder=action.launder + 10)
        yield replace(action, cash=action.cash + 10)
    if isinstance(action, Pay):
        yield replace(action, checks=action.checks + 1)
    if isinstance(action, Dismiss):
        yield replace(action, cards=action.cards[1:])
    if isinstance(action, Lodge):
        yield replace(action, rooms=action.rooms * 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_near_miss_is_refused_exactly_when_it_is_not_listed(seed: int) -> None:
    for state in game(seed):
        for decision in GAME.waiting(state):
            if decision.seat == DEALER:
                continue
            actions = set(islice(GAME.legal(state, decision.seat), 2000))
            for action in sorted(actions, key=repr)[:8]:
                for near in near_misses(action):
                    assert refusal(state, decision.seat, near) != (near in actions)


def refusal(state: State, seat: int, action: Any) -> bool:
    before = GAME.encode(state)
    try:
        GAME.apply(state, seat, action)
    except Illegal:
        assert GAME.encode(state) == before
        return True
    return False


@pytest.mark.parametrize("seed", SEEDS)
def test_states_actions_views_and_events_survive_json(seed: int) -> None:
    rng = random.Random(seed)
    state = GAME.start(1 + seed % 4, random_options(rng))
    while waiting := GAME.waiting(state):
        decision = rng.choice(waiting)
        action = chosen(state, decision, rng)
        step = GAME.apply(state, decision.seat, action)
        assert GAME.decode_action(GAME.encode(action)) == action
        for event in (*told(step.events, None), *told(step.events, decision.seat)):
            assert GAME.decode_event(GAME.encode(event)) == event
        state = GAME.decode_state(GAME.encode(step.state))
        assert state == step.state
        view = GAME.view(state, decision.seat or None)
        assert GAME.decode_view(GAME.encode(view)) == view


@pytest.mark.parametrize("seed", range(4))
def test_the_same_moves_lead_to_the_same_game(seed: int) -> None:
    assert [GAME.encode(state) for state in game(seed)] == [GAME.encode(state) for state in game(seed)]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_fallback_is_always_legal_and_ends_every_game(seed: int) -> None:
    rng = random.Random(seed)
    state = GAME.start(1 + seed % 4, random_options(rng))
    while waiting := GAME.waiting(state):
        decision = rng.choice(waiting)
        action = chosen(state, decision, rng) if decision.seat == DEALER else GAME.fallback(state, decision.seat)
        state = GAME.apply(state, decision.seat, action).state
    assert GAME.outcome(state) is not None


def test_the_collector_of_garbage_need_not_look_at_positions_moves_and_events() -> None:
    rng = random.Random(1)
    state = GAME.start(4, {})
    while waiting := GAME.waiting(state):
        action = chosen(state, waiting[0], rng)
        step = GAME.apply(state, waiting[0].seat, action)
        made = (step, step.state, action, *waiting, *step.events, *step.state.players, *step.state.rooms)
        assert not any(map(gc.is_tracked, made))
        state = step.state
