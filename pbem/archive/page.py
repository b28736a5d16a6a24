"""A game that is over, from its whole log: its record, and the page that tells all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import record
from engine.game import DEALER, Outcome, Secret
from engine.record import Dealt, Header, Move, Position, Record
from pbem.archive.chapters import chapters, taken_back
from pbem.archive.stills import standings, stills, views_of
from pbem.archive.values import Page, Proof, Sitter, Step
from pbem.press import Said
from pbem.settle import Logged, is_private
from pbem.table import Status, Table, whats


def record_of(table: Table, log: Sequence[Logged]) -> Record:
    """The record of a game that is over, from its whole log; `record.dump` gives its file.

    `ValueError` while the game runs or is sealed, and for a log that is not whole.
    """
    if table.status not in (Status.OVER, Status.ENDED) or table.sealed:
        raise ValueError(f"{table.name} is not over, or sealed: its record stays here")
    header = header_of(table)
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


def page_of(table: Table, log: Sequence[Logged], said: Sequence[Said] = (), language: str = "en") -> Page:
    """The page of a game that is over, from its whole log and what was said to all; orders stand in `language`.

    `ValueError` as for `record_of`.
    """
    whole = record_of(table, log)
    line = record.positions(table.game, whole.header, whats(whole.entries))
    steps = tuple(_steps(table, line, log, language))
    told = tuple(chapters(table.game, line, steps))
    drawn = stills(table, line, (step.n for step in steps), opened=True)
    return Page(
        table=table.name,
        label=table.label,
        title=table.game.title,
        kind=whole.header.kind,
        version=whole.header.version,
        options=whole.header.options,
        commitment=whole.header.commitment,
        begun=log[0].at,
        ended=log[-1].at,
        over=True,
        sitters=tuple(sitters(table, whole.result)),
        outcome=whole.result,
        chapters=told,
        stills=drawn,
        standings=standings(table.game, drawn, told),
        view=table.view(None),
        views=views_of(table, line[-1]),
        proof=_proof(whole),
        said=tuple(said),
    )


def header_of(table: Table) -> Header:
    """What was settled before the first deal, of a game that has begun."""
    assert table.header is not None, f"{table.name} has no header"
    return table.header


def sitters(table: Table, outcome: Outcome | None) -> Iterator[Sitter]:
    """Who sits at `table`, and how it ended for him if it did."""
    for seat, name in enumerate(table.names, 1):
        place, score = (outcome.places[seat - 1], outcome.scores[seat - 1]) if outcome else (0, None)
        yield Sitter(seat, name, place, score)


def _steps(table: Table, line: Sequence[Position], log: Sequence[Logged], language: str) -> Iterator[Step]:
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
            order=_order(table, before, what, language) if isinstance(what, Move) else "",
            events=tuple(event.event if isinstance(event, Secret) else event for event in logged.events),
            undone=undone.get(n, 0),
            remark=logged.remark,
        )


def _order(table: Table, before: Position, what: Move, language: str) -> str:
    """A move in the words of the seat that made it, with its view of that moment."""
    view = table.game.view(before.state, what.seat, table.names)
    return table.game.write(record.action_of(table.game, what), view, language)


def _proof(whole: Record) -> Proof:
    deals = tuple((entry.n, entry.what) for entry in whole.entries if isinstance(entry.what, Dealt))
    return Proof(record=whole, deals=deals)
