"""Rows: the lines of a letter prepared for the cutter, and quote marks in front of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pbem.letters.body import MAX_LINE, Line, Reason
from pbem.letters.normalise import normalised

# `>` and `|` of all clients, bars that some webmail draws, and initials before the mark (`AB> text`).
_MARKS: Final = re.compile(r"(?:[A-Za-z]{1,4}(?=>))?(?:[>|\u2502\u2503\u2758] ?)+")
_WORDS: Final = re.compile(r"\w+")
# Outlook writes the target of a link behind its text when it makes plain text of HTML.
_LINK: Final = re.compile(r"<(?:https?|mailto):[^<>]*>")
WRAP: Final = range(50, 81)
"""Widths at which clients have been seen to break lines that are too long for them."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a letter: `bare` is its normalised text without quote marks."""

    bare: str
    marked: bool
    """Whether a quote mark, or the markup, says that the line is quoted."""
    told: Reason | None
    width: int
    """Characters before normalisation, marks included."""

    @property
    def words(self) -> list[str]:
        """Its words in the form in which lines are compared: no case, no punctuation, no targets of links."""
        return _WORDS.findall(_LINK.sub(" ", self.bare.casefold()))

    @property
    def blank(self) -> bool:
        """Nothing on it but perhaps quote marks."""
        return not self.bare

    @property
    def free(self) -> bool:
        """Something is on it, and neither a mark nor the markup takes it from the sender."""
        return bool(self.bare) and not self.marked and self.told is None


def row(line: Line) -> Row:
    """The row of a line. Only its first `MAX_LINE` characters are looked at."""
    text = normalised(line.text[:MAX_LINE])
    marks = _MARKS.match(text)
    bare = text[marks.end() :].strip() if marks else text
    return Row(bare, marks is not None or line.told is Reason.QUOTE, line.told, len(line.text))


def next_filled(rows: Sequence[Row], start: int) -> int:
    """The index of the first row from `start` on that is not blank; `len(rows)` when there is none."""
    return next((index for index in range(start, len(rows)) if not rows[index].blank), len(rows))


def may_go_on(first: Row, second: Row) -> bool:
    """Whether a client that breaks long lines may have made these two rows of one: the next word found no room."""
    if first.width not in WRAP or not second.bare:
        return False
    return first.bare.endswith(",") or first.width + 1 + len(second.bare.split(" ", 1)[0]) > 66


def torn_quotes(rows: Sequence[Row]) -> frozenset[int]:
    """Rows without a mark between marked ones that are the torn-off ends of these.

    Only their width tells; where the text that is answered is known, `Sent` tells better.
    """
    return frozenset(
        index
        for index in range(1, len(rows) - 1)
        if rows[index].free
        and rows[index - 1].marked
        and rows[index + 1].marked
        and not rows[index - 1].blank
        and may_go_on(rows[index - 1], rows[index])
    )
