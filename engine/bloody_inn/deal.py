"""Deal: the dealer's answer when a shuffle is due."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from engine.bloody_inn import evening, season, setup
from engine.bloody_inn.cards import TRAVELERS
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.state import Phase, State
from engine.game import Deal, Illegal, Step


def size(state: State) -> int:
    """How many things are shuffled: seats, all travelers, or the Exit Stack."""
    if state.phase != Phase.SETUP:
        return len(state.exit)
    return len(TRAVELERS) if state.first else len(state.players)


def options(state: State) -> Iterator[Deal]:
    """Every permutation, lazily."""
    for order in permutations(range(size(state))):
        yield Deal(order)


def check(state: State, action: Deal) -> None:
    """Each number below the size once; a shuffle of nothing or of one card is a deal too (D25)."""
    if sorted(action.order) != list(range(size(state))):
        raise Illegal(Refusal.NO_PERMUTATION, size=size(state))


def effect(state: State, action: Deal) -> Step:
    """The first player is drawn, the deck is stacked, or season 2 begins."""
    if state.phase == Phase.SETUP:
        return (setup.stacked if state.first else setup.first_drawn)(state, action.order)
    begun = season.begin(state, action.order)
    if season.between_rounds(state):
        welcome = evening.begin(begun.state)
        return Step(welcome.state, (*begun.events, *welcome.events))
    return begun
