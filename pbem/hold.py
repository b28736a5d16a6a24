"""What a seat may still take back, as a value: see `pbem.undo` for what is made of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pbem.schedule import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """The moves of one seat that nobody else has been told of, until when, and what stood before them."""

    seat: int
    to: int
    """The entry that taking them back leads to."""
    until: datetime
    """In UTC. What reaches the mail server by then counts."""
    before: Any = None
    """The game's state after the entry `to`: what everybody else sees meanwhile."""
    asked: str = ""
    """Of the seat's chair, as it was before: the decision that its mail had asked for, and its clock."""
    kind: str = ""
    clock: Clock | None = None
    bank: timedelta = timedelta()
