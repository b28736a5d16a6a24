"""Lines whose words stand without a space between them: Chinese, and French articles that end in an apostrophe.

Spaces are put in before anything else is read, so that all else knows of one way to part words.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import Final

from engine.bloody_inn.spelling import any_of
from engine.bloody_inn.words import Lexicon, lexicon, texts, words
from engine.folding import fold

_HAN: Final = re.compile("[\u3400-\u9fff]")


def spaced(folded: str, owners: Collection[str], language: str) -> str:
    """`folded` with spaces around each Chinese word that the language knows; the longest word goes first.

    `owners` are what names may look like in it: they stay whole, whatever words are in them.
    """
    if folded.isascii() or not _HAN.search(folded):
        return folded
    known = _chinese(language)
    if not known:
        return folded
    return " ".join(_words(tuple(owners), language).sub(lambda found: _apart(found, language), folded).split())


def unelided(folded: str, language: str) -> str:
    """`folded` with a space behind an article that ends in an apostrophe: ``l'abbe``."""
    return _elided(language).sub(r"\g<article> ", folded) if "'" in folded else folded


@cache
def _chinese(language: str) -> tuple[str, ...]:
    return tuple(text for text in texts(lexicon(language)) if _HAN.search(text))


@lru_cache(maxsize=256)
def _words(owners: tuple[str, ...], language: str) -> re.Pattern[str]:
    script, numbers = words(language).script, any_of(_numerals(lexicon(language)))
    return re.compile(
        rf"(?P<owner>(?<![a-z0-9])(?:{any_of(owners)}))"
        rf"|(?P<number>\d+|{numbers})\s*(?:{any_of(map(fold, script.numbered))})"
        rf"|(?P<word>{any_of(_chinese(language))})"
        rf"|(?P<silent>:|{any_of(map(fold, script.silent))})"
    )


def _apart(found: re.Match[str], language: str) -> str:
    if found["silent"]:
        return " "
    if number := found["number"]:
        room = words(language).phrases["room"][0]
        return f" {room} {lexicon(language).numbers.get(number, number)} "
    return f" {found.group()} "


def _numerals(known: Lexicon) -> tuple[str, ...]:
    return tuple(number for number in known.numbers if _HAN.search(number))


@cache
def _elided(language: str) -> re.Pattern[str]:
    known = lexicon(language)
    articles = any_of(word for word in known.little.skip if word.endswith("'"))
    return re.compile(rf"(?<!\S)(?P<article>{articles})(?={any_of((*known.cards, *known.annexes))})")
