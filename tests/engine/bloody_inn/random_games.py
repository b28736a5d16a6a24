"""Random games, and what must hold in each of their positions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from engine.bloody_inn import GAME
from engine.bloody_inn.cards import BARN, PEASANT
from engine.bloody_inn.state import State
from engine.game import DEALER, Deal, Decision

MOST = 400
"""Actions among which a random player chooses; lists with several targets can be very long."""


def random_options(rng: random.Random) -> dict[str, str]:
    """A value for every option but the first player."""
    return {option.name: rng.choice(option.values) for option in GAME.options if option.name != "first"}


def chosen(state: State, decision: Decision, rng: random.Random) -> Any:
    """A random answer."""
    if decision.seat == DEALER:
        return Deal(tuple(rng.sample(range(decision.size), decision.size)))
    return rng.choice(list(islice(GAME.legal(state, decision.seat), MOST)))


def positions_of_a_game(
    rng: random.Random, seats: int, options: dict[str, str] | None = None, every: int = 1
) -> Iterator[State]:
    """Every so many positions of one random game, and its last one."""
    state = GAME.start(seats, options or {})
    moves = 0
    while waiting := GAME.waiting(state):
        if moves % every == 0:
            yield state
        decision = rng.choice(waiting)
        state = GAME.apply(state, decision.seat, chosen(state, decision, rng)).state
        moves += 1
    yield state


def all_cards(state: State) -> Counter[str]:
    """Every card of the game, wherever it lies; the barns are none."""
    found = Counter[str]()
    for player in state.players:
        found.update((*player.hand, *player.corpses))
        for annex in player.annexes:
            found.update((annex.card, *annex.graves))
    found.update(room.guest for room in state.rooms if room.guest)
    for pile in (state.entrance, state.exit, state.removed, state.gone):
        found.update(pile)
    found[PEASANT] += state.bistro + state.box
    del found[BARN]
    return found
