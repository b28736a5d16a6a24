"""Seats that a bot answers for: each of its moves is a step of its own, as a released plan is.

Its chance follows from the game's secret and the decision, so that nobody can foresee it and, once the secret is
published, anybody can ask it again.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any

from engine.game import Decision
from engine.record import By
from engine.shuffle import Stream
from pbem.levels import ITERATIONS, bot_of, levels
from pbem.parties import Changed, Decided
from pbem.table import Table, play


def due(table: Table) -> Decision | None:
    """An open decision that a bot has to make, if there is one."""
    return next((decision for decision in table.free if table.chair(decision.seat).bot), None)


def due_for_absent(table: Table, now: datetime) -> Decision | None:
    """The same for a player who is away and wants a bot to play meanwhile; what he has settled before comes first.

    It takes somebody else who plays himself: where all are away, or one plays alone, nobody waits.
    """
    absent = {chair.seat for chair in table.chairs if _is_played_for(table, chair.seat, now)}
    if not levels(table.game) or all(chair.seat in absent for chair in table.chairs if chair.person):
        return None
    return next((decision for decision in table.free if decision.seat in absent), None)


def _is_played_for(table: Table, seat: int, now: datetime) -> bool:
    person = table.chair(seat).person
    return person is not None and person.away is not None and person.away.bot and person.away.covers(now)


def move(table: Table, decision: Decision) -> Decided:
    """What the bot does. It sees what its seat may see, and nothing else."""
    view = table.view(decision.seat)
    bot = bot_of(table.game, table.chair(decision.seat).bot)
    return _played(table, decision, bot.choose(view, (), ITERATIONS, _stream(table, decision)), By.BOT)


def instead(table: Table, decision: Decision) -> Decided:
    """What a missed deadline does, for a bot that fails: nobody shall wait for it."""
    return _played(table, decision, table.game.fallback(table.running.state, decision.seat), By.FALLBACK)


def _played(table: Table, decision: Decision, action: Any, by: By) -> Decided:
    after, written = play(table, decision.seat, action, by)
    return Decided(tables=(Changed(table, after, written),))


def _stream(table: Table, decision: Decision) -> Stream:
    words = ("pbem bot at table 1", table.name, table.secret, str(table.running.n), decision.key)
    return Stream(hashlib.sha256("".join(f"{word}\n" for word in words).encode()).digest())
