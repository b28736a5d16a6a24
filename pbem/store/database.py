"""Connections: one engine, a consistent look for reading, one transaction for writing."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, InternalError, NoSuchModuleError, OperationalError
from sqlalchemy.pool import PoolProxiedConnection

from pbem.errors import ConfigurationTrouble, DatabaseTrouble

_BUSY_MS: Final = 30_000
_PRAGMAS: Final = ("journal_mode=WAL", f"busy_timeout={_BUSY_MS}", "synchronous=FULL")
_WRITES: Final = "writes"
_WANTED: Final = "wanted"

_NOT_OURS: Final = (OperationalError, InternalError, DatabaseError, sqlite3.OperationalError, sqlite3.DatabaseError)
"""Errors of the database itself; those of what it was asked are classes of their own. A transaction is begun by the
driver, whose errors nobody translates. One of PostgreSQL that may only read speaks of an internal error."""
_MEND: Final = (
    ("full", "Make room on its disk; nothing is lost meanwhile"),
    ("locked", "End the program that holds it, or wait"),
    ("readonly", "Let this user write to its file and its folder"),
    ("read-only", "Name the server that may write, or end its recovery"),
    ("malformed", "Stop the host, keep the file, and restore a backup"),
)
"""By words of the database."""
_DEADLOCK: Final = "40P01"
"""What PostgreSQL calls it."""
_INSERTS: Final[dict[str, Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def connect(url: str, foreign_keys: bool = True) -> Engine:
    """An engine for `url`. A migration of SQLite rebuilds tables and wants `foreign_keys` off.

    `ConfigurationTrouble` when the URL is none, or its database needs a package that is not installed.
    """
    try:
        where = _with_driver(make_url(url))
        if where.get_backend_name() not in _INSERTS:
            raise ArgumentError
        engine = sa.create_engine(where, hide_parameters=True)  # they hold addresses and mails
    except (ArgumentError, NoSuchModuleError) as error:
        raise ConfigurationTrouble(
            "The URL of the database cannot be read", "Write it as sqlite:///pbem.db or postgresql://user@host/name"
        ) from error
    except ModuleNotFoundError as error:
        raise ConfigurationTrouble(
            f"This database needs the package {error.name}",
            "Install it, with the extra: pip install 'pbem[postgresql]'",
        ) from error
    if engine.dialect.name == "sqlite":
        _tune_sqlite(engine, foreign_keys)
    return engine


def _with_driver(url: URL) -> URL:
    return url.set(drivername="postgresql+psycopg") if url.drivername in ("postgres", "postgresql") else url


def conninfo(url: str) -> str:
    """`url` as PostgreSQL's own client library reads it."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def _tune_sqlite(engine: Engine, foreign_keys: bool) -> None:
    """The driver's own idea of when a transaction begins is switched off, so that `reading` sees one moment
    and `writing` takes its lock at once: a lock that is taken later can fail at once whatever the timeout.

    It is begun in the dialect and not by a listener: with one, each connection and statement asks for all of them."""

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        for pragma in (*_PRAGMAS, f"foreign_keys={'ON' if foreign_keys else 'OFF'}"):
            connection.execute(f"PRAGMA {pragma}")

    def begin(dbapi_connection: PoolProxiedConnection) -> None:
        driver: Any = dbapi_connection.driver_connection
        driver.execute("BEGIN IMMEDIATE" if dbapi_connection.info.pop(_WRITES, False) else "BEGIN")

    engine.dialect.do_begin = begin  # type: ignore[method-assign]


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection that only looks; nothing is committed. `DatabaseTrouble`."""
    with in_plain_words(), engine.connect() as connection:
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A connection whose transaction is committed once at the end, or rolled back as a whole. `DatabaseTrouble`."""
    with in_plain_words(), engine.connect() as connection:
        connection.info[_WRITES] = True
        with connection.begin():
            yield connection


class Deadlock(DatabaseTrouble):
    """Somebody else writes the same rows in another order, and this transaction had to give way."""


@contextmanager
def in_plain_words() -> Iterator[None]:
    """What is not the fault of a statement but of the database is a trouble for the keeper, in one line."""
    try:
        yield
    except (DatabaseError, sqlite3.DatabaseError) as error:
        if type(error) not in _NOT_OURS:
            raise
        origin = getattr(error, "orig", error)
        said = str(origin)
        if getattr(origin, "sqlstate", "") == _DEADLOCK:
            raise Deadlock(f"Two processes waited for each other: {said}", "Nothing: it is tried again") from None
        raise DatabaseTrouble(f"The database cannot be used: {said}", _mend(said)) from None


def _mend(said: str) -> str:
    return next((mend for words, mend in _MEND if words in said), "Check its URL, its disk and who may write there")


def check(engine: Engine) -> None:
    """`Trouble` for the keeper, in one line, when the database cannot be opened. A new one of SQLite is his alone."""
    if engine.dialect.name == "sqlite" and engine.url.database:
        _create_private(engine.url.database)
    try:
        engine.connect().close()
    except DatabaseError as error:
        raise DatabaseTrouble(
            f"The database cannot be opened: {error.orig}", "Check its URL and who may write there"
        ) from error


def _create_private(path: str) -> None:
    """Create the file, which will hold mails and hands, for its owner alone; SQLite takes its rights for those beside.

    One that is there is left as it is, and what cannot be created is told by whoever opens it.
    """
    if path != ":memory:" and not path.startswith("file:"):
        with suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def insert_or(connection: Connection, table: sa.Table) -> Any:
    """An INSERT that can say what to do when the row is there; each database has its own."""
    return _INSERTS[connection.dialect.name](table)


class Among:
    """A statement about the rows that have one of several values in a column, built once.

    For a single value, which is the rule, it asks for that: the database abstraction writes a list of values into
    the statement anew each time, which doubles what running it costs.
    """

    def __init__(self, statement: Any, column: sa.ColumnElement[Any]) -> None:
        self._one = statement.where(column == sa.bindparam(_WANTED, type_=column.type))
        self._several = statement.where(column.in_(sa.bindparam(_WANTED, expanding=True)))

    def run(self, connection: Connection, wanted: Sequence[Any], **values: Any) -> Any:
        """Run it for `wanted`, with further `values` by the names that the statement has for them."""
        if len(wanted) == 1:
            return connection.execute(self._one, {_WANTED: wanted[0], **values})
        return connection.execute(self._several, {_WANTED: list(wanted), **values})
