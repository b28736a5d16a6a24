"""Where a sandbox lives: a folder that goes with it, or one that is kept and gone on from."""

from __future__ import annotations

import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from pbem.errors import Trouble
from pbem.files import write_whole
from pbem.host import real_time
from pbem.sandbox.mail import Mail

_STATE: Final = "sandbox.json"
_KEPT: Final = re.compile(r"\d+-(from|to)-([^.]+)\.eml")


class State(msgspec.Struct, frozen=True):
    """What has to be known to go on."""

    secret: str
    """Of the host."""
    now: datetime
    """What the clock shows, aware, in UTC."""
    people: tuple[str, ...] = ()
    """Who has a mailbox, in order."""


class Home:
    """A folder with a database, all mails and the archive."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder
        self.mails: Final = folder / "mails"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.state = self._read() or State(secrets.token_hex(32), _this_minute())
            self.mails.mkdir(mode=0o700, exist_ok=True)
            self._count = len(list(self.mails.iterdir()))
            self.save(self.state)
        except OSError as error:
            raise Trouble(f"{folder} cannot be used: {error.strerror}", "Name another one with --keep") from None

    @property
    def database(self) -> str:
        return f"sqlite:///{self.folder / 'pbem.db'}"

    @property
    def archive(self) -> Path:
        return self.folder / "archive"

    def save(self, state: State) -> None:
        """Remember how things stand. The file is whole at any time."""
        self.state = state
        write_whole(self.folder / _STATE, msgspec.json.encode(state), 0o600)

    def keep(self, way: str, name: str, raw: bytes) -> None:
        """Keep a mail ``from`` or ``to`` somebody, numbered in their order."""
        self._count += 1
        (self.mails / f"{self._count:05}-{way}-{name}.eml").write_bytes(raw)

    def kept(self, name: str) -> list[Mail]:
        """The mails of somebody, oldest first."""
        found = [(match[1], path) for path in sorted(self.mails.iterdir()) if (match := _of(path, name))]
        return [Mail(number, path.read_bytes(), way == "from") for number, (way, path) in enumerate(found, 1)]

    def _read(self) -> State | None:
        file = self.folder / _STATE
        if file.exists():
            return msgspec.json.decode(file.read_bytes(), type=State)
        if any(self.folder.iterdir()):
            raise Trouble(f"{self.folder} holds something else", "Name an empty folder, or a new one, with --keep")
        return None


def _of(path: Path, name: str) -> re.Match[str] | None:
    """The parts of a mail's file name, if it is one of `name`'s."""
    found = _KEPT.fullmatch(path.name)
    return found if found and found[2] == name else None


def _this_minute() -> datetime:
    return real_time().replace(second=0, microsecond=0)


@contextmanager
def home(keep: Path | None) -> Iterator[Home]:
    """The folder `keep`, or one that nobody else can read and that is gone afterwards."""
    if keep is not None:
        yield Home(keep)
        return
    folder = Path(tempfile.mkdtemp(prefix="pbem-sandbox-"))
    try:
        yield Home(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
