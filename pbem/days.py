"""Days as people write them, in each language: how they look, and which day is meant. Pure: `today` is an argument."""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import cache
from typing import Final

from pbem.tongues import ENGLISH, LANGUAGES, months, weekdays
from pbem.wording import TIME, alternatives, any_of, level, listed, meant

FEWEST_LETTERS: Final = 3
"""Of a month or weekday that is written short in a way of its writer's own."""
_A_DAY: Final = timedelta(days=1)
_DAYS_OF_WEEK: Final = 7
_MONTHS_OF_YEAR: Final = 12
_LEAP_DAY: Final = (29, 2)
_LEAP_YEARS: Final = 9
"""Among so many years in a row there is always a leap year, also around 2100."""
_CENTURY: Final = 2000
_SHORT: Final = (False, True)
_MONTH_FIRST: Final = frozenset({"zh_Hant"})
"""Languages that write 12/24 for the 24th of December."""


def _short_too(names: Iterable[str]) -> Iterator[str]:
    """`names`, and those in Latin letters cut short."""
    for name in (level(name).rstrip(".") for name in names):
        yield name
        if name.isascii():
            yield from (name[:letters] for letters in range(FEWEST_LETTERS, len(name)))


def _numbered(named: Iterable[tuple[int, str]]) -> dict[str, int]:
    """What each name or short name counts as; the first that means it counts, which is the English one."""
    found: dict[str, int] = {}
    for number, name in named:
        for short in _short_too((name,)):
            found.setdefault(short, number)
    return found


@cache
def _months() -> Mapping[str, int]:
    """Months by name, counted from 1."""
    tables = (months(language, short) for language in LANGUAGES for short in _SHORT)
    return _numbered((number, name) for table in tables for number, name in enumerate(table, 1) if name[0].isalpha())


@cache
def _weekdays() -> Mapping[str, int]:
    """Weekdays by name, counted from Monday as 0."""
    usual = (weekdays(language, short) for language in LANGUAGES for short in _SHORT)
    further = (row for language in LANGUAGES for row in listed(TIME, language).get("further_weekdays", ()))
    return _numbered((number, name) for row in (*usual, *further) for number, name in enumerate(row))


_MONTH: Final = any_of(_months())
_WEEKDAY: Final = any_of(_weekdays())
_FORMS: Final = (
    r"(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})",
    r"(?:(?P<y>\d{4})年)?(?P<m>\d{1,2})月(?P<d>\d{1,2})[日號]?",
    r"(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})(?:\.\s?(?P<y>\d{4}|\d\d)?)?",
    r"(?P<a>\d{1,2})/(?P<b>\d{1,2})(?:/(?P<y>\d{4}|\d\d))?",
    r"(?P<d>\d{1,2})(?:\.|er|e|de|ste|th|st|nd|rd)?\s+(?:de\s+|of\s+)?"
    rf"(?P<name>{_MONTH})\.?(?:\s+(?P<y>\d{{4}}))?",
    rf"(?P<near>{alternatives('today')}|{alternatives('tomorrow')})",
    rf"(?P<weekday>{_WEEKDAY})\.?",
)
"""How a day is written, in levelled text."""
_READERS: Final = tuple(map(re.compile, _FORMS))
_BEFORE: Final = rf"(?:{alternatives('before_a_day')}\s*)?"
_MISSPELT: Final = r"\d{1,2}\.?\s+[^\W\d]{3,9}\.?(?:\s+\d{4})?"
DAY: Final = _BEFORE + re.sub(r"\?P<\w+>", "?:", rf"(?:{'|'.join((*_FORMS, _MISSPELT))})")
"""An expression for what looks like a day: ``2026-12-24``, ``24 Dec``, ``le 24 décembre``, ``24.12.``, ``12月24日``,
``today`` or ``Friday``."""
DAY_OF_MONTH: Final = _BEFORE + r"\d{1,2}\.?"
"""Likewise for a day whose month stands behind the other one: ``from 24 to 28 December``."""


def day(text: str, today: date, earliest: date, language: str = ENGLISH) -> date:
    """The day that `text` means to who writes in `language`; `ValueError` for none.

    Without a year it is the first such day from `earliest` on; a weekday is never one that is over. ``3/4`` may mean
    two days in English, and so means none.
    """
    plain = _without_article(text)
    found = next(filter(None, (reader.fullmatch(plain) for reader in _READERS)), None)
    if found is None:
        raise ValueError(text)
    parts = {name: value for name, value in found.groupdict().items() if value}
    if "near" in parts:
        return today + _A_DAY * (meant(parts["near"], "today", "tomorrow") == "tomorrow")
    if "weekday" in parts:
        from_here = max(today, earliest)
        return from_here + _A_DAY * ((_weekdays()[parts["weekday"]] - from_here.weekday()) % _DAYS_OF_WEEK)
    return _dated(*_day_and_month(parts, language), parts.get("y", ""), earliest)


def with_month_of(number: str, other: str) -> str:
    """The day of the month `number` in the month of `other`, as written: ``24`` with ``28 December``."""
    return re.sub(r"^\d{1,2}", re.sub(r"\D", "", level(number)), _without_article(other))


def _without_article(text: str) -> str:
    return re.sub(rf"^{_BEFORE}", "", level(text).strip())


def _day_and_month(parts: Mapping[str, str], language: str) -> tuple[int, int]:
    if "name" in parts:
        return int(parts["d"]), _months()[parts["name"]]
    if "a" not in parts:
        return int(parts["d"]), int(parts["m"])
    one, other = int(parts["a"]), int(parts["b"])
    if language == ENGLISH and max(one, other) <= _MONTHS_OF_YEAR and one != other:
        raise ValueError(parts)
    month_first = other > _MONTHS_OF_YEAR or (language in _MONTH_FIRST and one <= _MONTHS_OF_YEAR)
    return (other, one) if month_first else (one, other)


def _dated(number: int, month: int, year: str, earliest: date) -> date:
    if year:
        return date(int(year) + (_CENTURY if len(year) == 2 else 0), month, number)
    years = range(earliest.year, earliest.year + _LEAP_YEARS)
    found = (date(each, month, number) for each in years if (number, month) != _LEAP_DAY or isleap(each))
    return next(each for each in found if each >= earliest)
