"""Migrations: the program brings its database to the newest form by itself.

A new one is drafted with ``alembic -c migrations/alembic.ini revision --autogenerate -m "..."`` and read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.engine import Connection

from pbem.errors import Trouble
from pbem.files import resource
from pbem.store.database import check, connect, writing
from pbem.store.tables import METADATA


def upgrade(url: str, keep: Callable[[str], object] | None = None) -> None:
    """Apply what is missing, in one transaction; a second process waits for the first.

    Before a database that holds something changes, while nobody else can write, `keep` is called with the revision it
    has. `Trouble` when the database cannot be opened, or was made by a newer version of the program.
    """
    engine = connect(url, foreign_keys=False)
    try:
        check(engine)
        with writing(engine) as connection:
            if keep is not None and (found := _outgrown(connection)):
                keep(found)
            apply(connection)
    except CommandError as error:
        raise _misfit(error) from error
    finally:
        engine.dispose()


def apply(connection: Connection) -> None:
    """Apply what is missing, in the transaction of `connection`, which has no foreign keys to check on SQLite."""
    if MigrationContext.configure(connection).get_current_revision() != newest_revision():
        command.upgrade(_config(connection), "head")


def _outgrown(connection: Connection) -> str:
    """The revision of a database that the next migration is for; empty for a new one and one in the newest form."""
    found = revision_of(connection)
    return "" if found == newest_revision() else found


def differences(url: str) -> list[Any]:
    """What the tables in the database lack compared with the code: nothing, when every migration is written."""
    engine = connect(url)
    try:
        with engine.connect() as connection:
            return list(compare_metadata(MigrationContext.configure(connection), METADATA))
    finally:
        engine.dispose()


@cache
def newest_revision() -> str:
    """The revision that the migrations lead to: reading all of them takes longer than opening a database."""
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


def revisions() -> frozenset[str]:
    """All that this version of the program knows."""
    return frozenset(each.revision for each in ScriptDirectory.from_config(_config()).walk_revisions())


def revision_of(connection: Connection) -> str:
    """The revision that a database has; empty for one without tables. `Trouble` if only a newer version knows it."""
    found = MigrationContext.configure(connection).get_current_revision() or ""
    try:
        if found:
            ScriptDirectory.from_config(_config()).get_revision(found)
    except CommandError as error:
        raise _misfit(error) from None
    return found


def _misfit(error: CommandError) -> Trouble:
    return Trouble(f"The database does not fit this version of pbem: {error}", "Install the version that last used it")


def _config(connection: Connection | None = None) -> Config:
    folder = resource("migrations")
    config = Config(folder / "alembic.ini", attributes={"connection": connection})
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    return config
