"""The lines that mails show to copy are orders, and each translation of one is the same order in its language.

They are the texts with the context ``order``; what people put there themselves (names, words) a translator may change.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import pytest

from pbem.commands.grammar import Command, Misused, parse
from pbem.plans import syntax
from pbem.tongues import ENGLISH
from pbem.wording import level
from tests.catalogues import HOMES, LANGUAGES, template, translated

VALUES: Final = {
    "address": "anna@example.org",
    "choice": "answer",
    "code": "k7q2m",
    "game": "inn-7",
    "key": "k7q2mk7q2m",
    "kind": "bloody-inn",
    "name": "Anna",
    "phase": "night",
    "round": 3,
    "topic": "time",
}
"""What stands for the placeholders of a line."""


@cache
def lines() -> tuple[str, ...]:
    """All lines to copy of the host, in English."""
    return tuple(str(message.id) for message in template(HOMES[0]) if message.context == "order")


def read(line: str, language: str) -> object:
    """What `line`, filled in, says: the kind of a command and all in it but free words; or the round of a plan."""
    whole = (line % VALUES).replace("...", "Anna")
    match parse(whole, language) or parse(f"{whole}: hello", language):  # SAY alone has its words below
        case None | Misused():
            return _round(whole)
        case command, need:
            return type(command), need, _fixed(command)


def _round(line: str) -> str | None:
    """The round that a line of a plan is for, whatever order stands behind the colon."""
    head = level(line).split(":")[0]
    return syntax.parse(f"{head}: WAIT", ()).round or None


def _fixed(command: Command) -> Mapping[str, Any]:
    values = {field.name: getattr(command, field.name) for field in dataclasses.fields(command)}
    return {name: value for name, value in values.items() if not isinstance(value, str) or isinstance(value, enum.Enum)}


def test_a_line_to_copy_is_an_order() -> None:
    assert len(lines()) > 100
    assert [line for line in lines() if read(line, ENGLISH) is None] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_to_copy_is_the_same_order_in_each_language(language: str) -> None:
    said = translated(HOMES[0], language)
    found = {line: message.string for line in lines() if (message := said.get(line, "order")) and message.string}
    assert {text for line, text in found.items() if read(str(text), language) != read(line, ENGLISH)} == set()
