"""Mails as they come in, until they are handled or put aside."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pbem.loops import Written
from pbem.store import inbox
from pbem.store.connected import Connected
from pbem.store.database import writing
from pbem.store.values import Incoming, Parked, Work


class MailsIn(Connected):
    """The inbox. Times are aware."""

    def intake(self, mails: Sequence[Incoming]) -> tuple[int, ...]:
        """Keep a batch of mails; the ids of those that are new, in order. Known ones are kept as they are, but once a
        day one that was sent again is new as a copy (`Work.again`).

        The first attempt at the new ones is counted by that; before any other there must be a `try_again`.
        """
        with writing(self.engine) as connection:
            return inbox.intake(connection, mails)

    def work(self, limit: int) -> tuple[Work, ...]:
        """Mails that wait to be handled, in order of intake, and were not begun too often."""
        with self._reading() as connection:
            return inbox.work(connection, limit, self._attempts)

    def worn_out(self, limit: int) -> tuple[Work, ...]:
        """Mails that were begun often enough and never handled: to be parked."""
        with self._reading() as connection:
            return inbox.worn_out(connection, limit, self._attempts)

    def raw(self, id: int) -> bytes:
        """The bytes of a mail that came in."""
        with self._reading() as connection:
            return inbox.raw(connection, id)

    def came_first(self, id: int) -> datetime | None:
        """When the mail came in of which `id` is a copy."""
        with self._reading() as connection:
            return inbox.came_first(connection, id)

    def try_again(self, id: int) -> None:
        """Count another attempt, before it is made: so a mail that ends the process cannot loop."""
        with writing(self.engine) as connection:
            inbox.begin_again(connection, id)

    def spare(self, *ids: int) -> None:
        """Take back the attempt at each mail that was counted last: what ended it had nothing to do with the mail."""
        if ids:
            with writing(self.engine) as connection:
                inbox.spare(connection, ids)

    def park(self, id: int, problem: str) -> None:
        """Give a mail up without an answer. `Conflict` when it was handled in the meantime."""
        with writing(self.engine) as connection:
            inbox.finish(connection, id, problem)

    def written(self, id: int, *, proved: bool) -> Written:
        """What the sender of a mail wrote in the hour before it, by its worth; only what was `proved` to be his, or
        only the rest."""
        with self._reading() as connection:
            return inbox.written(connection, id, proved=proved)

    def parked(self) -> tuple[Parked, ...]:
        """Mails that were put aside, in order of intake."""
        with self._reading() as connection:
            return inbox.parked(connection)

    def unpark(self, id: int) -> None:
        """Let a mail that was put aside be tried again. `Conflict` when it is not any more."""
        with writing(self.engine) as connection:
            inbox.unpark(connection, id)

    def drop(self, id: int) -> None:
        """Let a mail that was put aside be done without any effect. `Conflict` when it is not any more."""
        with writing(self.engine) as connection:
            inbox.drop(connection, id)
