"""One pass at a time over a database, whichever process makes it. A turn ends with its process, however that ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError

from pbem.errors import DatabaseTrouble
from pbem.store.database import in_plain_words

SUFFIX: Final = "-turn"
"""Of the empty file beside one of SQLite, as its own ``-wal``."""
_KEY: Final = int.from_bytes(b"pbem")
"""Of the lock in a database of PostgreSQL."""
_ALIVE: Final = {"tcp_keepalives_idle": 10, "tcp_keepalives_interval": 5, "tcp_keepalives_count": 3}
"""So the server finds within 25 seconds that the machine is gone which has the turn; a process that dies, at once."""


class Turns:
    """Takes turns at one database. With PostgreSQL a turn is for good: while this process lives, others stand by."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._server = _Server(engine)

    def turn(self) -> AbstractContextManager[bool]:
        """Whether nobody else has the turn; then it is the caller's while the context lasts. Nobody waits for it."""
        return self._server.turn() if self._engine.dialect.name == "postgresql" else _by_file(self._engine)

    def close(self) -> None:
        """Let others have it."""
        self._server.close()


@contextmanager
def turn(engine: Engine) -> Iterator[bool]:
    """Whether nobody has the turn; while the context lasts nobody else can take it."""
    turns = Turns(engine)
    try:
        with turns.turn() as mine:
            yield mine
    finally:
        turns.close()


@contextmanager
def _by_file(engine: Engine) -> Iterator[bool]:
    path = engine.url.database
    if not path or path == ":memory:" or path.startswith("file:"):
        yield True  # nobody else can see it
        return
    file = _opened(Path(f"{path}{SUFFIX}"))
    try:
        yield _locked(file)
    finally:
        os.close(file)


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        mend = "Let this user write to the folder of the database, and make room on its disk"
        raise DatabaseTrouble(f"{path} cannot be opened: {error.strerror}", mend) from None


def _locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class _Server:
    """A lock that belongs to a connection of its own: the server ends it when the connection, or its client, dies."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lasting: Connection | None = None
        self._taken = False

    @contextmanager
    def turn(self) -> Iterator[bool]:
        if self._taken:
            yield False
            return
        self._taken = self._is_held() or self._is_won()
        try:
            yield self._taken
        finally:
            self._taken = False

    def close(self) -> None:
        if self._lasting is not None:
            with suppress(DBAPIError):
                self._lasting.invalidate()  # not back into the pool, where it would keep its lock
                self._lasting.close()
            self._lasting = None

    def _is_held(self) -> bool:
        """Whether the connection still lives with which the lock was won."""
        if self._lasting is None:
            return False
        try:
            self._lasting.execute(sa.select(1))
        except DBAPIError:
            self.close()
            return False
        return True

    def _is_won(self) -> bool:
        won = False
        with in_plain_words():
            self._lasting = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            try:
                for setting, value in _ALIVE.items():
                    self._lasting.exec_driver_sql(f"SET {setting} = {value}")
                won = bool(self._lasting.execute(sa.select(sa.func.pg_try_advisory_lock(_KEY))).scalar_one())
            finally:
                if not won:
                    self.close()
        return won
