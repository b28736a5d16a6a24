"""Whole copies of a database of SQLite: out of one that is being written to, and back into its place."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import structlog

from pbem.errors import DatabaseTrouble
from pbem.store.health import SOUND, file_of

_PATIENCE: Final = 5.0
"""Seconds to wait until nobody writes."""
BESIDE: Final = ("", "-wal", "-shm")
"""What the names of the files of one database end in."""

log = structlog.get_logger()


def copy(source: Path, target: Path) -> None:
    """Write all that is in the database `source` into a file `target`, as of one moment. Others may write meanwhile.

    The file is whole or not there, for its owner alone, and needs none beside it. `DatabaseTrouble`.
    """
    if not source.exists():
        raise DatabaseTrouble(f"There is no database {source}", "Check url in [database], or run pbem poll first")
    with whole(target) as begun, closing(_opened(source)) as read, closing(_opened(begun)) as made:
        read.backup(made)  # all at once: one reading transaction, which holds up no writer
        _leave_alone(made)


def keep_before_upgrade(url: str, revision: str) -> None:
    """Copy the database at `url`, if it is a file, beside itself: it is about to leave the form `revision`.

    `DatabaseTrouble` where there is no room; then it stays in that form.
    """
    file = file_of(url)
    if file is None:
        log.info("the database is brought to a newer form", left=revision)
        return
    kept = file.with_name(f"{file.name}.form-{revision}")
    copy(file, kept)
    log.info("the database is brought to a newer form; what it was is kept", left=revision, copy=kept.name)


@contextmanager
def whole(target: Path) -> Iterator[Path]:
    """A file to write a database into, for its owner alone, which stands in the place of `target` when the context ends
    well, and is gone when it does not. `DatabaseTrouble`."""
    begun = target.with_name(f"{target.name}.{os.getpid()}")
    try:
        os.close(os.open(begun, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield begun
        _to_disk(begun)
        os.replace(begun, target)
        _to_disk(target.parent)
    except (OSError, sqlite3.Error) as error:
        raise DatabaseTrouble(
            f"{target} cannot be written: {error}", "Check its folder, and room on its disk"
        ) from None
    finally:
        for end in (*BESIDE, "-journal"):
            with suppress(OSError):
                Path(f"{begun}{end}").unlink()


def close(file: Path) -> None:
    """Let the database in `file`, which nobody has open, need no other file beside it."""
    with closing(_opened(file)) as connection:
        _leave_alone(connection)


def _leave_alone(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode=DELETE")


@contextmanager
def trial(file: Path) -> Iterator[str]:
    """The URL of a copy of the database in `file` that may be changed, while the context lasts. `DatabaseTrouble` if it
    is none, or damaged."""
    with TemporaryDirectory(dir=file.parent, prefix=".pbem-") as folder:
        made = Path(folder) / "pbem.db"
        try:
            shutil.copyfile(file, made)
            with closing(_opened(made)) as connection:
                said = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        except (OSError, sqlite3.Error) as error:
            raise DatabaseTrouble(f"{file} cannot be read: {error}", "Name a file that pbem backup wrote") from None
        if said != SOUND:
            raise DatabaseTrouble(f"{file} is damaged: {said}", "Use an older backup")
        yield f"sqlite:///{made}"


def put_aside(file: Path, name: str) -> Path | None:
    """Rename the database `file` to `name` in its folder; where it is then, or nothing if there was none.

    `DatabaseTrouble` while another program has it open, which would go on writing into what is put aside.
    """
    if not file.exists():
        return None
    with suppress(sqlite3.DatabaseError), closing(_opened(file)) as connection:
        _check_alone(connection, file)
    aside = file.with_name(name)
    for end in BESIDE:
        with suppress(FileNotFoundError):
            os.rename(f"{file}{end}", f"{aside}{end}")
    return aside


def _check_alone(connection: sqlite3.Connection, file: Path) -> None:
    """Only who is alone may change the kind of journal. One that is no database is no obstacle."""
    try:
        _leave_alone(connection)
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            mend = "Stop the host, and whatever else reads it, then try again"
            raise DatabaseTrouble(f"Another program has {file} open", mend) from None


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=_PATIENCE, isolation_level=None)


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
