"""What the lists of games say of each, and the orders that they stand in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import msgspec

from engine.game import Outcome
from pbem.archive.values import Page
from pbem.names import folded


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What the lists of games say of one."""

    table: str
    label: str = ""
    title: str
    names: tuple[str, ...]
    winners: tuple[str, ...]
    outcome: Outcome | None
    begun: datetime
    ended: datetime | None
    """``None``: it runs."""
    commitment: str = ""
    """It makes the game's name in a feed unlike any other's."""
    stamp: str = ""
    """Of all that its files were made of: what has the same one need not be made again."""


@dataclass(frozen=True, slots=True)
class Group:
    """Games under a heading."""

    heading: str
    """Nothing where each date is to say for itself."""
    games: tuple[About, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """A list of all games: the name of its file, and what each game stands under."""

    name: str
    headings: Callable[[About], Iterable[str]]
    newest_heading_first: bool = False


def about(page: Page, stamp: str) -> About:
    """What the lists say of the game of `page`."""
    return About(
        table=page.table,
        label=page.label,
        title=page.title,
        names=page.names,
        winners=page.winners,
        outcome=page.outcome,
        begun=page.begun,
        ended=page.ended if page.over else None,
        commitment=page.commitment,
        stamp=stamp,
    )


def newest_first(games: Iterable[About]) -> list[About]:
    """`games`: those that run, by their beginning, and those that are over, by their end, the newest first."""
    return sorted(games, key=lambda game: (game.ended is None, game.ended or game.begun, game.table), reverse=True)


def groups(games: Sequence[About], order: Order) -> Iterator[Group]:
    """`games`, in their order, under each heading that `order` gives them, the headings sorted."""
    under: dict[str, list[About]] = {}
    for game in games:
        for heading in order.headings(game):
            under.setdefault(heading, []).append(game)
    for heading in sorted(under, key=folded, reverse=order.newest_heading_first):
        yield Group(heading, tuple(under[heading]))


ORDERS: Final[Mapping[str, Order]] = {
    order.name: order
    for order in (
        Order("date", lambda game: (str((game.ended or game.begun).year),), newest_heading_first=True),
        Order("player", lambda game: tuple(dict.fromkeys(game.names))),
        Order("game", lambda game: (game.title,)),
    )
}
"""By name, the first one being the list that people come to."""
