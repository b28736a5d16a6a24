"""Headers of the quoted mail, as Outlook and others set them in front of it instead of quote marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from pbem.letters.body import Reason
from pbem.letters.boundary import ADDRESS, DATE, TIME, Boundary
from pbem.letters.phrases import HEADER_LABELS
from pbem.letters.quotes import Row, next_filled

_MAX_ROWS: Final = 24
_FIELD: Final = {label: name for name, labels in HEADER_LABELS.items() for label in labels}


def header_blocks(rows: Sequence[Row]) -> Iterator[Boundary]:
    """Blocks of headers among the rows that nothing takes from the sender."""
    labels = [_label(row.bare) if row.free else "" for row in rows]
    index = 0
    while index < len(rows):
        end = _block_end(rows, labels, index)
        if end > index:
            yield Boundary(index, end, Reason.HEADER_BLOCK)
        index = max(end, index + 1)


def headers_above(rows: Sequence[Row], boundaries: Iterable[Boundary]) -> Iterator[Boundary]:
    """Two or more headers right above another boundary, though none says from whom: Yandex says that below them."""
    for boundary in boundaries:
        start = boundary.start
        while start > 0 and rows[start - 1].free and _label(rows[start - 1].bare) in _FIELD:
            start -= 1
        if boundary.start - start >= 2:
            yield Boundary(start, boundary.start, Reason.HEADER_BLOCK, needs_marks=True)


def _label(text: str) -> str:
    """What stands before the colon, if that may be the name of a header; else nothing."""
    label, colon, _ = text.partition(":")
    label = label.strip("*_ ").casefold()
    short = 0 < len(label) <= 30 and label.count(" ") <= 2 and not label[0].isdigit()
    return label if colon and short else ""


def _block_end(rows: Sequence[Row], labels: Sequence[str], start: int) -> int:
    """One past the last header of the block that begins at `start`; `start` when none does."""
    headers = _consecutive(rows, labels, start)
    if len(headers) < 2:
        return start
    values = " ".join(rows[index].bare for index in headers)
    dated = DATE.search(values) is not None or TIME.search(values) is not None
    addressed = ADDRESS.search(values) is not None
    if labels[start] in _FIELD:
        names = {_FIELD.get(labels[index], "other") for index in headers} - {"other"}
        two = len(names) == 2 and (addressed or "subject" in names)
        is_block = "from" in names and (two or (len(names) > 2 and (dated or addressed or "subject" in names)))
    else:
        # A language that is not in the table: three short labels, an address and a date are evidence enough.
        is_block = len(headers) >= 3 and dated and addressed
    return headers[-1] + 1 if is_block else start


def _consecutive(rows: Sequence[Row], labels: Sequence[str], start: int) -> list[int]:
    """Indices of header-like rows from `start` on. One blank row, or one row of a folded value, may lie between."""
    found: list[int] = []
    index = start
    while index < min(len(rows), start + _MAX_ROWS) and labels[index]:
        found.append(index)
        index += 1
        if index < len(rows) and rows[index].blank:
            index = next_filled(rows, index)
        elif index + 1 < len(rows) and labels[index] not in _FIELD and labels[index + 1] in _FIELD:
            index += 1
    return found
