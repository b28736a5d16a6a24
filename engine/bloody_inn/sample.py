"""A whole night to copy: two lines that a newcomer can send as they stand, one of them with an alternative."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final
from unicodedata import east_asian_width

from msgspec.structs import replace

from engine.bloody_inn.actions import Action, Pass
from engine.bloody_inn.candidates import builds, burials
from engine.bloody_inn.forecast import foresee
from engine.bloody_inn.night import ACTIONS
from engine.bloody_inn.state import View
from engine.bloody_inn.writing import write
from engine.game import Illegal

ROOM: Final = 70
"""Columns of a line to copy: a longer one is broken in mails, and comes back as two."""


def night(view: View, actions: Sequence[Action], language: str = "en", otherwise: str = "ELSE") -> tuple[str, ...]:
    """Two order lines from `actions`, which are worth showing: the best ELSE the next, and what goes well behind.

    `otherwise` is the word of the host for ELSE. Where a line with both is too long, a pass is the alternative.

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
    best, last = write(first, view, language), write(second, behind, language)
    either = (f"{best} {otherwise} {write(other, view, language)}" for other in (next_best, Pass()))
    return (next((line for line in either if _columns(line) <= ROOM), best), last)


def _columns(text: str) -> int:
    return len(text) if text.isascii() else sum(2 if east_asian_width(char) in "WF" else 1 for char in text)
