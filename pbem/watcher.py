"""Somebody who watches a table: he is told what everybody may know, and has no say."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.persons import Person


@dataclass(frozen=True, slots=True)
class Watcher:
    """A watcher, and what his mails have told him."""

    person: Person
    told: int = 0
    """The entry up to which he has been told the news."""
    round: int = 0
    """The round of which he was last told; -1: the end."""
    mailed_at: datetime | None = None
    """When he was last told news."""
