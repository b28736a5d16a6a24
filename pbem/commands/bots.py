"""Bots that have a seat of their own from the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.game import AnyGame
from pbem.draft import Refused
from pbem.levels import levels
from pbem.table import Chair, Table
from pbem.verdicts import Reason

OPTION: Final = "bots"
"""How they are asked for behind NEW: ``bots=2``, or by their levels as in ``bots=steady,random``."""
NONE: Final = frozenset({"", "0", "none", "no"})


def bots_called(game: AnyGame, text: str) -> tuple[str, ...]:
    """The level of each bot that `text` asks for: a number of usual ones, or levels with commas between them."""
    if text in NONE:
        return ()
    known = levels(game)
    if not known:
        raise Refused(Reason.NO_BOTS, title=game.title)
    asked = (known[0],) * int(text) if text.isdecimal() and len(text) == 1 else tuple(text.split(","))
    if not set(asked) <= set(known):
        raise bad_bots(game, text, max(game.seats))
    return asked


def bad_bots(game: AnyGame, text: str, most: int) -> Refused:
    """`text` asks for none that there are, or for more than `most`."""
    allowed = [*(str(count) for count in range(1, most + 1)), *levels(game)]
    return Refused(Reason.BAD_OPTION, near=allowed, option=OPTION, value=text, allowed=allowed)


def with_bots(table: Table, bots: Sequence[str]) -> Table:
    """`table`, which has not begun, with such bots on the next seats; `Refused` where there is no room for them."""
    taken = len(table.chairs)
    if taken + len(bots) > table.places:
        raise Refused(Reason.TABLE_FULL, game=table.name)
    seated = (Chair(seat, None, bot=level) for seat, level in enumerate(bots, taken + 1))
    return replace(table, chairs=(*table.chairs, *seated))
