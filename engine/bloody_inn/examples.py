"""Lines that a newcomer can copy: orders, plans, what they may ask, and what can be settled beforehand."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import asdict

from engine.bloody_inn.words import ENGLISH, words


def examples(language: str = ENGLISH) -> Mapping[str, tuple[str, ...]]:
    """The lines in `language`, by ``orders``, ``plans``, ``conditions`` and ``choices``."""
    return asdict(words(language).examples)
