"""One pass at a time over a database, whichever process makes it. A turn ends with its process, however that ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from pbem.errors import DatabaseTrouble
from pbem.store.database import in_plain_words

SUFFIX: Final = "-turn"
"""Of the empty file beside one of SQLite, as its own ``-wal``."""
_KEY: Final = int.from_bytes(b"pbem")
"""Of the lock in a database of PostgreSQL."""


def turn(engine: Engine) -> AbstractContextManager[bool]:
    """Whether nobody else has the turn; then it is the caller's while the context lasts. Nobody waits for it."""
    return _TURNS[engine.dialect.name](engine)


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


@contextmanager
def _by_server(engine: Engine) -> Iterator[bool]:
    with in_plain_words(), engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        mine = bool(connection.execute(sa.select(sa.func.pg_try_advisory_lock(_KEY))).scalar_one())
        try:
            yield mine
        finally:
            if mine:
                connection.execute(sa.select(sa.func.pg_advisory_unlock(_KEY)))


_TURNS: Final[Mapping[str, Callable[[Engine], AbstractContextManager[bool]]]] = {
    "sqlite": _by_file,
    "postgresql": _by_server,
}
