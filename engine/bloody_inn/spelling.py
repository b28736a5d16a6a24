"""Spellings of words: an expression for any of them, and those that are near."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from engine.bloody_inn.words import plain


def any_of(spellings: Iterable[str]) -> str:
    """An expression for any of `spellings`, the longest first; without any it matches nothing."""
    return "|".join(re.escape(spelling) for spelling in sorted(spellings, key=len, reverse=True)) or r"(?!)"


def near(word: str, spellings: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The spellings that `word` may have been meant for, best first."""
    from rapidfuzz import fuzz, process  # imported late: a line that reads well never needs it

    found = process.extract(plain(word), tuple(spellings), scorer=fuzz.ratio, score_cutoff=65, limit=most)
    return tuple(spelling for spelling, _, _ in found)


def near_meanings(word: str, table: Mapping[str, str], most: int = 3) -> tuple[str, ...]:
    """The nearest spelling of each meaning in `table`, best first: plural and short form beside a name help nobody."""
    meant: dict[str, str] = {}
    for spelling in near(word, table, most=len(table)):
        meant.setdefault(table[spelling], spelling)
    return tuple(meant.values())[:most]
