"""Whether what is kept of a game is what its record says: its chain, deals and moves, and the state beside it."""

from __future__ import annotations

from collections.abc import Sequence

from engine import record
from engine.record import Flaw, Flawed, Position, Record
from pbem.settle import Logged
from pbem.table import Table


def flaw_in(table: Table, log: Sequence[Logged]) -> Flawed | None:
    """What is wrong with a table from its whole log; nothing where it holds, or the game has not begun.

    The table's state is a cache of its record, and has to be what the record leads to.
    """
    if table.header is None:
        return None
    try:
        last = last_position(table, log)
    except Flawed as flawed:
        return flawed
    return None if last == table.position else Flawed(Flaw.HEAD, last.n)


def last_position(table: Table, log: Sequence[Logged]) -> Position:
    """Where the whole record of a table that has begun leads to. Raises `Flawed` when it does not hold."""
    assert table.header is not None, f"{table.name} has not begun"
    entries = tuple(logged.entry for logged in log)
    return record.check(table.game, Record(table.header, entries, table.head, table.secret, None))
