"""Longer texts of the host and of games (help, rules, answers, notices), laid out for 72 columns and for a phone alike.

They are written as plain paragraphs: a blank line ends one, a line in capitals is a heading, or one in ``【】`` where a
script has no capitals. A line behind ``- `` or ``1. `` is an item of a list, and indented lines below it belong to it;
other indented lines stand for themselves, each with its remark: behind two spaces, in parentheses, or further in on the
next line. Lines between bars are a table, and lines behind ``>`` what somebody says: a bar stays before each of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

from pbem.filters import WIDTH, columns, pad, unbroken, width, wrap

_HANGING: Final = 4
"""By how much a line that was too long is set in further."""
_ITEM: Final = re.compile(r"(?P<marker>-|\d{1,2}\.) (?=\S)")
_HEADED: Final = re.compile(r"【.*】\s*")
_REMARK: Final = re.compile(r"\s{2,}|\s(?=\()")
"""What stands before a remark on the same line."""
_COLUMN: Final = re.compile(r"\s*\S.*?\s{2,}(?=\S)")
"""A line up to its second column."""
_REMARKED: Final = re.compile(r"(?P<line>\s*\S.*?\s{2,})(?P<remark>\(.*)")
"""A line with a remark in its second column."""


class Form(StrEnum):
    """What a piece of text is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    LINES = "lines"
    TABLE = "table"
    SPEECH = "speech"


@dataclass(frozen=True, slots=True)
class Row:
    """A line to copy, and what is said about it."""

    line: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text; `LINES`, `TABLE` and `SPEECH` keep their line ends."""

    form: Form
    text: str
    marker: str = ""
    """What an item begins with."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """The lines without their layout, for what wraps by itself."""
        rows: list[Row] = []
        lines = self.text.split("\n")
        least = min(map(_indent, lines))
        for line in lines:
            if rows and _indent(line) > least:
                rows[-1] = Row(rows[-1].line, f"{rows[-1].remark} {line.strip()}".lstrip())
            else:
                rows.append(Row(*_REMARK.split(line.strip(), maxsplit=1)))
        return tuple(rows)

    @property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """The rows of a table, all of them as long; the first one heads its columns."""
        rows = [
            [cell.strip() for cell in line.strip()[1:].removesuffix("|").split("|")] for line in self.text.split("\n")
        ]
        longest = max(map(len, rows))
        return tuple((*row, *[""] * (longest - len(row))) for row in rows)


def blocks(text: str) -> tuple[Block, ...]:
    """The blocks that `text` consists of."""
    pieces: list[tuple[Form, list[str]]] = []
    form: Form | None = None
    for line in text.splitlines():
        before, form = form, _form(line, form)
        if form is None:
            continue
        if form is before and not _begins(form, line):
            pieces[-1][1].append(line)
        else:
            pieces.append((form, [line]))
    return tuple(_block(*piece) for piece in pieces)


_FENCED: Final[Mapping[str, Form]] = {"|": Form.TABLE, ">": Form.SPEECH}
"""What the sign at the beginning of a line makes of it."""


def _form(line: str, before: Form | None) -> Form | None:
    if not line.strip():
        return None
    if line[0] == " ":
        return Form.ITEM if before is Form.ITEM else Form.LINES
    if _ITEM.match(line):
        return Form.ITEM
    if line[0] in _FENCED:
        return _FENCED[line[0]]
    return Form.HEADING if line.isupper() or _HEADED.fullmatch(line) else Form.PARAGRAPH


def _begins(form: Form, line: str) -> bool:
    """Whether `line` is a block of its own although it has the form of the one above."""
    return form is Form.HEADING or (form is Form.ITEM and line[0] != " ")


def _block(form: Form, lines: list[str]) -> Block:
    if form in (Form.LINES, Form.TABLE):
        return Block(form, "\n".join(line.rstrip() for line in lines))
    if form is Form.SPEECH:
        return Block(form, "\n".join(line[1:].strip() for line in lines))
    text = unbroken(lines)
    item = _ITEM.match(text) if form is Form.ITEM else None
    return Block(form, text[item.end() :], item["marker"]) if item else Block(form, text)


def laid_out(found: Iterable[Block], indent: str = "") -> str:
    """`found` in 72 columns, each line behind `indent`; what heads something stands right above it."""
    pairs = pairwise([*found, None])
    return "".join(_TEXT[block.form](block, indent) + _gap(block, below) for block, below in pairs if block).rstrip(
        "\n"
    )


def _gap(block: Block, below: Block | None) -> str:
    """A blank line, but not below a heading, in a list, or above one that a paragraph leads to."""
    in_list = below is not None and below.form is Form.ITEM and (block.form is Form.ITEM or block.text.endswith(":"))
    return "\n" if block.form is Form.HEADING or in_list else "\n\n"


def _wrapped(block: Block, indent: str) -> str:
    return wrap(block.text, indent=indent)


def _item(block: Block, indent: str) -> str:
    lead = f"{indent}{block.marker} "
    return wrap(block.text, indent=" " * width(lead), first=lead)


def _table(block: Block, indent: str) -> str:
    layout = " ".join(["l"] * (len(block.cells[0]) - 1) + ["l*"])
    return columns(block.cells, layout, indent=f"{indent}  ")


def _speech(block: Block, indent: str) -> str:
    """Behind bars, which mail programs and the host take for signs of quotation: no answer brings it back as orders."""
    lead = f"{indent}  | "
    return "\n".join(wrap(line, indent=lead, first=lead) for line in block.text.split("\n"))


def _lines(block: Block, indent: str) -> str:
    return "\n".join(_line(line, indent) for line in _aligned(block.text.split("\n")))


def _aligned(lines: Sequence[str]) -> Iterator[str]:
    """`lines` with all remarks in the column of the one furthest in: words are not as long in every language."""
    found = [_REMARKED.fullmatch(line) for line in lines]
    margin = max((width(match["line"]) for match in found if match), default=0)
    for line, match in zip(lines, found, strict=True):
        yield pad(match["line"], margin) + match["remark"] if match else line


def _line(line: str, indent: str) -> str:
    """`line`, and where it is too long the rest of it below its second column, or a little further in."""
    if width(indent + line) <= WIDTH:
        return indent + line
    column, own = _COLUMN.match(line), " " * _indent(line)
    if column and width(column[0]) <= WIDTH // 2:
        return wrap(line[column.end() :], indent=indent + " " * width(column[0]), first=indent + column[0])
    hanging = 1 if line.lstrip().startswith("(") else _HANGING
    return wrap(line, indent=f"{indent}{own}{' ' * hanging}", first=indent + own)


_TEXT: Final[Mapping[Form, Callable[[Block, str], str]]] = {
    Form.HEADING: _wrapped,
    Form.PARAGRAPH: _wrapped,
    Form.ITEM: _item,
    Form.LINES: _lines,
    Form.TABLE: _table,
    Form.SPEECH: _speech,
}


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
