"""What plans of the second game may ask (`SCORE >= 3`, `ROUND >= 2`), and what can be settled: `ALWAYS PICK 3`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from engine.game import Unreadable

_ASKED: Final = re.compile(r"(score|round)\s*>=\s*(\d+)", re.IGNORECASE)
_SETTLED: Final = re.compile(r"pick\s+(\d+)", re.IGNORECASE)


class AtLeast(msgspec.Struct, frozen=True):
    """The asker's score, or the round, is at least so much."""

    what: str
    number: int


class Conditions:
    """See `engine.game.Conditions`."""

    def __init__(self, fault: StrEnum) -> None:
        self.fault = fault

    def read(self, text: str, view: Any, language: str = "en") -> AtLeast:  # noqa: ARG002
        found = _ASKED.fullmatch(text.strip())
        if found is None:
            raise Unreadable(self.fault, word=text)
        return AtLeast(found[1].lower(), int(found[2]))

    def holds(self, condition: AtLeast, view: Any) -> bool:
        there: int = view.round if condition.what == "round" else view.scores[view.seat - 1]
        return there >= condition.number

    def write(self, condition: AtLeast, view: Any, language: str = "en") -> str:  # noqa: ARG002
        return f"{condition.what.upper()} >= {condition.number}"


class Standing:
    """See `engine.game.Standing`; a choice is a number to pick."""

    def __init__(self, fault: StrEnum, pick: type) -> None:
        self.fault, self.pick = fault, pick

    def read(self, text: str, language: str = "en") -> int:  # noqa: ARG002
        found = _SETTLED.fullmatch(text.strip())
        if found is None:
            raise Unreadable(self.fault, word=text)
        return int(found[1])

    def topic(self, choice: int) -> str:  # noqa: ARG002
        return "pick"

    def write(self, choice: int, language: str = "en") -> str:  # noqa: ARG002
        return f"PICK {choice}"

    def answer(self, choices: Sequence[int], view: Any) -> Any | None:
        return self.pick(choices[0]) if choices and not view.pick else None

    def order(self, text: str, view: Any, choices: Sequence[int], language: str = "en") -> Any:  # noqa: ARG002
        from tests.games.choices import GAME

        return GAME.read(text, view, language)

    def offers(self, language: str = "en") -> tuple[str, ...]:  # noqa: ARG002
        return ("PICK 1",)
