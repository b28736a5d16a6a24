"""Cards and rules that a player may look up, by name; what is said of them stands in ``templates/lookup_*``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from engine.bloody_inn.cards import BARN, FACES
from engine.bloody_inn.naming import owned
from engine.bloody_inn.reasons import Fault
from engine.bloody_inn.spelling import near_meanings
from engine.bloody_inn.tongues import understood
from engine.bloody_inn.unspaced import unelided
from engine.bloody_inn.words import Lexicon, lexicon, plain, words
from engine.game import Unreadable

CARD: Final = "card"
RULES: Final = "rules"


def _cards(known: Lexicon) -> Mapping[str, str]:
    return known.annexes | known.cards


def _topics(known: Lexicon) -> Mapping[str, str]:
    return known.topics


_SPELLINGS: Final[Mapping[str, Callable[[Lexicon], Mapping[str, str]]]] = MappingProxyType(
    {CARD: _cards, RULES: _topics}
)
_KEYS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {CARD: (*FACES, BARN), RULES: tuple(words().topics)},
)


class BloodyInnLookUp:
    """The kinds ``card`` (by the name of a card or of its annex) and ``rules`` (by topic)."""

    def keys(self, kind: str) -> tuple[str, ...]:
        """All cards in the order of the deck and the barn; all topics in the order of reading."""
        return _KEYS[kind]

    def find(self, kind: str, text: str, language: str = "en") -> str:
        """The card or topic called `text`; `Unreadable` with the fact ``near`` when there is none."""
        return understood(lambda tongue: self._find(kind, text, tongue), language)

    def _find(self, kind: str, text: str, language: str) -> str:
        table = _SPELLINGS[kind](lexicon(language))
        said = owned(unelided(plain(text).rstrip(" .!?"), language), language)[1]
        if said not in table:
            raise Unreadable(Fault.CARD, word=text, near=near_meanings(said, table))
        return table[said]

    def facts(self, kind: str, key: str) -> Mapping[str, Any]:
        """For ``lookup_card``: ``card`` and, but for the barn, its ``face``; for ``lookup_rules``: ``topic``."""
        return {"card": key, "face": FACES.get(key)} if kind == CARD else {"topic": key}


LOOKUP: Final = BloodyInnLookUp()
