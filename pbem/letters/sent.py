"""The mail that is answered, as evidence of what is quotation: each of its words can be quoted once."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from pbem.letters.body import Line
from pbem.letters.quotes import Row, row

FORM_FEED: Final = "\f"
"""Parts the forms of one mail (text and HTML) in a `sent` text; a reply quotes one of them."""
RUN: Final = 3
"""So many lines in the order of the sent mail are a quotation wherever they stand; one or two are copied on purpose."""
_MOST_PLACES: Final = 8
"""Of equal lines in the mail so many are told apart."""
_KNOWN_SHARE: Final = 4
"""Known lines that must stand beside each unknown one, for the unknown one to be an answer between them."""


class Sent:
    """One form of the mail that is answered, and which of its words have been found in the reply so far."""

    def __init__(self, text: str) -> None:
        lines = [row(Line(line)).words for line in text.split("\n")]
        self._lines = [tuple(words) for words in lines if words]
        self._words = [word for words in self._lines for word in words]
        self._line_starts = tuple(accumulate((len(line) for line in self._lines), initial=0))
        self._starts = frozenset(self._line_starts)
        self._used = bytearray(len(self._words))
        self._at: dict[str, list[int]] = defaultdict(list)
        for position, word in enumerate(self._words):
            self._at[word].append(position)
        self._line_at: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for number, line in enumerate(self._lines):
            self._line_at[line].append(number)
        self._pointer = 0  # just behind the words that were taken last

    def take(self, words: Sequence[str]) -> bool:
        """Use up these words where they stand together and unused; one word alone only where the last ones ended.

        A single word that is a whole line of the mail may be taken anywhere, too.
        """
        return self._use(self._find(words), len(words))

    def take_rest(self, words: Sequence[str]) -> bool:
        """Use up these words only if they go on, within a line of the mail, where the last ones ended."""
        within = self._pointer not in self._starts
        return bool(words) and within and self._is_free(self._pointer, words) and self.take(words)

    def take_line(self, words: Sequence[str]) -> bool:
        """Use up these words only if they are a whole line of the mail that is unused."""
        starts = [self._line_starts[number] for number in self._line_at.get(tuple(words), ())]
        free = [start for start in starts if self._is_free(start, words)]
        return self._use(next((start for start in free if start >= self._pointer), next(iter(free), None)), len(words))

    def take_lines(self, lines: Iterable[tuple[int, Sequence[str]]]) -> dict[int, int]:
        """Use up all of `lines`, which come with their row numbers, that are whole lines; where each of them ends.

        As many as stand in the order of the mail come first: an answer such as PASS must not be taken for a line of
        the mail that is quoted further below.
        """
        rows = list(lines)
        places = in_order([self._line_at.get(tuple(words), ())[:_MOST_PLACES] for _, words in rows])
        ends: dict[int, int] = {}
        for index, place in places.items():
            number, words = rows[index]
            if self._use(self._line_starts[place], len(words)):
                ends[number] = self._pointer
        for index, (number, words) in enumerate(rows):
            if index not in places and self.take_line(words):
                ends[number] = self._pointer
        self._pointer = 0
        return ends

    def go_to(self, position: int) -> None:
        """Go on behind words that were taken before."""
        self._pointer = position

    def in_runs(self, lines: Sequence[tuple[str, ...]]) -> frozenset[int]:
        """Indices of `lines` that belong to `RUN` or more lines in the order of the mail."""
        found: set[int] = set()
        lengths: dict[int, int] = {}
        for index, line in enumerate(lines):
            lengths = {number: lengths.get(number - 1, 0) + 1 for number in self._line_at.get(line, ())}
            longest = max(lengths.values(), default=0)
            if longest >= RUN:
                found.update(range(index - longest + 1, index + 1))
        return frozenset(found)

    def _use(self, start: int | None, count: int) -> bool:
        if start is None:
            return False
        self._used[start : start + count] = b"\1" * count
        self._pointer = start + count
        return True

    def _find(self, words: Sequence[str]) -> int | None:
        if not words:
            return None
        if self._is_free(self._pointer, words):
            return self._pointer
        if len(words) == 1 and tuple(words) not in self._line_at:
            return None
        return next((start for start in self._at.get(words[0], ()) if self._is_free(start, words)), None)

    def _is_free(self, start: int, words: Sequence[str]) -> bool:
        end = start + len(words)
        return self._words[start:end] == list(words) and not any(self._used[start:end])


def in_order(candidates: Sequence[Sequence[int]]) -> dict[int, int]:
    """The longest way to give rows one of their `candidates` each, ascending with the rows: from row to candidate.

    Hunt and Szymanski's way to the longest common subsequence: the time is that of sorting all candidates.
    """
    lowest: list[int] = []  # the lowest candidate that a way of each length ends with
    last: list[_Step] = []
    for row_number, places in enumerate(candidates):
        for place in sorted(places, reverse=True):
            length = bisect_left(lowest, place)
            step = _Step(row_number, place, last[length - 1] if length else None)
            lowest[length : length + 1] = [place]
            last[length : length + 1] = [step]
    found: dict[int, int] = {}
    end = last[-1] if last else None
    while end is not None:
        found[end.row] = end.place
        end = end.before
    return dict(sorted(found.items()))


@dataclass(frozen=True, slots=True)
class _Step:
    """One row on a way, the place it got, and the way before it."""

    row: int
    place: int
    before: _Step | None


def forms(sent: str | None) -> tuple[Sent, ...]:
    """The forms of a sent mail; none when it is not known."""
    return tuple(Sent(text) for text in (sent or "").split(FORM_FEED) if text.strip())


@dataclass(frozen=True, slots=True)
class SeenMarks:
    """What marked rows say about a form of the sent mail."""

    known: frozenset[int]
    """Marked rows that are in it."""
    torn: frozenset[int]
    """Rows without a mark that end, right below it, what a marked row begins."""


def seen_marks(rows: Sequence[Row], sent: Sent) -> SeenMarks:
    """Uses up all words of the sent mail that are marked in the reply: what repeats them without a mark was typed."""
    known: set[int] = set()
    torn: set[int] = set()
    for index, marked in enumerate(rows):
        if marked.marked and sent.take(marked.words):
            known.add(index)
            torn.update(_torn_below(rows, index, sent))
    return SeenMarks(frozenset(known), frozenset(torn))


def _torn_below(rows: Sequence[Row], index: int, sent: Sent) -> Iterator[int]:
    for below in range(index + 1, len(rows)):
        if not rows[below].free or not sent.take_rest(rows[below].words):
            return
        yield below


def any_takes_line(sent: Sequence[Sent], words: Sequence[str]) -> bool:
    """Use up these words as a whole line in every form that has it; whether one has."""
    taken = [form.take_line(words) for form in sent]
    return any(taken)


def unknown_lines(lines: Iterable[tuple[int, Sequence[str]]], sent: Sequence[Sent]) -> frozenset[int]:
    """Which lines of an unmarked quotation are none of the sent mail's, but stand between or below its own.

    Lines come with their row numbers. Above the first known line may stand another mail of the thread. When too few
    lines are known, another mail is quoted altogether, and none is told apart.
    """
    filled = [(number, words) for number, words in lines if words]
    # Whole lines first: an answer such as PASS must not use up the beginning of one that stands below it.
    whole = [form.take_lines(filled) for form in sent]
    known = 0
    unknown: set[int] = set()
    for number, words in filled:
        # Every form is asked, for each has to follow the reply.
        goes_on = [_goes_on(form, ends.get(number), words) for form, ends in zip(sent, whole, strict=True)]
        if any(goes_on):
            known += 1
        elif known:
            unknown.add(number)
    recognised = known >= RUN and known >= _KNOWN_SHARE * len(unknown)
    return frozenset(unknown) if recognised else frozenset()


def _goes_on(form: Sent, end: int | None, words: Sequence[str]) -> bool:
    """Whether a line is one of the mail's: a whole one, taken before, or words of one."""
    if end is None:
        return form.take(words)
    form.go_to(end)
    return True
