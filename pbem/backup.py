"""`pbem backup` and `pbem restore`: a copy of the database while the host runs, checked, and the way back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pbem import config
from pbem.bootstrap import store_of
from pbem.config import Settings
from pbem.errors import Trouble
from pbem.games import games
from pbem.host import real_time
from pbem.proving import flaw_in
from pbem.store import Store, copying, moving
from pbem.store.health import Form, file_of, look
from pbem.store.turns import SUFFIX
from pbem.store.vitals import BACKED_UP
from pbem.table import BEGUN
from pbem.verifying import WRONG

_MEND_SECRET: Final = (
    "Put pbem.secret of that host in its place; if it is lost, add --new-addresses, and each player has to write once"
)


@dataclass(frozen=True, slots=True)
class Checked:
    """What a look at every game in a database found."""

    games: int
    """That have begun."""
    flaws: tuple[str, ...]
    """What does not hold, a sentence each."""
    ours: bool
    """Whether the secret in the configuration is the one that the reply addresses of its players were made with."""

    @property
    def text(self) -> str:
        """One line, and one for each flaw."""
        records = "1 record" if self.games == 1 else f"{self.games} records"
        held = "not all hold" if self.flaws else "all hold" if self.games != 1 else "it holds"
        other = () if self.ours else ("The secret in the configuration is not the one that it was made with.",)
        return "\n".join((f"Checked {records} of games: {held}.", *(f"  {flaw}" for flaw in self.flaws), *other))


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restored database is, and where the one is that was there before."""

    checked: Checked
    aside: str
    """The file, or for PostgreSQL the schema; empty where there was none."""


def backup(path: Path, file: Path, *, force: bool = False) -> Checked:
    """Copy the database of the configuration at `path` into `file`, and check the copy. The host may run meanwhile.

    A file that is there is overwritten only with `force`: else `Trouble`. A copy with flaws is kept: it is what there
    is.
    """
    settings = config.load(path)
    _check_dear(file, path, settings)
    if file.exists() and not force:
        raise Trouble(f"{file} is there already", "Name another file, or add --force to overwrite it")
    url = settings.database.url
    if source := file_of(url):
        copying.copy(source, file)
    else:
        moving.take(url, file)
    checked = check(file, settings)
    if not checked.flaws:
        _note(settings)
    return checked


def _check_dear(file: Path, path: Path, settings: Settings) -> None:
    """`Trouble` for a file that the host itself lives on: nobody wants that overwritten, with whatever force."""
    database = file_of(settings.database.url)
    of_database = (
        tuple(database.with_name(f"{database.name}{end}") for end in (*copying.BESIDE, SUFFIX)) if database else ()
    )
    if file.resolve() in {each.resolve() for each in (path, settings.host.secret_file, *of_database) if each}:
        raise Trouble(f"{file} is what this host lives on", "Name another file")


def _note(settings: Settings) -> None:
    """Let the host know of the backup. A database of an older form, which comes before an update, stays as it is."""
    if look(settings.database.url).form is Form.NEWEST:
        with store_of(settings) as store:
            store.set_mark(BACKED_UP, real_time().isoformat())


def restore(path: Path, file: Path, *, force: bool = False, new_addresses: bool = False) -> Restored:
    """Let the database of the configuration at `path` be what a backup in `file` holds, in the newest form.

    `Trouble`, with nothing changed, for a backup that cannot be used, while somebody has the database open, and,
    without `force`, for one with flaws and where there is a database: that is put aside, never overwritten. Nor,
    without `new_addresses`, where the configuration has another secret, so that all reply addresses would be dead.
    """
    settings = config.load(path)
    url = settings.database.url
    checked = check(file, settings)
    if not checked.ours and not new_addresses:
        raise Trouble(f"{file} was made with another secret than {path} has: no reply address would work", _MEND_SECRET)
    if checked.flaws and not force:
        raise Trouble(f"{file} does not hold: {checked.flaws[0]}", "Use another backup, or add --force to restore it")
    if not force and look(url).form is not Form.NONE:
        there = file_of(url) or "of PostgreSQL"
        raise Trouble(f"There is a database {there}", "Add --force to put it aside and restore the backup")
    if target := file_of(url):
        aside = str(copying.put_aside(target, _aside_name(target.name)) or "")
        copying.copy(file, target)
    else:
        aside = moving.put_in(file, url, _aside_name("pbem"))
    store_of(settings).close()
    return Restored(checked, aside)


def checkup(path: Path, file: Path) -> Checked:
    """Check the backup in `file` with the configuration at `path`, whose secret should fit it. `Trouble` as `check`."""
    return check(file, config.load(path))


def check(file: Path, settings: Settings) -> Checked:
    """Check the backup in `file`: that it opens in this version of pbem, and every record in it. `file` stays as it is.

    `Trouble` for what is no backup, is damaged, or comes from a newer version.
    """
    with copying.trial(file) as url:
        if look(url).form is Form.NONE:
            raise Trouble(f"{file} holds no games of pbem", "Name a file that pbem backup wrote")
        copied = settings.database.model_copy(update={"url": url})
        with store_of(settings.model_copy(update={"database": copied})) as store:
            names = store.living(*BEGUN)
            return Checked(len(names), tuple(_flaws(store, names)), store.is_ours())


def _flaws(store: Store, names: tuple[str, ...]) -> Iterator[str]:
    found = games()
    for name in names:
        try:
            table = store.table(name, found)
        except Trouble as trouble:
            yield str(trouble)
            continue
        flawed = flaw_in(table, store.log(table)) if table is not None else None
        if flawed is not None:
            yield f"{name}, entry {flawed.n}: {WRONG[flawed.flaw]}"


def _aside_name(name: str) -> str:
    return f"{name}.before-{real_time():%Y%m%dT%H%M%SZ}"
