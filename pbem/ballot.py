"""What a player votes for, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Motion(StrEnum):
    """What can be voted for."""

    END = "end"
    """The game ends with the result that it has now."""
    ABORT = "abort"
    """It ends without one."""
    REPLACE = "replace"
    """A seat is open to anybody."""
    MODERATOR = "moderator"
    """The player of a seat moderates."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """One player's vote."""

    motion: Motion
    seat: int
    """Whom it is about; 0 for nobody."""
    round: int
    """It counts in this round alone."""
