"""A game for one, against bots or alone, that begins at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.game import AnyGame
from pbem.commands.lobby import WELCOME, dealt, game_called, new_table
from pbem.commands.questions import table_facts
from pbem.commands.words import New, Practice
from pbem.draft import Draft
from pbem.guide import led
from pbem.levels import can_be_practised
from pbem.parties import Notice, seat_party

MOST: Final = 3
"""Players of a practice game whose opener does not say how many: a full table takes long to read."""


def practice(draft: Draft, n: int, text: str, command: Practice) -> Draft:
    """Open a table for the sender alone and deal. The answer is the first mail of his seat, from which he also
    moderates, and his welcome if he is new; no deadline runs unless he asks for one."""
    game = game_called(draft.known.games, command.kind) if command.kind else practised(draft.known.games)
    chosen = (*_company(game, alone=command.alone), ("deadline", "none"), *command.options)
    table, _ = new_table(draft, New(game.name, chosen, (), True))
    begun, written = dealt(led(table, draft.known.newcomers))
    to = seat_party(begun, 1)
    facts = table_facts(begun) | {"phrases": []}
    others = tuple(notice for notice in draft.notices if notice.kind != WELCOME)
    drafted = replace(draft.changing(begun, written), notices=(*others, Notice(to, "started", facts)), to=to)
    return drafted.doing(n, text, "practice", welcome=len(others) < len(draft.notices), **facts)


def practised(games: Mapping[str, AnyGame]) -> AnyGame:
    """The game that a newcomer is offered: the first that has bots, or can be played alone."""
    return next((game for game in games.values() if can_be_practised(game)), next(iter(games.values())))


def _company(game: AnyGame, *, alone: bool) -> tuple[tuple[str, str], ...]:
    """Who else plays, as options of a new table."""
    others = max((seats for seats in game.seats if seats <= MOST), default=min(game.seats)) - 1
    if alone or not others:
        return (("seats", "1"), ("bots", "none"))
    return (("bots", str(others)),)
