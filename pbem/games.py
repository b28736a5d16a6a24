"""The games that are installed, found by entry point (group ``pbem.games``)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType

from engine.game import ENTRY_POINT_GROUP, AnyGame
from pbem.errors import Trouble


@cache
def games() -> Mapping[str, AnyGame]:
    """Every installed game by its name. `Trouble` for one that cannot be loaded or is called otherwise than it says."""
    found = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name)
    return MappingProxyType({point.name: _loaded(point) for point in found})


def game_called(name: str, among: Mapping[str, AnyGame] | None = None) -> AnyGame:
    """The game called `name`; `Trouble` with the names that there are if it is not installed."""
    known = games() if among is None else among
    if name not in known:
        there = ", ".join(known) or "none"
        raise Trouble(f"The game {name!r} is not installed", f"Install its package; games found: {there}.")
    return known[name]


def _loaded(point: EntryPoint) -> AnyGame:
    mend = f"Install the package of {point.value} again, or remove it."
    try:
        game: AnyGame = point.load()
    except (ImportError, AttributeError) as error:
        raise Trouble(f"The game {point.name} cannot be loaded: {error}", mend) from error
    if game.name != point.name:
        raise Trouble(f"The game {game.name} is installed under another name, {point.name}", mend)
    return game
