"""A whole night to copy: two lines that a newcomer can send as they stand, one of them with an alternative."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from msgspec.structs import replace

from engine.bloody_inn.actions import Action, Pass
from engine.bloody_inn.candidates import builds, burials
from engine.bloody_inn.forecast import foresee
from engine.bloody_inn.night import ACTIONS
from engine.bloody_inn.state import View
from engine.bloody_inn.writing import write
from engine.game import Illegal


def night(view: View, actions: Sequence[Action], language: str = "en", otherwise: str = "ELSE") -> tuple[str, ...]:
    """Two order lines from `actions`, which are worth showing: the best ELSE the next, and what goes well behind.

    `otherwise` is the word of the host for ELSE.

    None where less than two actions are left to the seat, or nothing but a pass is worth showing.
    """
    doing = [action for action in actions if not isinstance(action, Pass)]
    if not doing:
        return ()
    first, next_best = doing[0], doing[1] if len(doing) > 1 else Pass()
    try:
        seen = foresee(view, first)
    except Illegal:
        return ()
    if seen is None:
        return ()
    behind = replace(seen.view, turn=view.seat, action=ACTIONS)
    second = next(chain(burials(behind, view.seat), builds(behind, view.seat)), Pass())
    lines = (write(first, view, language), write(next_best, view, language), write(second, behind, language))
    return (f"{lines[0]} {otherwise} {lines[1]}", lines[2])
