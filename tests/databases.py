"""Databases in their newest form, made once and then copied: all migrations in turn take longer than most tests.

What a test uses is SQLite; PostgreSQL too where it is marked ``each_database``, and everywhere with ``pytest
--database=postgresql``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def using(kind: str) -> Iterator[None]:
    """Which kind those get that ask in the meantime."""
    before = _chosen
    choose(kind)
    try:
        yield
    finally:
        choose(before)


def choose(kind: str) -> None:
    """Which kind those get that ask from now on."""
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
