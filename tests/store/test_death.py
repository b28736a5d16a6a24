"""The process may die at any instant: then everything that was decided upon one mail is written, or nothing."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from sqlalchemy.engine import Engine

from engine.record import By
from pbem.parties import Changed, Decided
from pbem.store import Store, migrate
from pbem.store.database import connect, writing
from pbem.table import play
from pbem.verdicts import Line, Said, Verdict
from tests.games.choices import Pick
from tests.store.conftest import TOKENS
from tests.store.scene import NOW, incoming, notice, running_table, seat_party, the_table

pytestmark = pytest.mark.slow

DIED = 77
STATEMENTS = range(8)
"""More than the writing has: the last of them dies behind the commit."""
OLD = "0003"
"""A schema of long ago."""
OF_MIGRATIONS = range(0, 100, 12)
"""Some of the statements that bring it to the newest form; there are more."""


@pytest.fixture
def path(sqlite: Store) -> Path:
    """A database in which a mail waits at a running table; nobody has it open."""
    running_table(sqlite)
    sqlite.intake([incoming()])
    sqlite.close()
    database = sqlite.engine.url.database
    assert database is not None
    return Path(database)


def content(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def handle(store: Store) -> None:
    """Everything at once: a move, its verdict, a notice, and the mail done."""
    table = the_table(store)
    after, written = play(table, 1, Pick(3), By.SEAT)
    to = seat_party(table, 1)
    verdict = Verdict((Line(1, "PICK 3", Said.DONE),), received_at=NOW)
    changed = (Changed(table, after, written),)
    store.write(Decided(verdict=verdict, to=to, tables=changed, notices=(notice(to),)), inbox=1, now=NOW)


def die_while_handling(path: Path, statement: int) -> int:
    """Handle the mail in a process that ends without a word before its writing's `statement` (from 0)."""
    return die_at(
        lambda: handle(Store(connect(f"sqlite:///{path}"), TOKENS)), statement, ("INSERT", "UPDATE", "DELETE")
    )


def die_at(work: Callable[[], object], statement: int, kinds: tuple[str, ...]) -> int:
    """Do `work` in a process that ends before the so-manieth statement of these kinds; its exit status."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    left = [statement]

    def count(_connection: Any, _cursor: Any, text: str, *_: Any) -> None:
        if text.lstrip().startswith(kinds):
            left[0] -= 1
            if left[0] < 0:
                os._exit(DIED)

    try:
        sa.event.listen(Engine, "before_cursor_execute", count)
        work()
    finally:
        os._exit(0)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_death_at_any_instant_leaves_all_or_nothing(path: Path, statement: int) -> None:
    before = content(path)
    died = die_while_handling(path, statement) == DIED
    assert (content(path) == before) is died


@pytest.mark.parametrize("statement", STATEMENTS)
def test_after_a_death_the_mail_is_handled_once_and_no_more(path: Path, statement: int) -> None:
    die_while_handling(path, statement)
    with closing(Store(connect(f"sqlite:///{path}"), TOKENS)) as store:
        if store.work(5):
            handle(store)
        assert the_table(store).running.n == 2
        assert len(store.unanswered("choices-1")) == 1
        assert store.work(5) == ()


def test_some_of_these_deaths_are_before_the_commit_and_some_behind(path: Path) -> None:
    assert die_while_handling(path, STATEMENTS[0]) == DIED
    assert die_while_handling(path, STATEMENTS[-1]) == 0


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A database of an earlier schema."""
    path = tmp_path / "old.db"
    engine = connect(f"sqlite:///{path}", foreign_keys=False)
    with writing(engine) as connection:
        command.upgrade(migrate._config(connection), OLD)
    engine.dispose()
    return path


@pytest.mark.parametrize("statement", OF_MIGRATIONS)
def test_a_death_within_a_migration_leaves_the_old_schema_whole_and_the_next_process_migrates_it(
    old: Path, statement: int
) -> None:
    before, url = content(old), f"sqlite:///{old}"
    assert die_at(lambda: migrate.upgrade(url), statement, ("CREATE", "ALTER", "DROP", "INSERT", "UPDATE")) == DIED
    assert content(old) == before
    migrate.upgrade(url)
    assert migrate.differences(url) == []
