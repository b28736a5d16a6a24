"""The owners of annexes in an order line: each becomes one private character.

Names of players may hold any word, sign or script (``Tom and Jerry``, ``O'Neil #2``); taken out first, nothing in
them can be read as a part of an order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from engine.bloody_inn.spelling import any_of
from engine.bloody_inn.unspaced import spaced, unelided
from engine.bloody_inn.words import ENGLISH, lexicon, words
from engine.folding import fold

_OWNER: Final = 0xE000
"""Seat 0 of the private characters."""
_PRIVATE: Final = re.compile("[\ue000-\uf8ff]")


def with_owners(text: str, names: tuple[str, ...], language: str) -> str:
    """`text` folded, with the owners of annexes as one character each; `names` are the players' by seat."""
    owners = _owners(names, language)
    folded = spaced(fold(_PRIVATE.sub("", text)), owners.before, language)
    if not any(said in folded for said in (*owners.before, *owners.after)):
        return unelided(folded, language)

    def shorten(found: re.Match[str]) -> str:
        seat = owners.before[found["before"]] if found["before"] else owners.after[found["after"]]
        return f"{found['lead'] or ''}{chr(_OWNER + seat)}"

    return unelided(_pattern(names, language).sub(shorten, folded), language)


def owner_of(text: str) -> tuple[int, str]:
    """The seat named in the words of an annex (0: none), and the words without it."""
    found = _PRIVATE.search(text)
    if found is None:
        return 0, text
    return ord(found.group()) - _OWNER, (text[: found.start()] + text[found.end() :]).strip()


class _Owners(msgspec.Struct, frozen=True):
    """What names the owner of an annex, before or after it, to his seat."""

    before: dict[str, int]
    after: dict[str, int]


@lru_cache(maxsize=256)
def _owners(names: tuple[str, ...], language: str) -> _Owners:
    known = lexicon(language)
    taken = {*known.cards, *known.annexes, *known.little.skip, *known.little.mine}
    forms = [words(tongue).owner.write.format(owner="{owner}", annex="").strip() for tongue in (language, ENGLISH)]
    written = [form for form in known.owner.before if form in forms]
    loose = _said([form for form in known.owner.before if form not in forms], names)
    # A name that is also a word (Park, My) must be marked as a name; the forms that are written always are.
    marked = {said: seat for said, seat in loose.items() if fold(names[seat - 1]) not in taken}
    return _Owners(marked | _said(written, names), _said(known.owner.after, names))


@lru_cache(maxsize=256)
def _pattern(names: tuple[str, ...], language: str) -> re.Pattern[str]:
    """Finds the owners. It takes longer to make than a line without any to read."""
    known, owners = lexicon(language), _owners(names, language)
    under, skip = any_of(known.phrases["under"]), any_of(known.little.skip)
    return re.compile(
        rf"(?P<lead>(?<!\S)(?:{under})\s(?:(?:{skip})\s)*)(?P<before>{any_of(owners.before)})(?!\S)"
        rf"|(?<!\S)(?P<after>{any_of(owners.after)})(?![\w'])"
    )


def _said(forms: Iterable[str], names: Sequence[str]) -> dict[str, int]:
    """Every form of every name, to its seat; what may mean two seats means none."""
    said: dict[str, int] = {}
    twice = set()
    for seat, name in enumerate(map(fold, names), start=1):
        for spelling in {form.replace("{owner}", name) for form in forms if name}:
            if said.setdefault(spelling, seat) != seat:
                twice.add(spelling)
    return {spelling: seat for spelling, seat in said.items() if spelling not in twice}
