"""All rows of one database into another of whatever kind: how PostgreSQL is backed up, and how a host moves to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from pbem.errors import DatabaseTrouble
from pbem.store import copying
from pbem.store.database import connect, in_plain_words, reading, writing
from pbem.store.migrate import apply, newest_revision, revision_of, upgrade
from pbem.store.tables import METADATA
from pbem.store.turns import turn

_AT_ONCE: Final = 500
"""Rows that are held in memory: one may hold a whole mail."""
_ONE_MOMENT: Final[dict[str, Any]] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


def take(url: str, target: Path) -> None:
    """Write all that is in the database of PostgreSQL at `url` into `target`, a file of SQLite, as of one moment.

    Others may write meanwhile. The file is whole or not there, and for its owner alone. `DatabaseTrouble`, also for a
    database that is not in the newest form.
    """
    with copying.whole(target) as begun:
        upgrade(made := f"sqlite:///{begun}")
        with _engine(url) as source, _engine(made, foreign_keys=False) as file, _moment(source) as look:
            _check_newest(look)
            with writing(file) as kept:
                _move(look, kept)
        copying.close(begun)


def put_in(file: Path, url: str, aside: str) -> str:
    """Let the database of PostgreSQL at `url` be what the file of SQLite holds, in the newest form.

    What was there is put aside into a schema named `aside`; its name, or nothing where there was none.
    `DatabaseTrouble` while a host is at work there, or when the database refuses; then nothing is changed.
    """
    with copying.trial(file) as copied:
        upgrade(copied)
        with _engine(copied) as source, _engine(url) as target, turn(target) as mine:
            if not mine:
                raise DatabaseTrouble("A host is at work on this database", "Stop it, then try again")
            with reading(source) as look, writing(target) as kept:
                gone = _put_aside(kept, aside)
                apply(kept)
                _move(look, kept)
                _count_on(kept)
    return gone


def _check_newest(look: Connection) -> None:
    found, newest = revision_of(look), newest_revision()
    if not found:
        raise DatabaseTrouble("There is nothing in this database", "Check url in [database], or run pbem poll first")
    if found != newest:
        mend = "Back it up with the version that last used it, or let this one bring it to the newest form: pbem poll"
        raise DatabaseTrouble(f"The database is of form {found}, and this version of pbem has {newest}", mend)


def _move(look: Connection, kept: Connection) -> None:
    """Insert all rows in an order in which each finds what it refers to."""
    for table in METADATA.sorted_tables:
        inward = [column for column in table.c if any(key.column.table is table for key in column.foreign_keys)]
        for rows in look.execute(sa.select(table).execution_options(yield_per=_AT_ONCE)).mappings().partitions():
            kept.execute(table.insert(), [{**row, **{column.name: None for column in inward}} for row in rows])
        for column in inward:
            _refer(look, kept, table, column)


def _refer(look: Connection, kept: Connection, table: sa.Table, column: sa.Column[Any]) -> None:
    """Let rows refer to others of their own table, once all are there."""
    referring = sa.select(table.c.id.label("own"), column.label("other")).where(column.is_not(None))
    change = table.update().where(table.c.id == sa.bindparam("own")).values({column: sa.bindparam("other")})
    rows = [dict(row) for row in look.execute(referring).mappings()]
    if rows:
        kept.execute(change, rows)


def _put_aside(connection: Connection, aside: str) -> str:
    """Rename the schema in which tables lie, and make an empty one of its name."""
    if not revision_of(connection):
        return ""
    schema = connection.execute(sa.select(sa.func.current_schema())).scalar_one()
    quoted = connection.dialect.identifier_preparer.quote_identifier
    old, new = quoted(schema), quoted(aside)
    connection.exec_driver_sql(f"ALTER SCHEMA {old} RENAME TO {new}")
    connection.exec_driver_sql(f"CREATE SCHEMA {old}")
    return aside


def _count_on(connection: Connection) -> None:
    """Let new rows be numbered from behind the highest number that there is."""
    for table in METADATA.sorted_tables:
        if "id" in table.c:
            sequence = sa.func.pg_get_serial_sequence(f'"{table.name}"', "id")
            following = sa.func.coalesce(sa.func.max(table.c.id), 0) + 1
            connection.execute(sa.select(sa.func.setval(sequence, following, False)))


@contextmanager
def _moment(engine: Engine) -> Iterator[Connection]:
    """A connection that sees all as of one moment."""
    with in_plain_words(), engine.connect().execution_options(**_ONE_MOMENT) as connection:
        yield connection


@contextmanager
def _engine(url: str, foreign_keys: bool = True) -> Iterator[Engine]:
    engine = connect(url, foreign_keys)
    try:
        yield engine
    finally:
        engine.dispose()
