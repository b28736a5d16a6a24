"""The files of the archive: where they may lie, and writing them at once or not at all."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pbem.errors import Trouble
from pbem.files import write_whole

_FOLDER: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""What a table may be called to have a folder: no dot and no slash, so that it cannot lead elsewhere."""


def check_folder(folder: Path) -> None:
    """Make the folder of the archive, if it is missing; `Trouble` if no game could be written into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        mend = "Let this user write there, or name another folder in [archive]"
        raise Trouble(f"The archive folder {folder} cannot be written: {error.strerror}", mend) from None


def home_of(folder: Path, table: str) -> Path:
    """The folder of one game, right below `folder`."""
    if not _FOLDER.fullmatch(table):
        raise Trouble(f"A table called {table[:40]!r} cannot have a folder", "Archive it under a plain name.")
    return folder / table


@contextmanager
def writing() -> Iterator[None]:
    """Makes a `Trouble` of what the file system refuses."""
    try:
        yield
    except OSError as error:
        raise Trouble(f"The archive cannot be written: {error}", "Check the folder of [archive].") from None


def put(path: Path, data: bytes) -> int:
    """Let the file `path` hold `data`, at once or not at all; how many files were written: none if it does already."""
    if _holds(path, data):
        return 0
    write_whole(path, data)
    return 1


def sweep(folder: Path) -> None:
    """Take drafts out of `folder` that a process was writing when it died."""
    for left in folder.glob(".*.*.[0-9]*"):
        left.unlink(missing_ok=True)


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except FileNotFoundError:
        return False
