"""From an order line to its parts, before anything is known of cards and guests.

A line is a verb and what follows it; marks (`WITH`, `UNDER`, `IN 4`, commas) cut the rest into items. What
may follow a verb stands in `TAKES`. One compiled expression per language finds all marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NoReturn

import msgspec

from engine.bloody_inn.owners import with_owners
from engine.bloody_inn.reasons import Fault
from engine.bloody_inn.spelling import any_of, near
from engine.bloody_inn.words import lexicon
from engine.game import Unreadable

_ITEMS: Final = frozenset({"text", "join"})
TAKES: Final = {
    "bribe": _ITEMS | {"with", "room", "in"},
    "kill": _ITEMS | {"with", "room", "in"},
    "build": _ITEMS | {"with", "room", "in"},
    "bury": _ITEMS | {"with", "under"},
    "dismiss": _ITEMS,
}
"""What a verb takes; ``in`` is a room whose number is missing."""

_BULLET: Final = re.compile(r"^[-*\u2022\s]+")
_GLUED: Final = re.compile(r"^([^\W\d_]+)(?=\d)")
"""A verb right before a number: ``LODGE3``."""
_HUGE: Final = re.compile(r"\d{7,}")
_NUMBER: Final = re.compile(r"\d+")


class Line(msgspec.Struct, frozen=True):
    """An order line without remarks: what its verb means, and the rest, folded."""

    verb: str
    rest: str


class Item(msgspec.Struct):
    """One thing that an order names: its words, its room numbers, the annex it goes under."""

    text: str = ""
    rooms: tuple[int, ...] = ()
    place: str | None = None


class Clause(msgspec.Struct):
    """The parts of an order: what it is about, and the payment (``None``: WITH was left out)."""

    verb: str
    items: list[Item]
    pay: list[str] | None = None


def split_line(text: str, names: Sequence[str], language: str) -> Line:
    """The verb of an order line and the rest; `names` are the players' by seat.

    `Unreadable` (verb) if the line does not begin with one.
    """
    known = lexicon(language)
    bare = _GLUED.sub(r"\1 ", without_remarks(with_owners(text, tuple(names), language)))
    word, _, rest = bare.partition(" ")
    verb = known.verbs.get(word.rstrip(":,"))
    if verb is None:
        raise Unreadable(Fault.VERB, word=word, near=near(word, known.verbs))
    if huge := _HUGE.search(rest):
        raise Unreadable(Fault.NUMBER, word=huge.group())
    return Line(verb, rest.strip())


def parse(line: Line, language: str) -> Clause:
    """The parts of `line`. `Unreadable`: a phrase that the verb does not take or that stands twice."""
    draft = _Draft(line)
    kind = ""
    for kind, text in _tokens(line.rest, _marks(language)):
        draft.take(kind, text)
    if kind in ("join", "under"):  # most often a line that a mail client has broken in two
        raise Unreadable(Fault.REST, words=text)
    return draft.clause


def numbers(text: str) -> tuple[int, ...]:
    """All numbers in `text`."""
    return tuple(map(int, _NUMBER.findall(text)))


class _Draft:
    """A clause while it is read: which part is open decides where the next words go."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.clause = Clause(line.verb, [])
        self.part = "what"
        self.closed = True

    def take(self, kind: str, text: str) -> None:
        """Put a mark, or the words between two (``text``), in its place."""
        if kind not in TAKES[self.line.verb]:
            self._refuse(Fault.NOT_HERE, verb=self.line.verb, words=text)
        self._PARTS[kind](self, text)

    def _refuse(self, fault: Fault, **facts: object) -> NoReturn:
        raise Unreadable(fault, **facts)

    def _join(self, text: str) -> None:
        if self.part == "place":
            self._refuse(Fault.REST, words=text)
        self.closed = True

    def _text(self, text: str) -> None:
        if self.part == "pay" and self.clause.pay is not None:
            self.clause.pay.append(text)
        elif self.part == "place":
            self._place(text)
        elif self.part == "end" or not (self.closed or self._last().text == ""):
            self._refuse(Fault.REST, words=text)
        else:
            self._open().text = text

    def _place(self, text: str) -> None:
        for item in self.clause.items:
            item.place = text if item.place is None else item.place
        self.part = "end" if self.clause.pay is not None else "placed"
        self.closed = False

    def _room(self, text: str) -> None:
        item = self._open() if self.part == "what" else self._only(text)
        if item.rooms:
            self._refuse(Fault.REPEATED, word=text)
        item.rooms = numbers(text)
        self.part = "what" if self.part == "what" else "end"

    def _in(self, text: str) -> None:
        self._refuse(Fault.NUMBER, word=text)

    def _with(self, text: str) -> None:
        if self.clause.pay is not None:
            self._refuse(Fault.REPEATED, word=text)
        self.clause.pay = []
        self.part = "pay"

    def _under(self, text: str) -> None:
        if not self.clause.items:
            self._refuse(Fault.TARGET_MISSING, verb=self.line.verb)
        if self._last().place is not None:
            self._refuse(Fault.REPEATED, word=text)
        if self.clause.pay is not None:
            self._only(text)
        self.part = "place"

    def _only(self, words: str) -> Item:
        """The one thing named so far: a phrase behind WITH is about it; with several it is not clear about which."""
        if len(self.clause.items) > 1:
            self._refuse(Fault.NOT_HERE, verb=self.line.verb, words=words)
        return self._last() if self.clause.items else self._open()

    def _last(self) -> Item:
        return self.clause.items[-1]

    def _open(self) -> Item:
        """The item that the next words belong to."""
        if self.closed:
            self.clause.items.append(Item())
            self.closed = False
        return self._last()

    _PARTS: Final = {"text": _text, "join": _join, "room": _room, "in": _in, "with": _with, "under": _under}


def without_remarks(text: str) -> str:
    """`text` without what stands in parentheses, open ones too, or behind ``#``; without bullets and full stops."""
    said = ("".join(_outside(text)) if "(" in text else text).partition("#")[0]
    return _BULLET.sub("", " ".join(said.split())).rstrip(" .!")


def _outside(text: str) -> Iterator[str]:
    """The characters outside of parentheses, in one pass however deep they are."""
    depth = 0
    for char in text:
        if char == ")" and depth:
            depth -= 1
        elif char == "(":
            depth += 1
            yield " "
        elif not depth:
            yield char


@cache
def _marks(language: str) -> re.Pattern[str]:
    """Finds every mark of an order line. A number list goes on while no word follows the number."""
    known = lexicon(language)
    words = {name: any_of(known.phrases[name]) for name in ("with", "under", "in", "room")}
    skip, joins = any_of(known.little.skip), any_of(known.little.joins)
    join = rf"\s*[,;+&]\s*(?:(?:{joins})\s+)?|\s+(?:{joins})\s+"
    stop = rf"(?=\s*(?:$|[,;+&]|(?:{joins}|{words['with']}|{words['in']}|{words['room']})\s))"
    opening = rf"(?:(?:{words['in']})(?:\s+(?:{skip}))?(?:\s+(?:{words['room']}))?|(?:{words['room']}))"
    room = rf"(?<!\S){opening}\s*\d+(?!\w)(?:(?:{join}|\s+)(?:(?:{words['room']})\s+)?\d+{stop})*"
    return re.compile(
        rf"(?P<room>{room})"
        rf"|(?<!\S)(?P<with>{words['with']})(?!\S)"
        rf"|(?<!\S)(?P<under>{words['under']})(?!\S)"
        rf"|(?<!\S)(?P<in>{words['in']})(?!\S)"
        rf"|(?P<join>{join})"
    )


def _tokens(text: str, marks: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Marks and the words between them (``text``), in order."""
    at = 0
    for found in marks.finditer(text):
        yield from _words(text[at : found.start()])
        yield str(found.lastgroup), found.group().strip()
        at = found.end()
    yield from _words(text[at:])


def _words(text: str) -> Iterator[tuple[str, str]]:
    if text.strip():
        yield "text", text.strip()
