"""Filters for templates: text in columns, wrapped and listed. Pure, and aware of how wide a character is shown.

A width is a number of columns of a fixed-width font: 2 for a Chinese character, 0 for an accent that combines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from pbem.tongues import WIDE, headed, listing, ordinal, spans, weekday

WIDTH: Final = 72
"""Columns of a mail."""
_MARGIN: Final = 40
"""Remarks stand no further in, however long some of the lines before them are."""
ELLIPSIS: Final = "…"
_OPENS, _SHUTS = "（「『【〈《", "，。、；：！？）」』】〉》"
_CLOSES: Final = f"{_SHUTS}…),.;:!?"
"""What no line may end with, and what none may begin with."""
_ATOM: Final = re.compile(rf"[{_OPENS}]*(?:[^{WIDE}]+|[{WIDE}])[{_CLOSES}]*")
_ROOMY: Final = re.compile(rf"(?<=[{_SHUTS}]) | (?=[{_OPENS}])")
"""A space beside a full-width sign, which brings room of its own."""
_BROKEN: Final = re.compile(rf"(?<=[{WIDE}])\n(?=[{WIDE}])")
"""A line end that stands for no space."""
_INVISIBLE: Final = frozenset({"Mn", "Me", "Cf"})
_APART: Final = re.compile(r" (?=[:;?!](?: |$)|»)|(?<=«) ")
"""The space that French puts before some signs, and within its marks of quotation: no line ends there."""
_TIED: Final = "\N{NO-BREAK SPACE}"


def width(text: str) -> int:
    """How many columns `text` takes."""
    return len(text) if text.isascii() else sum(map(_columns_of, text))


def _columns_of(char: str) -> int:
    if unicodedata.category(char) in _INVISIBLE:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def clip(text: str, size: int) -> str:
    """`text`, cut to `size` columns with an ellipsis if it is wider."""
    return text if width(text) <= size else _head(text, size - 1) + ELLIPSIS


def _head(text: str, size: int) -> str:
    """The longest beginning of `text` that fits into `size` columns."""
    room = size
    for index, char in enumerate(text):
        room -= _columns_of(char)
        if room < 0:
            return text[:index]
    return text


def labels(names: Iterable[str], size: int) -> list[str]:
    """`names` cut to `size` columns; two that would look the same end in their place in the list."""
    whole = list(names)
    short = [clip(name, size) for name in whole]
    return [
        label if short.count(label) == 1 else f"{_head(name, size - 2)}{ELLIPSIS}{place}"
        for place, (name, label) in enumerate(zip(whole, short, strict=True), start=1)
    ]


_JUST: Final[Mapping[str, Callable[[str, int], str]]] = {"left": str.ljust, "right": str.rjust}


def pad(text: object, size: int, align: str = "left") -> str:
    """`text` filled up with spaces to `size` columns; `align` is ``left``, ``right`` or ``center``."""
    value = str(text)
    if align in _JUST and value.isascii():
        return _JUST[align](value, size)  # as most are
    missing = max(0, size - width(value))
    before = {"left": 0, "center": missing // 2, "right": missing}[align]
    return " " * before + value + " " * (missing - before)


def one_line(text: str) -> str:
    """`text` with every run of white space made one space: a template may break its lines where it likes.

    Beside a full-width sign there is none, so that sentences join in Chinese as well.
    """
    plain = " ".join(text.split())
    return plain if plain.isascii() else _ROOMY.sub("", plain)


def unbroken(lines: Iterable[str]) -> str:
    """The lines of a paragraph as one; between two Chinese characters a line end is no space."""
    return one_line(_BROKEN.sub("", "\n".join(line.strip() for line in lines)))


def heading(text: str) -> str:
    """`text` as it heads what stands below: in capitals, or between brackets where a script has none."""
    capitals = text.upper()
    return capitals if capitals.isupper() else f"【{text}】"


def wrap(text: str, size: int = WIDTH, indent: str = "  ", first: str | None = None) -> str:
    """`text` as lines of at most `size` columns, each after `indent` (the first one after `first`, if given)."""
    lead = indent if first is None else first
    joined = one_line(text)
    whole = lead + joined
    if joined and width(whole) <= size:
        return whole  # as most lines are
    tied = _APART.sub(_TIED, joined).split(" ") if joined else []
    lines = _lines(_atoms(tied), size - width(lead), size - width(indent))
    whole = "\n".join((indent if number else lead) + line for number, line in enumerate(lines)) or lead.rstrip()
    return whole.replace(_TIED, " ")


def _atoms(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What no line may end within, each with what stands before it: a Chinese line may end nearly everywhere."""
    for word in words:
        gap = " "
        for atom in (word,) if word.isascii() else _ATOM.findall(word):
            yield gap, atom
            gap = ""


def _lines(atoms: Iterable[tuple[str, str]], first: int, rest: int) -> Iterator[str]:
    line, room = "", first
    for gap, word in atoms:
        joined = f"{line}{gap}{word}" if line else word
        if width(joined) <= room:
            line = joined
            continue
        if line:
            yield line
            room = rest
        *full, line = _pieces(word, room, rest)
        yield from full
        room = rest if full else room
    if line:
        yield line


def _pieces(word: str, first: int, rest: int) -> Iterator[str]:
    """`word` cut into pieces that fit on a line: for monsters."""
    room = first
    while width(word) > room:
        head = _head(word, max(room, 2))
        yield head
        word, room = word[len(head) :], rest
    yield word


class _Column(NamedTuple):
    align: str
    limit: int
    """Widest it may be; 0: as wide as its text."""
    rest: bool
    """Whether it takes what the others leave."""


_ALIGN: Final = {"l": "left", "r": "right", "c": "center"}


def _column(word: str) -> _Column:
    rest = word[1:] == "*"
    return _Column(_ALIGN[word[0]], 0 if rest else int(word[1:] or 0), rest)


def columns(rows: Iterable[Sequence[object]], layout: str, total: int = WIDTH, indent: str = "  ") -> str:
    """`rows` as a table; its columns stand two spaces apart, or one where two would make it too wide.

    `layout` has a word for each column: ``l``, ``r`` or ``c`` for its side, then how wide it may be (a
    longer text goes on below, in its own column); ``*`` for all that the others leave; nothing for no limit.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    layouts = [_column(word) for word in layout.split()]
    natural = [max(map(width, column), default=0) for column in zip(*cells, strict=True)] or [0] * len(layouts)
    room = total - width(indent)
    gap = 2 if sum(natural) + 2 * (len(layouts) - 1) <= room else 1
    widths = _widths(layouts, natural, room - gap * (len(layouts) - 1))
    return "\n".join((indent + line).rstrip() for row in cells for line in _row(row, layouts, widths, " " * gap))


def _widths(layouts: Sequence[_Column], natural: Sequence[int], total: int) -> list[int]:
    """How wide each column becomes: what it asks for within its limit, the last word going to the ``*``."""
    asked = [min(wide, column.limit or wide) for column, wide in zip(layouts, natural, strict=True)]
    left = total - sum(wide for column, wide in zip(layouts, asked, strict=True) if not column.rest)
    return [min(wide, left) if column.rest else wide for column, wide in zip(layouts, asked, strict=True)]


def _row(cells: Sequence[str], layouts: Sequence[_Column], widths: Sequence[int], gap: str) -> Iterator[str]:
    wrapped = [wrap(cell, wide, "").split("\n") for cell, wide in zip(cells, widths, strict=True)]
    for line in zip_longest(*wrapped, fillvalue=""):
        yield gap.join(
            [pad(text, wide, column.align) for text, wide, column in zip(line, widths, layouts, strict=True)]
        )


def without(text: str, characters: str) -> str:
    """`text` less all of `characters`."""
    for character in characters:
        text = text.replace(character, "")
    return text


def noted(rows: Iterable[tuple[str, str]], total: int = WIDTH, indent: str = "  ") -> str:
    """Lines to copy with their remarks in parentheses, these one below the other.

    A remark that does not fit behind its line is left out, as is a line that does not fit at all.
    """
    fitting = [(line, remark, width(line)) for line, remark in rows if width(indent + line) <= total]
    margin = max((wide for _, _, wide in fitting if wide <= _MARGIN), default=0)
    whole = ((f"{indent}{pad(line, margin)}  ({remark})", indent + line) for line, remark, _ in fitting)
    return "\n".join(both if width(both) <= total else alone for both, alone in whole)


FILTERS: Final[Mapping[str, Callable[..., Any]]] = {
    "clip": clip,
    "columns": columns,
    "heading": heading,
    "labels": labels,
    "noted": noted,
    "one_line": one_line,
    "pad": pad,
    "width": width,
    "without": without,
    "wrap": wrap,
}
"""By the name under which templates know them, in whatever language."""
_IN_A_LANGUAGE: Final[Mapping[str, Callable[..., str]]] = {
    "headed": headed,
    "listing": listing,
    "ordinal": ordinal,
    "span": spans,
    "weekday": weekday,
}


def filters(language: str) -> dict[str, Callable[..., Any]]:
    """All filters, by name, for templates in `language`."""
    return {**FILTERS, **{name: partial(said, language=language) for name, said in _IN_A_LANGUAGE.items()}}
