"""What a host counts while it works: numbers for its keeper, and nothing in them that is anybody's."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import accumulate
from typing import Final

from pbem.loops import Worth, worth
from pbem.mailbox import Outcome
from pbem.parties import Decided
from pbem.passes import Pass
from pbem.verdicts import Reason


class PassEnd(StrEnum):
    """How a pass ended."""

    WELL = "well"
    TROUBLE = "trouble"
    """A mail server or the database kept it from something; the rest was done."""
    FAULT = "fault"
    """Something of the host's own failed."""
    IDLE = "idle"
    """Nothing was done: another process was at it, or the clock was in doubt."""


class MailIn(StrEnum):
    """What became of a mail that came in."""

    MOVED = "moved"
    """A game went on by it."""
    HANDLED = "handled"
    """A question was answered, a setting changed, a plan kept."""
    REFUSED = "refused"
    """Answered, and nothing of it was done."""
    FORGED = "forged"
    """Its sender was not who it said."""
    UNANSWERED = "unanswered"
    """A robot's, one of ours that came back, or of somebody who is not heard."""
    FAILED = "failed"
    """The host failed on it, and will try again."""
    PARKED = "parked"
    """It failed too often and was put aside."""


class Way(StrEnum):
    """A mail server that there was trouble with."""

    IN = "in"
    OUT = "out"


class Shut(StrEnum):
    """A mail server that does not let the host in: it refuses the login, or there is no token to log in with."""

    IN = "in"
    OUT = "out"


Label = PassEnd | MailIn | Outcome | Way | Shut
KINDS: Final[tuple[type[Label], ...]] = (PassEnd, MailIn, Outcome, Way, Shut)
_SUSPECT: Final = frozenset({Reason.FORGED, Reason.UNSIGNED, Reason.OTHER_ADDRESS})
"""Reasons against a mail as a whole that say that somebody else may have written it."""
_BY_WORTH: Final[Mapping[Worth, MailIn]] = {
    Worth.MOVE: MailIn.MOVED,
    Worth.TALK: MailIn.HANDLED,
    Worth.SILENCE: MailIn.HANDLED,
    Worth.NOTHING: MailIn.REFUSED,
}


def became(decided: Decided) -> MailIn:
    """What became of a mail with these consequences."""
    value = worth(decided)
    if value is Worth.NOTHING and decided.silenced:
        return MailIn.HANDLED
    if decided.verdict is not None and decided.verdict.reason in _SUSPECT:
        return MailIn.FORGED
    return _BY_WORTH[value] if decided.verdict is not None else MailIn.UNANSWERED


def ended(done: Pass) -> PassEnd:
    """How a pass ended."""
    if done.idle:
        return PassEnd.IDLE
    if done.failures:
        return PassEnd.FAULT
    return PassEnd.TROUBLE if done.trouble else PassEnd.WELL


BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, math.inf)
"""Seconds: the upper ends of the classes that handling times are counted in."""


@dataclass(slots=True)
class Times:
    """How long something took, by class: a histogram."""

    classes: list[int] = field(default_factory=lambda: [0] * len(BOUNDS))
    total: float = 0.0
    """Seconds of all together."""

    def add(self, seconds: float) -> None:
        self.classes[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def up_to(self) -> Iterator[tuple[float, int]]:
        """Each bound, with how many took no longer."""
        return zip(BOUNDS, accumulate(self.classes), strict=True)


@dataclass(slots=True)
class Counts:
    """Counted by one thread, and read by any: every label is there from the beginning, at nought."""

    of: dict[type[Label], dict[str, int]] = field(
        default_factory=lambda: {kind: {each.value: 0 for each in kind} for kind in KINDS}
    )
    """By kind and label: passes by their end, mails in by what became of them, mails out by what was said to them,
    and troubles with a mail server, those with a login also by themselves, by the way that it stands on."""
    faults: int = 0
    """Failures of the host's own, each in the log."""
    last: dict[PassEnd, float] = field(default_factory=dict)
    """When a pass last ended so, in seconds since 1970."""
    handling: Times = field(default_factory=Times)

    def add(self, label: Label, by: int = 1) -> None:
        self.of[type(label)][label.value] += by

    def passed(self, done: Pass, now: datetime) -> None:
        """Count a pass that was made at `now`."""
        end = ended(done)
        self.faults += done.failures
        self.add(end)
        self.last = {**self.last, end: now.timestamp()}
