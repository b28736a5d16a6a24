"""A game that runs, as everybody may know it, up to the beginning of its round (law 3).

What stands here is built from public views and from events as they are told to everybody. It holds no action, no deal,
no secret, no hash, no reason that a moderator gave, and nothing of what was taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec

from engine import record
from engine.game import DEALER, told
from engine.record import By, Dealt, Move, Override, Position, Verb, What
from pbem.archive.chapters import chapters, places
from pbem.archive.page import header_of, sitters
from pbem.archive.stills import standings, stills
from pbem.archive.values import Page, Step
from pbem.settle import OTHERS, Logged, is_private
from pbem.table import Status, Table, whats


def public_page_of(table: Table, log: Sequence[Logged]) -> Page:
    """The page of a game that has begun, from its whole log, as it was when its round began.

    Of a game that was ended and sealed: all of it, as everybody may know it.
    """
    header = header_of(table)
    line = record.positions(table.game, header, whats([logged.entry for logged in log]))
    over = table.status is not Status.RUNNING
    living = record.living(whats([logged.entry for logged in log]))
    shown = living if over else _until_its_round(table, line, living)
    steps = tuple(_steps(table, [log[n - 1] for n in shown]))
    played = tuple(chapters(table.game, line, steps))
    drawn = stills(table, line, (step.n for step in steps), opened=False)
    return Page(
        table=table.name,
        label=table.label,
        title=table.game.title,
        kind=header.kind,
        version=header.version,
        options=header.options,
        commitment=header.commitment,
        begun=_day(log[0].at),
        ended=_day(log[shown[-1] - 1].at if shown else log[0].at),
        over=over,
        sitters=tuple(sitters(table, None)),
        outcome=None,
        chapters=played,
        stills=drawn,
        standings=standings(table.game, drawn, played),
        view=drawn[-1].view,
        views=(),
        proof=None,
        said=(),
    )


def _until_its_round(table: Table, line: Sequence[Position], living: Sequence[int]) -> list[int]:
    """Those of the entries that count up to the one with which the present round began."""
    stood = list(places(table.game, line))
    present = stood[-1][0]
    begun = next((at for at, n in enumerate(living, 1) if stood[n][0] == present), 0)
    return list(living[:begun])


def _steps(table: Table, log: Sequence[Logged]) -> Iterator[Step]:
    for logged in log:
        what = logged.entry.what
        if is_private(what) or (isinstance(what, Override) and what.verb is Verb.UNDO):
            continue
        seat = DEALER if isinstance(what, Dealt) else what.seat
        yield Step(
            n=logged.entry.n,
            at=_day(logged.at),
            what=_outside(what),
            name=table.names[seat - 1] if seat else "",
            order="",
            events=told(logged.events, None),
        )


def _day(at: datetime) -> datetime:
    """The day alone: two entries at one time would tell that the second took nobody any thought."""
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def _outside(what: What) -> What:
    """That somebody moved, or that there was a deal, and not what it was.

    Whether a player had planned it, or had no choice, may tell of his hand.
    """
    if isinstance(what, Move):
        return Move(what.seat, None, what.by if what.by in OTHERS else By.SEAT)
    if isinstance(what, Dealt):
        return msgspec.structs.replace(what, order=())
    return what
