"""How the rest of a night may go, as far as the others matter to one seat: whom they may take before its turns come.

The seat knows how large the others' hands are and what their annexes spare them, not what they hold.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from engine.bloody_inn.ahead import next_action
from engine.bloody_inn.annexes import rights
from engine.bloody_inn.bots.steady import table
from engine.bloody_inn.cards import FACES, RANK, Card
from engine.bloody_inn.night import ACTIONS
from engine.bloody_inn.seats import in_order
from engine.bloody_inn.state import Phase, Shown, View

NIGHTS: Final = 60
"""So often the rest of a night is imagined."""
TAKEN: Final[Mapping[str, tuple[float, ...]]] = {
    "artisan": (0.08, 0.25, 0.16, 0.16),
    "merchant": (0.04, 0.26, 0.20, 0.08),
    "noble": (0.06, 0.14, 0.11, 0.08),
    "police": (0.17, 0.11, 0.14, 0.11),
    "religious": (0.13, 0.24, 0.26, 0.19),
}
"""How likely one action takes a guest of this type, by rank, if the hand is large enough. These and the figures below
were counted in 40 games of people who answer one decision at a time, by other deals than those of `pace`."""
PEASANTS_BRIBED: Final = 0.6
"""How likely a first action that takes no guest takes two peasants out of the bistro."""
PEASANTS_PAID: Final = 0.2
"""How likely an action is paid with two peasants, who lie in the bistro then."""
PAIR: Final = 2


class Inn(NamedTuple):
    """What is left of the inn at some moment of the night: the rooms that were emptied, and the bistro."""

    emptied: int
    """A bit a room, that of its number."""
    bistro: int

    def without(self, rooms: int) -> Inn:
        return Inn(self.emptied | rooms, self.bistro)


class Course(NamedTuple):
    """How a night may go: the inn when the seat's next action comes, and when its second one does.

    The seat itself has taken nobody out of it.
    """

    first: Inn
    second: Inn


class Other(NamedTuple):
    """Somebody else's action of the night, and the highest rank that he can pay for."""

    action: int
    reach: int


def courses(view: View) -> tuple[Course, ...]:
    """Ways in which the night may go for the seat of `view`, each as likely as the others; one if nobody comes before.

    What is left to chance follows from the view.
    """
    turns = [(seat, action) for action in range(1, ACTIONS + 1) for seat in in_order(table(view))]
    now = turns.index((view.turn, view.action)) if view.phase is Phase.NIGHT else 0
    mine = turns.index((view.seat, next_action(view, view.seat)))
    last = turns.index((view.seat, ACTIONS))
    before, between = _others(view, turns[now:mine]), _others(view, turns[mine + 1 : last])
    chance = random.Random(f"{view.seat} {view.round} {view.turn} {view.rooms}")
    count = NIGHTS if before or between else 1
    return tuple(_course(view, before, between, chance) for _ in range(count))


def bits(numbers: Iterable[int]) -> int:
    """A set of rooms as `Inn.emptied` has it."""
    return sum([1 << number for number in numbers])


def _others(view: View, turns: Iterable[tuple[int, int]]) -> list[Other]:
    return [Other(action, _reach(view.players[seat - 1])) for seat, action in turns]


def _reach(other: Shown) -> int:
    discounts = rights(other.annexes).discounts
    return other.hand_size + max(discounts.count("kill"), discounts.count("bribe"))


def _course(view: View, before: Sequence[Other], between: Sequence[Other], chance: random.Random) -> Course:
    guests = {room.number: room.guest for room in view.rooms if room.guest}
    inn = Inn(0, view.bistro)
    for other in before:
        inn = _acted(inn, guests, other, chance)
    first = inn
    for other in between:
        inn = _acted(inn, guests, other, chance)
    return Course(first, inn)


def _acted(inn: Inn, guests: Mapping[int, Card], other: Other, chance: random.Random) -> Inn:
    """`inn` behind the action of `other`, as it may happen."""
    paid = PAIR if chance.random() < PEASANTS_PAID else 0
    there = {room: guest for room, guest in guests.items() if not inn.emptied >> room & 1}
    odds = {room: TAKEN[FACES[guest].type][RANK[guest]] for room, guest in there.items() if RANK[guest] <= other.reach}
    nobody = max(0.0, 1 - sum(odds.values()))
    room = chance.choices([*odds, 0], [*odds.values(), nobody])[0]
    if room:
        return Inn(inn.emptied | bits([room]), inn.bistro + paid)
    bribed = PAIR if other.action == 1 and chance.random() < PEASANTS_BRIBED else 0
    return Inn(inn.emptied, max(0, inn.bistro - bribed) + paid)
