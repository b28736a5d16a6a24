"""The files of one game."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from engine import record
from engine.record import Override
from pbem.archive import About, Page, about, page_of, public_page_of
from pbem.archive.stills import REPLAY
from pbem.archive.values import Step
from pbem.config import Running
from pbem.press import Said
from pbem.publish.chart import Chart, chart_of
from pbem.publish.drawing import Drawing, embedded
from pbem.publish.files import home_of, put, sweep, writing
from pbem.publish.site import Site
from pbem.settle import Logged
from pbem.table import Status, Table

PAGE: Final = "index.html"
LOG: Final = "log.txt"
RECORD: Final = "record.json"
ABOUT: Final = "about.json"


class Published(msgspec.Struct, frozen=True):
    """What became of the files of one game."""

    home: Path
    written: int
    """How many files are others than before."""
    listed: bool
    """What the lists say of the game changed, so that they have to be written anew."""

    @property
    def page(self) -> Path:
        return self.home / PAGE

    @property
    def record(self) -> Path:
        """Of a game that is over."""
        return self.home / RECORD


def publish(site: Site, table: Table, log: Sequence[Logged], said: Sequence[Said] = ()) -> Published:
    """Write the files of `table`, which has begun, from its whole log; the lists are left as they are.

    Of a game that runs, or was ended and sealed, it shows what everybody may know; of any other one everything, and
    what players `said` to all. `Trouble` if the folder cannot be written.
    """
    home = home_of(site.folder, table.name)
    sweep(home)
    before = about_in(home)
    opened = is_open(table)
    page = None if opened else public_page_of(table, log)
    stamp = _stamp(site, table, _last(page, log), log if opened else (), said)
    if before is not None and before.stamp == stamp and all((home / name).exists() for name in _names(opened)):
        return Published(home, 0, False)
    page = page or page_of(table, log, said, site.language)
    now = about(page, stamp)
    with writing():
        home.mkdir(parents=True, exist_ok=True)
        written = sum(put(home / name, data) for name, data in _files(site, table, page, now))
    return Published(home, written, before is None or _unstamped(before) != _unstamped(now))


def retract(site: Site, name: str) -> bool:
    """Take the page of a game away that is not to be shown, unless its record stands there; whether there was one."""
    home = home_of(site.folder, name)
    if about_in(home) is None or (home / RECORD).exists():
        return False
    with writing():
        for file in (ABOUT, PAGE, LOG):
            (home / file).unlink(missing_ok=True)
        with suppress(OSError):  # something of somebody else's lies there
            home.rmdir()
    return True


def is_open(table: Table) -> bool:
    """Whether everything of its game may be laid open."""
    return table.status in (Status.OVER, Status.ENDED) and not table.sealed


def about_in(home: Path) -> About | None:
    """What the lists say of the game in the folder `home`; nothing if it holds no game of ours."""
    with suppress(msgspec.DecodeError, OSError):
        found = msgspec.json.decode((home / ABOUT).read_bytes(), type=About)
        if found.table == home.name:
            return found
    return None


def shows(table: Table, running: Running) -> bool:
    """Whether the archive shows `table` as it is now. Trial copies are nobody's business, and what somebody may still
    take back is told to nobody."""
    if table.position is None or table.is_trial:
        return False
    if table.status is not Status.RUNNING and not table.sealed:
        return True
    return table.hold is None and _SHOWN[running](table)


_SHOWN: Final[Mapping[Running, Callable[[Table], bool]]] = {
    Running.ALL: lambda _: True,
    Running.WATCHED: lambda table: table.schedule.watchers,
    Running.NONE: lambda _: False,
}


def _unstamped(about: About) -> About:
    return msgspec.structs.replace(about, stamp="")


def _names(opened: bool) -> tuple[str, ...]:
    return (PAGE, LOG, RECORD) if opened else (PAGE,)


def _last(page: Page | None, log: Sequence[Logged]) -> str:
    """The hash of the last entry that is shown: it binds all before it."""
    n = log[-1].entry.n if page is None else max((step.n for each in page.chapters for step in each.steps), default=0)
    return log[n - 1].entry.hash if n else ""


def _stamp(site: Site, table: Table, last: str, log: Sequence[Logged], said: Sequence[Said]) -> str:
    """A hash of all that the files are made of: the record, what stands beside it, and how pages look."""
    remarks = [(each.entry.n, each.remark.by, each.remark.name, each.remark.why) for each in log if each.remark]
    spoken = [(each.name, each.lines, each.at) for each in said]
    made_of = (site.look(table.game), last, table.status, table.sealed, table.names, table.label, remarks, spoken)
    return hashlib.sha256(msgspec.json.encode(made_of)).hexdigest()


def _files(site: Site, table: Table, page: Page, about: About) -> Iterator[tuple[str, bytes]]:
    """What is to be written, the stamp last: it vouches for all before it."""
    if page.proof is not None:
        yield RECORD, record.dump(page.proof.record)
        yield LOG, site.page("archive/log.txt.j2", table.game, page=page)
    yield PAGE, site.page("archive/game.html.j2", table.game, **_context(site, table, page))
    yield ABOUT, msgspec.json.encode(about)


def _context(site: Site, table: Table, page: Page) -> dict[str, Any]:
    drawing = Drawing(site, table.game)
    return {
        "page": page,
        "film": drawing.film(page.stills, page.chapters),
        "board": drawing.board,
        "chart": _chart(site, table, page),
        "overrides": [step for step in _steps(page) if isinstance(step.what, Override)],
        "record": embedded(msgspec.json.encode(page.proof.record)) if page.proof else "",
    }


def _chart(site: Site, table: Table, page: Page) -> Chart | None:
    if REPLAY not in table.game.capabilities:
        return None
    worth = site.renderer.drawn("game/replay.html.j2", "worth", (), table.game, site.language)
    return chart_of(page, worth)


def _steps(page: Page) -> list[Step]:
    return sorted((step for chapter in page.chapters for step in chapter.steps), key=lambda step: step.n)
