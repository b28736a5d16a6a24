"""Every position of a page in fragments, and how the seats stood after each round: from what a game offers for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from engine.game import AnyGame, Fragment
from engine.record import Position
from pbem.archive.values import Chapter, Standing, Still
from pbem.table import Table

REPLAY: Final = "replay"
"""The capability of a game that draws its positions."""
WHOLE: Final = "board"
"""The only place of a position that its game does not draw: its board in words."""


def stills(table: Table, line: Sequence[Position], entries: Iterable[int], *, opened: bool) -> tuple[Still, ...]:
    """The opening, and the position after each of `entries`; `opened`: with the hands of all seats."""
    return tuple(_still(table, n, line[n], opened=opened) for n in (0, *entries))


def standings(game: AnyGame, drawn: Iterable[Still], chapters: Iterable[Chapter]) -> tuple[Standing, ...]:
    """What everybody had won after each round that counts."""
    replay = game.capabilities.get(REPLAY)
    if replay is None:
        return ()
    by_entry = {still.n: still for still in drawn}
    counted = (chapter for chapter in chapters if not chapter.undone)
    return tuple(Standing(chapter.round, replay.worth(by_entry[chapter.last].view)) for chapter in counted)


def views_of(table: Table, position: Position) -> tuple[Any, ...]:
    """What each seat sees in `position`."""
    return tuple(table.game.view(position.state, seat, table.names) for seat in range(1, len(table.chairs) + 1))


def _still(table: Table, n: int, position: Position, *, opened: bool) -> Still:
    view = table.game.view(position.state, None, table.names)
    return Still(n, view, dict(_fragments(table, view, position, opened=opened)))


def _fragments(table: Table, view: Any, position: Position, *, opened: bool) -> Iterator[tuple[str, Fragment]]:
    replay = table.game.capabilities.get(REPLAY)
    if replay is None:
        yield WHOLE, Fragment(WHOLE, (view, position.ended))
        return
    hands = views_of(table, position) if opened else ()
    fragments: Mapping[str, Fragment] = replay.fragments(view, hands, ended=position.ended)
    yield from fragments.items()
