"""How the host says moments, lengths and lists in each of its languages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.times import When, clock, day, span
from pbem.tongues import (
    LANGUAGES,
    language_meant,
    language_of_tag,
    language_preferred,
    listing,
    ordinal,
    own_name,
    spans,
    weekday,
)

NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "long", "next_year", "short", "brief"),
    [
        ("en", "Thursday 3 December, 18:00 in Brussels", "Friday 1 January 2027", "Thu 18:00", "24 Dec 18:00"),
        ("nl", "donderdag 3 december, 18:00 in Brussel", "vrijdag 1 januari 2027", "do 18:00", "24 dec 18:00"),
        ("fr", "jeudi 3 décembre, 18:00 à Bruxelles", "vendredi 1er janvier 2027", "jeu. 18:00", "24 déc. 18:00"),
        ("de", "Donnerstag, 3. Dezember, 18:00 in Brüssel", "Freitag, 1. Januar 2027", "Do 18:00", "24. Dez. 18:00"),
        ("zh_Hant", "12月3日星期四 18:00（布魯塞爾時間）", "2027年1月1日星期五", "週四 18:00", "12月24日 18:00"),
    ],
)
def test_a_moment_is_said_in_the_language(language: str, long: str, next_year: str, short: str, brief: str) -> None:
    def when(month: int, day: int, year: int = 2026) -> When:
        return When(datetime(year, month, day, 17, tzinfo=UTC), "Europe/Brussels", NOW, language)

    assert when(12, 3).long == long
    assert when(1, 1, 2027).long.startswith(next_year)
    assert (when(12, 3).short, when(12, 24).short) == (short, brief)


@pytest.mark.parametrize(
    ("language", "first", "at", "third"),
    [
        ("en", "1 December 2026", "1 Dec 18:00", "3 December 2026"),
        ("nl", "1 december 2026", "1 dec 18:00", "3 december 2026"),
        ("fr", "1er décembre 2026", "1er déc. 18:00", "3 décembre 2026"),
        ("de", "1. Dezember 2026", "1. Dez. 18:00", "3. Dezember 2026"),
        ("zh_Hant", "2026年12月1日", "12月1日 18:00", "2026年12月3日"),
    ],
)
def test_a_date_on_a_page_is_said_in_the_language(language: str, first: str, at: str, third: str) -> None:
    began = datetime(2026, 12, 1, 18, tzinfo=UTC)
    far = When(began, "UTC", began + timedelta(days=30), language)
    assert (day(began, language), clock(began, language), far.short) == (first, at, at)
    assert day(began + timedelta(days=2), language) == third


@pytest.mark.parametrize(
    ("language", "soon", "ago", "at_once", "length"),
    [
        ("en", "in 2 days 7 hours", "1 hour 5 minutes ago", "in less than a minute", "2 days 7 hours"),
        ("nl", "over 2 dagen 7 uur", "1 uur 5 minuten geleden", "over minder dan een minuut", "2 dagen 7 uur"),
        ("fr", "dans 2 jours 7 heures", "il y a 1 heure 5 minutes", "dans moins d’une minute", "2 jours 7 heures"),
        ("de", "in 2 Tagen 7 Stunden", "vor 1 Stunde 5 Minuten", "in weniger als einer Minute", "2 Tage 7 Stunden"),
        ("zh_Hant", "2 天 7 小時後", "1 小時 5 分鐘前", "不到 1 分鐘後", "2 天 7 小時"),
    ],
)
def test_a_distance_and_a_length_are_said_in_the_language(
    language: str, soon: str, ago: str, at_once: str, length: str
) -> None:
    def distance(**far: int) -> str:
        return When(NOW + timedelta(**far), "UTC", NOW, language).distance

    assert (distance(days=2, hours=7), distance(hours=-1, minutes=-5), distance(seconds=9)) == (soon, ago, at_once)
    assert spans(span(timedelta(days=2, hours=7)), language) == length


@pytest.mark.parametrize(
    ("language", "both", "either", "ordinals"),
    [
        ("en", "a, b and c", "a or b", "1st 2nd 11th 21st"),
        ("nl", "a, b en c", "a of b", "1e 2e 11e 21e"),
        ("fr", "a, b et c", "a ou b", "1re 2e 11e 21e"),
        ("de", "a, b und c", "a oder b", "1. 2. 11. 21."),
        ("zh_Hant", "a、b 和 c", "a 或 b", "第 1 第 2 第 11 第 21"),
    ],
)
def test_a_list_and_an_ordinal_are_said_in_the_language(language: str, both: str, either: str, ordinals: str) -> None:
    assert (listing("abc", language=language), listing("ab", "or", language)) == (both, either)
    assert " ".join(ordinal(number, language) for number in (1, 2, 11, 21)) == ordinals


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["公爵", "園丁"], "公爵和園丁"),
        (["公爵", "Anna"], "公爵和 Anna"),
        (["Anna", "Bob", "小明"], "Anna、Bob 和小明"),
        (["小明"], "小明"),
        ([], ""),
    ],
)
def test_in_a_list_chinese_words_stand_close_together(words: list[str], said: str) -> None:
    assert listing(words, language="zh_Hant") == said
    assert listing(words) == ", ".join(words[:-1]) + " and " * (len(words) > 1) + "".join(words[-1:])


def test_a_day_that_facts_hold_in_english_is_said_in_the_language() -> None:
    assert [weekday("Saturday", language) for language in LANGUAGES] == [
        *("Saturday", "zaterdag", "samedi", "Samstag", "星期六")
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *((own_name(language), language) for language in LANGUAGES),
        ("dutch", "nl"),
        ("Néerlandais", "nl"),
        ("niederlandisch", "nl"),
        ("Duits", "de"),
        ("zh-Hant", "zh_Hant"),
        ("zh_hant", "zh_Hant"),
        ("Chinese", "zh_Hant"),
        ("法文", "fr"),
        ("Klingon", None),
    ],
)
def test_a_language_is_known_by_its_name_in_any_of_them(text: str, language: str | None) -> None:
    assert language_meant(text) == language


@pytest.mark.parametrize(("tag", "language"), [("nl-BE", "nl"), ("zh-TW", "zh_Hant"), ("de_AT", "de"), ("pl", None)])
def test_a_tag_of_a_mail_names_a_language(tag: str, language: str | None) -> None:
    assert language_of_tag(tag) == language


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("nl", "nl"),
        ("fr;q=0.5, nl-BE", "nl"),
        ("pl, zh-Hant-TW ; q = 0.4, fr;q=0.3", "zh_Hant"),
        ("de;q=0, fr;q=0.001", "fr"),
        ("nl;q=much, de;q=0.2", "de"),
        ("fr, de", "fr"),
        ("*", "en"),
        ("", "en"),
    ],
)
def test_a_browser_gets_the_language_that_it_likes_best(header: str, language: str) -> None:
    assert language_preferred(header) == language
