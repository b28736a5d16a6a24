"""What a newcomer is told in his first game, bit by bit: each lesson in the mail in which it is of use first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from engine.bloody_inn.cards import BUILDABLE, CAPACITY
from engine.bloody_inn.money import LIMIT
from engine.bloody_inn.state import Phase, Shown, View

RICH: Final = LIMIT - 10
"""Francs in cash from which on the limit may soon cost some."""


def _me(view: View) -> Shown:
    return view.players[view.seat - 1]


def _at_night(view: View) -> bool:
    return view.phase == Phase.NIGHT


def _can_build(view: View) -> bool:
    return _at_night(view) and any(card in BUILDABLE for card in _me(view).hand)


def _has_grave(view: View) -> bool:
    """Whether one of the own annexes takes another corpse."""
    return any(len(annex.graves) < CAPACITY[annex.card] for annex in _me(view).annexes)


def _can_kill(view: View) -> bool:
    return _at_night(view) and _has_grave(view) and any(room.guest for room in view.rooms)


_FITS: Final[Mapping[str, Callable[[View], bool]]] = MappingProxyType(
    {
        "lodge": lambda view: view.phase == Phase.EVENING and view.turn == view.seat,
        "police": lambda view: view.phase == Phase.POLICE,
        "dismiss": lambda view: view.phase == Phase.WAGES,
        "bury": lambda view: _at_night(view) and bool(_me(view).corpses),
        "hand": _at_night,
        "build": _can_build,
        "launder": lambda view: _at_night(view) and _me(view).cash >= RICH,
        "kill": _can_kill,
        "plan": lambda view: _at_night(view) and view.turn != view.seat,
    }
)


class Teaching:
    """The capability ``guide``; its words stand in the template ``guide.txt.j2``."""

    lessons: tuple[str, ...] = tuple(_FITS)
    """What presses most comes first."""

    def lesson(self, view: View, left: Sequence[str]) -> str:
        """The first of `left` that is about what ``view.seat`` has before it now, or nothing."""
        return next((each for each in self.lessons if each in left and _FITS[each](view)), "")


GUIDE: Final = Teaching()
