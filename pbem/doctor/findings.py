"""What a check-up found, as values, and how they are told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from textwrap import wrap
from typing import Final

from pbem.errors import Trouble

WIDTH: Final = 72
_INDENT: Final = " " * 9


class State(StrEnum):
    """How one thing is."""

    OK = "ok"
    NOTE = "note"
    """Nothing is broken; the keeper may want to know."""
    FAULT = "fault"
    """It has to be mended."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `says` and `mend` are a line each, without a full stop at the end of `says`."""

    about: str
    """What was looked at, in a word or two: the same in every run, for programs."""
    state: State
    says: str
    mend: str = ""
    """What to do; empty where nothing is to be done."""

    @property
    def text(self) -> str:
        """Some lines of at most 72 columns."""
        mend = (
            self._lines(f"{self.mend.removesuffix('.')}{'' if self.mend.endswith('?') else '.'}", _INDENT)
            if self.mend
            else ()
        )
        return "\n".join((*self._lines(f"{self.about}: {self.says}.", f"{self.state.value:<9}"), *mend))

    def _lines(self, text: str, head: str) -> tuple[str, ...]:
        lines = wrap(
            text,
            WIDTH,
            initial_indent=head,
            subsequent_indent=_INDENT,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return tuple(lines)


def ok(about: str, says: str) -> Finding:
    return Finding(about, State.OK, says)


def note(about: str, says: str, mend: str = "") -> Finding:
    return Finding(about, State.NOTE, says, mend)


def fault(about: str, says: str, mend: str) -> Finding:
    return Finding(about, State.FAULT, says, mend)


def broken(about: str, trouble: Trouble) -> Finding:
    """A trouble as a finding: it says by itself how to mend it."""
    return fault(about, trouble.what, trouble.mend)


@dataclass(frozen=True, slots=True)
class Findings:
    """All that was found, in the order in which it was looked at."""

    all: tuple[Finding, ...]

    @property
    def well(self) -> bool:
        """Whether nothing has to be mended."""
        return not any(self._faults())

    @property
    def text(self) -> str:
        """For a person: some lines for each, and a summary."""
        count = len(list(self._faults()))
        what = "1 thing has" if count == 1 else f"{count} things have"
        summary = f"{what} to be mended." if count else "Nothing has to be mended."
        return "\n".join((*(each.text for each in self.all), summary))

    @property
    def json(self) -> str:
        """For a program: one JSON object on one line."""
        findings = [
            {"about": each.about, "state": each.state.value, "says": each.says, "mend": each.mend} for each in self.all
        ]
        return json.dumps({"well": self.well, "findings": findings}, ensure_ascii=False)

    def _faults(self) -> Iterator[Finding]:
        return (each for each in self.all if each.state is State.FAULT)
