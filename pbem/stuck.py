"""Why a game does not move: what its keeper can see from outside, without a look at any hand. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from engine.game import Decision
from pbem.table import Chair, Status, Table

QUIET: Final = timedelta(days=7)
"""So long an open decision may wait without a deadline before it counts as stuck."""
LATE: Final = timedelta(days=1)
"""So long after a deadline something should have happened."""


def awaited(table: Table) -> tuple[str, ...]:
    """The names of the seats that a running game waits for."""
    return tuple(dict.fromkeys(table.names[decision.seat - 1] for decision in table.waiting))


def why_stuck(table: Table, now: datetime) -> tuple[str, ...]:
    """What keeps a running game from going on by itself, a sentence each; nothing for one that is well.

    A trial copy moves when its moderator wants it to; and while an order may be taken back nobody else is asked.
    """
    if table.status is not Status.RUNNING or table.is_trial:
        return ()
    if table.running.paused:
        return (f"paused: {table.moderator.name} lets it go on with RESUME",)
    if table.hold is not None and now <= table.hold.until:
        return ()
    return tuple(why for decision in table.waiting if (why := _why(table, decision, now)))


def _why(table: Table, decision: Decision, now: datetime) -> str:
    chair = table.chair(decision.seat)
    name = table.names[decision.seat - 1]
    return next((f"{name} {why}" for why in _reasons(table, chair, decision, now)), "")


def _reasons(table: Table, chair: Chair, decision: Decision, now: datetime) -> Iterator[str]:
    if chair.bot or chair.given_up:
        return
    if chair.person is None:
        yield f"is an empty seat: {table.moderator.name} may REPLACE, OPEN or EJECT it"
    elif chair.person.stopped:
        yield "wants no mail from this host"
    elif chair.unreachable:
        yield "cannot be reached: mails come back"
    elif chair.asked != decision.key:
        yield "has not been asked yet: the mail is not written"
    elif chair.clock is not None and chair.clock.lapses_at + LATE < now:
        yield f"is late since {chair.clock.lapses_at:%Y-%m-%d}: the host has not looked at the clock"
    elif chair.clock is None and chair.mailed_at and chair.mailed_at + QUIET < now and not table.private:
        yield f"has not answered since {chair.mailed_at:%Y-%m-%d}, and no deadline runs"
