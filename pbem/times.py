"""Moments and spans as people say them, in their own zone. Pure: both the moment and `now` are arguments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from rapidfuzz import process

from pbem.names import folded
from pbem.tongues import ENGLISH, NO_TIME, Tongue, city, months, spans, tongue, weekdays
from pbem.tongues import MONTHS as MONTHS
from pbem.tongues import WEEKDAYS as WEEKDAYS

_UNITS: Final = (("day", 86400), ("hour", 3600), ("minute", 60))
_NEAR_ENOUGH: Final = 75
_A_WEEK: Final = timedelta(days=6)
"""Within so many days a weekday alone says which day is meant."""


@cache
def zone_of(name: str) -> ZoneInfo:
    """The time zone called `name`; UTC for a name that nobody knows."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


@cache
def _zones() -> dict[str, str]:
    """Zones by their folded names, and by the last part alone where that is enough.

    Etc/GMT+1 lies west of Greenwich, the opposite of what people mean by it: only its whole name means it.
    """
    zones = sorted(available_timezones())
    places = [zone for zone in reversed(zones) if "/" in zone and not zone.startswith("Etc/")]
    cities = {folded(zone.rsplit("/", 1)[-1].replace("_", " ")): zone for zone in places}
    return cities | {folded(zone): zone for zone in zones}


def zone_meant(text: str) -> str | None:
    """The name of the time zone that `text` means, as ``Europe/Brussels`` or ``brussels``."""
    wanted = folded(text)
    return _zones().get(wanted) or _zones().get(wanted.replace(" ", "_"))


def zones_near(text: str) -> tuple[str, ...]:
    """Places whose zones are spelt nearly so, at most three."""
    named = {key: zone for key, zone in _zones().items() if "/" in zone and not zone.startswith("Etc/")}
    found = process.extract(folded(text), list(named), limit=3, score_cutoff=_NEAR_ENOUGH)
    return tuple(dict.fromkeys(named[key] for key, _, _ in found))


def span(length: timedelta) -> str:
    """``1 day 7 hours``, ``2 hours 5 minutes``, ``40 minutes``: the two largest units, rounded down.

    In English, as facts hold it; `tongues.spans` says it in another language.
    """
    seconds = int(abs(length).total_seconds())
    parts: list[str] = []
    for at, (unit, size) in enumerate(_UNITS):
        count, rest = divmod(seconds, size)
        if not count:
            continue
        parts.append(_several(count, unit))
        if at + 1 < len(_UNITS) and (smaller := rest // _UNITS[at + 1][1]):
            parts.append(_several(smaller, _UNITS[at + 1][0]))
        return " ".join(parts)
    return NO_TIME


def _several(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


@dataclass(frozen=True, slots=True)
class When:
    """A moment as its reader in `zone` sees it at `now`, in his language. Both times are aware."""

    moment: datetime
    zone: str
    now: datetime
    language: str = ENGLISH

    @property
    def long(self) -> str:
        """``Thursday 3 December, 18:00 in Brussels``; the year only if it is another one than now."""
        said, local = tongue(self.language), self._local
        this_year = local.year == self.now.astimezone(zone_of(self.zone)).year
        date = (said.date if this_year else said.dated).format(
            weekday=weekdays(self.language)[local.weekday()],
            day=_numbered(local, said),
            month=months(self.language)[local.month - 1],
            year=local.year,
        )
        return said.long.format(date=date, time=self.time)

    @property
    def time(self) -> str:
        """``18:00 in Brussels``: enough beside another time of the same day; ``18:00 UTC`` where there is no place."""
        zone = zone_of(self.zone).key
        area = zone.rpartition("/")[0]
        if not area or area == "Etc":
            return f"{self._clock} {self._local.tzname()}"
        return tongue(self.language).place.format(time=self._clock, city=city(zone, self.language))

    @property
    def short(self) -> str:
        """``Thu 18:00`` within a week, else ``3 Dec 18:00``."""
        local = self._local
        if abs(self.moment - self.now) < _A_WEEK:
            return f"{weekdays(self.language, short=True)[local.weekday()]} {local:%H:%M}"
        month = months(self.language, short=True)[local.month - 1]
        said = tongue(self.language)
        return f"{said.brief.format(day=_numbered(local, said), month=month)} {local:%H:%M}"

    @property
    def shown(self) -> datetime:
        """What the reader's clock shows then, without a zone: two zones may show the same."""
        return self._local.replace(tzinfo=None)

    @property
    def distance(self) -> str:
        """``in 1 day 7 hours`` or ``5 minutes ago``."""
        said = tongue(self.language)
        length = spans(span(self.moment - self.now), self.language, after=True)
        return (said.ago if self.moment < self.now else said.soon).format(length)

    @property
    def _local(self) -> datetime:
        return self.moment.astimezone(zone_of(self.zone))

    @property
    def _clock(self) -> str:
        """The time of day; with the offset from UTC where the clock shows that time twice."""
        local = self._local
        twice = local.utcoffset() != local.replace(fold=not local.fold).utcoffset()
        return f"{local:%H:%M} ({_offset(local)})" if twice else f"{local:%H:%M}"


def _numbered(local: datetime, said: Tongue) -> str:
    """The day of the month, as it is said in a date: ``3``, ``1er``."""
    return (local.day == 1 and said.first) or str(local.day)


def _offset(local: datetime) -> str:
    offset = local.utcoffset() or timedelta()
    hours, minutes = divmod(int(abs(offset).total_seconds()) // 60, 60)
    sign = "-" if offset < timedelta() else "+"
    return f"UTC{sign}{hours}" + (f":{minutes:02}" if minutes else "")


def utc(text: str) -> datetime:
    """A moment from its ISO form; one without an offset is in UTC."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def day(moment: datetime, language: str = ENGLISH) -> str:
    """``3 December 2026``, in UTC: for pages whose readers may be anywhere."""
    local = moment.astimezone(UTC)
    if language == ENGLISH:
        return f"{local.day} {MONTHS[local.month - 1]} {local.year}"
    from babel.dates import format_date

    text = format_date(local.date(), "long", locale=language)
    first = tongue(language).first
    return text.replace("1", first, 1) if first and local.day == 1 else text


def clock(moment: datetime, language: str = ENGLISH) -> str:
    """``3 Dec 18:00``, in UTC."""
    local = moment.astimezone(UTC)
    said, month = tongue(language), months(language, short=True)[local.month - 1]
    return f"{said.brief.format(day=_numbered(local, said), month=month)} {local:%H:%M}"
