"""Orders of The Bloody Inn as text: `read` and `write` are inverse for every legal action.

Forgiving in form (case, accents, plural, articles, order of phrases, remarks), never in meaning. The words
of a language stand in ``words/<language>.toml``; English is understood beside every other.
"""

from __future__ import annotations

from engine.bloody_inn.folding import fold
from engine.bloody_inn.reading import read
from engine.bloody_inn.words import lexicon
from engine.bloody_inn.writing import write

__all__ = ["fold", "read", "verbs", "write"]


def verbs(language: str = "en") -> tuple[str, ...]:
    """The words that an order line may begin with, folded, those of `language` first."""
    return tuple(lexicon(language).verbs)
