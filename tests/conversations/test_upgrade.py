"""A database of each earlier form, as the code of then wrote it, comes to the newest one, and its games go on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.proving import flaw_in
from pbem.store import health
from pbem.store.database import connect
from pbem.store.health import Form
from pbem.store.tables import METADATA
from pbem.table import BEGUN
from tests import databases
from tests.conversations.world import World
from tests.schemas import Kept, earlier, file_of
from tests.schemas.life import Life
from tests.schemas.shape import shape

GONE_ON = """
ivo >> JOIN AS Ivo
play inn-1 4
play inn-2 4
bob inn-3 moderator >> RESUME
play inn-3 4
frank >> JOIN AS Fred
dora {new} moderator >> START
play {new} 2
gert >> CONFIRM
"""
"""In `tests.schemas.life`; `new` is the table that Frank was asked to, and that had not begun."""
RUNNING = ("inn-1", "inn-2", "inn-3")


@pytest.fixture(autouse=True)
def _on_sqlite() -> Iterator[None]:
    """What was kept are databases of SQLite."""
    with databases.using(databases.SQLITE):
        yield


def hashes(url: str, name: str) -> list[str]:
    """Of the entries of a table, as the database itself has them."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        statement = "SELECT hash FROM entry WHERE game_id = (SELECT id FROM game WHERE name = ?) ORDER BY n"
        return [row[0] for row in connection.execute(statement, (name,))]


def flawed(world: World) -> list[str]:
    """The tables whose records do not hold."""
    names = world.store.living(*BEGUN)
    return [name for name in names if flaw_in(world.table(name), world.store.log(world.table(name))) is not None]


def test_every_form_but_the_newest_is_kept() -> None:
    missing = [revision for revision in earlier() if not file_of(revision).exists()]
    assert not missing, "python -m tests.schemas makes them from the history"


@pytest.mark.parametrize("revision", earlier()[-1:])
def test_a_kept_form_is_what_its_name_says(tmp_path: Path, revision: str) -> None:
    found = health.look(Kept.of(revision).lay(tmp_path))
    assert (found.form, found.revision) == (Form.OLDER, revision)


@pytest.fixture(scope="session")
def as_the_code_has_it(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The tables of a database that is new today."""
    url = f"sqlite:///{tmp_path_factory.mktemp('new') / 'pbem.db'}"
    engine = connect(url)
    METADATA.create_all(engine)
    engine.dispose()
    return shape(url)


@pytest.mark.slow
@pytest.mark.parametrize("revision", earlier())
def test_what_was_written_by_earlier_code_goes_on(
    tmp_path: Path, revision: str, as_the_code_has_it: list[list[str]]
) -> None:
    kept = Kept.of(revision)
    url = kept.lay(tmp_path)
    assert health.look(url).revision == revision
    before = {name: hashes(url, name) for name in RUNNING}
    world = kept.woken(tmp_path)
    assert health.look(url).form is Form.NEWEST
    assert shape(url) == as_the_code_has_it
    assert flawed(world) == []
    parked = world.store.parked()
    assert "bob@example.org" in [each.sender for each in parked]
    assert what_lay_about_is_done(world, kept) == before
    new = world.last("frank").subject.partition("]")[0].removeprefix("[")
    Life(world).tell(GONE_ON.format(new=new))
    for name in RUNNING:
        assert hashes(url, name)[: len(before[name])] == before[name]
    assert [len(hashes(url, name)) - len(before.get(name, ())) >= 3 for name in (*RUNNING, new)] == [True] * 4
    assert flawed(world) == []
    assert world.last("gert").subject == "Re: [pbem] welcome"
    assert world.store.parked() == parked


def what_lay_about_is_done(world: World, kept: Kept) -> dict[str, list[str]]:
    """A mail that waited to be sent is sent, one that was not read is answered, one that comes again does nothing."""
    world.deliver(kept.unread)
    world.deliver(kept.again)
    done, sent = world.passed()
    assert (done.read, done.failures, done.trouble) == (2, 0, None)
    again = message_from_bytes(kept.again)["From"].partition("@")[0]
    assert sorted(mail.to for mail in sent) == sorted(("anna", "modi", again))
    assert "nothing was done a second time" in world.last(again).text
    return {name: [entry.hash for entry in world.entries(name)] for name in RUNNING}
