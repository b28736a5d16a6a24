"""How a table's time is asked for behind NEW, as ``deadline=48h off=sat,sun``: from words to a schedule, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import msgspec
from rapidfuzz import process

from engine.game import AnyGame
from pbem.commands.settings import zone_called
from pbem.draft import Refused
from pbem.lengths import length
from pbem.press import Rule
from pbem.schedule import Missed, Quiet, Schedule, Span, Votes
from pbem.times import WEEKDAYS, span
from pbem.verdicts import Reason

OF_KIND: Final = "deadline."
"""What stands before the name of a kind of decision that has a time of its own."""
NONE: Final = "none"
YES, NO = "yes", "no"
HOUR: Final = timedelta(hours=1)
LONGEST: Final = timedelta(days=90)
LONGEST_GRACE: Final = timedelta(days=7)
LONGEST_BANK: Final = timedelta(days=60)
LONGEST_HOLD: Final = timedelta(hours=2)
MOST_REMINDERS: Final = 5
MOST_MISSES: Final = 9
LONGEST_SILENCE: Final = 30

_MINUTE: Final = timedelta(minutes=1)
_ON_THE_WALL: Final = frozenset({"days", "weeks"})
"""Units that count days, however long these are."""
_CLOCK: Final = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?")


class _Bad(ValueError):
    """A value that an option cannot have."""


def scheduled(chosen: Mapping[str, str], default: Schedule, game: AnyGame) -> tuple[Schedule, dict[str, str]]:
    """`default` as the options `chosen` change it, and those of them that are about something else.

    `Refused` for a value that cannot be, and for two that cannot be together.
    """
    rest = {name: value for name, value in chosen.items() if name not in SETTINGS and not name.startswith(OF_KIND)}
    fields = {SETTINGS[name].field: _value(name, value) for name, value in chosen.items() if name in SETTINGS}
    times = {name: _value_of_kind(name, value, game) for name, value in chosen.items() if name.startswith(OF_KIND)}
    by_kind = {name.removeprefix(OF_KIND): value for name, value in times.items()}
    schedule = msgspec.structs.replace(default, **fields, by_kind=default.by_kind | by_kind)
    _check(schedule, game, chosen)
    return schedule, rest


def option_names(game: AnyGame) -> tuple[str, ...]:
    """Everything about time that may stand behind NEW."""
    return (*SETTINGS, *(f"{OF_KIND}{kind}" for kind in kinds(game)))


def kinds(game: AnyGame) -> tuple[str, ...]:
    """The kinds of decisions that people make in `game`, as far as it names them."""
    return tuple(game.capabilities.get("kinds", ()))


def nearest(name: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Those of `known` that `name` may have been meant for; all of them if none is near."""
    return tuple(found for found, _, _ in process.extract(name, known, score_cutoff=75, limit=3)) or known


def facts_of(schedule: Schedule) -> dict[str, Any]:
    """A schedule for a template: lengths in words, times of day as on a clock, weekdays by name."""
    return {
        "time": _in_words(schedule.time),
        "by_kind": [[kind, _in_words(time)] for kind, time in schedule.by_kind.items()],
        "off": [WEEKDAYS[day] for day in schedule.off],
        "quiet": [_on_clock(schedule.quiet.begins), _on_clock(schedule.quiet.ends)] if schedule.quiet else [],
        "at": "" if schedule.at is None else _on_clock(schedule.at),
        "grace": span(schedule.grace) if schedule.grace else "",
        "remind": [span(lead) for lead in schedule.remind],
        "bank": span(schedule.bank) if schedule.bank else "",
        "hold": span(schedule.hold) if schedule.hold else "",
        "zone": schedule.zone,
        "missed": schedule.missed.value,
        "press": schedule.press.value,
        "skip_after": schedule.skip_after,
        "moderator_silent": schedule.moderator_silent,
        "vote_after": schedule.vote_after,
        "votes": schedule.votes.value,
        "blind": YES if schedule.blind else NO,
        "watchers": "on" if schedule.watchers else "off",
    }


def _in_words(time: Span | None) -> str:
    """Nothing for a decision that may wait for ever."""
    return span(timedelta(days=time.days, seconds=time.seconds)) if time else ""


def _on_clock(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"


# From words to values


def _value(name: str, text: str) -> Any:
    try:
        return SETTINGS[name].read(text)
    except _Bad:
        raise _refused(name, text, SETTINGS[name].examples) from None


def _value_of_kind(name: str, text: str, game: AnyGame) -> Span | None:
    known = option_names(game)
    if name not in known:
        raise Refused(Reason.BAD_OPTION, near=nearest(name, known), option=name, value=text, allowed=[])
    try:
        return _time(text)
    except _Bad:
        raise _refused(name, text, SETTINGS["deadline"].examples) from None


def _check(schedule: Schedule, game: AnyGame, chosen: Mapping[str, str]) -> None:
    if schedule.missed is Missed.BOT and not game.capabilities.get("bots"):
        raise _refused("missed", Missed.BOT.value, tuple(each.value for each in Missed if each is not Missed.BOT))
    if schedule.hold and "uncovers" not in game.capabilities:
        raise _refused("hold", chosen.get("hold", ""), (NONE,))
    if schedule.at is not None and schedule.quiet is not None and schedule.quiet.holds(schedule.at):
        name = "at" if "at" in chosen else "quiet"
        raise _refused(name, chosen.get(name, ""), (_on_clock(schedule.quiet.ends), NONE) if name == "at" else (NONE,))


def _refused(name: str, value: str, allowed: tuple[str, ...]) -> Refused:
    return Refused(Reason.BAD_OPTION, near=allowed, option=name, value=value, allowed=list(allowed))


def _length(text: str) -> timedelta:
    """``48h``, ``3 days``, ``30m``; a bare number is hours."""
    found = length(text)
    if found is None:
        raise _Bad(text)
    return found.time if found.unit else found.number * HOUR


def _within(least: timedelta, most: timedelta, time: timedelta) -> timedelta:
    if not least <= time <= most:
        raise _Bad(time)
    return time


def _time(text: str) -> Span | None:
    """Days are days on the wall, and hours are hours."""
    if text == NONE:
        return None
    time = _within(HOUR, LONGEST, _length(text))
    found = length(text)
    by_days = found is not None and found.unit in _ON_THE_WALL
    return Span(days=time.days) if by_days else Span(seconds=int(time.total_seconds()))


def _up_to(most: timedelta) -> Callable[[str], timedelta]:
    return lambda text: timedelta() if text == NONE else _within(timedelta(), most, _length(text))


def _leads(text: str) -> tuple[timedelta, ...]:
    leads = () if text == NONE else tuple(_within(_MINUTE, LONGEST, _length(part)) for part in text.split(","))
    if len(leads) > MOST_REMINDERS:
        raise _Bad(text)
    return tuple(sorted(set(leads), reverse=True))


def _weekdays(text: str) -> tuple[int, ...]:
    """``sat,sun`` or ``saturday``: enough letters to tell a day; one day at least is left."""
    days = set() if text == NONE else {_weekday(part.strip()) for part in text.split(",")}
    if len(days) == len(WEEKDAYS):
        raise _Bad(text)
    return tuple(sorted(days))


def _weekday(text: str) -> int:
    found = [number for number, name in enumerate(WEEKDAYS) if len(text) > 1 and name.lower().startswith(text)]
    if len(found) != 1:
        raise _Bad(text)
    return found[0]


def _quiet(text: str) -> Quiet | None:
    """``22-8`` or ``22:30-7:00``."""
    if text == NONE:
        return None
    begins, dash, ends = text.partition("-")
    quiet = Quiet(_minutes(begins), _minutes(ends))
    if not dash or quiet.begins == quiet.ends:
        raise _Bad(text)
    return quiet


def _time_of_day(text: str) -> int | None:
    return None if text == NONE else _minutes(text)


def _minutes(text: str) -> int:
    match = _CLOCK.fullmatch(text.strip())
    if match is None or int(match[1]) > 23 or int(match[2] or 0) > 59:
        raise _Bad(text)
    return int(match[1]) * 60 + int(match[2] or 0)


def _missed(text: str) -> Missed:
    if text not in tuple(Missed):
        raise _Bad(text)
    return Missed(text)


def _switch(text: str) -> bool:
    if text not in ("on", "off"):
        raise _Bad(text)
    return text == "on"


def _votes(text: str) -> Votes:
    if text not in tuple(Votes):
        raise _Bad(text)
    return Votes(text)


def _whether(text: str) -> bool:
    if text not in (YES, NO):
        raise _Bad(text)
    return text == YES


def _press(text: str) -> Rule:
    if text not in tuple(Rule):
        raise _Bad(text)
    return Rule(text)


def _count(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise _Bad(text)
        return int(text)

    return read


def _misses(text: str) -> int:
    return 0 if text == "never" else _count(1, MOST_MISSES)(text)


@dataclass(frozen=True, slots=True)
class Setting:
    """An option: what it sets, how its value is read, and values that show how it is written."""

    field: str
    read: Callable[[str], Any]
    examples: tuple[str, ...]


SETTINGS: Final[Mapping[str, Setting]] = {
    "deadline": Setting("time", _time, (NONE, "24h", "48h", "3d")),
    "off": Setting("off", _weekdays, (NONE, "sun", "sat,sun")),
    "quiet": Setting("quiet", _quiet, (NONE, "22-8", "23:30-7:00")),
    "at": Setting("at", _time_of_day, (NONE, "18:00", "21:30")),
    "grace": Setting("grace", _up_to(LONGEST_GRACE), (NONE, "30m", "2h")),
    "remind": Setting("remind", _leads, (NONE, "24h", "24h,6h")),
    "bank": Setting("bank", _up_to(LONGEST_BANK), (NONE, "24h", "3d")),
    "hold": Setting("hold", _up_to(LONGEST_HOLD), (NONE, "10m", "30m")),
    "zone": Setting("zone", zone_called, ("Europe/Brussels",)),
    "missed": Setting("missed", _missed, tuple(each.value for each in Missed)),
    "press": Setting("press", _press, tuple(each.value for each in Rule)),
    "skip-after": Setting("skip_after", _misses, ("never", "1", "2", "3")),
    "moderator-silent": Setting("moderator_silent", _count(1, LONGEST_SILENCE), ("1", "3", "7")),
    "vote-after": Setting("vote_after", _count(1, LONGEST_SILENCE), ("1", "3", "7")),
    "votes": Setting("votes", _votes, tuple(each.value for each in Votes)),
    "blind": Setting("blind", _whether, (YES, NO)),
    "watchers": Setting("watchers", _switch, ("on", "off")),
}
"""By the name that stands behind NEW."""
