"""What the programs and the people of a language write; the data stands beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language; see the file for what the fields are."""

    gmail: str
    apple: str
    iphone: str
    thunderbird: str
    yahoo: str
    proton: str
    outlook: str
    samsung: str
    iphone_footer: str
    outlook_footer: str
    samsung_footer: str
    proton_footer: str
    yahoo_footer: str
    hello: str
    prose: str
    bye: str


class Program(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One program in one language; see ``programs.toml`` for what the fields are."""

    language: str
    above: str
    mark: str = ""
    below: str = ""
    torn: int = 0


@dataclass(frozen=True, slots=True)
class Heading:
    """The headers that a program sets above what it quotes."""

    sender: str
    date: str
    to: str
    subject: str
    title: str = ""

    def lines(self, order: str = "from date to subject") -> list[str]:
        """As lines of text."""
        named = {"from": self.sender, "date": self.date, "to": self.to, "subject": self.subject}
        return [named[name] for name in order.split()]


@cache
def wordings() -> Mapping[str, Wording]:
    """All languages by their code."""
    source = files(__package__).joinpath("languages.toml").read_bytes()
    return msgspec.toml.decode(source, type=dict[str, Wording])


@cache
def programs() -> Mapping[str, Program]:
    """The further programs by name."""
    source = files(__package__).joinpath("programs.toml").read_bytes()
    return msgspec.toml.decode(source, type=dict[str, Program])
