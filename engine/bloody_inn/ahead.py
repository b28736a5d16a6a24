"""What a seat may still have to decide in this round: what plans can be made for."""

from __future__ import annotations

from collections.abc import Iterator

from engine.bloody_inn import night, rules
from engine.bloody_inn.seats import in_order
from engine.bloody_inn.state import Board, Phase, State
from engine.game import Decision

ROUND = (Phase.EVENING, Phase.NIGHT, Phase.POLICE, Phase.WAGES)


def ahead(state: State, seat: int) -> tuple[Decision, ...]:
    """The decisions of `seat` in this round that are open or may come, in order, from public facts alone."""
    if state.phase not in ROUND or _between_rounds(state):
        return ()
    open_ones = rules.waiting(state) if rules.awaited(state, seat) else ()
    now = [decision for decision in open_ones if decision.seat == seat]
    known = [(decision.phase, decision.ordinal) for decision in now]
    return (*now, *[later for later in _later(state, seat) if (later.phase, later.ordinal) not in known])


def _between_rounds(state: State) -> bool:
    """The dealer is awaited before a welcome: the next round has not begun."""
    return state.shuffle_due and not any(room.guest for room in state.rooms)


def _later(state: State, seat: int) -> Iterator[Decision]:
    phases = (Phase.EVENING,) if state.short else ROUND[ROUND.index(state.phase) :]
    for phase in phases:
        for ordinal in _ordinals(state, seat, phase):
            yield Decision(seat, rules.KINDS[phase], state.round, phase, ordinal, rules.MANY)


def _ordinals(state: State, seat: int, phase: Phase) -> range:
    if phase is Phase.EVENING:
        return _lodgings(state) if state.turn == seat else range(0)
    if phase is Phase.NIGHT:
        return range(next_action(state, seat), night.ACTIONS + 1)
    return range(1, 1 + _may_answer(state, seat, phase))


def _lodgings(state: State) -> range:
    """The numbers of the travelers that are still to be lodged this evening."""
    lodged = sum(room.guest != "" for room in state.rooms)
    return range(lodged + 1, min(len(state.rooms), lodged + len(state.entrance)) + 1)


def next_action(state: Board, seat: int) -> int:
    """Which of its actions `seat` has to take next, this night or the coming one; 3 when both are taken."""
    if state.phase != Phase.NIGHT:
        return 1
    order = in_order(state)
    return state.action + (order.index(seat) < order.index(state.turn))


def _may_answer(state: State, seat: int, phase: Phase) -> bool:
    """Alone, nobody ever pays the police: a corpse loses (D3). In the phase itself only the awaited answer."""
    if state.phase == phase:
        return seat in state.awaited
    return phase is not Phase.POLICE or len(state.players) > 1
