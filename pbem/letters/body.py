"""What a letter's text is made of: lines, and why a line is not the sender's own."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MAX_TEXT: Final = 64 * 1024
"""Characters of text that are read of one letter; what lies beyond is never looked at."""
MAX_LINES: Final = 2_000
MAX_LINE: Final = 1_000
"""Characters of one line; a longer one is refused by name and the others are read."""


class Reason(StrEnum):
    """Why a line was not read as the sender's own."""

    QUOTE = "quote"
    ATTRIBUTION = "attribution"
    HEADER_BLOCK = "header-block"
    SEPARATOR = "separator"
    SIGNATURE = "signature"
    FOOTER = "footer"
    MARK = "mark"
    """The host's own mark: whatever holds it was once sent by the host."""
    REPEATED = "repeated"
    """Stands word for word in the mail that is answered."""
    LONG_LINE = "long-line"
    ARMOUR = "armour"
    """Wrapping of a PGP signature."""


class Cap(StrEnum):
    """A limit that was reached, so that something of the letter was not read."""

    TEXT = "text"
    LINES = "lines"
    HTML = "html"
    PARTS = "parts"
    DEPTH = "depth"


class Kind(StrEnum):
    """The kind of part that the text was taken from."""

    PLAIN = "plain"
    HTML = "html"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text. `told` is what the container already says of it, as a blockquote in HTML does."""

    text: str
    told: Reason | None = None


@dataclass(frozen=True, slots=True)
class Body:
    """The one text of a letter, before anybody asks which of it is the sender's own."""

    lines: tuple[Line, ...] = ()
    kind: Kind = Kind.NONE
    caps: tuple[Cap, ...] = ()

    @property
    def text(self) -> str:
        """All lines, quoted ones included, joined by line feeds."""
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Ignored:
    """A line that was not read as the sender's own, shortened and with reply tokens blotted out."""

    line: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class OwnText:
    """What the sender wrote.

    `own` holds his lines in order, normalised, without blank ones. `open_ends` are the indices in `own` of lines
    so long that the client may have broken them in two: read such a line alone first, then joined to the next one.
    `adjoining` are those that another own line follows at once, without a blank one or a quoted one between.
    `certain` says that the text of the mail that is answered could change nothing of this.
    """

    own: tuple[str, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    open_ends: frozenset[int] = frozenset()
    adjoining: frozenset[int] = frozenset()
    certain: bool = False


def capped(lines: list[Line], caps: tuple[Cap, ...] = ()) -> tuple[tuple[Line, ...], tuple[Cap, ...]]:
    """The lines within the caps of text and of lines, and the caps that were reached (those given included)."""
    kept: list[Line] = []
    room = MAX_TEXT
    for line in lines[:MAX_LINES]:
        kept.append(Line(line.text[:room], line.told))
        room -= len(line.text) + 1
        if room <= 0:
            break
    reached = [*caps]
    if room < 0 or (room == 0 and len(kept) < len(lines)):
        reached.append(Cap.TEXT)
    elif len(lines) > MAX_LINES:
        reached.append(Cap.LINES)
    return tuple(kept), tuple(dict.fromkeys(reached))
