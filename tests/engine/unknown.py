"""Positions that somebody cannot tell apart: all that is secret from a reader, changed at random.

Hands of others are exchanged as if there were no history: whoever has read all the news could work many of
them out (D24), but no view, refusal or text may lean on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from engine.bloody_inn import police, wages
from engine.bloody_inn.cards import PEASANT, Card
from engine.bloody_inn.state import Phase, Player, Sealed, State
from engine.shuffle import Stream
from tests.games.choices import GAME as CHOICES
from tests.games.choices import HIGHEST
from tests.games.choices import State as Choosing

PUBLIC: Final = 0
T = TypeVar("T")


def shuffled(things: Iterable[T], stream: Stream) -> list[T]:
    """`things` in another order."""
    left = list(things)
    return [left.pop(stream.below(len(left))) for _ in range(len(left))]


def of_bloody_inn(state: State, reader: int, stream: Stream) -> State:
    """`state` with other removed travelers, another stack, other hands and sealed answers of the others.

    What lies on top of the Entrance Stack is public, and in the evening the traveler who is up too.
    """
    if state.phase is Phase.SETUP:
        return state
    known = 1 + (state.phase is Phase.EVENING and state.turn != 0)
    over = state.phase is Phase.OVER
    others = () if over or state.options.hands == "open" else _others(state, reader)
    hands = [state.players[seat - 1].hand for seat in others]
    removed = () if over else state.removed
    travelers = [card for pile in (removed, state.entrance[known:], *hands) for card in pile if card != PEASANT]
    pool = shuffled(travelers, stream)
    players = _dealt(state.players, others, pool, stream)
    fresh = tuple(sorted(pool.pop() for _ in removed)) or state.removed
    changed = replace(state, players=players, removed=fresh, entrance=(*state.entrance[:known], *pool))
    return replace(changed, sealed=tuple(_sealed(changed, answer, reader, stream) for answer in state.sealed))


def _others(state: State, reader: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(1, len(state.players) + 1) if seat != reader)


def _dealt(
    players: tuple[Player, ...], others: tuple[int, ...], pool: list[Card], stream: Stream
) -> tuple[Player, ...]:
    """`players` with as many cards as before, all their peasants among them, the rest from `pool`."""
    slots = shuffled([card for seat in others for card in players[seat - 1].hand], stream)
    cards = [card if card == PEASANT else pool.pop() for card in slots]
    found = list(players)
    for seat in others:
        hand = tuple(sorted(cards.pop() for _ in players[seat - 1].hand))
        found[seat - 1] = replace(players[seat - 1], hand=hand)
    return tuple(found)


def _sealed(state: State, answer: Sealed, reader: int, stream: Stream) -> Sealed:
    """Another answer that the seat could have given."""
    if answer.seat == reader:
        return answer
    if state.phase is Phase.POLICE:
        checks = [pay.checks for pay in police.options(state, answer.seat)]
        return replace(answer, checks=checks[stream.below(len(checks))])
    me = state.players[answer.seat - 1]
    return replace(answer, cards=tuple(sorted(shuffled(me.hand, stream)[: wages.unpaid(me)])))


def of_choices(state: Choosing, reader: int, stream: Stream) -> Choosing:
    """`state` with other picks of the others, and other bonuses of the rounds to come."""
    picks = tuple(
        pick if seat == reader or not pick else 1 + stream.below(HIGHEST) for seat, pick in enumerate(state.picks, 1)
    )
    told = len(state.history)
    bonuses = (*state.bonuses[:told], *shuffled(state.bonuses[told:], stream))
    return replace(state, picks=picks, bonuses=bonuses)


UNKNOWN: Final[Mapping[str, Callable[[Any, int, Stream], Any]]] = {
    "bloody-inn": of_bloody_inn,
    CHOICES.name: of_choices,
}
"""By game: the state, the reader (0: the public) and randomness in, another state that looks the same out."""
