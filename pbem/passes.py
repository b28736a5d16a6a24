"""What a pass of the host says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pbem.errors import Trouble


class Idle(StrEnum):
    """Why a pass does nothing."""

    TAKEN = "another process is making a pass over the same database"
    DOUBT = "the clock stands far from the last pass; the next pass believes it if it still does"


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass did."""

    read: int = 0
    handled: int = 0
    sent: int = 0
    trouble: Trouble | None = None
    """What kept it from reading or sending; the rest was done."""
    failures: int = 0
    """Faults of the host's own, each in the log; what they did not touch was done."""
    idle: Idle | None = None
    """Why it did nothing at all."""
