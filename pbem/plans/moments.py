"""When a kept line is due, as the key that it is kept under.

3/night/2/1    one decision: round, phase, seat, ordinal (`Decision.key`)
7:act/2        the second decision of the kind act in round 7
*:act/2        the same in every round
*:act          every decision of the kind
always:lodge   never by itself: a standing choice, by its topic
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from typing import Final

from engine.game import Decision

EVERY: Final = "*"
_LATER: Final = re.compile(r"(?P<round>\d+|\*):(?P<kind>[\w-]+)(?:/(?P<ordinal>\d+))?")
_ALWAYS: Final = "always:"


class Fit(IntEnum):
    """How closely a key names a decision; the closest one counts."""

    NONE = 0
    KIND = 1
    EVERY = 2
    ROUND = 3
    DECISION = 4


def later(round: str, kind: str, ordinal: int = 0) -> str:
    """The key for a decision of `kind` in `round` (a number, or `EVERY`); without an ordinal for all of that kind."""
    return f"{round}:{kind}/{ordinal}" if ordinal else f"{round}:{kind}"


def always(topic: str) -> str:
    """The key of a standing choice about `topic`."""
    return _ALWAYS + topic


def is_always(key: str) -> bool:
    return key.startswith(_ALWAYS)


def is_exact(key: str) -> bool:
    """Whether `key` is that of one decision."""
    return not is_always(key) and _LATER.fullmatch(key) is None


def round_of(key: str) -> str:
    """The round in the heading of a key for later, or nothing."""
    found = _LATER.fullmatch(key)
    return found["round"] if found else ""


def fit(key: str, decision: Decision) -> Fit:
    """How closely `key` names `decision`."""
    if key == decision.key:
        return Fit.DECISION
    found = _LATER.fullmatch(key)
    if found is None or found["kind"] != decision.kind or found["ordinal"] not in (None, str(decision.ordinal)):
        return Fit.NONE
    if found["round"] == EVERY:
        return Fit.EVERY if found["ordinal"] else Fit.KIND
    return Fit.ROUND if found["round"] == str(decision.round) else Fit.NONE


def is_to_come(key: str, ahead: Iterable[Decision], round: int) -> bool:
    """Whether a line under `key` can still be of use in `round`, whose decisions to come are `ahead`."""
    if is_always(key) or round_of(key) == EVERY:
        return True
    named = round_of(key)
    if named and int(named) > round:
        return True
    return any(fit(key, decision) for decision in ahead)
