"""From words to cards, annexes and numbers. Exact or refused: a near word is offered, never taken."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Final

import msgspec

from engine.bloody_inn.cards import BARN, Card
from engine.bloody_inn.reasons import Fault
from engine.bloody_inn.spelling import any_of, near_meanings
from engine.bloody_inn.words import ENGLISH, lexicon, plain, words
from engine.game import Unreadable

_MOST: Final = 78
"""More of anything than the game has cards is a slip of the pen, not a number to count out."""


class Counted(msgspec.Struct, frozen=True):
    """Words and the number before them; ``None`` where none stands."""

    count: int | None
    words: str


def counted(text: str, language: str) -> Counted:
    """The number in `text` and its words without articles: ``2 peasants``, ``the two peasants``, ``2x peasant``."""
    found = _count(language).match(text)
    if found is None or not (number := found["digits"] or found["number"]):
        return Counted(None, found["words"] if found else text)
    count = int(number) if found["digits"] else lexicon(language).numbers[number]
    if count > _MOST:
        raise Unreadable(Fault.NUMBER, word=number)
    return Counted(count, found["words"])


@cache
def _count(language: str) -> re.Pattern[str]:
    spelled, articles = any_of(lexicon(language).numbers), _articles(language)
    number = rf"(?:(?P<digits>\d+)\s*(?:x\s)?\s*|(?P<number>{spelled})\s+)?"
    return re.compile(rf"{articles}{number}{articles}(?P<words>.*)")


def owned(text: str, language: str) -> tuple[bool, str]:
    """Whether `text` calls something the reader's own, and the words without that and without articles."""
    rest = _leading_articles(language).sub("", text)
    before = text.removesuffix(rest).split()
    return any(word in before for mine in lexicon(language).little.mine for word in mine.split()), rest


def bare(text: str, language: str) -> str:
    """`text` without the articles before it."""
    return _leading_little(language).sub("", text)


@cache
def _leading_little(language: str) -> re.Pattern[str]:
    return re.compile(rf"^(?:(?:{any_of(lexicon(language).little.skip)})\s+)*")


@cache
def _leading_articles(language: str) -> re.Pattern[str]:
    return re.compile(f"^{_articles(language)}")


def _articles(language: str) -> str:
    little = lexicon(language).little
    return rf"(?:(?:{any_of((*little.skip, *little.mine))})\s+)*"


def how_many(said: Counted, there: int, language: str) -> int:
    """How many are meant. A plural without a number is clear only where there is no more than one."""
    if there > 1 and is_open_plural(said, language):
        raise Unreadable(Fault.NUMBER, word=said.words)
    return 1 if said.count is None else said.count


def is_open_plural(said: Counted, language: str) -> bool:
    """Whether `said` is a plural without a number."""
    return said.count is None and plain(said.words) in _plurals(language)


@cache
def _plurals(language: str) -> frozenset[str]:
    names = [each for tongue in (language, ENGLISH) for each in words(tongue).cards.values()]
    plurals = (spelling for each in names for spelling in (each.plural, *each.plurals))
    return frozenset(map(plain, plurals)) - frozenset(plain(each.name) for each in names)


def card(said: str, language: str) -> Card:
    """The card called `said`; `Unreadable` (card) with near names."""
    found = lexicon(language).cards.get(plain(said))
    if found is None:
        raise Unreadable(Fault.CARD, word=said, near=near_cards(said, language))
    return found


def near_cards(said: str, language: str) -> tuple[str, ...]:
    """The names of cards that `said` may have been meant for."""
    return _near(said, lexicon(language).cards, words(language).card, language)


def building(said: str, language: str) -> Card:
    """The card that is built, by its own name or by that of the annex."""
    found = lexicon(language).annexes.get(plain(said), BARN)
    return card(said, language) if found == BARN else found


def annex(said: str, language: str) -> Card:
    """The annex called `said`, by its own name or by that of its card; `Unreadable` (annex) with near names."""
    found = lexicon(language).annexes.get(plain(said))
    if found is None:
        near = _near(said, lexicon(language).annexes, words(language).annex, language)
        raise Unreadable(Fault.ANNEX, word=said, near=near)
    return found


def _near(said: str, table: Mapping[str, Card], name: Callable[[Card], str], language: str) -> tuple[str, ...]:
    return tuple(words(language).inline(name(table[spelling])) for spelling in near_meanings(said, table))


def cards(texts: Iterable[str], hand: Iterable[Card], language: str) -> tuple[Card, ...]:
    """The cards that a list names, sorted; `hand` tells whether a plural without a number is clear."""
    there = Counter(hand)
    found: list[Card] = []
    for text in texts:
        for said in _listed(text, language):
            name = card(said.words, language)
            found += [name] * how_many(said, there[name], language)
    return tuple(sorted(found))


def _listed(text: str, language: str) -> Iterator[Counted]:
    """The items of a list in which the commas may be missing: ``peasant novice``."""
    if plain(counted(text, language).words) in lexicon(language).cards:
        yield counted(text, language)
        return
    parts = _run(language).findall(plain(text))
    if "".join(parts).replace(" ", "") != plain(text).replace(" ", ""):
        parts = [text]
    yield from (counted(part.strip(), language) for part in parts)


@cache
def _run(language: str) -> re.Pattern[str]:
    known = lexicon(language)
    before = any_of((*known.little.skip, *known.little.mine, *known.numbers))
    return re.compile(rf"(?:(?<!\S)(?:\d+ ?|(?:{before}) ))*(?:{any_of(known.cards)})(?!\S)")
