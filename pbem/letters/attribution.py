"""Lines that say who wrote what is quoted below them: `On Monday Anna wrote:`, wrapped or not, in any language.

They are known by their structure, not by sentences: a group of up to five rows that ends in a colon and holds two of an
address, a date, and a word for writing. The words only help where there is no address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.letters.body import Reason
from pbem.letters.boundary import ADDRESS, DATE, TIME, Boundary
from pbem.letters.phrases import WROTE, WROTE_ANYWHERE
from pbem.letters.quotes import Row, next_filled

_MAX_ROWS: Final = 5
_MAX_LENGTH: Final = 400
_FULL_ROW: Final = 40
"""A row that a client has broken is at least so wide; an order right above an attribution seldom is."""
_REACH: Final = 10

_SPACED: Final = "|".join(map(re.escape, sorted(WROTE, key=len, reverse=True)))
_WROTE: Final = re.compile(rf"(?<!\w)(?:{_SPACED})(?!\w)|{'|'.join(WROTE_ANYWHERE)}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Evidence:
    colon: bool
    address: bool
    date: bool
    time: bool
    wrote: bool

    @property
    def strong(self) -> bool:
        """Enough to take what follows from the sender, marks or none."""
        dated = self.date or self.time
        return self.colon and ((self.address and (dated or self.wrote)) or (self.wrote and self.date))

    @property
    def weak(self) -> bool:
        """Enough right above a marked line."""
        if self.colon:
            return self.wrote or self.address or self.date
        return self.wrote and (self.address or self.date)


def attributions(rows: Sequence[Row]) -> Iterator[Boundary]:
    """Attributions among the rows; the first row of a group may be marked, when a client broke the line afterwards."""
    for index, row in enumerate(rows):
        if row.free and (found := _ending_at(rows, index)):
            yield found


def _ending_at(rows: Sequence[Row], last: int) -> Boundary | None:
    """The attribution whose last row is `last`."""
    before_marks = _is_before_marks(rows, last)
    if not rows[last].bare.endswith(":") and not before_marks:
        return None
    weak_start: int | None = None
    for start in _starts(rows, last):
        evidence = _evidence(" ".join(row.bare for row in rows[start : last + 1]))
        if evidence.strong:
            return _boundary(rows, start, last)
        if weak_start is None and evidence.weak:
            weak_start = start
    if weak_start is None or not before_marks:
        return None
    return _boundary(rows, weak_start, last, needs_marks=True)


def _boundary(rows: Sequence[Row], start: int, last: int, needs_marks: bool = False) -> Boundary:
    # The date may stand on a row above the smallest group that is evidence enough.
    above = [first for first in _starts(rows, last) if first < start and DATE.search(rows[first].bare)]
    first = above[0] if above and start - above[0] <= 2 else start
    return Boundary(first, last + 1, Reason.ATTRIBUTION, reach=_REACH, needs_marks=needs_marks)


def _starts(rows: Sequence[Row], last: int) -> Iterator[int]:
    """Possible first rows, nearest first: the rows between must look as a broken line does."""
    length = 0
    for start in range(last, max(-1, last - _MAX_ROWS), -1):
        row = rows[start]
        length += len(row.bare)
        if row.blank or length > _MAX_LENGTH or (start < last and not _is_wrapped(row)):
            return
        yield start
        if row.marked:
            return


def _is_wrapped(row: Row) -> bool:
    return len(row.bare) >= _FULL_ROW or any(sign.search(row.bare) for sign in (ADDRESS, DATE, TIME))


def _is_before_marks(rows: Sequence[Row], last: int) -> bool:
    following = next_filled(rows, last + 1)
    return following < len(rows) and following <= last + 3 and rows[following].marked


def _evidence(text: str) -> _Evidence:
    return _Evidence(
        colon=text.endswith(":"),
        address=ADDRESS.search(text) is not None,
        date=DATE.search(text) is not None,
        time=TIME.search(text) is not None,
        wrote=_WROTE.search(text) is not None,
    )
