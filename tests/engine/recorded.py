"""Records of games played at random, the same for the same seed, and forgeries of them with the chain made new."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice
from typing import Any, Final

from msgspec.structs import replace

from engine import record, shuffle
from engine.bloody_inn import GAME
from engine.game import DEALER, Outcome
from engine.record import Dealt, Entry, Flaw, Flawed, Header, Move, Override, Position, Record, Verb, What

SECRET: Final = "5e" * 32
PHRASES: Final = (shuffle.phrase_hash("inn-7", 1, "vive le roi"),)
WIDTH: Final = 40
"""So many legal actions are chosen from."""


def header(seats: int = 3, **facts: Any) -> Header:
    """The header of a game of The Bloody Inn at the table inn-7."""
    plain = Header(
        format=record.FORMAT,
        game="inn-7",
        kind=GAME.name,
        version=GAME.version,
        seats=seats,
        options={"length": "short"},
        commitment=shuffle.commitment("inn-7", SECRET),
        phrases=PHRASES,
    )
    return replace(plain, **facts)


class Recorder:
    """A game that is being played: what the host does, without a host."""

    def __init__(self, head: Header, seed: int = 1, whats: Iterable[What] = ()) -> None:
        self.header = head
        self.whats = list(whats)
        self.line = record.positions(GAME, head, self.whats)
        self._stream = shuffle.Stream(shuffle.seed("random", "", seed))

    @property
    def position(self) -> Position:
        return self.line[-1]

    def add(self, what: What) -> None:
        """Append an entry; `Flawed` if it cannot follow."""
        self.line = record.positions(GAME, self.header, [*self.whats, what])
        self.whats.append(what)

    def next(self) -> What | None:
        """The deal that is due, or a move at random; nothing when the game is over."""
        for decision in GAME.waiting(self.position.state):
            if decision.seat == DEALER:
                return record.deal(self.header, SECRET, self.position.deals + 1, decision.size)
            legal = list(islice(GAME.legal(self.position.state, decision.seat), WIDTH))
            return record.move(GAME, decision.seat, legal[self._stream.below(len(legal))])
        return None

    def play(self, count: int = 10**6) -> Recorder:
        """So many more entries, or to the end of the game."""
        while count and (what := self.next()):
            assert isinstance(what, Move | Dealt)
            self.line.append(record.follow(GAME, self.position, what)[0])
            self.whats.append(what)
            count -= 1
        return self

    def finished(self) -> Record:
        return chained(self.header, self.whats, GAME.outcome(self.position.state))


def chained(head: Header, whats: Iterable[What], result: Outcome | None, secret: str = SECRET) -> Record:
    """A record whose chain holds, whatever it says."""
    entries: list[Entry] = []
    before = record.header_hash(head, secret)
    for n, what in enumerate(whats, 1):
        entries.append(record.link(before, n, what))
        before = entries[-1].hash
    return Record(head, tuple(entries), before, secret, result)


def whats_of(whole: Record) -> list[What]:
    return [entry.what for entry in whole.entries]


@cache
def played(seats: int = 3, seed: int = 1) -> Record:
    """A whole game."""
    return Recorder(header(seats), seed).play().finished()


@cache
def overruled() -> Record:
    """A whole game in which a moderator did everything that he can do."""
    game = Recorder(header(3), 2).play(30)
    for what in (Override(Verb.PAUSE), Override(Verb.RESUME), Override(Verb.ROLLBACK, to=20)):
        game.add(what)
    game.play(15)
    for what in (Override(Verb.ROLLBACK, to=0), Override(Verb.REPLACE, seat=2)):
        game.add(what)
    return game.play().finished()


@cache
def ended() -> Record:
    """A game that a moderator ended, and so without a result."""
    game = Recorder(header(2), 3).play(25)
    game.add(Override(Verb.END))
    return game.finished()


def first(whats: Sequence[What], kind: type[Any]) -> int:
    """The place of the first entry of a kind, from 0."""
    return next(place for place, what in enumerate(whats) if isinstance(what, kind))


def flaw_of(whole: Record, head: str = "") -> tuple[Flaw, int] | None:
    """What `verify` finds wrong with a record, and where; nothing if it holds."""
    try:
        record.verify(GAME, whole, head)
    except Flawed as flawed:
        return flawed.flaw, flawed.n
    return None
