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

from engine.bloody_inn.folding import fold
from engine.bloody_inn.spelling import any_of
from engine.bloody_inn.words import lexicon

_OWNER: Final = 0xE000
"""Seat 0 of the private characters."""
_PRIVATE: Final = re.compile("[\ue000-\uf8ff]")


def with_owners(text: str, names: tuple[str, ...], language: str) -> str:
    """`text` folded, with the owners of annexes as one character each; `names` are the players' by seat."""
    owners = _owners(names, language)

    def shorten(found: re.Match[str]) -> str:
        seat = owners.before[found["before"]] if found["before"] else owners.after[found["after"]]
        return f"{found['lead'] or ''}{chr(_OWNER + seat)}"

    return owners.pattern.sub(shorten, fold(_PRIVATE.sub("", text)))


def owner_of(text: str) -> tuple[int, str]:
    """The seat named in the words of an annex (0: none), and the words without it."""
    found = _PRIVATE.search(text)
    if found is None:
        return 0, text
    return ord(found.group()) - _OWNER, (text[: found.start()] + text[found.end() :]).strip()


class _Owners(msgspec.Struct, frozen=True):
    """Finds what names the owner of an annex, before or after it."""

    pattern: re.Pattern[str]
    before: dict[str, int]
    after: dict[str, int]


@lru_cache(maxsize=256)
def _owners(names: tuple[str, ...], language: str) -> _Owners:
    known = lexicon(language)
    words = {*known.cards, *known.annexes, *known.little.skip, *known.little.mine}
    written, *loose = known.owner.before
    # A name that is also a word (Park, My) must be marked as a name; the form that is written always is.
    marked = {said: seat for said, seat in _said(loose, names).items() if fold(names[seat - 1]) not in words}
    before = marked | _said((written,), names)
    after = _said(known.owner.after, names)
    under, skip = any_of(known.phrases["under"]), any_of(known.little.skip)
    return _Owners(
        re.compile(
            rf"(?P<lead>(?<!\S)(?:{under})\s(?:(?:{skip})\s)*)(?P<before>{any_of(before)})(?!\S)"
            rf"|(?<!\S)(?P<after>{any_of(after)})(?![\w'])"
        ),
        before,
        after,
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
