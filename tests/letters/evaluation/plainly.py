"""The plain text that mail programs make of HTML when they quote it, each in its own way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser

BLOCKS = frozenset({"div", "p", "tr", "table", "li", "ul", "pre", "h1", "h2", "h3", "body", "blockquote"})
HIDDEN = frozenset({"head", "style", "title", "script"})
BOLD = frozenset({"b", "strong"})


@dataclass(frozen=True, slots=True)
class Manner:
    """How a program does it."""

    between_cells: str
    behind_paragraphs: str
    stars: bool = False
    """Bold letters stand between stars."""


GMAIL = Manner("\n", "\n", stars=True)
OUTLOOK = Manner("\t", "\n")
APPLE = Manner("\t", "")
THUNDERBIRD = Manner(" ", "\n", stars=True)


class _Reader(HTMLParser):
    def __init__(self, manner: Manner) -> None:
        super().__init__(convert_charrefs=True)
        self.manner = manner
        self.pieces: list[str] = []
        self.hidden = 0
        self.verbatim = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.hidden += tag in HIDDEN
        self.verbatim += tag == "pre"
        if tag in BLOCKS or tag == "br":
            self.pieces.append("\n" if tag == "br" else "\r")
        elif tag in ("td", "th"):
            self.pieces.append(self.manner.between_cells)
        elif tag in BOLD and self.manner.stars:
            self.pieces.append("*")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in HIDDEN
        self.verbatim -= tag == "pre"
        if tag in BLOCKS:
            self.pieces.append("\r" + self.manner.behind_paragraphs * (tag == "p"))
        elif tag in BOLD and self.manner.stars:
            self.pieces.append("*")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.pieces.append(data if self.verbatim else re.sub(r"\s+", " ", data))


def plain_of(html: str, manner: Manner) -> list[str]:
    """The lines of an HTML text; a block begins a line of its own."""
    reader = _Reader(manner)
    reader.feed(html)
    text = re.sub(r" *\r[\r ]*", "\r", "".join(reader.pieces))
    text = re.sub(r"\r\n|\n\r|\r", "\n", re.sub(r"\r+", "\r", text))
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n").split("\n")


def body_of(html: str) -> str:
    """What stands between the tags of the body, as programs quote it: head and styles are dropped."""
    found = re.search(r"<body[^>]*>(.*)</body>", html, re.DOTALL)
    return found[1].strip() if found else html
