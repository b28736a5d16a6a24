"""Deadlines and reminders, as pure functions of a table and the time.

A deadline acts only after a look at the mailbox that began after it (law 7), so `now` is the time at which
that look began. All seats that are due are treated at once, so that nobody gains by another's delay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from engine.record import By
from pbem.parties import Changed, Decided, Notice, seat_party
from pbem.settle import REMINDER
from pbem.table import Chair, Table, Written, play

MISSED: Final = "missed"


def overdue(table: Table, now: datetime) -> tuple[Chair, ...]:
    """The chairs whose open decision was due by `now`."""
    return tuple(chair for chair in _running(table) if chair.due_at is not None and chair.due_at <= now)


def sweep(table: Table, now: datetime) -> Decided | None:
    """The game's fallback for every seat that is overdue, or ``None`` if none is."""
    late = overdue(table, now)
    after = table
    written: list[Written] = []
    notices: list[Notice] = []
    for chair in late:
        decision = after.open_decision(chair.seat)
        if decision is None or decision.key != chair.asked:
            continue
        action = after.game.fallback(after.running.state, chair.seat)
        order = after.game.write(action, after.view(chair.seat))
        after, entries = play(after, chair.seat, action, By.FALLBACK)
        written.extend(entries)
        if chair.person is not None:
            notices.append(Notice(seat_party(table, chair.seat), MISSED, {"order": order}))
    if not written:
        return None
    return Decided(tables=(Changed(table, after, tuple(written)),), notices=tuple(notices))


def remind(table: Table, now: datetime, lead: timedelta) -> Decided | None:
    """One reminder for each decision, `lead` before it is due, or when half of a shorter time is left."""
    if table.deadline is None:
        return None
    lead = min(lead, table.deadline / 2)
    soon = [
        chair
        for chair in _running(table)
        if chair.due_at is not None and not chair.reminded and now < chair.due_at <= now + lead
    ]
    if not soon:
        return None
    after = table
    for chair in soon:
        after = after.with_chair(replace(chair, reminded=True))
    notices = tuple(Notice(seat_party(table, chair.seat), REMINDER) for chair in soon if chair.person)
    return Decided(tables=(Changed(table, after),), notices=notices)


def _running(table: Table) -> Iterator[Chair]:
    """The chairs whose clock runs: the decision that their mail asked for is still open."""
    for decision in table.waiting:
        chair = table.chair(decision.seat)
        if chair.asked == decision.key:
            yield chair
