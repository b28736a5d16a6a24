"""Everything that is kept: people, tables and their records, mails in and out. One class, values in and out.

SQLite by default; PostgreSQL with psycopg. Each writing method is one transaction and one commit.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Self

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.parties import Decided
from pbem.store import copying, deciding, forgetting, outage, sweeping, vitals, waiting
from pbem.store.database import Deadlock, connect, insert_or, writing
from pbem.store.games_kept import Games
from pbem.store.inbox import ATTEMPTS
from pbem.store.lanes import HOST_LANE, Lanes
from pbem.store.mails_in import MailsIn
from pbem.store.mails_out import MailsOut
from pbem.store.migrate import upgrade
from pbem.store.persons import Persons
from pbem.store.saving import Writing
from pbem.store.tables import HOST
from pbem.store.values import Bundle, Conflict, Incoming, Outgoing, Parked, Pending, Posting, Work
from pbem.store.vitals import Vitals
from pbem.tokens import Tokens

__all__ = [
    "ATTEMPTS",
    "HOST_LANE",
    "SWEEP_MARK",
    "Bundle",
    "Conflict",
    "Incoming",
    "Outgoing",
    "Parked",
    "Pending",
    "Posting",
    "Store",
    "Vitals",
    "Work",
]


UNCONFIRMED: Final = timedelta(days=7)
"""How long a name is kept for an address that does not confirm it."""
SWEPT: Final = 500
"""Mails in, and as many out, that one pass takes the bytes from."""
_MARKS: Final = sa.select(HOST)
_MARK: Final = sa.select(HOST.c.value).where(HOST.c.key == sa.bindparam("wanted"))
SWEEP_MARK: Final = "swept"
"""Under which the host keeps the day on which that was last done to the end."""


class Store(MailsIn, Lanes, Persons, Games, MailsOut):
    """The database. Times are aware; a `Conflict` means that nothing was written.

    `attempts`, 2 or more, is how often a mail is begun before it is given up.
    """

    @classmethod
    def open(cls, url: str, tokens: Tokens, attempts: int = ATTEMPTS) -> Self:
        """The database at `url`, brought to the newest form first. `Trouble` says why it cannot be used.

        A file of SQLite is copied before, so that the version of pbem that wrote it can go on from there.
        """
        upgrade(url, partial(copying.keep_before_upgrade, url))
        return cls(connect(url), tokens, attempts)

    def close(self) -> None:
        self._turns.close()
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Deciding

    def write(self, decided: Decided, *, inbox: int | None, now: datetime, problem: str = "") -> None:
        """Write everything that was decided, and with it that mail `inbox` is done (or parked, with a `problem`).

        `Conflict` when a table has moved on, a name was taken or the mail was handled in the meantime.
        """
        try:
            with writing(self.engine) as connection:
                deciding.write(Writing(connection, now, self._tokens, {}), decided, inbox, problem)
        except Deadlock as error:
            raise Conflict(str(error)) from None

    # The host itself

    def sweep(self, now: datetime, keep: timedelta, limit: int = SWEPT) -> int:
        """Once a day, take the bytes from mails that are older than `keep`: how many there were.

        With them go names that nobody has confirmed for a week.

        At most `limit` in and `limit` out, so that no pass takes long; the next one goes on, until all is done.
        """
        today = now.date().isoformat()
        if self.mark(SWEEP_MARK) == today:
            return 0
        with writing(self.engine) as connection:
            sweeping.sweep_strangers(connection, now)
            forgetting.lapse(connection, now - UNCONFIRMED, limit)
            swept = sweeping.sweep(connection, now - keep, limit)
            if swept < limit:
                _set_mark(connection, SWEEP_MARK, today)
            return swept

    def vitals(self, now: datetime) -> Vitals:
        """How much there is, and what waits, as of `now`: for statistics."""
        with self._reading() as connection:
            return vitals.look(connection, now)

    def any_work(self, now: datetime) -> bool:
        """Whether a pass at `now` finds anything to do when no mail came: to handle, to settle, to send, or by the
        clock. It is asked in one statement."""
        with self._reading() as connection:
            return waiting.any_work(connection, now)

    def marks(self) -> dict[str, str]:
        """All that the host keeps in mind, as `mark` gives it."""
        with self._reading() as connection:
            return {row.key: row.value for row in connection.execute(_MARKS)}

    def mark(self, key: str) -> str | None:
        """What the host keeps in mind under `key`, as its heartbeat or how far a folder was read."""
        with self._reading() as connection:
            return connection.execute(_MARK, {"wanted": key}).scalar_one_or_none()

    def give_back(self, heartbeat: str, since: datetime, now: datetime) -> bool:
        """Give every running clock the time back that it lost while the host was away since the mark `heartbeat`.

        Whether any did; it is done once, however many processes try, and tells everybody concerned.
        """
        with writing(self.engine) as connection:
            return outage.give_back(connection, heartbeat, since, now)

    def set_mark(self, key: str, value: str) -> None:
        with writing(self.engine) as connection:
            _set_mark(connection, key, value)

    def amend_mark(self, key: str, change: Callable[[str], str]) -> None:
        """Change what is kept under `key`, nothing at first, whoever else does so at the same time."""
        with writing(self.engine) as connection:
            there = insert_or(connection, HOST).values(key=key, value="").on_conflict_do_nothing(index_elements=["key"])
            connection.execute(there)
            kept = sa.select(HOST.c.value).where(HOST.c.key == key).with_for_update()
            _set_mark(connection, key, change(connection.execute(kept).scalar_one()))


def _set_mark(connection: Connection, key: str, value: str) -> None:
    insert = insert_or(connection, HOST).values(key=key, value=value)
    connection.execute(insert.on_conflict_do_update(index_elements=["key"], set_={"value": value}))
