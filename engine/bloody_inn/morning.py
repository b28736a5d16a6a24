"""The morning as a list of small steps, and the table that says which steps follow each phase."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from engine.bloody_inn import evening, police, wages
from engine.bloody_inn.annexes import rights
from engine.bloody_inn.events import Event, Income, TravelersLeft
from engine.bloody_inn.hands import added
from engine.bloody_inn.money import gain
from engine.bloody_inn.seats import in_order, left_of
from engine.bloody_inn.state import Phase, State
from engine.bloody_inn.targets import emptied, guests
from engine.game import Step


def income(state: State) -> Step:
    """Step: 1F for each room with an own key that still holds a guest, and the annexes' income (D21)."""
    players = list(state.players)
    events: list[Event] = []
    keys = [room.key for room in state.rooms if room.guest]
    for seat in in_order(state):
        rooms, extra = keys.count(seat), rights(players[seat - 1].annexes).leave_income
        if rooms + extra:
            gained = gain(players[seat - 1], rooms + extra, state.options)
            players[seat - 1] = gained.player
            events.append(Income(seat, rooms, extra, gained.gained, gained.lost))
    return Step(replace(state, players=tuple(players)), tuple(events))


def leave(state: State) -> Step:
    """Step: all travelers in rooms go to the Exit Stack."""
    here = guests(state.rooms)
    if not here:
        return Step(state)
    after = replace(
        state,
        rooms=emptied(state.rooms, tuple([room for room, _ in here])),
        exit=added(state.exit, [card for _, card in here]),
    )
    return Step(after, (TravelersLeft(here),))


def hand_on(state: State) -> Step:
    """Step: the first-player card passes one seat to the left."""
    return Step(replace(state, first=left_of(state.first, len(state.players))))


FOLLOWING: Final[dict[Phase, tuple[Callable[[State], Step], ...]]] = {
    Phase.SETUP: (evening.begin,),
    Phase.EVENING: (evening.end,),
    Phase.NIGHT: (police.investigate,),
    Phase.POLICE: (police.collect, income, leave, wages.call),
    Phase.WAGES: (wages.settle, hand_on, evening.begin),
}
"""What happens by itself once nobody is awaited any more in a phase."""


def rests(state: State) -> bool:
    """Whether the game waits for somebody, or is over."""
    return bool(state.turn or state.awaited or state.shuffle_due or state.phase == Phase.OVER)


def advance(step: Step) -> Step:
    """Run the steps that follow until somebody has to decide."""
    if rests(step.state):
        return step
    state: State = step.state
    events: list[Any] = list(step.events)
    while not rests(state):
        for following in FOLLOWING[state.phase]:
            done = following(state)
            state = done.state
            events += done.events
    return Step(state, tuple(events))
