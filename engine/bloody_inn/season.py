"""Seasons: when the Exit Stack comes back, how many rounds that gives, and which one is the last."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.bloody_inn.events import SeasonBegan, Shuffled
from engine.bloody_inn.state import Options, State
from engine.game import Step

LAST_SEASON: Final = 2


def least(options: Options, seats: int, rooms: int) -> int:
    """How many travelers a round needs at least: as many as players, or a full inn by option."""
    return rooms if options.last_round == "full-inn" else seats


def rounds(travelers: int, rooms: int, needed: int) -> int:
    """How many rounds so many travelers give in season 2, a short last one counted (D1)."""
    full, over = divmod(travelers, rooms)
    return full + (over >= needed)


def is_last(state: State) -> bool:
    """Whether the round that welcomes the travelers now on the Entrance Stack is the last one (D1)."""
    after = max(0, len(state.entrance) - len(state.rooms))
    return state.season == LAST_SEASON and after < _needed(state)


def too_few(state: State) -> bool:
    """Whether the travelers on the Entrance Stack are too few for a round (D2)."""
    return state.season == LAST_SEASON and len(state.entrance) < _needed(state)


def reshuffle_at_once(state: State) -> bool:
    """Whether the welcome just took the last card of season 1 and the table shuffles right then (D5)."""
    return state.season < LAST_SEASON and not state.entrance and state.options.reshuffle == "at-once"


def shuffle_due(state: State) -> Step:
    """Wait for the dealer to shuffle the Exit Stack."""
    return Step(replace(state, shuffle_due=True, turn=0))


def between_rounds(state: State) -> bool:
    """Whether nobody is lodged: the shuffle came before a welcome, not at the end of one (D5)."""
    return not any(room.guest for room in state.rooms)


def begin(state: State, order: tuple[int, ...]) -> Step:
    """The sorted Exit Stack, permuted, becomes the Entrance Stack of season 2 (D25)."""
    entrance = tuple(state.exit[index] for index in order)
    count = rounds(len(entrance), len(state.rooms), _needed(state))
    after = replace(state, season=LAST_SEASON, entrance=entrance, exit=(), shuffle_due=False, last_round=count == 0)
    return Step(after, (Shuffled("season", len(order)), SeasonBegan(LAST_SEASON, count)))


def _needed(state: State) -> int:
    return least(state.options, len(state.players), len(state.rooms))
