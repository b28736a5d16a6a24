"""Tables and the records of their games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from engine.game import AnyGame
from pbem.draft import Listed
from pbem.names import canonical
from pbem.parties import Invitation
from pbem.press import Said
from pbem.settle import Logged
from pbem.store import (
    games,
    listing,
    press,
)
from pbem.store.connected import Connected
from pbem.store.database import writing
from pbem.store.tables import GAME, INVITATION
from pbem.table import Status, Table


class Games(Connected):
    """Tables, found by name or by what they wait for. Times are aware."""

    def table(self, name: str, kinds: Mapping[str, AnyGame]) -> Table | None:
        """The table called `name`; `kinds` are the games that are installed."""
        return self.tables([name], kinds).get(name)

    def tables(self, names: Sequence[str], kinds: Mapping[str, AnyGame]) -> dict[str, Table]:
        """Those of the tables called `names` that there are, for as many statements as one of them takes."""
        with self._reading() as connection:
            return games.load(connection, names, kinds)

    def listed(self, person: int, kinds: Mapping[str, AnyGame]) -> tuple[Listed, ...]:
        """Tables that are not over where a person (0: nobody) sits or which he moderates, and those that are open."""
        with self._reading() as connection:
            return listing.listed(connection, person, kinds)

    def invitations(self, name: str) -> tuple[Invitation, ...]:
        """The open invitations to the table called `name`."""
        with self._reading() as connection:
            return listing.invitations(connection, GAME.c.name == name)

    def invitations_to(self, address: str) -> tuple[Invitation, ...]:
        """The open invitations of an address."""
        with self._reading() as connection:
            return listing.invitations(connection, INVITATION.c.canonical == canonical(address))

    def rematches(self, names: Iterable[str]) -> dict[str, str]:
        """By the name of a table: the name of the one at which its players sit again."""
        with self._reading() as connection:
            return listing.rematches(connection, names)

    def newcomers(self, people: Iterable[int]) -> frozenset[int]:
        """Those of `people` who have never sat at a table that has begun."""
        with self._reading() as connection:
            return listing.newcomers(connection, frozenset(people))

    def next_number(self) -> int:
        """For the name of a new table. Two who ask at once get the same: the later one's `write` is a `Conflict`."""
        with self._reading() as connection:
            return listing.next_number(connection)

    def log(self, table: Table, after: int = 0, upto: int | None = None) -> tuple[Logged, ...]:
        """The entries of `table` behind entry `after`, up to `upto` or the last."""
        with self._reading() as connection:
            return games.log(connection, table, after, upto)

    def said_to_all(self, table: str) -> tuple[Said, ...]:
        """What was said to everybody at a table and has gone out, in order."""
        with self._reading() as connection:
            return press.said_to_all(connection, table)

    def release_press(self, now: datetime) -> None:
        """Let anonymous words go out whose time has come."""
        with self._reading() as connection:
            due = press.is_due(connection, now)
        if due:
            with writing(self.engine) as connection:
                press.release(connection, now)

    def living(self, *status: Status) -> tuple[str, ...]:
        """Names of the tables that are not over, or of those with a `status`, oldest first."""
        with self._reading() as connection:
            return listing.living(connection, status or (Status.OPEN, Status.RUNNING))

    def restless(self, limit: int) -> tuple[str, ...]:
        """Names of tables where something happened since they were last settled."""
        with self._reading() as connection:
            return games.restless(connection, limit)

    def due(self, now: datetime) -> tuple[str, ...]:
        """Names of running games in which somebody's time was over by `now`, the longest first."""
        with self._reading() as connection:
            return games.due(connection, now)

    def held(self, now: datetime) -> tuple[str, ...]:
        """Names of games in which an order could be taken back until before `now`."""
        with self._reading() as connection:
            return games.held(connection, now)

    def to_remind(self, now: datetime) -> tuple[str, ...]:
        """Names of running games in which a reminder was due by `now`."""
        with self._reading() as connection:
            return games.to_remind(connection, now)

    def played_for_absent(self, now: datetime) -> tuple[str, ...]:
        """Names of running games that await somebody who is away and wants a bot to play for him."""
        with self._reading() as connection:
            return games.played_for_absent(connection, now)
