"""The night: clockwise from the first player everybody acts once, then everybody a second time."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.bloody_inn.seats import left_of
from engine.bloody_inn.state import Deed, State

ACTIONS: Final = 2
"""Of each seat in one night."""


def turned(state: State, verb: str) -> State:
    """The state with the next seat to act behind the one that did `verb`; nobody once the night is over."""
    deeds = (*state.deeds, Deed(state.turn, verb))
    seat = left_of(state.turn, len(state.players))
    if seat != state.first:
        return replace(state, deeds=deeds, turn=seat)
    if state.action < ACTIONS:
        return replace(state, deeds=deeds, turn=seat, action=state.action + 1)
    return replace(state, deeds=deeds, turn=0)
