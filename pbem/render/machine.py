"""A mail for a program that plays: what it says, as one JSON object.

The reply address is not in it: a program answers to Reply-To, as people do.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import msgspec

from engine.game import Decision, Outcome
from engine.record import SHORT_HEAD
from pbem.settle import Telling
from pbem.table import Status, Table
from pbem.verdicts import Line

FORMAT: Final = 1
"""Fields may be added within it; what is removed or means something else gets the next number. See docs/machine.md."""
OFFERED: Final = 12
"""Orders that a program is shown."""


class Answered(msgspec.Struct, frozen=True):
    """A line of the program's own mail, and what became of it."""

    text: str
    said: str
    reason: str


class Open(msgspec.Struct, frozen=True):
    """The decision that the seat has to make now."""

    key: str
    kind: str
    round: int
    phase: str
    ordinal: int
    new: bool
    """This mail is the first to ask for it: an answer to another one may be on its way already."""


class Machine(msgspec.Struct, frozen=True):
    """What the attachment ``pbem.json`` holds."""

    format: int
    game: str
    """The table's name."""
    kind: str
    """The game's name."""
    seat: int
    names: tuple[str, ...]
    status: str
    decision: Open | None
    """``None``: this seat is not awaited."""
    orders: tuple[str, ...]
    """Some that are legal now, the best first; none where the seat is not awaited."""
    due_at: datetime | None
    over: bool
    outcome: Outcome | None
    n: int
    head: str
    lines: tuple[Answered, ...]
    view: msgspec.Raw
    """What the seat may see, in the game's own form."""


def machine(telling: Telling, table: Table, due_at: datetime | None = None) -> str:
    """The JSON for the seat that `telling` is for, in one line. The game has begun."""
    seat = telling.to.seat
    decision = table.open_decision(seat)
    value = Machine(
        format=FORMAT,
        game=table.name,
        kind=table.game.name,
        seat=seat,
        names=table.names,
        status=table.status.value,
        decision=_open(decision, telling) if decision else None,
        orders=_orders(table, seat) if decision else (),
        due_at=due_at if decision else None,
        over=table.status in (Status.OVER, Status.ENDED),
        outcome=table.game.outcome(table.running.state),
        n=table.running.n,
        head=table.head[:SHORT_HEAD],
        lines=tuple(_answered(line) for verdict in telling.verdicts for line in verdict.lines),
        view=msgspec.Raw(table.game.encode(table.view(seat))),
    )
    return msgspec.json.encode(value).decode()


def _orders(table: Table, seat: int) -> tuple[str, ...]:
    view = table.view(seat)
    return tuple(table.game.write(action, view) for action in table.game.suggest(view, OFFERED))


def _open(decision: Decision, telling: Telling) -> Open:
    new = telling.asks == decision.key
    return Open(decision.key, decision.kind, decision.round, decision.phase, decision.ordinal, new)


def _answered(line: Line) -> Answered:
    return Answered(line.text, line.said.value, line.reason)
