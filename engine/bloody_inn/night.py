"""The night: clockwise from the first player everybody acts once, then everybody a second time."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.bloody_inn.seats import left_of
from engine.bloody_inn.state import State

ACTIONS: Final = 2
"""Of each seat in one night."""


def turned(state: State) -> State:
    """The state with the next seat to act; nobody once the night is over."""
    seat = left_of(state.turn, len(state.players))
    if seat != state.first:
        return replace(state, turn=seat)
    if state.action < ACTIONS:
        return replace(state, turn=seat, action=state.action + 1)
    return replace(state, turn=0)
