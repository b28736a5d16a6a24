"""`pbem backup` and `pbem restore`: whole while others write, checked, private, and nothing is overwritten unasked."""

from __future__ import annotations

import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem import backup
from pbem.errors import DatabaseTrouble
from pbem.proving import flaw_in
from pbem.store import copying
from pbem.store.database import writing
from pbem.store.tables import ENTRY, GAME
from pbem.store.vitals import BACKED_UP
from tests.conversations.conftest import LODGE, SIGN_UP, START
from tests.conversations.transcript import play
from tests.conversations.world import KEY, World
from tests.terminal import Configure, Run

pytestmark = pytest.mark.slow


@pytest.fixture
def world(tmp_path: Path, configure: Configure) -> World:
    """A game with some history, on the database of a configuration."""
    configure(host__secret=KEY)
    world = World(tmp_path)
    play(world, SIGN_UP + START + LODGE)
    play(world, "modi >> ROLLBACK 1\n... <\nanna >> LODGE 2 3 4 5 6 1\n... <")
    return world


def rows(file: Path) -> list[str]:
    """All that a database holds."""
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.iterdump())


def test_players_go_on_with_their_old_reply_addresses_after_all_was_lost_and_restored(
    run: Run, world: World, tmp_path: Path
) -> None:
    assert run("backup", "kept.db")[0] == 0
    assert run("backup", "kept.db", "--check")[1] == "Checked 1 record of games: it holds.\n"
    before = world.table()
    world.store.close()
    for file in tmp_path.glob("pbem.db*"):
        file.unlink()
    assert run("restore", "kept.db")[0] == 0
    world.restart()
    assert world.table() == before
    # Each answers the mail that he got before.
    play(world, "anna >> PASS\n... <\nmodi >> PAUSE\n... <")
    assert world.table() != before


@pytest.mark.usefixtures("world")
def test_a_secret_that_does_not_fit_is_said_before_reply_addresses_break(
    run: Run, tmp_path: Path, configure: Configure
) -> None:
    run("backup", "kept.db")
    held = rows(tmp_path / "pbem.db")
    (tmp_path / "pbem.toml").unlink()
    configure(host__secret="another, of as many letters as there have to be")
    status, out, _ = run("backup", "kept.db", "--check")
    assert (status, "not the one that it was made with" in out) == (1, True)
    status, _, err = run("restore", "kept.db", "--force")
    assert (status, "another secret" in err, "Put pbem.secret of that host" in err) == (1, True, True)
    assert rows(tmp_path / "pbem.db") == held
    for file in tmp_path.glob("pbem.db*"):
        file.unlink()
    assert run("restore", "kept.db", "--new-addresses")[0] == 0


@pytest.mark.usefixtures("world")
def test_a_backup_holds_all_and_is_for_its_owner_alone(run: Run, tmp_path: Path) -> None:
    held = rows(tmp_path / "pbem.db")
    status, out, err = run("backup", "kept.db")
    assert (status, err) == (0, "")
    assert "Checked 1 record of games: it holds." in out
    assert stat.S_IMODE(Path("kept.db").stat().st_mode) == 0o600
    assert rows(Path("kept.db")) == held
    (noted,) = set(rows(tmp_path / "pbem.db")) - set(held)
    assert BACKED_UP in noted
    assert [path.name for path in tmp_path.glob("*kept*")] == ["kept.db"]
    assert not list(tmp_path.glob(".pbem-*"))


def test_a_game_goes_on_from_a_backup_as_it_was(run: Run, world: World) -> None:
    assert run("backup", "kept.db")[0] == 0
    before = world.table()
    play(world, "modi >> PAUSE\n... <")
    world.store.close()
    status, out, _ = run("restore", "kept.db", "--force")
    assert status == 0
    assert "The one that was there is kept" in out
    world.restart()
    assert world.table() == before
    play(world, "modi >> END\n... <")


def test_the_database_that_was_there_is_put_aside_whole(run: Run, world: World, tmp_path: Path) -> None:
    run("backup", "kept.db")
    play(world, "modi >> PAUSE\n... <")
    was = rows(tmp_path / "pbem.db")
    world.store.close()
    assert run("restore", "kept.db", "--force")[0] == 0
    (aside,) = tmp_path.glob("pbem.db.before-*")
    assert rows(aside) == was
    assert stat.S_IMODE((tmp_path / "pbem.db").stat().st_mode) == 0o600


def test_a_host_that_is_gone_altogether_comes_back(run: Run, world: World, tmp_path: Path) -> None:
    run("backup", "kept.db")
    world.store.close()
    for file in tmp_path.glob("pbem.db*"):
        file.unlink()
    assert run("restore", "kept.db")[0] == 0
    world.restart()
    assert world.table().name == "inn-1"


def test_nothing_is_overwritten_unasked(run: Run, world: World, tmp_path: Path) -> None:
    Path("kept.db").write_text("something dear")
    assert run("backup", "kept.db")[0] == 1
    assert Path("kept.db").read_text() == "something dear"
    assert run("backup", "kept.db", "--force")[0] == 0
    before = rows(tmp_path / "pbem.db")
    world.store.close()
    assert "There is a database" in run("restore", "kept.db")[2]
    assert rows(tmp_path / "pbem.db") == before


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("dear", ["pbem.db", "pbem.db-wal", "pbem.toml", "pbem.secret", "../{folder}/pbem.db"])
def test_what_the_host_lives_on_is_overwritten_by_no_force(run: Run, tmp_path: Path, dear: str) -> None:
    status, _, err = run("backup", dear.format(folder=tmp_path.name), "--force")
    assert (status, "is what this host lives on" in err) == (1, True)


def test_nothing_is_restored_below_a_host_that_runs(run: Run, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "_PATIENCE", 0.1)
    run("backup", "kept.db")
    with world.store.looking():
        status, _, err = run("restore", "kept.db", "--force")
    assert (status, "Another program has" in err) == (1, True)
    assert world.table().name == "inn-1"


def test_a_copy_is_of_one_moment_while_others_write(tmp_path: Path) -> None:
    """Two tables that are always written together are of the same count in each copy."""
    file, stop = tmp_path / "busy.db", threading.Event()
    with closing(sqlite3.connect(file, isolation_level=None)) as made:
        made.executescript("PRAGMA journal_mode=WAL; CREATE TABLE a (n, fill); CREATE TABLE b (n, fill)")

    inserts = "INSERT INTO a VALUES (1, zeroblob(20000)); INSERT INTO b VALUES (1, zeroblob(20000));"

    def write() -> None:
        with closing(sqlite3.connect(file, timeout=30, isolation_level=None)) as connection:
            while not stop.is_set():
                connection.executescript(f"BEGIN; {inserts} COMMIT")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        counts = []
        for n in range(20):
            copying.copy(file, tmp_path / f"{n}.db")
            with closing(sqlite3.connect(tmp_path / f"{n}.db")) as copied:
                counts.append(copied.execute("SELECT (SELECT count(*) FROM a), (SELECT count(*) FROM b)").fetchone())
    finally:
        stop.set()
        writer.join()
    assert all(a == b for a, b in counts)
    assert counts[0] != counts[-1]


@pytest.mark.parametrize(
    "content",
    [b"", b"no database at all" * 300, b"SQLite format 3\0" + b"\xff" * 5000],
    ids=["empty", "none", "damaged"],
)
def test_what_is_no_backup_is_refused_before_anything_is_touched(
    run: Run, world: World, tmp_path: Path, content: bytes
) -> None:
    Path("kept.db").write_bytes(content)
    before = rows(tmp_path / "pbem.db")
    world.store.close()
    status, out, err = run("restore", "kept.db", "--force")
    assert (status, out) == (1, "")
    assert err.count("\n") == 1
    assert rows(tmp_path / "pbem.db") == before


TAMPERED = {
    "a hash": ENTRY.update().where(ENTRY.c.n == 2).values(hash="0" * 64),
    "an entry that is gone": ENTRY.delete().where(ENTRY.c.n == 4),
    "the head": GAME.update().values(head="0" * 64),
    "the secret": GAME.update().values(secret="1" * 64),
    "the state": GAME.update().values(n=GAME.c.n - 1),
}


@pytest.mark.parametrize("change", TAMPERED.values(), ids=TAMPERED.keys())
def test_a_record_that_was_tampered_with_is_found_in_the_backup(run: Run, world: World, change: sa.Update) -> None:
    with writing(world.store.engine) as connection:
        connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
        connection.execute(sa.text("DELETE FROM remark"))
        connection.execute(change)
    status, out, _ = run("backup", "kept.db")
    assert (status, "inn-1, entry" in out) == (1, True)
    world.store.close()
    assert "does not hold" in run("restore", "kept.db")[2]


def test_a_record_that_holds_has_no_flaw(world: World) -> None:
    assert flaw_in(world.table(), world.store.log(world.table())) is None


def test_without_a_database_there_is_nothing_to_copy(tmp_path: Path, configure: Configure) -> None:
    with pytest.raises(DatabaseTrouble, match="There is no database"):
        backup.backup(configure(), tmp_path / "kept.db")
