"""Set-up: the options of a table, the numbers of each set-up, and the state before the first shuffle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from engine.bloody_inn.cards import BARN, PEASANT, TRAVELERS
from engine.bloody_inn.events import FirstPlayer, Shuffled
from engine.bloody_inn.state import Annex, Options, Phase, Player, Room, State
from engine.game import BadOption, Option, Step

SEATS: Final = (1, 2, 3, 4)
DRAWN: Final = "drawn"
OPTIONS: Final = (
    Option("length", ("short", "long"), "short"),
    Option("welcome", ("choose", "first-come"), "choose"),
    Option("first", (DRAWN, *map(str, SEATS)), DRAWN),
    Option("unlimited", ("off", "on"), "off"),
    Option("reshuffle", ("next-welcome", "at-once"), "next-welcome"),
    Option("last-round", ("rulebook", "full-inn"), "rulebook"),
    Option("hands", ("private", "open"), "private"),
)
"""As people write them; the default of each is the printed rule or this project's choice."""

PEASANTS: Final = 8
HAND: Final = 2
"""Peasants in each hand at the start."""


class SetUp(msgspec.Struct, frozen=True):
    """The numbers that depend on how many play."""

    removed: Mapping[str, int]
    """Travelers put away unseen, by length of the game."""
    white_keys: int
    bistro: int = 0


SET_UPS: Final[Mapping[int, SetUp]] = {
    1: SetUp({"short": 34, "long": 26}, white_keys=3, bistro=2),
    2: SetUp({"short": 35, "long": 25}, white_keys=3),
    3: SetUp({"short": 28, "long": 16}, white_keys=3),
    4: SetUp({"short": 22, "long": 6}, white_keys=4),
}


def start(seats: int, options: Mapping[str, str]) -> State:
    """The state before the first deal; `BadOption` names a number, an option or a value that is not offered."""
    if seats not in SEATS:
        raise BadOption("seats", str(seats), tuple(map(str, SEATS)))
    chosen = _chosen(seats, options)
    table = SET_UPS[seats]
    keys = (*range(1, seats + 1), *[0] * table.white_keys)
    return State(
        options=chosen,
        phase=Phase.SETUP,
        players=(Player(hand=(PEASANT,) * HAND, annexes=(Annex(BARN),)),) * seats,
        rooms=tuple(Room(number, key) for number, key in enumerate(keys, start=1)),
        first=0 if chosen.first == DRAWN else int(chosen.first),
        bistro=table.bistro,
        box=PEASANTS - HAND * seats - table.bistro,
        shuffle_due=True,
    )


def first_drawn(state: State, order: tuple[int, ...]) -> Step:
    """The first shuffle: who comes first in the shuffled seats is the first player."""
    seat = order[0] + 1
    after = msgspec.structs.replace(state, first=seat)
    return Step(after, (Shuffled("first", len(order)), FirstPlayer(seat)))


def stacked(state: State, order: tuple[int, ...]) -> Step:
    """The shuffle of all travelers: the first are put away unseen, the rest is the Entrance Stack (D25)."""
    cards = tuple(TRAVELERS[index] for index in order)
    away = SET_UPS[len(state.players)].removed[state.options.length]
    after = msgspec.structs.replace(
        state, removed=tuple(sorted(cards[:away])), entrance=cards[away:], shuffle_due=False
    )
    return Step(after, (Shuffled("entrance", len(order)),))


def _chosen(seats: int, options: Mapping[str, str]) -> Options:
    offered = {option.name: option for option in OPTIONS}
    for name, value in options.items():
        if name not in offered:
            raise BadOption(name, value, tuple(offered))
        allowed = _allowed(offered[name], seats)
        if value not in allowed:
            raise BadOption(name, value, allowed)
    values = {option.name: option.default for option in OPTIONS} | dict(options)
    return Options(**{name.replace("-", "_"): value for name, value in values.items()})


def _allowed(option: Option, seats: int) -> tuple[str, ...]:
    if option.name != "first":
        return option.values
    return tuple(value for value in option.values if value == DRAWN or int(value) <= seats)
