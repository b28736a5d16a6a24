"""The walk-through of a first game: a lesson a mail, in the game's own words, until there is none left."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from typing import Final

from engine.game import AnyGame, Guide
from pbem.persons import Person
from pbem.table import Chair, Table

CAPABILITY: Final = "guide"


def lessons(game: AnyGame) -> tuple[str, ...]:
    """All that `game` has to tell a newcomer; nothing where it has no walk-through."""
    guide: Guide | None = game.capabilities.get(CAPABILITY)
    return guide.lessons if guide else ()


def led(table: Table, newcomers: Container[int]) -> Table:
    """`table` with a walk-through for each player who is one of `newcomers` (by id), or has no id yet."""
    whole = lessons(table.game)
    chairs = (
        replace(chair, lessons=whole) if chair.person and _is_new(chair.person, newcomers) else chair
        for chair in table.chairs
    )
    return replace(table, chairs=tuple(chairs)) if whole else table


def next_lesson(table: Table, chair: Chair) -> str:
    """What the player of `chair` is told with the position as it is; nothing for a program."""
    guide: Guide | None = table.game.capabilities.get(CAPABILITY)
    if guide is None or not chair.lessons or chair.machine:
        return ""
    return guide.lesson(table.view(chair.seat), chair.lessons)


def _is_new(person: Person, newcomers: Container[int]) -> bool:
    return not person.id or person.id in newcomers
