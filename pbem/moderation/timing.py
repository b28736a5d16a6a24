"""The clock in a moderator's hand: deadlines, more time, excuses, and the table's way with time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from engine.record import Override, Verb
from pbem import wall
from pbem.clock import next_reminder
from pbem.commands.overriding import ALL, Excuse, Extend, SetDeadline, SetOptions, span
from pbem.commands.timing import facts_of, nearest, option_names, scheduled
from pbem.draft import Draft, Refused
from pbem.moderation.signing import in_play, overruled, seat_called
from pbem.names import folded
from pbem.parties import Notice
from pbem.schedule import Clock, lapse
from pbem.settle import watcher_party
from pbem.table import Chair, Table
from pbem.verdicts import Reason

LONGEST_AHEAD: Final = timedelta(days=366)
NONE: Final = "none"
UNWATCHED: Final = "unwatched"
"""To who watches a table that lets nobody watch any more."""


def set_deadline(draft: Draft, n: int, text: str, command: SetDeadline) -> Draft:
    """Another time for the open decision of one seat, or of all that are awaited; ``none`` stops their clocks."""
    table = in_play(draft)
    chairs = _asked(table, command.name)
    due = _moment(command.when, draft)
    times = {chair.seat: due for chair in chairs}
    what = Override(Verb.DEADLINE, seat=_meant(command.name, chairs))
    if due is not None:
        what = Override(Verb.DEADLINE, seat=what.seat, due=_stamp(due))
    told = _told(chairs, times)
    drafted = overruled(draft, _moved(draft, table, times), what, command, {"times": told})
    return drafted.doing(n, text, "deadlines", times=_named(table, told))


def extend(draft: Draft, n: int, text: str, command: Extend) -> Draft:
    """More time for a running clock, one seat's or all of them; for one that has run out, from now."""
    table = in_play(draft)
    chairs = [chair for chair in _asked(table, command.name) if chair.clock is not None]
    if not chairs:
        raise Refused(Reason.NO_DEADLINE, game=table.name)
    times: dict[int, datetime | None] = {
        chair.seat: max(chair.clock.due_at, draft.known.now) + command.by for chair in chairs if chair.clock is not None
    }
    _check_ahead(draft, times.values())
    minutes = int(command.by.total_seconds() // 60)
    if not minutes:
        raise Refused(Reason.BAD_TIME, time="0")
    what = Override(Verb.EXTEND, seat=_meant(command.name, chairs), minutes=minutes)
    told = _told(chairs, times)
    drafted = overruled(draft, _moved(draft, table, times), what, command, {"times": told})
    return drafted.doing(n, text, "deadlines", times=_named(table, told))


def excuse(draft: Draft, n: int, text: str, command: Excuse) -> Draft:
    """A deadline that a seat has missed does not count against it. What was done for it then stays done."""
    table = in_play(draft)
    seat = seat_called(table, command.name)
    chair = table.chair(seat)
    if not chair.misses:
        raise Refused(Reason.NO_MISS, name=table.names[seat - 1])
    excused = table.with_chair(replace(chair, misses=chair.misses - 1))
    facts = {"before": chair.misses, "after": chair.misses - 1}
    drafted = overruled(draft, excused, Override(Verb.EXCUSE, seat=seat), command, facts)
    return drafted.doing(n, text, "excused", name=table.names[seat - 1], left=chair.misses - 1)


def set_options(draft: Draft, n: int, text: str, command: SetOptions) -> Draft:
    """How the table is run may change in mid-game, its rules may not. A clock that runs keeps its time."""
    table = in_play(draft)
    schedule, rest = scheduled(dict(command.options), table.schedule, table.game)
    for name, value in rest.items():
        raise Refused(
            Reason.BAD_OPTION, near=nearest(name, option_names(table.game)), option=name, value=value, allowed=[]
        )
    if not schedule.blind and all(map(table.seat_of, table.moderators)):
        raise Refused(Reason.PLAYS_BLIND)
    changed = _changed(facts_of(table.schedule), facts_of(schedule))
    after = replace(table, schedule=schedule, watchers=table.watchers if schedule.watchers else ())
    drafted = overruled(draft, after, Override(Verb.OPTIONS), command, {"changed": changed})
    sent_away = (each.person for each in table.watchers if each not in after.watchers)
    notices = tuple(Notice(watcher_party(table, person), UNWATCHED, {"game": table.name}) for person in sent_away)
    drafted = replace(drafted, notices=(*drafted.notices, *notices))
    return drafted.doing(n, text, "options_set", changed=changed)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[list[str]]:
    """What differs, by name, each as words."""
    return [[name, _words(before[name]), _words(after[name])] for name in after if before[name] != after[name]]


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_words(part) for part in value) or NONE
    return str(value) or NONE


def _asked(table: Table, name: str) -> list[Chair]:
    """The chairs meant by a name or ALL, whose open decisions have been asked for."""
    if table.running.paused:
        raise Refused(Reason.PAUSED, game=table.name)
    waiting = {decision.seat: decision.key for decision in table.waiting}
    meant = list(waiting) if folded(name) == ALL else [seat_called(table, name)]
    for seat in meant:
        if seat not in waiting:
            raise Refused(Reason.NOT_AWAITED, name=table.names[seat - 1], kind="")
    chairs = [table.chair(seat) for seat in meant if table.chair(seat).asked == waiting[seat]]
    if not chairs:
        raise Refused(Reason.NOT_ASKED, game=table.name)
    return chairs


def _meant(name: str, chairs: Sequence[Chair]) -> int:
    """The seat as an entry names it; 0 for all."""
    return 0 if folded(name) == ALL else chairs[0].seat


def _moved(draft: Draft, table: Table, times: Mapping[int, datetime | None]) -> Table:
    """`table` with other deadlines by seat; who was reminded is reminded again in time.

    What was late and is given more time has not been missed: it counts only if it is late again.
    """
    now = draft.known.now
    for seat, due in times.items():
        chair = table.chair(seat)
        if chair.clock is not None and chair.clock.referred:
            chair = replace(chair, misses=max(0, chair.misses - 1))
        clock = None
        if due is not None:
            began = chair.clock.began_at if chair.clock else now
            clock = next_reminder(table, chair, Clock(began, due, lapse(table.schedule, due, chair.bank)), now)
        table = table.with_chair(replace(chair, clock=clock))
    return table


def _told(chairs: Sequence[Chair], times: Mapping[int, datetime | None]) -> list[list[Any]]:
    """By seat the deadline before and after, in ISO form."""
    return [[chair.seat, _iso(chair.due_at), _iso(times[chair.seat])] for chair in chairs]


def _named(table: Table, times: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [[table.names[seat - 1], before, after] for seat, before, after in times]


def _moment(text: str, draft: Draft) -> datetime | None:
    """The moment that a moderator means, by his own clock; a bare time of day is the next one."""
    words = folded(text)
    if words == NONE:
        return None
    now, zone = draft.known.now, draft.sender.zone
    if words[-1].isalpha():
        moment = now + span(words)
    elif "-" in words:
        day, _, clock = words.replace("t", " ").partition(" ")
        moment = _on(day, clock.strip() or "23:59", zone)
    else:
        today = wall.local(now, zone).date()
        later = (_on(f"{today + wall.DAY * ahead}", words, zone) for ahead in (0, 1))
        moment = next((each for each in later if each > now), now)
    _check_ahead(draft, [moment])
    return moment


def _on(day: str, clock: str, zone: str) -> datetime:
    try:
        return wall.moment(datetime.strptime(f"{day} {clock}", "%Y-%m-%d %H:%M"), zone)
    except ValueError:
        raise Refused(Reason.BAD_TIME, time=f"{day} {clock}") from None


def _check_ahead(draft: Draft, moments: Any) -> None:
    """A deadline lies ahead, and not for ever."""
    now = draft.known.now
    for moment in moments:
        if not now < moment <= now + LONGEST_AHEAD:
            raise Refused(Reason.BAD_TIME, time=f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC")


def _stamp(moment: datetime) -> str:
    """As the record holds it: whole seconds, in UTC."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _iso(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""
