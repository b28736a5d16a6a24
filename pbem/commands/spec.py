"""How a command is written: one compiled expression each, and what its sender must have proved."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final, Generic, TypeVar

from pbem.tongues import ENGLISH
from pbem.wording import expression, spellings, usage

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

    key: str
    rest: str
    """What has to stand behind its own words, as a template of an expression (`pbem.wording`)."""
    build: Callable[[Groups], C]
    need: Need
    opens: tuple[str, ...]
    """The keys of the words that a line of this command begins with."""

    def match(self, plain: str, begin: int) -> re.Match[str] | None:
        """How the levelled line `plain` fits, whose own words end at `begin`."""
        return _compiled(self.rest).fullmatch(plain, begin)

    @property
    def usage(self) -> str:
        """How it is written in English."""
        return usage(self.key)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that a line of this command begins with in English; first those that are written."""
        return tuple(text for key in self.opens for text in spellings(key, ENGLISH))


def spec(key: str, need: Need, rest: str, build: Callable[[Groups], C], *opens: str) -> Spec[C]:
    """A command that begins with the words `opens`, or else with its own; `rest` has to fit all that follows.

    But for a mark at its end: of a question too, if it only asks.
    """
    mark = "[.!?]?" if need is Need.KNOWN else "[.!]?"
    return Spec(key, rf"(?:{rest})\s*{mark}\s*", build, need, opens or (key,))


@cache
def _compiled(rest: str) -> re.Pattern[str]:
    """All commands together take a second to compile, and few are used."""
    return re.compile(expression(rest), re.IGNORECASE)
