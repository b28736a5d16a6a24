"""Which lines of a letter are the sender's own. Time is linear in the text (times the words that repeat in it).

Every line starts as the sender's; layers then take lines from him, each naming its reason, and no layer gives one back:
what the markup tells, quote marks, boundaries (separator, headers, attribution, the host's mark), what is quoted below
them without marks, repetitions of the mail that is answered, signature, footers. In doubt a line is not read but
reported, for an order lost is asked for again while one that was never given cannot be taken back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final

from pbem.letters.attribution import attributions
from pbem.letters.body import MAX_LINE, Body, Ignored, OwnText, Reason
from pbem.letters.boundary import Boundary
from pbem.letters.footers import is_footer
from pbem.letters.header_block import header_blocks, headers_above
from pbem.letters.identity import without_tokens
from pbem.letters.quotes import Row, may_go_on, next_filled, row, torn_quotes
from pbem.letters.sent import RUN, Sent, any_takes_line, forms, seen_marks, unknown_lines
from pbem.letters.separators import is_rule, separators, separators_above
from pbem.letters.signature import signature_start

MARK: Final = re.compile(r"\bpbem-[a-z0-9]{8}\b", re.IGNORECASE)
"""What the host writes into every mail, to know it again when it comes back quoted."""
_SHOWN: Final = 100
"""Characters of an ignored line that are kept."""

Reasons = dict[int, Reason]
"""Which rows have been taken from the sender, and why."""


def own_text(body: Body, sent: str | None = None) -> OwnText:
    """The sender's own lines of a body, and the others with their reasons.

    `sent` is the text of the host's mail that is answered (`shown_text` of it), when that is known: then answers
    between its lines can be told from it also where the client sets no quote marks. To read that text takes longer
    than all else, so ask for it only where what is found without it is not `certain`.
    """
    rows = [row(line) for line in body.lines]
    reasons = _told(rows)
    boundaries = _boundaries(rows)
    zone = _zone_start(rows, boundaries)
    for boundary in boundaries:
        _take(reasons, range(boundary.start, boundary.end), boundary.reason)
    certain = _is_certain(rows, reasons)
    _take_unmarked(rows, reasons, zone, forms(sent))
    _take_small_print(rows, reasons)
    return _sorted_out(rows, reasons, certain)


def _is_certain(rows: Sequence[Row], reasons: Reasons) -> bool:
    """Whether a few lines, too few for a run, stand above all that is quoted: the sent mail takes none of them."""
    free = _free(rows, reasons)
    return len(free) < RUN and (not free or free[-1] < min(reasons, default=len(rows)))


def _told(rows: Sequence[Row]) -> Reasons:
    """What marks and markup say."""
    return {
        index: row.told or (Reason.MARK if MARK.search(row.bare) else Reason.QUOTE)
        for index, row in enumerate(rows)
        if row.told or row.marked
    }


def _take(reasons: Reasons, indices: Iterable[int], reason: Reason) -> None:
    for index in indices:
        reasons.setdefault(index, reason)


def _boundaries(rows: Sequence[Row]) -> list[Boundary]:
    found = [*separators(rows), *header_blocks(rows), *attributions(rows), *_marks(rows)]
    return [*found, *separators_above(rows, found), *headers_above(rows, found)]


def _marks(rows: Sequence[Row]) -> list[Boundary]:
    """The host's mark without a quote mark: quotation stands below, unless it is itself torn off a quoted line."""
    return [
        Boundary(index, index + 1, Reason.MARK, needs_marks=index > 0 and rows[index - 1].marked)
        for index, row in enumerate(rows)
        if row.free and MARK.search(row.bare)
    ]


def _zone_start(rows: Sequence[Row], boundaries: Sequence[Boundary]) -> int:
    """The first row that is quoted although nothing marks it so; `len(rows)` when the quotation is marked."""
    opening = (
        boundary.end for boundary in boundaries if not boundary.needs_marks and not _marks_follow(rows, boundary)
    )
    return min(opening, default=len(rows))


def _marks_follow(rows: Sequence[Row], boundary: Boundary) -> bool:
    """Whether marked rows follow upon a boundary, so that those without a mark are answers.

    Markup has to quote at once: behind other rows it may as well be a frame in the mail that is quoted.
    """
    first = index = next_filled(rows, boundary.end)
    for _ in range(boundary.reach):
        if index >= len(rows) or rows[index].marked:
            break
        index = next_filled(rows, index + 1)
    return index < len(rows) and rows[index].marked and (index == first or rows[index].told is None)


def _free(rows: Sequence[Row], reasons: Reasons, start: int = 0, end: int | None = None) -> list[int]:
    """Rows that say something and that nothing has taken yet."""
    return [i for i in range(start, len(rows) if end is None else end) if i not in reasons and not rows[i].blank]


def _take_unmarked(rows: Sequence[Row], reasons: Reasons, zone: int, sent: Sequence[Sent]) -> None:
    """Lines without a mark that are quoted all the same."""
    seen = [seen_marks(rows, form) for form in sent]
    known = {index for marks in seen for index in marks.known}
    _take(reasons, (index for marks in seen for index in marks.torn), Reason.QUOTE)
    _take(reasons, (index for index in torn_quotes(rows) if index - 1 not in known), Reason.QUOTE)
    if sent:
        _take_repeated(rows, reasons, zone, sent)
    _take(reasons, _zone_quotes(rows, _free(rows, reasons, zone), sent), Reason.QUOTE)


def _take_repeated(rows: Sequence[Row], reasons: Reasons, zone: int, sent: Sequence[Sent]) -> None:
    """Lines of the sent mail in runs, wherever they stand, and single ones behind a boundary."""
    free = _free(rows, reasons, 0, zone)
    for form in sent:
        runs = form.in_runs([tuple(rows[index].words) for index in free])
        _take(reasons, (free[number] for number in runs), Reason.REPEATED)
    behind = min(reasons, default=len(rows))
    single = [index for index in _free(rows, reasons, behind, zone) if any_takes_line(sent, rows[index].words)]
    _take(reasons, single, Reason.REPEATED)


def _zone_quotes(rows: Sequence[Row], zone: Sequence[int], sent: Sequence[Sent]) -> list[int]:
    """Of the rows below an unmarked boundary, all but the answers that can be told from the sent mail."""
    answers = unknown_lines(((index, rows[index].words) for index in zone), sent)
    return [index for index in zone if index not in answers]


def _take_small_print(rows: Sequence[Row], reasons: Reasons) -> None:
    """Signature, footers, rows of dashes, and lines too long to look at."""
    free = _free(rows, reasons)
    start = signature_start(rows, free)
    _take(reasons, (index for index in free if index >= start), Reason.SIGNATURE)
    for reason, applies in _SMALL_PRINT:
        _take(reasons, [index for index in _free(rows, reasons) if applies(rows[index])], reason)


_SMALL_PRINT: Final[tuple[tuple[Reason, Callable[[Row], bool]], ...]] = (
    (Reason.LONG_LINE, lambda row: row.width > MAX_LINE),
    (Reason.FOOTER, lambda row: is_footer(row.bare)),
    (Reason.SEPARATOR, lambda row: is_rule(row.bare)),
)


def _sorted_out(rows: Sequence[Row], reasons: Reasons, certain: bool) -> OwnText:
    own = _free(rows, reasons)
    ignored = [Ignored(_shown(rows[i].bare), reasons[i]) for i in sorted(reasons) if not rows[i].blank]
    adjoining = {number: (i, j) for number, (i, j) in enumerate(pairwise(own)) if j == i + 1}
    open_ends = [number for number, (i, j) in adjoining.items() if may_go_on(rows[i], rows[j])]
    lines = tuple(rows[i].bare for i in own)
    return OwnText(lines, tuple(ignored), frozenset(open_ends), frozenset(adjoining), certain)


def _shown(text: str) -> str:
    plain = without_tokens(text)
    return plain if len(plain) <= _SHOWN else plain[: _SHOWN - 3] + "..."
