"""How a database is, from a look that changes nothing. `Store.open` would bring it to the newest form first."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from sqlalchemy.engine import Connection, make_url
from sqlalchemy.exc import ArgumentError

from pbem.errors import ConfigurationTrouble, DatabaseTrouble
from pbem.store.database import connect, writing
from pbem.store.migrate import newest_revision, revision_of

SOUND: Final = "ok"
_RESTORE: Final = "Stop the host, keep the file, and restore a backup: pbem restore FILE --force"


class Form(StrEnum):
    """Of the tables in a database."""

    NONE = "none"
    """There are none: the database is empty, or its file is missing."""
    OLDER = "older"
    """The next start of the host brings them to the newest form."""
    NEWEST = "newest"


@dataclass(frozen=True, slots=True)
class Health:
    """A database that can be read and written."""

    kind: str
    """``sqlite`` or ``postgresql``."""
    form: Form
    revision: str
    """Of the last migration that was applied; empty where none was."""
    newest: str
    """Of the last one that there is."""


def look(url: str) -> Health:
    """Look at the database at `url`. `Trouble` when it cannot be used, is damaged, or of a newer version."""
    newest = newest_revision()
    file = file_of(url)
    if file is not None and not file.exists():
        return Health("sqlite", Form.NONE, "", newest)
    engine = connect(url)
    try:
        with writing(engine) as connection:  # whoever may only read cannot begin
            _check_pages(connection)
            return _formed(connection, newest)
    finally:
        engine.dispose()


def file_of(url: str) -> Path | None:
    """The file of a database of SQLite; nothing for one that lies in none. `ConfigurationTrouble` if that is no URL."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise ConfigurationTrouble("The URL of the database cannot be read", "Write it as sqlite:///pbem.db") from None
    name = parsed.database
    if parsed.get_backend_name() != "sqlite" or not name or name == ":memory:" or name.startswith("file:"):
        return None
    return Path(name)


def _check_pages(connection: Connection) -> None:
    if connection.dialect.name != "sqlite":
        return
    said = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
    if said != SOUND:
        raise DatabaseTrouble(f"The database is damaged: {said}", _RESTORE)


def _formed(connection: Connection, newest: str) -> Health:
    revision = revision_of(connection)
    form = Form.NONE if not revision else Form.NEWEST if revision == newest else Form.OLDER
    return Health(connection.dialect.name, form, revision, newest)
