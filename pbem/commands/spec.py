"""How a command is written: one compiled expression each, and what its sender must have proved."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Generic, TypeVar

C = TypeVar("C")
Groups = Mapping[str, str]
"""What an expression found, by name; nothing where a part is left out."""

TABLE: Final = r"(?P<table>[\w-]+-\d+)"
CODE: Final = r"(?:\s+(?P<code>[a-z2-7]{5}))?"
"""What confirms a line that costs much; it comes with the answer to the line without it."""


class Need(IntEnum):
    """What a sender must have proved for a command."""

    NOTHING = 0
    KNOWN = 1
    """His address is registered: he may ask."""
    TOKEN = 2
    """He answered one of his mails."""
    MODERATOR = 3
    """He answered the moderator's mail."""


@dataclass(frozen=True, slots=True)
class Misused:
    """A command's word in a line that does not fit; `usage` shows how it is written."""

    usage: str
    need: Need = Need.NOTHING


@dataclass(frozen=True, slots=True)
class Spec(Generic[C]):
    """How one command is written and what it needs."""

    usage: str
    pattern: re.Pattern[str]
    build: Callable[[Groups], C]
    need: Need
    words: tuple[str, ...]
    """The words that a line of this command begins with."""


def spec(usage: str, need: Need, pattern: str, build: Callable[[Groups], C], *words: str) -> Spec[C]:
    """A command; `pattern` has to fit the whole line, but for a mark at its end: of a question too, if it only asks."""
    mark = "[.!?]?" if need is Need.KNOWN else "[.!]?"
    return Spec(usage, re.compile(rf"(?:{pattern})\s*{mark}", re.IGNORECASE), build, need, words)
