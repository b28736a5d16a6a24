"""The languages that the host speaks, and how dates, spans, lists and ordinals are said in each. Pure.

Names of days, months, cities and languages come from Babel; what stands around them is written down here. English
needs nothing of Babel, so that it costs no time where nobody reads anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from pbem.names import folded

ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "nl", "fr", "de", "zh_Hant")
"""All that there are texts in, as their files are called and as a person has one."""
WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
WIDE: Final = "\u2e80-\u33ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60"
"""The signs of Chinese, as they stand in a class of an expression."""
_MEETING: Final = re.compile(rf"(?<=[{WIDE}]) (?=[{WIDE}])")
"""The space in a list that stands between two Chinese words; beside a Latin name it stays."""
NO_TIME: Final = "less than a minute"
"""What `times.span` says of a length below all units."""

Units = Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tongue:
    """How one language says what is made of numbers; in the patterns, braces stand for what is filled in."""

    units: Units
    """Of time: for one, and for more."""
    moment: str
    """A length below all units."""
    gap: str = " "
    """Between a number's unit and the next number."""
    soon: str
    ago: str
    after: Units | None = None
    """The units where `soon` and `ago` want another form of them."""
    after_moment: str = ""
    place: str
    """A time of the day and a city: ``18:00 in Brussels``."""
    date: str = "{weekday} {day} {month}"
    dated: str = "{weekday} {day} {month} {year}"
    """A date of another year."""
    long: str = "{date}, {time}"
    brief: str = "{day} {month}"
    """A date with the short name of the month."""
    first: str = ""
    """The first day of a month, where that is no plain number."""
    comma: str = ", "
    both: Mapping[str, str]
    """By ``and`` and ``or``: what stands before the last of a list."""
    ordinals: Mapping[int, str]
    """Patterns by number; 0 for all that have none."""
    nouns: bool = False
    """Whether nouns begin with a capital, so that no text may be put in small letters."""


_ENGLISH: Final = Tongue(
    units={"day": ("day", "days"), "hour": ("hour", "hours"), "minute": ("minute", "minutes")},
    moment=NO_TIME,
    soon="in {}",
    ago="{} ago",
    place="{time} in {city}",
    both={"and": " and ", "or": " or "},
    ordinals={0: "{}th", 1: "{}st", 2: "{}nd", 3: "{}rd"},
)
_GERMAN_UNITS: Final = {"hour": ("Stunde", "Stunden"), "minute": ("Minute", "Minuten")}
_TONGUES: Final[Mapping[str, Tongue]] = {
    ENGLISH: _ENGLISH,
    "nl": Tongue(
        units={"day": ("dag", "dagen"), "hour": ("uur", "uur"), "minute": ("minuut", "minuten")},
        moment="minder dan een minuut",
        soon="over {}",
        ago="{} geleden",
        place="{time} in {city}",
        both={"and": " en ", "or": " of "},
        ordinals={0: "{}e"},
    ),
    "fr": Tongue(
        units={"day": ("jour", "jours"), "hour": ("heure", "heures"), "minute": ("minute", "minutes")},
        moment="moins d’une minute",
        soon="dans {}",
        ago="il y a {}",
        place="{time} à {city}",
        first="1er",
        both={"and": " et ", "or": " ou "},
        ordinals={0: "{}e", 1: "{}re"},
    ),
    "de": Tongue(
        units={"day": ("Tag", "Tage"), **_GERMAN_UNITS},
        moment="weniger als eine Minute",
        soon="in {}",
        ago="vor {}",
        after={"day": ("Tag", "Tagen"), **_GERMAN_UNITS},
        after_moment="weniger als einer Minute",
        place="{time} in {city}",
        date="{weekday}, {day}. {month}",
        dated="{weekday}, {day}. {month} {year}",
        brief="{day}. {month}",
        both={"and": " und ", "or": " oder "},
        ordinals={0: "{}."},
        nouns=True,
    ),
    "zh_Hant": Tongue(
        units={"day": ("天", "天"), "hour": ("小時", "小時"), "minute": ("分鐘", "分鐘")},
        moment="不到 1 分鐘",
        soon="{}後",
        ago="{}前",
        place="{time}（{city}時間）",
        date="{month}{day}日{weekday}",
        dated="{year}年{month}{day}日{weekday}",
        long="{date} {time}",
        brief="{month}{day}日",
        comma="、",
        both={"and": " 和 ", "or": " 或 "},
        ordinals={0: "第 {}"},
    ),
}
_ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    "en": ("English", "en"),
    "nl": ("Nederlands", "nl", "Vlaams", "Flemish"),
    "fr": ("Français", "fr"),
    "de": ("Deutsch", "de"),
    "zh_Hant": ("繁體中文", "zh_Hant", "zh-Hant", "zh", "zh-TW", "zh-HK", "中文", "正體中文", "Mandarin", "Taiwanese"),
}
"""What each calls itself, and what else people write for it."""
_WEIGHT: Final = re.compile(r"q=([01](?:\.\d{0,3})?)")
_LENGTH: Final = re.compile(r"(\d+) (day|hour|minute)s?\b( (?=\d))?")


def tongue(language: str) -> Tongue:
    """How `language` speaks; English for one that is not among `LANGUAGES`."""
    return _TONGUES.get(language, _ENGLISH)


@cache
def weekdays(language: str, short: bool = False) -> tuple[str, ...]:
    """The days of the week from Monday on, as ``Thursday`` or, if `short`, as ``Thu``."""
    if language == ENGLISH:
        return tuple(name[:3] for name in WEEKDAYS) if short else WEEKDAYS
    from babel import Locale

    days = Locale.parse(language).days
    names = days["stand-alone"]["abbreviated"] if short else days["format"]["wide"]
    return tuple(names[number] for number in range(7))


@cache
def months(language: str, short: bool = False) -> tuple[str, ...]:
    """The months from January on, as in a date: ``December`` or, if `short`, ``Dec``."""
    if language == ENGLISH:
        return tuple(name[:3] for name in MONTHS) if short else MONTHS
    from babel import Locale

    names = Locale.parse(language).months["format"]["abbreviated" if short else "wide"]
    return tuple(names[number] for number in range(1, 13))


@cache
def city(zone: str, language: str) -> str:
    """The city that a time zone is named after, in `language` where that has a name of its own for it."""
    plain = zone.rpartition("/")[2].replace("_", " ")
    if language == ENGLISH:
        return plain
    from babel import Locale

    return str(Locale.parse(language).time_zones.get(zone, {}).get("city", plain))


def spans(text: str, language: str, after: bool = False) -> str:
    """`text` with each length that `times.span` wrote in it said in `language`; `after` for within a ``soon``."""
    if language == ENGLISH or not text:
        return text
    spoken = tongue(language)
    units = spoken.after or spoken.units if after else spoken.units
    moment = spoken.after_moment or spoken.moment if after else spoken.moment

    def said(found: re.Match[str]) -> str:
        return f"{found[1]} {units[found[2]][found[1] != '1']}{spoken.gap if found[3] else ''}"

    return _LENGTH.sub(said, text.replace(NO_TIME, moment))


def weekday(name: str, language: str) -> str:
    """The English name of a day in `language`."""
    return weekdays(language)[WEEKDAYS.index(name)]


def ordinal(number: int, language: str = ENGLISH) -> str:
    """``1st``, ``2nd``, ``3rd``, ``4th``, ``11th``; ``2e``, ``2.``, ``第 2``."""
    patterns = tongue(language).ordinals
    key = number if language != ENGLISH or number % 100 in (11, 12, 13) else number % 10
    return patterns.get(key, patterns[0]).format(number)


def headed(text: str, language: str = ENGLISH) -> str:
    """`text` as a heading in larger letters, which needs no capitals but those that the language spells with."""
    return text[:1].upper() + (text[1:] if tongue(language).nouns else text[1:].lower())


def listing(items: Iterable[object], last: str = "and", language: str = ENGLISH) -> str:
    """``a``, ``a and b``, ``a, b and c``; `last` is ``and`` or ``or``."""
    spoken = tongue(language)
    *others, final = [str(item) for item in items] or [""]
    return _joined(spoken.comma.join(others), spoken.both[last], final) if others else final


def _joined(before: str, joint: str, after: str) -> str:
    return before[:-1] + _MEETING.sub("", before[-1:] + joint + after[:1]) + after[1:]


@cache
def languages() -> Mapping[str, str]:
    """From the folded name of a language, in any of them, to the language: also ``nl`` and ``zh-tw``."""
    from babel import Locale

    names: dict[str, str] = {}
    for reader in LANGUAGES:
        known = Locale.parse(reader).languages
        names |= {folded(known[code]): code for code in LANGUAGES}
        names |= {folded(known[code.partition("_")[0]]): code for code in LANGUAGES}
    return names | {folded(word): code for code, words in _ALSO.items() for word in words}


def own_name(language: str) -> str:
    """What `language` calls itself: ``Nederlands``, ``繁體中文``."""
    return _ALSO[language][0]


def language_meant(text: str) -> str | None:
    """The language that `text` names, in any of them: ``Dutch``, ``néerlandais``, ``nl``."""
    return languages().get(folded(text))


def language_of_tag(tag: str) -> str | None:
    """The language of a tag as mails and browsers give it: ``nl-BE``, ``zh-Hant-TW``; none for one not spoken here."""
    wanted = tag.strip().casefold().replace("_", "-").split("-")[0]
    return next((code for code in LANGUAGES if code.partition("_")[0] == wanted), None)


def language_preferred(header: str) -> str:
    """The language that an ``Accept-Language`` as ``fr;q=0.5, nl-BE`` likes best; English if it names none of ours."""
    weighed = [_weighed(part) for part in header.split(",")]
    liked = sorted((each for each in weighed if each[0] > 0), key=lambda each: -each[0])
    return next(filter(None, (language_of_tag(tag) for _, tag in liked)), ENGLISH)


def _weighed(part: str) -> tuple[float, str]:
    """How much somebody likes a language, and its tag; what cannot be read weighs nothing."""
    tag, has_weight, weight = (piece.strip() for piece in part.partition(";"))
    found = _WEIGHT.fullmatch(weight.replace(" ", ""))
    return (float(found[1]) if found else float(not has_weight)), tag
