"""Longer texts of the host (help, answers, notices), laid out for 72 columns and for a phone alike.

They are written as plain paragraphs: a blank line ends one, an indented line stands for itself, a line in
capitals is a heading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final

from pbem.filters import WIDTH, width, wrap

_HANGING: Final = 4
"""By how much a line that was too long is set in further."""


class Form(StrEnum):
    """What a piece of text is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LINES = "lines"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text; `LINES` keeps its line ends."""

    form: Form
    text: str


def blocks(text: str) -> tuple[Block, ...]:
    """The blocks that `text` consists of."""
    found: list[Block] = []
    for form, lines in groupby(text.splitlines(), _form):
        if form is Form.HEADING:
            found.extend(Block(form, line.strip()) for line in lines)
        elif form is Form.PARAGRAPH:
            found.append(Block(form, " ".join(line.strip() for line in lines)))
        elif form is Form.LINES:
            found.append(Block(form, "\n".join(line.rstrip() for line in lines)))
    return tuple(found)


def _form(line: str) -> Form | None:
    if not line.strip():
        return None
    if line[0] == " ":
        return Form.LINES
    return Form.HEADING if line.isupper() else Form.PARAGRAPH


def laid_out(found: Iterable[Block], indent: str = "") -> str:
    """`found` in 72 columns, each line behind `indent`; a heading stands right above what it heads."""
    return "".join(_text(block, indent) for block in found).rstrip("\n")


def _text(block: Block, indent: str) -> str:
    after = "\n" if block.form is Form.HEADING else "\n\n"
    if block.form is Form.LINES:
        return "\n".join(_indented(block.text, indent)) + after
    return wrap(block.text, indent=indent) + after


def _indented(text: str, indent: str) -> Iterator[str]:
    for line in text.split("\n"):
        own = line[: len(line) - len(line.lstrip())]
        fits = width(indent + line) <= WIDTH
        yield indent + line if fits else wrap(line, indent=f"{indent}{own}{' ' * _HANGING}", first=indent + own)
