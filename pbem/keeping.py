"""What the keeper of a host does at a terminal: all games at a glance, what was put aside, and one word for all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pbem import config
from pbem.bootstrap import moderate, site_of, store_of
from pbem.errors import Trouble
from pbem.files import resource
from pbem.games import games
from pbem.host import real_time
from pbem.publish import Built, build, check_folder, shows
from pbem.render import Renderer
from pbem.store import Parked
from pbem.stuck import awaited, why_stuck
from pbem.table import Status, Table


@dataclass(frozen=True, slots=True)
class Glance:
    """A table that is not over, as the keeper sees it."""

    name: str
    title: str
    status: Status
    moderator: str
    awaited: tuple[str, ...]
    due_at: datetime | None
    """The next deadline."""
    why: tuple[str, ...]
    """What keeps it from going on."""

    @property
    def text(self) -> str:
        """One line, and one for each trouble."""
        waits = f", waits for {', '.join(self.awaited)}" if self.awaited else ""
        until = f" until {self.due_at:%Y-%m-%d %H:%M} UTC" if self.due_at else ""
        head = f"{self.name}: {self.title}, {self.status.value}, moderated by {self.moderator}{waits}{until}"
        return "\n".join((head, *(f"  {why}" for why in self.why)))


def glances(path: Path, *, stuck: bool = False) -> Iterator[Glance]:
    """Every table that is not over, oldest first; only those that do not go on by themselves, if so wished."""
    found, now = games(), real_time()
    with store_of(config.load(path)) as store:
        for name in store.living():
            table = store.table(name, found)
            if table is not None and (not stuck or why_stuck(table, now)):
                yield _glance(table, now)


def _glance(table: Table, now: datetime) -> Glance:
    running = table.status is Status.RUNNING
    due = min((chair.due_at for chair in table.chairs if running and chair.due_at), default=None)
    waiting = awaited(table) if running else ()
    return Glance(table.name, table.game.title, table.status, table.moderator.name, waiting, due, why_stuck(table, now))


def moderate_all(path: Path, words: str) -> Iterator[tuple[str, str, bool]]:
    """Do in every running game what a moderator's line would do: name, answer, and whether it was done."""
    with store_of(config.load(path)) as store:
        names = store.living(Status.RUNNING)
    for name in names:
        yield name, *moderate(path, name, words)


def build_archive(path: Path) -> Built:
    """Write the whole archive as it should be: what is so already is left alone."""
    settings, found = config.load(path), games()
    check_folder(settings.archive.folder)
    site = site_of(settings, Renderer(found, resource("templates")))
    with store_of(settings) as store:
        return build(site, store, found, lambda table: shows(table, settings.archive.running))


def parked(path: Path) -> tuple[Parked, ...]:
    """Mails that were put aside, oldest first."""
    with store_of(config.load(path)) as store:
        return store.parked()


def shown(path: Path, id: int) -> bytes:
    """The bytes of a mail that was put aside; empty once they were swept."""
    with store_of(config.load(path)) as store:
        _check(store.parked(), id)
        return store.raw(id)


def plain(text: str) -> str:
    """`text` as a terminal may show it: what would move its cursor, or do worse, stands there as a question mark."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text.replace("\r\n", "\n"))


def retry(path: Path, id: int) -> None:
    """Let the next pass of the host try a mail again that was put aside."""
    with store_of(config.load(path)) as store:
        _check(store.parked(), id)
        store.unpark(id)


def drop(path: Path, id: int) -> None:
    """Forget a mail that was put aside: it is done, and nothing of it was."""
    with store_of(config.load(path)) as store:
        _check(store.parked(), id)
        store.drop(id)


def _check(there: tuple[Parked, ...], id: int) -> None:
    if id not in {each.id for each in there}:
        raise Trouble(f"No mail {id} is put aside", "pbem parked lists those that are")
