"""Whole games as text, move by move, committed so that a change of behaviour is read in review.

A file holds its own moves (lines that begin with ``>``), so that the same game is asked again and again even
when the bots that once played it have learned something. What stands between them is what the engine answers:

    ? 1/night/2/1 act 14       an open decision, its kind, how many answers are legal
      sees players.2.hand [novice peasant]     what its seat sees beyond the public
    > 1/night/2/1 BRIBE baron WITH peasant     the order, as the seat writes it
      Bribed {"seat":2,...}    an event, as everybody may know it; "to 2:" stands before a secret one
      rooms.1.guest baron -> ""    what changed in the public view

    python -m tests.engine.playthrough           compare
    python -m tests.engine.playthrough --write   write the answers anew; a file that is not there is played first
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeGuard

import msgspec

from engine import record
from engine.bloody_inn import GAME as BLOODY_INN
from engine.game import DEALER, Decision, Secret, told
from engine.record import Header, Position
from tests.engine.contract import Course, changed_options, header, play, secret
from tests.games.choices import GAME as CHOICES

FOLDER: Final = Path(__file__).parent.parent / "playthroughs"
COUNTED: Final = 1000
"""Legal actions are counted up to here."""
UNSHOWN: Final = ("seat", "waiting", "deeds")
"""What stands in the lines of the decisions and orders anyhow."""
EVERY_OPTION: Final = (*changed_options(BLOODY_INN, "first"), ("first", "2"))
PLAYTHROUGHS: Final = {
    "bloody-inn-1": (Course(BLOODY_INN, 1, (("length", "long"),), "steady"), 1),
    "bloody-inn-1-lost": (Course(BLOODY_INN, 1), 1),
    "bloody-inn-2": (Course(BLOODY_INN, 2, (), "steady"), 1),
    "bloody-inn-2-every-option": (Course(BLOODY_INN, 2, EVERY_OPTION, "steady"), 3),
    "bloody-inn-3": (Course(BLOODY_INN, 3, (), "steady"), 1),
    "bloody-inn-3-at-random": (Course(BLOODY_INN, 3), 1),
    "bloody-inn-4": (Course(BLOODY_INN, 4, (), "steady"), 1),
    "choices-3": (Course(CHOICES, 3), 1),
}
"""By name of the file; the deals follow from course and seed (see `contract.secret`)."""


def path(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def moves_in(text: str) -> list[tuple[str, str]]:
    """The decisions that players answer in a playthrough, and their orders."""
    moves = (line[2:].split(" ", 1) for line in text.splitlines() if line.startswith("> "))
    return [(key, order) for key, order in moves if order != "deal"]


def moves_by_bots(course: Course, seed: int) -> list[tuple[str, str]]:
    """The same for a game that was never played before."""
    game = course.game
    return [
        (moment.decision.key, game.write(moment.action, game.view(moment.state, moment.seat, course.names)))
        for moment in play(course, seed).moments
        if moment.seat != DEALER
    ]


def told_again(course: Course, seed: int, moves: Iterable[tuple[str, str]]) -> str:
    """The playthrough in which players answer with `moves`."""
    return "\n".join(Teller(course, seed).lines(iter(moves))) + "\n"


@dataclass(frozen=True, slots=True)
class Teller:
    """Writes down a game."""

    course: Course
    seed: int

    @property
    def top(self) -> Header:
        return header(self.course, self.seed)

    @property
    def secret(self) -> str:
        return secret(self.course, self.seed)

    def lines(self, moves: Iterator[tuple[str, str]]) -> Iterator[str]:
        """All lines of a playthrough, its header first."""
        game = self.course.game
        position, head = record.opening(game, self.top), record.header_hash(self.top, self.secret)
        yield from self._header()
        while waiting := game.waiting(position.state):
            yield ""
            for decision in waiting:
                yield from self._asked(position, decision)
            what, line = self._answer(position, waiting, moves)
            after, events = record.follow(game, position, what)
            yield line
            yield from self._events(events)
            yield from _differences(self._seen(position.state, None), self._seen(after.state, None))
            position, head = after, record.link(head, after.n, what).hash
        yield from ("", f"outcome {_json(game.outcome(position.state))}", f"head {head}")

    def _header(self) -> Iterator[str]:
        top = self.top
        yield f"game {top.kind}, version {top.version}, {top.seats} seats"
        yield from (f"option {name}={value}" for name, value in top.options.items())
        yield f"secret {self.secret}"
        yield f"commitment {top.commitment}"

    def _asked(self, position: Position, decision: Decision) -> Iterator[str]:
        if decision.seat == DEALER:
            yield f"? {decision.key} {decision.kind} of {decision.size}"
            return
        count = sum(1 for _ in islice(self.course.game.legal(position.state, decision.seat), COUNTED))
        yield f"? {decision.key} {decision.kind} {count}{'+' * (count == COUNTED)}"
        mine, public = self._seen(position.state, decision.seat), self._seen(position.state, None)
        secrets = (name for name, value in mine.items() if public.get(name) != value and not isinstance(value, bool))
        yield from (f"  sees {name} {_leaf(mine[name])}" for name in secrets)

    def _answer(
        self, position: Position, waiting: tuple[Decision, ...], moves: Iterator[tuple[str, str]]
    ) -> tuple[record.Move | record.Dealt, str]:
        if waiting[0].seat == DEALER:
            dealt = record.deal(self.top, self.secret, position.deals + 1, waiting[0].size)
            return dealt, f"> {waiting[0].key} deal"
        key, order = next(moves)
        seat = next(decision.seat for decision in waiting if decision.key == key)
        view = self.course.game.view(position.state, seat, self.course.names)
        return record.move(self.course.game, seat, self.course.game.read(order, view)), f"> {key} {order}"

    def _events(self, events: tuple[Any, ...]) -> Iterator[str]:
        for event, twin in zip(events, told(events, None), strict=True):
            yield f"  {_named(twin)}"
            if isinstance(event, Secret):
                yield f"  to {event.seat}: {_named(event.event)}"

    def _seen(self, state: Any, seat: int | None) -> dict[str, Any]:
        view = self.course.game.view(state, seat, self.course.names)
        whole = msgspec.json.decode(self.course.game.encode(view))
        return dict(_flat({name: value for name, value in whole.items() if name not in UNSHOWN}))


def _named(event: Any) -> str:
    facts = msgspec.json.decode(msgspec.json.encode(event))
    return f"{facts.pop('type')} {_json(facts)}"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of a JSON value by their paths, counted from 1; a list of plain values is a leaf."""
    if isinstance(value, dict):
        parts: Iterable[tuple[Any, Any]] = value.items()
    elif isinstance(value, list) and any(isinstance(part, dict | list) for part in value):
        parts = enumerate(value, 1)
    else:
        yield name, value
        return
    for key, part in parts:
        yield from _flat(part, f"{name}.{key}" if name else str(key))


def _differences(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name), after.get(name)
        if old != new:
            yield f"  {name} {_exchanged(old, new) if _heap(old) and _heap(new) else f'{_leaf(old)} -> {_leaf(new)}'}"


def _heap(value: Any) -> TypeGuard[list[str]]:
    """Whether a value is a list of words whose order means nothing."""
    return isinstance(value, list) and all(isinstance(part, str) for part in value) and value == sorted(value)


def _exchanged(old: list[str], new: list[str]) -> str:
    more, less = Counter(new) - Counter(old), Counter(old) - Counter(new)
    return " ".join((*(f"+{part}" for part in more.elements()), *(f"-{part}" for part in less.elements())))


def _leaf(value: Any) -> str:
    if isinstance(value, list):
        return f"[{' '.join(map(_leaf, value))}]"
    return value if isinstance(value, str) and value else "none" if value is None else _json(value)


def main(arguments: list[str]) -> int:
    """Compare all files, or write them; how many differ."""
    different = 0
    for name, (course, seed) in PLAYTHROUGHS.items():
        there = path(name).read_text("utf-8") if path(name).exists() else ""
        text = told_again(course, seed, moves_in(there) or moves_by_bots(course, seed))
        different += text != there
        if "--write" in arguments:
            path(name).write_text(text, "utf-8")
        elif text != there:
            print(f"{name} has changed")
    return 0 if "--write" in arguments else different


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
