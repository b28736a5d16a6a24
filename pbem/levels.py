"""Players made of code, by their levels: what a game offers, and what a host makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.game import AnyGame, Bot

USUAL: Final = "steady"
"""The level that plays where nobody chooses one, if the game has it; else the game's first."""
ITERATIONS: Final = 2000
"""How hard a bot thinks."""


def levels(game: AnyGame) -> tuple[str, ...]:
    """What the bots of `game` are called, the usual one first; nothing if it has none."""
    names = tuple(_bots(game))
    return (USUAL, *(name for name in names if name != USUAL)) if USUAL in names else names


def can_be_practised(game: AnyGame) -> bool:
    """Whether one person can play `game` at once: against bots, or alone."""
    return bool(_bots(game)) or 1 in game.seats


def bot_of(game: AnyGame, level: str = "") -> Bot:
    """The bot of that level; the usual one of a game, which has bots, for a level that it does not have."""
    bots = _bots(game)
    return bots[level] if level in bots else bots[levels(game)[0]]


def _bots(game: AnyGame) -> Mapping[str, Bot]:
    bots: Mapping[str, Bot] = game.capabilities.get("bots", {})
    return bots
