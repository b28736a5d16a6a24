"""`pbem backup` and `pbem restore` on PostgreSQL, and how a host moves from one kind of database to the other."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from pbem.store import moving
from pbem.store.database import connect, writing
from pbem.store.tables import ENTRY, HOST, METADATA, OUTBOX, SILENCE
from tests.conversations.conftest import LODGE, SIGN_UP, START
from tests.conversations.transcript import play
from tests.conversations.world import KEY, World
from tests.databases import POSTGRESQL, SQLITE
from tests.servers.postgresql import server
from tests.terminal import Configure, Run

pytestmark = pytest.mark.slow

Opened = Callable[[str], World]


@pytest.fixture
def opened(tmp_path: Path, configure: Configure, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Makes a world on a kind of database, which the configuration names from then on."""

    def opened(kind: str) -> World:
        monkeypatch.setattr("tests.databases._chosen", kind)
        world = World(tmp_path)
        (tmp_path / "pbem.toml").unlink(missing_ok=True)
        configure(database__url=world.settings.database.url, host__secret=KEY)
        return world

    return opened


@pytest.fixture
def world(opened: Opened) -> World:
    """A game with some history, on PostgreSQL."""
    return begun(opened(POSTGRESQL))


def begun(world: World) -> World:
    play(world, SIGN_UP + START + LODGE)
    play(world, "modi >> ROLLBACK 1\n... <\nanna >> LODGE 2 3 4 5 6 1\n... <")
    return world


def rows(engine: Engine) -> dict[str, set[tuple[Any, ...]]]:
    """All that a database holds."""
    with engine.connect() as connection:
        return {table.name: set(map(tuple, connection.execute(table.select()))) for table in METADATA.sorted_tables}


def test_a_game_goes_on_from_a_backup_as_it_was(run: Run, world: World) -> None:
    before = rows(world.store.engine)
    status, out, err = run("backup", "kept.db")
    assert (status, err) == (0, "")
    assert "Checked 1 record of games: it holds." in out
    assert rows(connect("sqlite:///kept.db")) == before
    play(world, "modi >> PAUSE\n... <")
    world.store.close()
    status, out, err = run("restore", "kept.db", "--force")
    assert (status, err) == (0, "")
    assert "The one that was there is kept: pbem.before-" in out
    world.restart()
    assert rows(world.store.engine) == before
    play(world, "anna >> PASS\n... <\nmodi >> PAUSE\n... <")


@pytest.mark.parametrize(("old", "new"), [(SQLITE, POSTGRESQL), (POSTGRESQL, SQLITE)])
def test_a_host_moves_to_the_other_kind_of_database_and_nobody_notices(
    run: Run, opened: Opened, old: str, new: str
) -> None:
    world = begun(opened(old))
    before = rows(world.store.engine)
    assert run("backup", "kept.db")[0] == 0
    world.store.close()
    moved = opened(new)
    moved.store.close()
    moved.mails, moved.now, moved.mailbox.laid = world.mails, world.now, world.mailbox.laid
    assert run("restore", "kept.db", "--force")[0] == 0
    moved.restart()
    assert rows(moved.store.engine) == before
    play(moved, "anna >> PASS\n... <\neve > REGISTER Eve\n... <")


def test_what_was_there_is_put_aside_whole(run: Run, world: World) -> None:
    run("backup", "kept.db")
    with writing(world.store.engine) as connection:
        connection.execute(HOST.insert().values(key="since", value="then"))
    was = rows(world.store.engine)
    world.store.close()
    _, out, _ = run("restore", "kept.db", "--force")
    schema = next(word for word in out.split() if word.startswith("pbem.before-"))
    aside = world.store.engine.execution_options(schema_translate_map={None: schema})
    assert rows(aside) == was
    assert rows(world.store.engine) != was


def test_nothing_is_put_aside_unasked(run: Run, world: World) -> None:
    run("backup", "kept.db")
    before = rows(world.store.engine)
    assert "There is a database of PostgreSQL" in run("restore", "kept.db")[2]
    assert rows(world.store.engine) == before


@pytest.mark.usefixtures("world")
def test_an_empty_database_is_filled_without_being_asked_twice(run: Run, tmp_path: Path, configure: Configure) -> None:
    run("backup", "kept.db")
    (tmp_path / "pbem.toml").unlink()
    configure(database__url=server().create("template0"), host__secret=KEY)
    assert run("restore", "kept.db")[0] == 0


@pytest.mark.usefixtures("world")
def test_nothing_is_restored_below_a_host_that_works(run: Run) -> None:
    run("backup", "kept.db")
    status, _, err = run("restore", "kept.db", "--force")
    assert (status, "Stop it, then try again" in err) == (1, True)


def test_a_restore_that_breaks_off_changes_nothing(run: Run, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    run("backup", "kept.db")
    before = rows(world.store.engine)

    def full(*_: object) -> None:
        raise sa.exc.OperationalError("INSERT", {}, Exception("could not extend file: No space left on device"))

    monkeypatch.setattr(moving, "_count_on", full)
    world.store.close()
    assert "No space left on device" in run("restore", "kept.db", "--force")[2]
    assert rows(world.store.engine) == before


def test_a_copy_is_of_one_moment_while_others_write(run: Run, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody writes after the first table is copied, into that and into the last one."""
    tables = [*METADATA.sorted_tables]
    assert tables.index(HOST) < tables.index(ENTRY)
    before = rows(world.store.engine)
    said: list[str] = []

    def interrupted(url: str, *rest: bool) -> Engine:
        engine = connect(url, *rest)
        if engine.dialect.name == "postgresql":
            sa.event.listen(engine, "after_cursor_execute", write)
        return engine

    def write(*asked: Any) -> None:
        if not said and "FROM host" in asked[2]:
            said.append(asked[2])
            with writing(world.store.engine) as connection:
                connection.execute(SILENCE.insert().values(hash="late", since=datetime.now(UTC)))
                connection.execute(OUTBOX.update().values(subject="late"))

    monkeypatch.setattr(moving, "connect", interrupted)
    assert run("backup", "kept.db")[0] == 0
    assert said
    assert rows(connect("sqlite:///kept.db")) == before


def test_a_database_of_an_earlier_form_is_not_copied_by_halves(run: Run, world: World) -> None:
    with writing(world.store.engine) as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    status, _, err = run("backup", "kept.db")
    assert (status, "of form 0001" in err) == (1, True)
    assert not Path("kept.db").exists()
