"""Lengths of time as people write them, in each language: ``24h``, ``2 dagen``, ``3 jours``, ``48 Std``, ``兩天``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from pbem.wording import all_spellings, alternatives, level, meant

UNITS: Final = {
    "minutes": timedelta(minutes=1),
    "hours": timedelta(hours=1),
    "days": timedelta(days=1),
    "weeks": timedelta(weeks=1),
}
_NUMERALS: Final = {"一": 1, "二": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
_NUMBER: Final = rf"(?:\d{{1,4}}|[{''.join(_NUMERALS)}])"
LENGTH: Final = rf"{_NUMBER}\s*(?:{'|'.join(map(alternatives, UNITS))})"
"""An expression for a length with its unit, in levelled text."""
_READ: Final = re.compile(rf"(?P<number>{_NUMBER})\s*(?P<unit>\D*)")


@dataclass(frozen=True, slots=True)
class Length:
    """A number of units, of which a bare number has none."""

    number: int
    unit: str

    @property
    def time(self) -> timedelta:
        """Nothing without a unit."""
        return self.number * UNITS.get(self.unit, timedelta())


def length(text: str) -> Length | None:
    """What `text` says; ``None`` if it is no length."""
    found = _READ.fullmatch(level(text).strip())
    if found is None or (found["unit"] and found["unit"] not in all_spellings(*UNITS)):
        return None
    number = _NUMERALS.get(found["number"]) or int(found["number"])
    return Length(number, meant(found["unit"], *UNITS) if found["unit"] else "")
