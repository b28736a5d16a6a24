"""What happens in a year: who plays how, which tables there are, when the host is away. All follows from a seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from random import Random
from typing import Final

BEGINS: Final = datetime(2026, 1, 5, 6, tzinfo=UTC)
YEAR: Final = timedelta(days=365)
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
GAMES: Final = 200
SILENCE: Final = timedelta(days=3)
"""So long a moderator is waited for who is asked about a late seat, or has an empty one to give away."""
LAST_START: Final = 300
"""The day by which every table has been opened."""
ZONES: Final = (
    "Europe/Brussels",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "America/Sao_Paulo",
    "Pacific/Auckland",
    "UTC",
)
SEATS: Final = ((1, 0.06), (2, 0.62), (3, 0.24), (4, 0.08))
"""How many play at a table, and how often that is so."""
DEADLINES: Final = {"24h": 24, "48h": 48, "2d": 47, "3d": 71}
"""Time for a decision, and the hours that it has at least: a day on the wall may be an hour short."""


class Kind(StrEnum):
    """What the host cannot do for a while."""

    DOWN = "down"
    """It does not run, and begins anew after it."""
    NO_MAIL_IN = "no mail in"
    NO_MAIL_OUT = "no mail out"
    WRONG_CLOCK = "wrong clock"
    """One pass at another time."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that goes wrong from `begins` until `ends`."""

    kind: Kind
    begins: datetime
    ends: datetime
    shift: timedelta = timedelta()
    """By how much the clock is wrong."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How somebody plays."""

    name: str
    zone: str
    delay: float
    """Hours until he answers, in the mean."""
    absences: tuple[tuple[datetime, datetime, bool], ...]
    """When he is not there, and whether he says so before."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A table: when it is opened, by whom, for whom, how it is run, and what its moderator will do."""

    opens_at: datetime
    opener: int
    guests: tuple[int, ...]
    options: str
    hours: int
    """That a decision has at least."""
    skip_after: int
    reminders: int
    silent: tuple[tuple[int, int], ...]
    """Who stops playing, and behind which of his mails."""
    deeds: tuple[tuple[timedelta, str], ...]
    """What the moderator writes, and how long after the start."""


@dataclass(frozen=True, slots=True)
class Fate:
    """Everything that happens without anybody's choice."""

    people: tuple[Habits, ...]
    plans: tuple[Plan, ...]
    troubles: tuple[Trouble, ...]


def fate(seed: str, share: float) -> Fate:
    """A year in which `share` of the games are played, by as many fewer people."""
    chance = Random(seed)
    games = max(4, round(GAMES * share))
    people = tuple(_person(chance, number) for number in range(max(8, games * 2 // 5)))
    plans = tuple(_plan(chance, people) for _ in range(games))
    return Fate(people, tuple(sorted(plans, key=lambda plan: plan.opens_at)), tuple(_troubles(chance)))


def _person(chance: Random, number: int) -> Habits:
    absences = tuple(_absence(chance, day) for day in (chance.randint(20, 150), chance.randint(200, 330)))
    return Habits(f"Nora{number + 1}", chance.choice(ZONES), chance.uniform(2, 16), absences)


def _absence(chance: Random, day: int) -> tuple[datetime, datetime, bool]:
    begins = BEGINS.replace(hour=0) + day * DAY
    return begins, begins + chance.randint(4, 16) * DAY, chance.random() < 0.75


def _plan(chance: Random, people: tuple[Habits, ...]) -> Plan:
    (seats,) = chance.choices([number for number, _ in SEATS], [often for _, often in SEATS])
    opener, *guests = chance.sample(range(len(people)), seats)
    deadline = chance.choice(list(DEADLINES))
    skip, remind = chance.choice((1, 2, 3, 0)), chance.choice(("24h,6h", "12h", "none"))
    missed = chance.choices(("fallback", "moderator", "bot"), (0.6, 0.3, 0.1))[0]
    options = [
        f"deadline={deadline} remind={remind} missed={missed} skip-after={skip or 'never'} zone={chance.choice(ZONES)}",
        f"moderator-silent={SILENCE.days}",
        *(option for option in ("off=sat,sun", "quiet=22-8", "bank=24h", "grace=2h") if chance.random() < 0.3),
    ]
    return Plan(
        opens_at=BEGINS + timedelta(days=2) + chance.uniform(0, LAST_START) * DAY,
        opener=opener,
        guests=tuple(guests),
        options=" ".join(options),
        hours=DEADLINES[deadline],
        skip_after=skip,
        reminders=0 if remind == "none" else len(remind.split(",")),
        silent=tuple((seat, chance.randint(1, 25)) for seat in (opener, *guests) if chance.random() < 0.15),
        deeds=tuple(_deeds(chance, [people[seat].name for seat in guests])),
    )


def _deeds(chance: Random, guests: list[str]) -> Iterator[tuple[timedelta, str]]:
    """A moderator's year; what he pauses he lets go on again."""
    if chance.random() < 0.25:
        begins = chance.uniform(1, 12)
        yield begins * DAY, "PAUSE because I am moving house"
        yield (begins + chance.uniform(0.5, 6)) * DAY, "RESUME"
    if chance.random() < 0.3:
        yield chance.uniform(0.5, 10) * DAY, "EXTEND ALL BY 24h"
    if chance.random() < 0.25:
        yield chance.uniform(1, 10) * DAY, "ROLLBACK 1 because that was a mistake"
    if guests and chance.random() < 0.15:
        yield chance.uniform(2, 9) * DAY, f"BOT {guests[0]}"
    if guests and chance.random() < 0.1:
        yield chance.uniform(2, 9) * DAY, f"EJECT {guests[-1]}"
    if guests and chance.random() < 0.2:
        yield chance.uniform(2, 9) * DAY, f"EXCUSE {guests[0]}"


def _troubles(chance: Random) -> Iterator[Trouble]:
    """Every three weeks something, of each kind in turn, and never two at once."""
    kinds = list(Kind)
    for number in range(17):
        begins = BEGINS + (12 + 20 * number) * DAY + chance.randint(0, 23) * HOUR
        kind = kinds[number % len(kinds)]
        if kind is Kind.WRONG_CLOCK:
            yield Trouble(kind, begins, begins, chance.choice((-1, 1)) * chance.choice((3, 60, 24 * 400)) * HOUR)
        else:
            yield Trouble(kind, begins, begins + chance.randint(1, 90) * HOUR)
