"""An empty database in its newest form, made once: all migrations in turn take longer than most tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.store.migrate import upgrade


@cache
def empty() -> bytes:
    """The file of a SQLite database that holds nothing yet."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "pbem.db"
        upgrade(f"sqlite:///{file}")
        return file.read_bytes()
