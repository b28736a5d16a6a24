"""Press: what players say to each other through the host. Values, and what is done to words before others read them.

It stands beside the record, never in it. Words are plain text: nothing that moves or hides text gets through, no
address and no reply token, and a mail shows them behind bars, so that no answer to it can bring them back as orders.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from pbem.names import TOKEN

KIND: Final = "press"
"""Of a notice that brings words."""
HOURS_APART: Final = 6
"""Anonymous words go out at 0, 6, 12 and 18 o'clock in UTC, all at once, whenever they were written."""

_ADDRESS: Final = re.compile(r"[^\s@<>()\[\]\"',;:]+[@\uff20\ufe6b][^\s@<>()\[\]\"',;:]+")
_TOKEN: Final = re.compile(rf"(?<![^\W_]){TOKEN}(?![^\W_])", re.IGNORECASE)
_JOINERS: Final = frozenset("\u200c\u200d")
"""Unseen characters that some scripts, and faces of several signs, are written with."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


class Rule(StrEnum):
    """What a table allows."""

    OPEN = "open"
    ANONYMOUS = "anonymous"
    """Nobody is told who said it."""
    OFF = "off"


class Delivery(StrEnum):
    """When somebody wants to read what others say."""

    NEXT = "next"
    """With his next mail."""
    NOW = "now"


@dataclass(frozen=True, slots=True)
class Words:
    """What was said, as others may read it."""

    lines: tuple[str, ...]
    withheld: bool = False
    """Something was left out: an address, or what looks like a reply token."""

    @property
    def size(self) -> int:
        """Characters."""
        return sum(map(len, self.lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Words of the past, as the archive and their writer's own export have them."""

    table: str
    name: str
    """Of who said them; nothing where that is not told."""
    lines: tuple[str, ...]
    private: bool
    at: datetime


def cleaned(lines: Sequence[str]) -> Words:
    """`lines` as plain text that can be shown to anybody, without blank lines around it and with single ones in it."""
    plain = [" ".join(_seen(line).split()) for line in lines]
    shown = [_TOKEN.sub("[key]", _ADDRESS.sub("[address]", line)) for line in plain]
    kept = [line for at, line in enumerate(shown) if line or (at and shown[at - 1])]
    while kept and not kept[-1]:
        kept.pop()
    return Words(tuple(kept), withheld=shown != plain)


def _seen(line: str) -> str:
    """`line` without control characters, marks of direction and other characters that nobody sees."""
    return "".join(map(_shown, line))


def _shown(char: str) -> str:
    if char == "\t":
        return " "
    return "" if unicodedata.category(char) in _UNSEEN and char not in _JOINERS else char


def release(now: datetime) -> datetime:
    """When anonymous words that are written `now` go out: at a fixed hour, which says nothing of their writer."""
    hour = now.replace(minute=0, second=0, microsecond=0)
    return hour + timedelta(hours=HOURS_APART - hour.hour % HOURS_APART)
