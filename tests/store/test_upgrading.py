"""What may go wrong while a database is brought to a newer form, and what is kept of the one before."""

from __future__ import annotations

import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command

from pbem.errors import DatabaseTrouble
from pbem.store import Store, health, migrate
from pbem.store.database import connect, writing
from pbem.store.health import Form
from pbem.tokens import Tokens
from tests import databases
from tests.schemas import Kept

OLD = "0026"
DIES = """
import os, signal, sys
import sqlalchemy as sa
from pbem.store import migrate

left = int(sys.argv[2])

def count(*_):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)

sa.event.listen(sa.engine.Engine, "before_cursor_execute", count)
migrate.upgrade(sys.argv[1])
"""
"""Brings a database to the newest form, and is killed before the statement of a certain number."""


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Of a database that the code of an earlier form has written."""
    return Kept.of(OLD).lay(tmp_path)


def dump(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.iterdump())


def test_what_the_earlier_code_wrote_is_kept_for_its_owner_alone(tmp_path: Path, url: str) -> None:
    before = dump(tmp_path / "pbem.db")
    Store.open(url, Tokens(b"key")).close()
    kept = tmp_path / f"pbem.db.form-{OLD}"
    assert dump(kept) == before
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert health.look(url).form is Form.NEWEST


def test_nothing_is_kept_of_a_database_that_is_new_or_in_the_newest_form(tmp_path: Path) -> None:
    for _ in range(2):
        Store.open(f"sqlite:///{tmp_path / 'pbem.db'}", Tokens(b"key")).close()
    assert not list(tmp_path.glob("pbem.db.form-*"))


def test_without_room_for_what_was_there_nothing_changes(tmp_path: Path, url: str) -> None:
    (tmp_path / f"pbem.db.form-{OLD}").mkdir()
    with pytest.raises(DatabaseTrouble, match="cannot be written"):
        Store.open(url, Tokens(b"key"))
    assert health.look(url).revision == OLD


@pytest.mark.slow
@pytest.mark.each_database
@pytest.mark.parametrize("statement", [3, 20])
def test_an_upgrade_that_is_killed_in_its_middle_starts_again(tmp_path: Path, statement: int) -> None:
    url = databases.url_in(tmp_path)
    engine = connect(url, foreign_keys=False)
    with writing(engine) as connection:
        command.downgrade(migrate._config(connection), "0018")
    engine.dispose()
    killed = subprocess.run([sys.executable, "-c", DIES, url, str(statement)], timeout=60, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert health.look(url).revision == "0018"
    migrate.upgrade(url)
    assert health.look(url).form is Form.NEWEST
    assert migrate.differences(url) == []
    databases.drop(tmp_path)
