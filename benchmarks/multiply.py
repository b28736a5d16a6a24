"""Makes a host of many years out of a young one: all that it has, many times over."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from pbem.store.tables import HOST, METADATA

_BODIES: Final = "raw"
"""Bodies of mails are left out: a host forgets them, and they would fill the disk."""


def multiply(database: Path, times: int) -> None:
    """Let everything but what the host keeps in mind be there `times` as often, in tables that are told apart."""
    with closing(sqlite3.connect(database)) as connection:
        steps = {table.name: _highest(connection, table) for table in METADATA.sorted_tables}
        for table in METADATA.sorted_tables:
            if table is not HOST:
                connection.execute(_copying(table, steps), (times,))
        connection.commit()


def _highest(connection: sqlite3.Connection, table: sa.Table) -> int:
    if "id" not in table.c:
        return 0
    return int(connection.execute(f"SELECT coalesce(max(id), 0) FROM {table.name}").fetchone()[0])


def _copying(table: sa.Table, steps: dict[str, int]) -> str:
    values = ", ".join(_copied(column, steps) for column in table.c)
    return f"""
        WITH RECURSIVE copy(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM copy WHERE k < ? - 1)
        INSERT INTO {table.name} ({", ".join(table.c.keys())}) SELECT {values} FROM copy, {table.name} AS old"""


def _copied(column: sa.Column[object], steps: dict[str, int]) -> str:
    """The column of copy `k`: ids and what refers to them go on counting, and what is unique stays so."""
    for key in column.foreign_keys:
        if key.column.name == "id":
            return f"old.{column.name} + k * {steps[key.column.table.name]}"
    if column.name == "id":
        return f"old.id + k * {steps[column.table.name]}"
    if column.name == _BODIES:
        return "x''"
    return f"k || old.{column.name}" if column.unique else f"old.{column.name}"
