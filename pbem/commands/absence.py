"""AWAY and BACK: what a player is asked while he is away waits until he is there again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from pbem import clock, wall
from pbem.commands.grammar import ComeBack, GoAway, SetCalendar
from pbem.commands.settings import profile
from pbem.days import day, with_month_of
from pbem.draft import Draft, Refused
from pbem.schedule import Absence
from pbem.table import Chair, Status, Table
from pbem.verdicts import Reason

USAGE: Final = "AWAY FROM 2026-12-24 TO 2027-01-02"
FARTHEST_DAYS: Final = 366
"""How long before it an absence may be announced."""
BEGUN_DAYS: Final = 31
"""How long ago an absence may have begun whose first day is written without a year."""


def away(draft: Draft, n: int, text: str, command: GoAway) -> Draft:
    """An absence, both days included, on the player's own clock. It counts for what he is asked from its begin on."""
    person, now = draft.sender, draft.known.now
    today = wall.local(now, person.zone).date()
    first = _first_day(draft, command, today)
    last = _day(draft, command.ends, today, first)
    _check(draft, first, last, today)
    begins_at = max(now, wall.on(first, wall.MIDNIGHT, person.zone))
    absence = Absence(begins_at, wall.on(last + wall.DAY, wall.MIDNIGHT, person.zone), command.bot)
    gone = profile(draft, replace(person, away=absence))
    return gone.doing(
        n,
        text,
        "away",
        begins=begins_at.isoformat(),
        ends=absence.ends_at.isoformat(),
        bot=command.bot,
        replaces=person.away is not None and person.away.ends_at > now,
        running=_running(draft),
    )


def _first_day(draft: Draft, command: GoAway, today: date) -> date:
    if not command.begins:
        return today
    begins = command.begins
    if not re.search(r"[^\W\d]|\d\D+\d", begins):
        begins = with_month_of(begins, command.ends)
    return _day(draft, begins, today, today - wall.DAY * BEGUN_DAYS)


def _day(draft: Draft, text: str, today: date, earliest: date) -> date:
    try:
        return day(text, today, earliest, draft.language)
    except ValueError:
        raise Refused(Reason.USAGE, near=(USAGE,), usage=USAGE) from None


def at_the_table(draft: Draft) -> Draft:
    """The sender has given an order: while he is away nobody plays for him any more, at none of his tables."""
    person = draft.sender
    if person.away is None or not person.away.bot or not person.away.covers(draft.known.now):
        return draft
    return profile(draft, replace(person, away=replace(person.away, bot=False)))


def back(draft: Draft, n: int, text: str, _: ComeBack) -> Draft:
    """An absence is over, or does not take place; clocks that waited for it begin now."""
    person, now = draft.sender, draft.known.now
    was_away = person.away is not None and person.away.ends_at > now
    for table in _tables(draft):
        draft = draft.changing(clock.back(table, table.seat_of(person), now))
    here = profile(draft, replace(person, away=None))
    return here.doing(n, text, "back", was_away=was_away, running=_running(draft))


def set_calendar(draft: Draft, n: int, text: str, command: SetCalendar) -> Draft:
    """Whether deadlines come as calendar files too."""
    return profile(draft, replace(draft.sender, calendar=command.on)).doing(n, text, "calendar", on=command.on)


def _check(draft: Draft, first: date, last: date, today: date) -> None:
    days = draft.known.house.longest_absence_days
    if last < max(first, today):
        raise Refused(Reason.ABSENCE_OVER)
    if (last - max(first, today)).days >= days:
        raise Refused(Reason.ABSENCE_TOO_LONG, days=days)
    if (first - today).days > FARTHEST_DAYS:
        raise Refused(Reason.ABSENCE_TOO_FAR)


def _tables(draft: Draft) -> Iterator[Table]:
    """The running tables at which the sender sits."""
    for table in draft.tables.values():
        if table.status is Status.RUNNING and table.seat_of(draft.sender):
            yield table


def _chairs(draft: Draft) -> Iterator[tuple[Table, Chair]]:
    return ((table, table.chair(table.seat_of(draft.sender))) for table in _tables(draft))


def _running(draft: Draft) -> list[list[str]]:
    """Where the sender is awaited, and until when."""
    return [
        [table.name, chair.due_at.isoformat()]
        for table, chair in _chairs(draft)
        if chair.due_at is not None and table.open_decision(chair.seat) is not None
    ]
