"""Databases in their newest form, made once and then copied: all migrations in turn take longer than most tests.

Conversations are held on SQLite, or, with ``pytest --database=postgresql``, on PostgreSQL.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.store.migrate import upgrade
from tests.servers.postgresql import server

KINDS = SQLITE, POSTGRESQL = ("sqlite", "postgresql")
_chosen = SQLITE
_urls: dict[Path, str] = {}
"""Of the databases of PostgreSQL that belong to a folder."""


@cache
def empty() -> bytes:
    """The file of a SQLite database that holds nothing yet."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "pbem.db"
        upgrade(f"sqlite:///{file}")
        return file.read_bytes()


def choose(kind: str) -> None:
    """Which kind those who have no wish of their own get from now on."""
    global _chosen
    _chosen = kind


def chosen() -> str:
    """Which kind that is."""
    return _chosen


def url_in(folder: Path) -> str:
    """The URL of the database that belongs to `folder`; one that holds nothing yet, if there was none."""
    if _chosen == POSTGRESQL:
        if folder not in _urls:
            _urls[folder] = server().create()
        return _urls[folder]
    file = folder / "pbem.db"
    if not file.exists():
        file.write_bytes(empty())
    return f"sqlite:///{file}"


def copied(source: Path, target: Path) -> None:
    """Let the database of the folder `target` be as that of `source`, which nobody has open; files are copied by the
    caller."""
    if _chosen == POSTGRESQL:
        _urls[target] = server().copy(_urls[source])


def drop(home: Path) -> None:
    """Throw away what belongs to folders in `home` on PostgreSQL; files go with their folders."""
    for folder in [each for each in _urls if each.is_relative_to(home)]:
        server().drop(_urls.pop(folder))
