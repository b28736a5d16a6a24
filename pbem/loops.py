"""Robots that no header gives away: they are known by how much they write of which nothing is for the host."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from pbem.parties import Decided
from pbem.verdicts import Said


class Worth(IntEnum):
    """What a mail was good for."""

    NOTHING = 0
    """Prose, or lines that could not be read or were refused."""
    TALK = 1
    """A question was answered, a setting changed, a plan kept."""
    MOVE = 2
    """A game went on, which no loop can bring about for ever."""
    SILENCE = 3
    """Somebody wants no more mail, and has yet to show that he may say so."""


@dataclass(frozen=True, slots=True)
class Written:
    """How many mails came from an address in an hour, by what they were worth."""

    nothing: int
    talk: int
    silence: int = 0


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many mails of an address are answered in an hour."""

    nothing: int = 10
    """Of those that hold nothing for the host."""
    talk: int = 60
    """Of those that move no game, these included."""
    silence: int = 3
    """Of those that ask for silence without proof: counted by themselves, so that no flood of others hides them."""

    def is_spent(self, worth: Worth, before: Written) -> bool:
        """Whether a mail that is worth so much is one too many, after those `before`."""
        return any(count >= limit for count, limit in self._counts(worth, before))

    def is_just_spent(self, worth: Worth, before: Written) -> bool:
        """Whether it is the first one too many: the time to tell somebody."""
        return any(count == limit for count, limit in self._counts(worth, before))

    def _counts(self, worth: Worth, before: Written) -> tuple[tuple[int, int], ...]:
        if worth is Worth.SILENCE:
            return ((before.silence, self.silence),)
        all_of_them = (before.nothing + before.talk, self.talk)
        return (all_of_them,) if worth is Worth.TALK else ((before.nothing, self.nothing), all_of_them)


USUAL: Final = Allowance()
ASKED_TO_STOP: Final = "stop_asked"
"""The template that asks who wants no more mail to show that it is he."""
_TALK: Final = frozenset({Said.DONE, Said.PLANNED, Said.ANSWERED})


def worth(decided: Decided) -> Worth:
    """What a mail with these consequences was good for."""
    if any(change.written for change in decided.tables):
        return Worth.MOVE
    verdicts = (decided.verdict, *(verdict for _, verdict in decided.further))
    lines = [line for verdict in verdicts if verdict for line in verdict.lines]
    if any(line.info == ASKED_TO_STOP for line in lines):
        return Worth.SILENCE
    return Worth.TALK if any(line.said in _TALK for line in lines) else Worth.NOTHING
