"""What must stand in no log and no statistics: how it is recognised, in any text that a host has written.

Words that only a run knows, as its passwords, are handed in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from engine.bloody_inn.cards import FACES

ADDRESS: Final = re.compile(r"[\w.+-]+@[\w.-]+")
TOKEN: Final = re.compile(r"(?<![a-z2-7])[a-z2-7]{20,}(?![a-z2-7])")
"""The private part of a reply address."""
HASH: Final = re.compile(r"[0-9a-f]{32,}")
"""Commitments, hashes of addresses, secrets of games: in hex, whose digits base32 lacks."""
_KINDS: Final = {"an address": ADDRESS, "a token": TOKEN, "a hash or a secret": HASH}


def told(text: str, known: Iterable[str] = ()) -> Iterator[str]:
    """Each line of `text` that tells something, after what that is; `known` are words that this run must not tell."""
    kinds = {**_KINDS, "a card": _cards()}
    if words := sorted(filter(None, known)):
        kinds["a secret of this run"] = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    for line in text.splitlines():
        yield from (f"{what}: {line}" for what, shape in kinds.items() if shape.search(line))


@cache
def _cards() -> re.Pattern[str]:
    """What an order would call a card."""
    return re.compile(rf"\b({'|'.join(map(re.escape, sorted(FACES)))})s?\b", re.IGNORECASE)
