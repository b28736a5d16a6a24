"""Headers of the quoted mail, as Outlook and others set them in front of it instead of quote marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbem.letters.body import Reason
from pbem.letters.boundary import ADDRESS, DATE, TIME, Boundary
from pbem.letters.phrases import HEADER_LABELS
from pbem.letters.quotes import Row, next_filled

_MAX_ROWS: Final = 24
_FIELD: Final = {label: name for name, labels in HEADER_LABELS.items() for label in labels}


def header_blocks(rows: Sequence[Row]) -> Iterator[Boundary]:
    """Blocks of headers among the rows that nothing takes from the sender."""
    index = 0
    while index < len(rows):
        end = _block_end(rows, index) if rows[index].free else index
        if end > index:
            yield Boundary(index, end, Reason.HEADER_BLOCK)
        index = max(end, index + 1)


def _block_end(rows: Sequence[Row], start: int) -> int:
    """One past the last header of the block that begins at `start`; `start` when none does."""
    if ":" not in rows[start].bare:
        return start
    headers = _consecutive(rows, start)
    known = [_label(rows[index].bare) for index in headers]
    names = {_FIELD[label] for label in known if label in _FIELD}
    values = " ".join(rows[index].bare for index in headers)
    dated = DATE.search(values) or TIME.search(values)
    if "from" in names and len(names - {"other"}) >= 2 and (dated or ADDRESS.search(values) or "subject" in names):
        return headers[-1] + 1
    # A language that is not in the table: three short labels, an address and a date are evidence enough.
    if len(headers) >= 3 and all(_is_short(label) for label in known) and dated and ADDRESS.search(values):
        return headers[-1] + 1
    return start


def _consecutive(rows: Sequence[Row], start: int) -> list[int]:
    """Indices of header-like rows from `start` on. One blank row, or one row of a folded value, may lie between."""
    found: list[int] = []
    index = start
    while index < min(len(rows), start + _MAX_ROWS) and rows[index].free and _is_header(rows[index].bare):
        found.append(index)
        following = next_filled(rows, index + 1) if index + 1 < len(rows) and rows[index + 1].blank else index + 1
        folded = following == index + 1 and following + 1 < len(rows) and not _is_known(rows[following])
        index = following + 1 if folded and _is_known(rows[following + 1]) else following
    return found


def _label(text: str) -> str:
    return text.partition(":")[0].strip("*_ ").casefold()


def _is_short(label: str) -> bool:
    return 0 < len(label) <= 30 and label.count(" ") <= 2 and not label[0].isdigit()


def _is_header(text: str) -> bool:
    return ":" in text and _is_short(_label(text))


def _is_known(row: Row) -> bool:
    return row.free and ":" in row.bare and _label(row.bare) in _FIELD
