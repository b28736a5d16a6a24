"""The archive of a finished game: its record, and everything that its page shows, as values.

The record holds seats and nothing that names people; the page has the names beside it, and is made again
without one that is withdrawn. No record leaves the host while its game runs (law 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from engine import record
from engine.game import DEALER, Outcome, Secret
from engine.record import By, Dealt, Header, Move, Override, Position, Record, Verb, What
from pbem.press import Said
from pbem.settle import Logged, is_private
from pbem.table import Remark, Status, Table, whats


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sat on a seat when the game was over, and how it ended for him."""

    seat: int
    name: str
    place: int
    """0: nobody has a place, since the game was lost or ended early."""
    score: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """An entry of the record as the page tells it."""

    n: int
    at: datetime
    what: Move | Dealt | Override
    name: str
    """Whose seat moved or was overruled; nothing for a deal, or an override that concerns no seat."""
    order: str
    """A move as its seat would have written it; nothing for deals and overrides."""
    events: tuple[Any, ...]
    """Secrets laid open: the game is over."""
    undone: int
    """The rollback that took it back, or 0."""
    remark: Remark | None = None
    """Who did it and why, beside what a moderator did."""

    @property
    def deal(self) -> bool:
        return isinstance(self.what, Dealt)

    @property
    def by(self) -> By | None:
        """Why a move was made; nothing for deals and overrides."""
        return self.what.by if isinstance(self.what, Move) else None

    @property
    def verb(self) -> Verb | None:
        """What a moderator did, if that is what the entry says."""
        return self.what.verb if isinstance(self.what, Override) else None

    @property
    def voted(self) -> bool:
        """Whether the players did it, by a vote."""
        return isinstance(self.what, Override) and isinstance(self.what.votes, int)


@dataclass(frozen=True, slots=True)
class Part:
    """The steps of one phase that follow each other."""

    phase: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A round: its steps, those of every try if a rollback led back to it, and how it left the table."""

    round: int
    parts: tuple[Part, ...]
    view: Any
    """What everybody saw once it was over."""
    views: tuple[Any, ...]
    """What each seat saw then: the hands as they were."""

    @property
    def steps(self) -> Iterator[Step]:
        return (step for part in self.parts for step in part.steps)

    @property
    def begun(self) -> datetime:
        return next(self.steps).at

    @property
    def undone(self) -> bool:
        """No move in it counts: it was rolled back and never came again."""
        return all(step.undone for step in self.steps if step.verb is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """With what everybody can check that every deal was settled before it began."""

    commitment: str
    secret: str
    phrases: tuple[str, ...]
    """Hashes of the players' phrases, in order of seats."""
    chosen: bool
    """The secret was chosen, not drawn: nothing is proved."""
    deals: tuple[tuple[int, Dealt], ...]
    """Every shuffle, with the entry that it stands in."""
    entries: int
    head: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """All that the readable page of a game says."""

    table: str
    label: str
    """What people called it beside, or nothing."""
    title: str
    """Of the game."""
    kind: str
    version: int
    options: Mapping[str, str]
    begun: datetime
    ended: datetime
    sitters: tuple[Sitter, ...]
    outcome: Outcome | None
    """``None``: the game was ended before its end."""
    chapters: tuple[Chapter, ...]
    view: Any
    """The public view of the end."""
    views: tuple[Any, ...]
    """Each seat's own."""
    proof: Proof
    said: tuple[Said, ...]
    """By players to all; it stands beside the record."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sitter.name for sitter in self.sitters)

    @property
    def winners(self) -> tuple[str, ...]:
        return tuple(sitter.name for sitter in self.sitters if sitter.place == 1)


def record_of(table: Table, log: Sequence[Logged]) -> Record:
    """The record of a game that is over, from its whole log; `record.dump` gives its file.

    `ValueError` while the game runs or is sealed, and for a log that is not whole.
    """
    if table.status not in (Status.OVER, Status.ENDED) or table.sealed:
        raise ValueError(f"{table.name} is not over, or sealed: its record stays here")
    header = _header(table)
    entries = tuple(logged.entry for logged in log)
    if [entry.n for entry in entries] != list(range(1, table.running.n + 1)) or entries[-1].hash != table.head:
        raise ValueError(f"{table.name}: this is not its whole log")
    return Record(
        header=header,
        entries=entries,
        head=table.head,
        secret=table.secret,
        result=table.game.outcome(table.running.state),
    )


def page_of(table: Table, log: Sequence[Logged], said: Sequence[Said] = ()) -> Page:
    """The page of a game that is over, from its whole log and what was said to all; `ValueError` as for `record_of`."""
    whole = record_of(table, log)
    header, played = whole.header, whats(whole.entries)
    line = record.positions(table.game, header, played)
    return Page(
        table=table.name,
        label=table.label,
        title=table.game.title,
        kind=header.kind,
        version=header.version,
        options=header.options,
        begun=log[0].at,
        ended=log[-1].at,
        sitters=tuple(_sitters(table, whole.result)),
        outcome=whole.result,
        chapters=tuple(_chapters(table, line, list(_steps(table, line, log)))),
        view=table.view(None),
        views=_views(table, line[-1]),
        proof=_proof(whole),
        said=tuple(said),
    )


def _header(table: Table) -> Header:
    assert table.header is not None, f"{table.name} is over and has no header"
    return table.header


def _sitters(table: Table, outcome: Outcome | None) -> Iterator[Sitter]:
    for seat, name in enumerate(table.names, 1):
        place, score = (outcome.places[seat - 1], outcome.scores[seat - 1]) if outcome else (0, None)
        yield Sitter(seat, name, place, score)


def _steps(table: Table, line: Sequence[Position], log: Sequence[Logged]) -> Iterator[Step]:
    undone = taken_back([logged.entry.what for logged in log])
    for before, logged in zip(line, log, strict=False):
        what, n = logged.entry.what, logged.entry.n
        if is_private(what):
            continue
        seat = DEALER if isinstance(what, Dealt) else what.seat
        yield Step(
            n=n,
            at=logged.at,
            what=what,
            name=table.names[seat - 1] if seat else "",
            order=_order(table, before, what) if isinstance(what, Move) else "",
            events=tuple(event.event if isinstance(event, Secret) else event for event in logged.events),
            undone=undone.get(n, 0),
            remark=logged.remark,
        )


def _order(table: Table, before: Position, what: Move) -> str:
    """A move in the words of the seat that made it, with its view of that moment."""
    view = table.game.view(before.state, what.seat, table.names)
    return table.game.write(record.action_of(table.game, what), view)


def taken_back(said: Sequence[What]) -> dict[int, int]:
    """For each entry that does not count any more, the first rollback or undo that took it back."""
    undone: dict[int, int] = {}
    for n, what in enumerate(said, 1):
        if isinstance(what, Override) and what.verb in record.BACK:
            undone = {**dict.fromkeys(range(what.to + 1, n), n), **undone}
    return {n: undone[n] for n in undone.keys() - set(record.living(said))}


def _chapters(table: Table, line: Sequence[Position], steps: Sequence[Step]) -> Iterator[Chapter]:
    """The steps by round, in the order of the record within each."""
    places = dict(zip((step.n for step in steps), _places(table, line), strict=False))
    for number in sorted({round_ for round_, _ in places.values()}):
        own = [step for step in steps if places[step.n][0] == number]
        last = line[_last(own)]
        yield Chapter(
            round=number,
            parts=tuple(_parts(own, places)),
            view=table.game.view(last.state, None, table.names),
            views=_views(table, last),
        )


def _last(steps: Sequence[Step]) -> int:
    """The entry after which a round was over: the last one that counts, if any does. A rollback leads out of it."""
    played = [step for step in steps if step.verb is None] or steps
    return ([step for step in played if not step.undone] or played)[-1].n


def _parts(steps: Iterable[Step], places: Mapping[int, tuple[int, str]]) -> Iterator[Part]:
    for phase, group in groupby(steps, lambda step: places[step.n][1]):
        yield Part(phase, tuple(group))


def _places(table: Table, line: Iterable[Position]) -> Iterator[tuple[int, str]]:
    """The round and phase of what is awaited in each position; of the one before where nothing is."""
    place = (0, "")
    for position in line:
        waiting = table.game.waiting(position.state)
        place = (waiting[0].round, waiting[0].phase) if waiting else place
        yield place


def _views(table: Table, position: Position) -> tuple[Any, ...]:
    return tuple(table.game.view(position.state, seat, table.names) for seat in range(1, len(table.chairs) + 1))


def _proof(whole: Record) -> Proof:
    header = whole.header
    return Proof(
        commitment=header.commitment,
        secret=whole.secret,
        phrases=header.phrases,
        chosen=header.chosen,
        deals=tuple((entry.n, entry.what) for entry in whole.entries if isinstance(entry.what, Dealt)),
        entries=len(whole.entries),
        head=whole.head,
    )
