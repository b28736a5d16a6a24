"""Blocks of words in a mail: each is made one line, before anybody asks what the lines of the mail mean.

    SAY Good morning!            one line
    TELL Anna, Bob: careful      likewise
    SAY                          a block, up to END alone on a line, or to the end of the mail
    Any words, also PASS.
    END

What stands in a block so changes nothing about the other lines, and END is a word of its own only outside of one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.commands.grammar import Say, Tell, parse
from pbem.commands.opening import opening, pattern_of_openings
from pbem.lines import bare, goes_on_below
from pbem.names import folded
from pbem.wording import all_spellings, expression, level

_SAY, _TELL = pattern_of_openings("say"), pattern_of_openings("tell")
_OPENS: Final = re.compile(expression(rf"(?:{_SAY}\s*:?|{_TELL}\s+[^:]{{1,200}}:)\s*"))


@dataclass(frozen=True, slots=True)
class Gathered:
    """Own lines of a mail, each block of words in one of them; its lines are parted by line ends."""

    lines: tuple[str, ...]
    open_ends: frozenset[int]
    """Indices of lines that the sender's program may have broken."""
    adjoining: frozenset[int]
    """Indices of lines that the next one follows without a blank line. Nothing adjoins words."""


@dataclass(frozen=True, slots=True)
class _Own:
    """The lines as they came."""

    lines: Sequence[str]
    open_ends: Collection[int]
    adjoining: Collection[int]

    def goes_on(self, at: int) -> bool:
        """Whether the line after `at` ends its sentence."""
        below = at + 1 < len(self.lines) and at in self.adjoining
        return below and goes_on_below(self.lines[at], self.lines[at + 1], at in self.open_ends)

    def speech(self, at: int) -> tuple[int, str]:
        """The last of the lines that words which begin at `at` take, and these words; nothing if none begin there."""
        head = bare(self.lines[at])
        if at and self.goes_on(at - 1):
            return at, ""
        if _opens(head):
            return self._block(at, head)
        return self._sentence(at) if _speaks(head) else (at, "")

    def _block(self, at: int, head: str) -> tuple[int, str]:
        last = len(self.lines) - 1
        ends = (row for row in range(at + 1, last + 1) if is_end(self.lines[row]))
        end = next(ends, last)
        body = [head]
        for row in range(at + 1, end + 1):
            gap = row - 1 > at and row - 1 not in self.adjoining and not is_end(self.lines[row])
            body += ["", self.lines[row]] if gap else [self.lines[row]]
        return end, "\n".join(body if end > at and not (end == at + 1 and is_end(self.lines[end])) else [head])

    def _sentence(self, at: int) -> tuple[int, str]:
        """A line, and what the sender's program broke off from its end."""
        end = at
        while self.goes_on(end):
            end += 1
        return end, " ".join(self.lines[at : end + 1])


def gathered(lines: Sequence[str], open_ends: Collection[int] = (), adjoining: Collection[int] = ()) -> Gathered:
    """The own `lines` of a mail with each block of words made one line."""
    own = _Own(lines, open_ends, adjoining)
    found: list[str] = []
    broken: set[int] = set()
    joined: set[int] = set()
    at = 0
    while at < len(lines):
        end, words = own.speech(at)
        if not words:
            broken |= {len(found)} if at in open_ends else set()
            joined |= {len(found)} if at in adjoining else set()
        found.append(words or lines[at])
        at = end + 1
    return Gathered(tuple(found), frozenset(broken), frozenset(joined))


def _opens(head: str) -> bool:
    """Whether a line opens a block; one that a sentence may begin with has to stand in capitals or before a colon."""
    begun = opening(head)
    return begun is not None and _OPENS.fullmatch(level(head)) is not None and (begun.loud or ":" in level(head))


def _speaks(head: str) -> bool:
    parsed = parse(head)
    return isinstance(parsed, tuple) and isinstance(parsed[0], Say | Tell)


def is_end(line: str) -> bool:
    """Whether a line says END and nothing else."""
    return folded(bare(line)).rstrip(".!") in all_spellings("end_of_words")


def unfolded(text: str) -> tuple[tuple[str, ...], bool]:
    """The lines of words that `gathered` has made one line, and whether their END was missing."""
    lines = text.split("\n")
    if len(lines) == 1:
        return (text,), False
    closed = is_end(lines[-1])
    return tuple(lines[:-1] if closed else lines), not closed
