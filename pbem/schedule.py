"""How long a decision may take: pure arithmetic over a table's schedule, in the table's own time zone.

On weekdays off the clock stands still. In quiet hours no deadline falls: it moves to their end. Hours are hours
whatever the clocks do; days are days on the wall, which end at the time of day at which they began.

A decision has three times: it is *due* at the one that everybody is told; it *lapses* later, by the grace that
everybody has and by what its seat has saved in its bank; and it counts as *begun* when its mail was accepted for
sending, or when its player is back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

import msgspec

from pbem import wall
from pbem.press import Rule

NOTHING: Final = timedelta()
MINUTE: Final = timedelta(minutes=1)


class Missed(StrEnum):
    """Who decides when a deadline has passed."""

    FALLBACK = "fallback"
    """The game: a move that does no harm."""
    BOT = "bot"
    MODERATOR = "moderator"
    """Until he has been silent for too long."""


class Votes(StrEnum):
    """How many of those who may vote it takes."""

    MAJORITY = "majority"
    """More than half of them."""
    ALL = "all"


class Span(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A length of time: days on the wall, then seconds."""

    days: int = 0
    seconds: int = 0


class Quiet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hours in which no deadline falls, in minutes after midnight; over midnight if they end before they begin."""

    begins: int
    ends: int

    def holds(self, minutes: int) -> bool:
        """Whether `minutes` after midnight is in them."""
        if self.begins < self.ends:
            return self.begins <= minutes < self.ends
        return minutes >= self.begins or minutes < self.ends


class Schedule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The clock of a table."""

    time: Span | None = None
    """For a decision; nothing: it waits for ever."""
    by_kind: dict[str, Span | None] = {}
    """The same for kinds of decisions, by the game's names."""
    off: tuple[int, ...] = ()
    """Days of the week on which no time passes, 0 for Monday."""
    quiet: Quiet | None = None
    at: int | None = None
    """Deadlines fall only at this time of day, in minutes after midnight."""
    grace: timedelta = NOTHING
    remind: tuple[timedelta, ...] = ()
    """How long before a deadline its seat is reminded."""
    bank: timedelta = NOTHING
    """The most that a seat can save; nothing: there is no bank."""
    zone: str = "UTC"
    missed: Missed = Missed.FALLBACK
    hold: timedelta = NOTHING
    """For how long the sender of an order may take it back, while the others wait; nothing: not at all."""
    skip_after: int = 3
    """After so many missed deadlines in a row a seat is passed over at once; 0: never."""
    moderator_silent: int = 3
    """Days until a moderator who was asked is passed over."""
    press: Rule = Rule.OPEN
    """What its players may say to each other: it is chosen with the clock, and changed as that is."""
    vote_after: int = 3
    """Days without a mail of the moderator's after which the players may vote for another one."""
    votes: Votes = Votes.MAJORITY
    blind: bool = True
    """A moderator sees no more than everybody may; who plays does so always."""
    watchers: bool = False
    """Whoever is registered may watch."""


NO_DEADLINE: Final = Schedule()
"""Every decision may wait for ever."""


@dataclass(frozen=True, slots=True)
class Absence:
    """When a player is away; the times are in UTC."""

    begins_at: datetime
    ends_at: datetime
    bot: bool = False
    """A bot plays for him meanwhile, until he sends an order."""

    def covers(self, moment: datetime) -> bool:
        return self.begins_at <= moment < self.ends_at


@dataclass(frozen=True, slots=True)
class Clock:
    """The running clock of one decision; all times are in UTC."""

    began_at: datetime
    """After now for who is away: then he is back."""
    due_at: datetime
    """What everybody is told."""
    lapses_at: datetime
    """When it counts as missed: after the grace and what is in the bank."""
    remind_at: datetime | None = None
    """When the next reminder is due."""
    referred: bool = False
    """It was missed, and the moderator was asked; it lapses again when he has been silent for too long."""


def started(
    schedule: Schedule, kind: str, now: datetime, bank: timedelta = NOTHING, away: Absence | None = None
) -> Clock | None:
    """The clock of a decision of `kind` that is asked `now`; ``None`` if it may wait for ever.

    Only an absence that began before counts: its end is when the clock begins.
    """
    began_at = away.ends_at if away is not None and away.covers(now) else now
    due_at = due(schedule, kind, began_at)
    if due_at is None:
        return None
    remind_at = next(iter(reminders(schedule, began_at, due_at)), None)
    return Clock(began_at, due_at, lapse(schedule, due_at, bank), remind_at)


def due(schedule: Schedule, kind: str, asked_at: datetime) -> datetime | None:
    """When a decision of `kind` is due whose clock begins at `asked_at`."""
    span = schedule.by_kind.get(kind, schedule.time)
    if span is None:
        return None
    moment = _later(schedule, _after_days(schedule, asked_at, span.days), timedelta(seconds=span.seconds))
    return _awake(schedule, moment if schedule.at is None else _next_at(schedule, moment, schedule.at))


def lapse(schedule: Schedule, due_at: datetime, bank: timedelta = NOTHING) -> datetime:
    """When a decision that is due at `due_at` counts as missed by a seat that has saved `bank`."""
    return _awake(schedule, _later(schedule, due_at, schedule.grace + min(bank, schedule.bank)))


def reminders(schedule: Schedule, began_at: datetime, due_at: datetime) -> tuple[datetime, ...]:
    """When to remind, in order: never before half of the time is over, and before quiet hours rather than in them."""
    half = (due_at - began_at) / 2
    times = {_before_quiet(schedule, due_at - min(lead, half)) for lead in schedule.remind}
    return tuple(sorted(moment for moment in times if began_at < moment < due_at))


def reminded(schedule: Schedule, clock: Clock, now: datetime) -> Clock:
    """`clock` with the next reminder that lies after `now`: those between are never made up for."""
    later = (moment for moment in reminders(schedule, clock.began_at, clock.due_at) if moment > now)
    return replace(clock, remind_at=next(later, None))


def saved(schedule: Schedule, bank: timedelta, clock: Clock, answered_at: datetime) -> timedelta:
    """What is in a seat's bank, `bank` before, once it has answered: what it left over is added, what it took beyond
    the grace is gone."""
    if answered_at <= clock.due_at:
        left = counted(schedule, max(answered_at, clock.began_at), clock.due_at)
        return min(schedule.bank, bank + _whole_minutes(left))
    charged_from = _later(schedule, clock.due_at, schedule.grace)
    return max(NOTHING, min(schedule.bank, bank) - counted(schedule, charged_from, answered_at))


def delayed(schedule: Schedule, clock: Clock, since: datetime, now: datetime) -> Clock:
    """`clock` after the host was away from `since` until `now`: what of that time was its own is given back."""
    lost = now - max(since, clock.began_at)
    if lost <= NOTHING:
        return clock
    due_at = _awake(schedule, clock.due_at + lost)
    moved = replace(clock, due_at=due_at, lapses_at=max(due_at, _awake(schedule, clock.lapses_at + lost)))
    return replace(moved, remind_at=_remind_behind(schedule, clock, moved))


def _remind_behind(schedule: Schedule, before: Clock, after: Clock) -> datetime | None:
    """When to remind of a deadline that was moved: as many reminders as were to come `before` are the last `after`."""
    if before.remind_at is None:
        return None
    to_come = [moment for moment in reminders(schedule, before.began_at, before.due_at) if moment >= before.remind_at]
    return next(iter(reminders(schedule, after.began_at, after.due_at)[-max(1, len(to_come)) :]), None)


def counted(schedule: Schedule, start: datetime, end: datetime) -> timedelta:
    """How much of the time from `start` to `end` counts, which is all of it but days off."""
    if not schedule.off:
        return max(NOTHING, end - start)
    total = NOTHING
    while start < end:
        midnight = _next_midnight(schedule, start)
        if not _is_off(schedule, start):
            total += min(midnight, end) - start
        start = midnight
    return total


# Steps on the wall


def _is_off(schedule: Schedule, moment: datetime) -> bool:
    return wall.local(moment, schedule.zone).weekday() in schedule.off


def _next_midnight(schedule: Schedule, moment: datetime) -> datetime:
    return wall.on((wall.local(moment, schedule.zone) + wall.DAY).date(), wall.MIDNIGHT, schedule.zone)


def _working(schedule: Schedule, moment: datetime) -> datetime:
    """`moment`, or the end of the days off that it falls on."""
    while _is_off(schedule, moment):
        moment = _next_midnight(schedule, moment)
    return moment


def _after_days(schedule: Schedule, start: datetime, days: int) -> datetime:
    """The same time of day, `days` days that count later."""
    if not days:
        return start
    shown = wall.local(_working(schedule, start), schedule.zone)
    for _ in range(days):
        shown += wall.DAY
        while shown.weekday() in schedule.off:
            shown += wall.DAY
    return wall.moment(shown, schedule.zone)


def _later(schedule: Schedule, start: datetime, length: timedelta) -> datetime:
    """The moment when `length` has passed since `start`, days off not counted."""
    if not schedule.off:
        return start + length
    start = _working(schedule, start)
    while start + length > (midnight := _next_midnight(schedule, start)):
        length -= midnight - start
        start = _working(schedule, midnight)
    return start + length


def _next_at(schedule: Schedule, moment: datetime, minutes: int) -> datetime:
    """The first time that it is `minutes` after midnight on a day that counts, not before `moment`."""
    day = wall.local(moment, schedule.zone).date()
    while (found := wall.on(day, minutes, schedule.zone)) < moment or day.weekday() in schedule.off:
        day += wall.DAY
    return found


def _awake(schedule: Schedule, moment: datetime) -> datetime:
    """`moment`, or, if it falls on a day off or into quiet hours, their end."""
    while (later := _after_quiet(schedule, _working(schedule, moment))) != moment:
        moment = later
    return moment


def _after_quiet(schedule: Schedule, moment: datetime) -> datetime:
    shown = wall.local(moment, schedule.zone)
    if schedule.quiet is None or not schedule.quiet.holds(wall.minutes_of(shown)):
        return moment
    tomorrow = wall.minutes_of(shown) >= schedule.quiet.ends
    return wall.on((shown + wall.DAY * tomorrow).date(), schedule.quiet.ends, schedule.zone)


def _before_quiet(schedule: Schedule, moment: datetime) -> datetime:
    """`moment`, or, if it falls into quiet hours, when they begin."""
    shown = wall.local(moment, schedule.zone)
    if schedule.quiet is None or not schedule.quiet.holds(wall.minutes_of(shown)):
        return moment
    yesterday = wall.minutes_of(shown) < schedule.quiet.begins
    return min(moment, wall.on((shown - wall.DAY * yesterday).date(), schedule.quiet.begins, schedule.zone))


def _whole_minutes(length: timedelta) -> timedelta:
    return length // MINUTE * MINUTE
