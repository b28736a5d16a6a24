"""Where a quotation begins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pbem.letters import phrases
from pbem.letters.body import Reason

ADDRESS: Final = re.compile(r"[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+|\[mailto:|mailto:")
DATE: Final = re.compile(r"\b(?:19|20)\d\d(?!\d)|\b\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2,4}\b")
TIME: Final = re.compile(
    r"\b\d{1,2}(?:[:.h\u6642\u65f6\u70b9\u9ede\uc2dc] ?|\s?Uhr\s?)\d{2}\b|\b\d{1,2} ?[ap]\.?m\b",
    re.IGNORECASE,
)

_SPACED: Final = "|".join(map(re.escape, sorted(phrases.WROTE, key=len, reverse=True)))
WROTE: Final = re.compile(rf"(?<!\w)(?:{_SPACED})(?!\w)|{'|'.join(phrases.WROTE_ANYWHERE)}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Boundary:
    """Rows `start` to `end` (exclusive) say that a quotation follows."""

    start: int
    end: int
    reason: Reason
    reach: int = 0
    """How many rows without a mark may stand between it and marked ones for these to be all of the quotation."""
    needs_marks: bool = False
    """Too weak to take lines without marks from the sender."""
