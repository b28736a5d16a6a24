"""Write the archive of a finished game to its folder: files that a browser or a web server shows as they are.

    FOLDER/index.html             all games
    FOLDER/inn-7/record.json      what `pbem verify` checks; it names nobody
    FOLDER/inn-7/index.html       the game to read
    FOLDER/inn-7/about.json       what the list of games says of it

Writing is atomic, file by file, and the same game gives the same bytes: what was interrupted is done again.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from engine import record
from engine.game import Outcome
from pbem.archive import Page, page_of, record_of
from pbem.errors import Trouble
from pbem.press import Said
from pbem.render import Renderer
from pbem.settle import Logged
from pbem.table import Table
from pbem.times import clock, day

_FOLDER: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""What a table may be called to have a folder: no dot and no slash, so that it cannot lead elsewhere."""


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What the list of games says of one."""

    table: str
    label: str = ""
    title: str
    names: tuple[str, ...]
    winners: tuple[str, ...]
    outcome: Outcome | None
    begun: datetime
    ended: datetime


@dataclass(frozen=True, slots=True)
class Archived:
    """The files of one game."""

    record: Path
    page: Path


def write_archive(
    folder: Path, table: Table, log: Sequence[Logged], renderer: Renderer, said: Sequence[Said] = ()
) -> Archived:
    """Write the archive of `table`, which is over, from its whole log, and the list of games anew.

    `said` is what players said to all.

    `ValueError` while the game runs; `Trouble` if the folder cannot be written.
    """
    whole, page = record_of(table, log), page_of(table, log, said)
    home = _home(folder, table.name)
    archived = Archived(home / "record.json", home / "index.html")
    text = renderer.page("archive.html.j2", {"page": page, "day": day, "clock": clock}, table.game)
    try:
        home.mkdir(parents=True, exist_ok=True)
        _write(archived.record, record.dump(whole))
        _write(archived.page, text.encode())
        _write(home / "about.json", msgspec.json.encode(_about(page)))
        write_index(folder, renderer)
    except OSError as error:
        raise Trouble(f"The archive cannot be written: {error}", "Check the folder of [archive].") from None
    return archived


def check_folder(folder: Path) -> None:
    """Make the folder of the archive, if it is missing; `Trouble` if no game could be written into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        mend = "Let this user write there, or name another folder in [archive]"
        raise Trouble(f"The archive folder {folder} cannot be written: {error.strerror}", mend) from None


def write_index(folder: Path, renderer: Renderer) -> Path:
    """Write the list of all games that `folder` holds, the newest first."""
    games = sorted(_listed(folder), key=lambda about: (about.ended, about.table), reverse=True)
    index = folder / "index.html"
    _write(index, renderer.page("archive_index.html.j2", {"games": games, "day": day}).encode())
    return index


def _home(folder: Path, table: str) -> Path:
    """The folder of one game, right below `folder`."""
    if not _FOLDER.fullmatch(table):
        raise Trouble(f"A table called {table[:40]!r} cannot have a folder", "Archive it under a plain name.")
    return folder / table


def _about(page: Page) -> About:
    return About(
        table=page.table,
        label=page.label,
        title=page.title,
        names=page.names,
        winners=page.winners,
        outcome=page.outcome,
        begun=page.begun,
        ended=page.ended,
    )


def _listed(folder: Path) -> Iterator[About]:
    """The games of the folder; what is no game of ours is left out."""
    for path in folder.glob("*/about.json"):
        with suppress(msgspec.DecodeError, OSError):
            about = msgspec.json.decode(path.read_bytes(), type=About)
            if about.table == path.parent.name:
                yield about


def _write(path: Path, data: bytes) -> None:
    """Put `data` into the file `path` at once, or not at all. Drafts of processes that died over it go."""
    for left in path.parent.glob(f".{path.name}.*"):
        left.unlink(missing_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
