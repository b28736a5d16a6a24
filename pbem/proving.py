"""Whether what is kept of a game is what its record says: its chain, deals and moves, and the state beside it."""

from __future__ import annotations

from collections.abc import Sequence

from engine import record
from engine.record import Flaw, Flawed, Record
from pbem.settle import Logged
from pbem.table import Table


def flaw_in(table: Table, log: Sequence[Logged]) -> Flawed | None:
    """What is wrong with a table from its whole log; nothing where it holds, or the game has not begun.

    The table's state is a cache of its record, and has to be what the record leads to.
    """
    if table.header is None:
        return None
    entries = tuple(logged.entry for logged in log)
    try:
        last = record.check(table.game, Record(table.header, entries, table.head, table.secret, None))
    except Flawed as flawed:
        return flawed
    return None if last == table.position else Flawed(Flaw.HEAD, last.n)
