"""What a seat would gain by what, this night, in whatever inn the others leave it; from its own view alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from benchmarks.others import Inn, bits, courses
from engine.bloody_inn.actions import Bribe, Kill, Night, Pass
from engine.bloody_inn.ahead import next_action
from engine.bloody_inn.bots.steady import table
from engine.bloody_inn.bots.value import rounds_left, value
from engine.bloody_inn.candidates import candidates
from engine.bloody_inn.cards import FACES
from engine.bloody_inn.night import ACTIONS
from engine.bloody_inn.rules import EFFECTS
from engine.bloody_inn.state import Room, State, View

FIRSTS: Final = 8
"""First actions that are looked behind, besides those that are nearly always possible."""
ALWAYS: Final = (Pass(), Bribe(peasants=1), Bribe(peasants=2))
LATER: Final = 20
"""So many courses of the night count when a first action is judged by the second one."""
COMING: Final = 2
"""Peasants that may be in the bistro when the turn comes, beyond those who are there."""


class Prospect(NamedTuple):
    """An action, what the position behind it is worth, and what must still be there for it."""

    worth: float
    action: Night
    """Without its payment: a hand that has changed pays as is settled."""
    rooms: int
    peasants: int

    def possible(self, inn: Inn) -> bool:
        return not self.rooms & inn.emptied and self.peasants <= inn.bistro


Prospects = tuple[Prospect, ...]
"""The best first."""


class Imagined:
    """The rest of a night, with an action of the seat of `view` to be taken next."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.next = next_action(view, view.seat)
        self.guests = {room.number: room.guest for room in view.rooms if room.guest}
        self.courses = courses(view)
        self._police = bits(number for number, guest in self.guests.items() if FACES[guest].police)
        self._state = replace(table(view), turn=view.seat, action=self.next, bistro=view.bistro + COMING)
        self._left = rounds_left(view)
        self._behind: dict[tuple[Night, bool], Prospects] = {}
        self._paid = {_bare(paid): paid for paid in self._moves(self._state)}

    def police(self, inn: Inn) -> bool:
        """Whether there are police in `inn`."""
        return bool(self._police & ~inn.emptied)

    def now(self, inn: Inn) -> Prospects:
        """What the next action can be in `inn`, without looking behind it."""
        state = self._state if self.police(inn) else _quiet(self._state)
        return tuple(each for each in self._prospects(state) if each.possible(inn))

    def firsts(self) -> Prospects:
        """The actions that are worth looking behind."""
        ranking = enumerate(self._prospects(self._state))
        return tuple(each for at, each in ranking if at < FIRSTS or each.action in ALWAYS)

    def behind(self, first: Prospect, inn: Inn) -> Prospects:
        """The second actions behind `first`, if `inn` is what it and the others leave; they may need more than that."""
        key = first.action, self.police(inn)
        if key not in self._behind:
            self._behind[key] = self._looked_behind(*key)
        return self._behind[key]

    def worth(self, first: Prospect, inn: Inn) -> float:
        """What `first`, done in `inn`, leads to: the mean over what the others may do before the second action."""
        inns = [course.second.without(inn.emptied | first.rooms) for course in self.courses[:LATER]]
        return sum([_best(self.behind(first, each), each) for each in inns]) / len(inns)

    def _looked_behind(self, first: Night, police: bool) -> Prospects:
        paid = self._paid[first]
        after = replace(EFFECTS[type(paid)](self._state, self.view.seat, paid).state, action=ACTIONS)
        return self._prospects(after if police else _quiet(after))

    def _prospects(self, state: State) -> Prospects:
        return tuple(sorted([self._prospect(state, move) for move in self._moves(state)], key=lambda each: -each.worth))

    def _moves(self, state: State) -> Iterator[Night]:
        return (each for each in candidates(state, self.view.seat) if isinstance(each, Night))

    def _prospect(self, state: State, move: Night) -> Prospect:
        seat = self.view.seat
        worth = value(EFFECTS[type(move)](state, seat, move).state, seat, self._left)
        if isinstance(move, Bribe | Kill):
            return Prospect(worth, _bare(move), bits(move.rooms), move.peasants)
        return Prospect(worth, _bare(move), 0, 0)


def _best(prospects: Prospects, inn: Inn) -> float:
    """A pass is always possible."""
    return next(each.worth for each in prospects if each.possible(inn))


def _bare(move: Night) -> Night:
    return move if isinstance(move, Pass) else replace(move, pay=())


def _quiet(state: State) -> State:
    """`state` without the police in the inn."""
    return replace(state, rooms=tuple([_without_police(room) for room in state.rooms]))


def _without_police(room: Room) -> Room:
    return replace(room, guest="") if room.guest and FACES[room.guest].police else room
