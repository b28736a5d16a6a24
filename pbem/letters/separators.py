"""Lines such as `-----Original Message-----`, in many languages, and rows of dashes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from pbem.letters.body import Reason
from pbem.letters.boundary import ADDRESS, WROTE, Boundary
from pbem.letters.phrases import SEPARATORS
from pbem.letters.quotes import Row

_FRAMED: Final = re.compile(r"[-_=*~]{2,} ?([^-_=*~].{0,98}?) ?[-_=*~]{2,}:?")
_FRAME: Final = "-_=*~"
_LONGEST: Final = 120
_RULE: Final = re.compile(r"[-_=*~#+|.\u2500-\u257f ]{2,}")


def is_rule(text: str) -> bool:
    """Whether a line is a row of dashes, equal signs and the like, which says nothing to anybody."""
    return _RULE.fullmatch(text) is not None


def is_separator(text: str) -> bool:
    """Whether a line announces the original message, in dashes or before a colon."""
    if len(text) > _LONGEST:
        return False
    if (text[:1] in _FRAME or text.endswith(":")) and text.strip(_FRAME + " :").casefold() in SEPARATORS:
        return True
    framed = _FRAMED.fullmatch(text)
    # Notes sets the writer's address between the dashes, Orange his name and a word for writing.
    return framed is not None and any(sign.search(framed[1]) for sign in (ADDRESS, WROTE))


def separators(rows: Sequence[Row]) -> Iterator[Boundary]:
    """Separators among the rows that nothing takes from the sender."""
    for index, row in enumerate(rows):
        if row.free and is_separator(row.bare):
            yield Boundary(index, index + 1, Reason.SEPARATOR)


def separators_above(rows: Sequence[Row], boundaries: Iterable[Boundary]) -> Iterator[Boundary]:
    """Words in dashes right above another boundary: a separator in a language that is not in the table."""
    for boundary in boundaries:
        above = boundary.start - 1
        if above >= 0 and rows[above].free and _FRAMED.fullmatch(rows[above].bare[:_LONGEST]):
            yield Boundary(above, boundary.start, Reason.SEPARATOR)
