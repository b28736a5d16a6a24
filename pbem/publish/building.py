"""The whole archive from the database: every game that is to be shown, and then the lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.game import AnyGame
from pbem.publish.games import publish, retract
from pbem.publish.lists import write_lists
from pbem.publish.site import Site
from pbem.store import Store
from pbem.table import BEGUN, Table


@dataclass(frozen=True, slots=True)
class Built:
    """What a building of the archive came to."""

    games: int
    """That are shown."""
    renewed: int
    """Of them, those with a file that is another one than before."""
    retracted: int
    """That were shown, and are no more."""
    lists: int
    """Lists and feeds that are others than before."""

    @property
    def text(self) -> str:
        """One line for a terminal."""
        gone = f", {self.retracted} taken away" if self.retracted else ""
        games, lists = _counted(self.games, "game"), _counted(self.lists, "list")
        return f"{games}, {self.renewed} of them written anew{gone}; {lists} written anew"


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def build(site: Site, store: Store, games: Mapping[str, AnyGame], shows: Callable[[Table], bool]) -> Built:
    """Write what is not as it should be of all games that `shows` lets be shown, a game at a time, and the lists."""
    shown = renewed = retracted = 0
    for name in store.living(*BEGUN):
        table = store.table(name, games)
        if table is None or table.position is None:
            continue
        if not shows(table):
            retracted += retract(site, name)
            continue
        shown += 1
        renewed += publish(site, table, store.log(table), store.said_to_all(name)).written > 0
    return Built(shown, renewed, retracted, write_lists(site))
