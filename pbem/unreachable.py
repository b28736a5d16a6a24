"""A player whose mail comes back: his seat is marked, and its moderator told, until something comes from him again."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pbem.names import canonical
from pbem.parties import Changed, Decided, Notice, moderator_party
from pbem.table import Status, Table

UNREACHABLE: Final = "unreachable"


def unreachable(table: Table, seat: int, address: str) -> Decided | None:
    """What follows when a mail to `seat` shows that `address` does not exist.

    Nothing if that is known, or somebody else sits there by now, or nobody, or he has another address.
    """
    chair = table.chair(seat)
    if chair.person is None or canonical(chair.person.address) != canonical(address):
        return None
    if chair.unreachable or table.status is not Status.RUNNING:
        return None
    after = table.with_chair(replace(chair, unreachable=True))
    facts = {"name": table.names[seat - 1], "game": table.name}
    others = (each for each in table.moderators if each.id != chair.person.id)
    notices = tuple(Notice(moderator_party(table, each), UNREACHABLE, facts) for each in others)
    return Decided(tables=(Changed(table, after),), notices=notices)


def reached(table: Table, seat: int) -> Table:
    """`table` after a mail from `seat`."""
    chair = table.chair(seat)
    return table.with_chair(replace(chair, unreachable=False)) if chair.unreachable else table
