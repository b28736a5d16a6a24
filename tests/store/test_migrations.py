"""The migrations make the tables that the code has, and nothing else."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command

from pbem.errors import ConfigurationTrouble, Trouble
from pbem.schedule import Clock, Schedule, Span
from pbem.store import Store, migrate
from pbem.store.database import connect, writing
from pbem.store.tables import METADATA
from pbem.tokens import Tokens
from tests.games.choices import GAME as CHOICES
from tests.schemas.shape import shape


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'pbem.db'}"


def test_no_change_of_the_tables_is_without_a_migration(url: str) -> None:
    migrate.upgrade(url)
    assert migrate.differences(url) == []


def test_a_change_without_a_migration_is_found(url: str) -> None:
    migrate.upgrade(url)
    engine = connect(url)
    with writing(engine) as connection:
        connection.exec_driver_sql("DROP TABLE host")
    engine.dispose()
    assert migrate.differences(url) != []


def test_the_migrations_make_checks_and_keys_as_the_code_has_them(tmp_path: Path, url: str) -> None:
    migrate.upgrade(url)
    other = f"sqlite:///{tmp_path / 'made.db'}"
    engine = connect(other)
    METADATA.create_all(engine)
    engine.dispose()
    assert shape(url) == shape(other)


def test_opening_twice_changes_nothing(url: str) -> None:
    migrate.upgrade(url)
    before = shape(url)
    migrate.upgrade(url)
    assert shape(url) == before


def test_a_downgrade_leaves_no_table(url: str) -> None:
    migrate.upgrade(url)
    engine = connect(url, foreign_keys=False)
    with writing(engine) as connection:
        command.downgrade(migrate._config(connection), "base")
    engine.dispose()
    assert shape(url) == []


def test_a_table_from_before_schedules_keeps_its_deadline_and_its_running_clock(url: str) -> None:
    engine = connect(url, foreign_keys=False)
    with writing(engine) as connection:
        command.upgrade(migrate._config(connection), "0002")
        connection.execute(sa.text(OLD_PERSON))
        for n, seconds in ((1, 172800), (2, None), (3, 86400)):
            connection.execute(sa.text(OLD_GAME), {"id": n, "name": f"inn-{n}", "seconds": seconds})
            due_at = "2026-12-03 12:00:00.000000" if seconds else None
            connection.execute(sa.text(OLD_CHAIR), {"game": n, "due": due_at})
    engine.dispose()
    with closing(Store.open(url, Tokens(b"key"))) as store:
        tables = [store.table(f"inn-{n}", {CHOICES.name: CHOICES}) for n in (1, 2, 3)]
    reminder = timedelta(hours=12)
    assert [table and table.schedule for table in tables] == [
        Schedule(time=Span(seconds=172800), remind=(reminder,)),
        Schedule(),
        Schedule(time=Span(seconds=86400), remind=(reminder,)),
    ]
    due = datetime(2026, 12, 3, 12, tzinfo=UTC)
    clocks = [table.chair(1).clock for table in tables if table]
    assert clocks == [Clock(due, due, due), None, Clock(due, due, due)]


OLD_GAME = """
    INSERT INTO game (id, name, kind, options, places, status, moderator_id, moderator_epoch, secret, chosen,
        deadline_seconds, n, deals, paused, ended, head, rolled, version, restless, created_at)
    VALUES (:id, :name, 'choices', '{}', 2, 'open', 1, 0, '', 0, :seconds, 0, 0, 0, 0, '', 0, 1, 0, '2026-12-01')
"""
OLD_CHAIR = """
    INSERT INTO chair (game_id, seat, person_id, epoch, machine, phrase, told, asked, night, due_at, reminded)
    VALUES (:game, 1, 1, 0, 0, '', 0, '1/choice/1/1', '', :due, 1)
"""
OLD_PERSON = """
    INSERT INTO person (id, name, folded, address, canonical, confirmed, zone, language, mails, epoch)
    VALUES (1, 'Anna', 'anna', 'anna@example.org', 'anna@example.org', 1, 'UTC', 'en', 'all', 0)
"""


def test_a_database_of_a_newer_version_is_refused_in_one_line(url: str) -> None:
    migrate.upgrade(url)
    engine = connect(url)
    with writing(engine) as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    with pytest.raises(Trouble, match="does not fit this version"):
        Store.open(url, Tokens(b"key"))


@pytest.mark.parametrize(
    ("url", "trouble"),
    [
        ("sqlite:////nowhere/at/all.db", "cannot be opened"),
        ("no url", "cannot be read"),
        ("oracle://host/name", "Write it as sqlite"),
        ("klingon://host/name", "cannot be read"),
    ],
)
def test_a_database_that_cannot_be_used_is_named_in_one_line(url: str, trouble: str) -> None:
    with pytest.raises(Trouble, match=trouble) as raised:
        Store.open(url, Tokens(b"key"))
    assert "\n" not in str(raised.value)


def test_a_file_that_is_no_database_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "pbem.db").write_bytes(b"something else altogether" * 100)
    with pytest.raises(Trouble, match="cannot be opened"):
        Store.open(f"sqlite:///{tmp_path / 'pbem.db'}", Tokens(b"key"))


def test_sqlite_keeps_what_is_committed_and_checks_references(url: str) -> None:
    engine = connect(url)
    with engine.connect() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    engine.dispose()
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 30_000}


def test_a_new_database_is_for_its_owner_alone_and_so_is_what_sqlite_keeps_beside_it(tmp_path: Path, url: str) -> None:
    before = os.umask(0o022)
    try:
        with Store.open(url, Tokens(b"key")) as store:
            store.set_mark("a", "b")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes["pbem.db"] == 0o600
    assert len(modes) == 3
    assert set(modes.values()) == {0o600}


def test_a_database_that_is_there_keeps_its_rights(tmp_path: Path, url: str) -> None:
    (tmp_path / "pbem.db").touch(0o640)
    (tmp_path / "pbem.db").chmod(0o640)
    with Store.open(url, Tokens(b"key")):
        assert stat.S_IMODE((tmp_path / "pbem.db").stat().st_mode) == 0o640


def test_a_migration_that_fails_leaves_nothing_behind(url: str) -> None:
    """A table that is in the way stops the first migration in its middle."""
    path = url.removeprefix("sqlite:///")
    with sqlite3.connect(path) as plain:
        plain.execute("CREATE TABLE outbox (id INTEGER)")
    with pytest.raises((Trouble, sa.exc.SQLAlchemyError)):
        migrate.upgrade(url)
    assert len(shape(url)) == 1


def test_configuration_troubles_are_told_apart(url: str) -> None:
    assert issubclass(ConfigurationTrouble, Trouble)
    connect(url).dispose()
