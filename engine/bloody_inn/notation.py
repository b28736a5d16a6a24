"""Orders of The Bloody Inn as text: `read` and `write` are inverse for every legal action.

Forgiving in form (case, accents, plural, articles, order of phrases, remarks), never in meaning. The words
of a language stand in ``words/<language>.toml``; English is understood beside every other, and what neither
of the two can read in the rest.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.bloody_inn.clauses import split_line
from engine.bloody_inn.reading import read
from engine.bloody_inn.state import Kind
from engine.bloody_inn.tongues import understood
from engine.bloody_inn.words import languages, lexicon, words
from engine.bloody_inn.writing import write
from engine.folding import fold

__all__ = ["fold", "kind_of", "read", "verbs", "write"]

_OTHER_KINDS: Final = {"lodge": Kind.LODGE, "pay": Kind.PAY, "dismiss": Kind.DISMISS}
"""What the verbs decide that are not for the night."""


def kind_of(text: str, language: str = "en") -> str:
    """The kind of decision that an order line answers, in whatever position; `Unreadable` without a verb."""
    verb = understood(lambda tongue: split_line(text, (), tongue).verb, language)
    return _OTHER_KINDS.get(verb, Kind.ACT).value


@cache
def verbs(language: str = "en") -> tuple[str, ...]:
    """The words that an order line may begin with, folded, those of `language` first.

    Of other languages only the written ones are among them: their short forms begin many a sentence.
    """
    others = (fold(written[0]) for other in languages() for written in words(other).verbs.values())
    return tuple(dict.fromkeys((*lexicon(language).verbs, *others)))
