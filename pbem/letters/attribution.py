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
from pbem.letters.boundary import ADDRESS, DATE, TIME, WROTE, Boundary
from pbem.letters.quotes import Row, next_filled

_MAX_ROWS: Final = 5
_MAX_LENGTH: Final = 400
_FULL_ROW: Final = 40
"""A row that a client has broken is at least so wide; an order right above an attribution seldom is."""
_REACH: Final = 10


@dataclass(frozen=True, slots=True)
class _Group:
    """Rows that may be an attribution, as one text. What they hold is looked for only when it matters."""

    text: str

    @property
    def strong(self) -> bool:
        """Evidence enough to take what follows from the sender, marks or none."""
        return self._colon and (
            (self._has(ADDRESS) and (self._has(DATE) or self._has(WROTE))) or (self._has(DATE) and self._has(WROTE))
        )

    @property
    def weak(self) -> bool:
        """Evidence enough right above a marked line."""
        if self._colon:
            return self._has(ADDRESS) or self._has(DATE) or self._has(WROTE)
        if self._has(WROTE):
            return self._has(ADDRESS) or self._has(DATE)
        # Nextcloud sets who and when, and no word for writing.
        return self._has(ADDRESS) and self._has(DATE) and self._has(TIME)

    @property
    def _colon(self) -> bool:
        return self.text.endswith(":")

    def _has(self, sign: re.Pattern[str]) -> bool:
        return sign.search(self.text) is not None


def attributions(rows: Sequence[Row]) -> Iterator[Boundary]:
    """Attributions among the rows; the first row of a group may be marked, when a client broke the line afterwards."""
    for index, row in enumerate(rows):
        if row.told is Reason.ATTRIBUTION:
            yield Boundary(index, index + 1, Reason.ATTRIBUTION, reach=_REACH)
        elif row.free and (found := _ending_at(rows, index)):
            yield found


def _ending_at(rows: Sequence[Row], last: int) -> Boundary | None:
    """The attribution whose last row is `last`: the smallest group that is evidence enough."""
    before_marks = _is_before_marks(rows, last)
    if not rows[last].bare.endswith(":") and not before_marks:
        return None
    first_rows = _starts(rows, last) if _is_tail(rows[last]) else (last,)
    groups = {start: _Group(" ".join(row.bare for row in rows[start : last + 1])) for start in first_rows}
    strong = next((start for start, group in groups.items() if group.strong), None)
    if strong is not None:
        return _boundary(rows, strong, last)
    weak = next((start for start, group in groups.items() if group.weak), None) if before_marks else None
    return None if weak is None else _boundary(rows, weak, last, needs_marks=True)


def _is_tail(row: Row) -> bool:
    """Whether a row may end a wrapped attribution: it has some of what makes one, or is the one word left over."""
    signs = (ADDRESS, DATE, TIME, WROTE)
    return row.bare.endswith(":") and (len(row.words) <= 1 or any(sign.search(row.bare) for sign in signs))


def _boundary(rows: Sequence[Row], start: int, last: int, needs_marks: bool = False) -> Boundary:
    first = start if _has_date(rows[start : last + 1]) else _date_above(rows, start, last)
    if first > 0 and _is_open(rows[first - 1]):
        first -= 1
    return Boundary(first, last + 1, Reason.ATTRIBUTION, reach=_REACH, needs_marks=needs_marks)


def _has_date(rows: Sequence[Row]) -> bool:
    return any(DATE.search(row.bare) for row in rows)


def _date_above(rows: Sequence[Row], start: int, last: int) -> int:
    """The row with the date, at most two above a group that is evidence enough without; else `start`.

    It is full, or has the time, too: some Japanese programs set when and who on rows of their own.
    """
    above = [first for first in _starts(rows, last) if start - 2 <= first < start and _has_date([rows[first]])]
    return next(
        (first for first in above if len(rows[first].bare) >= _FULL_ROW or TIME.search(rows[first].bare)), start
    )


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
    full = len(row.bare) >= _FULL_ROW or _is_open(row)
    return full or any(sign.search(row.bare) for sign in (ADDRESS, DATE, TIME))


def _is_open(row: Row) -> bool:
    """Whether an address begins behind this row: Gmail breaks lines there, however short it is."""
    return row.free and row.bare.endswith("<")


def _is_before_marks(rows: Sequence[Row], last: int) -> bool:
    following = next_filled(rows, last + 1)
    return following < len(rows) and following <= last + 3 and rows[following].marked
