"""AWAY and BACK: what a player is asked while he is away waits until he is there again."""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from pbem import clock, wall
from pbem.commands.grammar import ComeBack, GoAway, SetCalendar
from pbem.commands.settings import profile
from pbem.draft import Draft, Refused
from pbem.names import folded
from pbem.schedule import Absence
from pbem.table import Chair, Status, Table
from pbem.times import MONTHS, WEEKDAYS
from pbem.verdicts import Reason

USAGE: Final = "AWAY FROM 2026-12-24 TO 2027-01-02"
FARTHEST_DAYS: Final = 366
"""How long before it an absence may be announced."""
BEGUN_DAYS: Final = 31
"""How long ago an absence may have begun whose first day is written without a year."""
_LEAP_DAY: Final = (29, 2)
_LEAP_YEARS: Final = 9
"""Among so many years in a row there is always a leap year, also around 2100."""
_ISO: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_SPOKEN: Final = re.compile(r"(\d{1,2})\.? ([a-z]{3,9})\.?(?: (\d{4}))?")


def away(draft: Draft, n: int, text: str, command: GoAway) -> Draft:
    """An absence, both days included, on the player's own clock. It counts for what he is asked from its begin on."""
    person, now = draft.sender, draft.known.now
    today = wall.local(now, person.zone).date()
    first = _day(command.begins or "today", today, today - wall.DAY * BEGUN_DAYS)
    last = _day(command.ends, today, first)
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


# Days as people write them


def _day(text: str, today: date, earliest: date) -> date:
    """``2026-12-24``, ``24 Dec``, ``24 December 2026``, ``today``, ``tomorrow`` or ``Friday``.

    Without a year it is the first such day from `earliest` on; a weekday is never one that is over.
    """
    plain = folded(text)
    if plain in ("today", "tomorrow"):
        return today + wall.DAY * (plain == "tomorrow")
    try:
        if iso := _ISO.fullmatch(plain):
            return date(*map(int, iso.groups()))
        if spoken := _SPOKEN.fullmatch(plain):
            return _spoken(int(spoken[1]), _named(spoken[2], MONTHS) + 1, spoken[3], earliest)
        from_here = max(today, earliest)
        return from_here + wall.DAY * ((_named(plain, WEEKDAYS) - from_here.weekday()) % len(WEEKDAYS))
    except ValueError:
        pass
    raise Refused(Reason.USAGE, near=(USAGE,), usage=USAGE)


def _spoken(day: int, month: int, year: str | None, earliest: date) -> date:
    if year:
        return date(int(year), month, day)
    years = range(earliest.year, earliest.year + _LEAP_YEARS)
    days = (date(each, month, day) for each in years if (day, month) != _LEAP_DAY or isleap(each))
    return next(found for found in days if found >= earliest)


def _named(text: str, names: Sequence[str]) -> int:
    """Which of `names` begins with `text`, three letters at least, counted from 0; `ValueError` for none."""
    for at, name in enumerate(names):
        if name.lower().startswith(text):
            return at
    raise ValueError(text)
