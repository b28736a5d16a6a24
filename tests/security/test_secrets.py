"""Where secrets must not stand: the process list, logs, the database, and comparisons that tell by their time."""

from __future__ import annotations

import ast
import io
import re
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import structlog
import typer

from pbem.cli import app
from pbem.logs import set_up_logs
from pbem.mailbox import Outcome
from pbem.parties import Decided
from pbem.reception import Reception
from pbem.tokens import same
from tests.conversations.world import World
from tests.test_house import HOST, named

_SECRET: Final = re.compile(r"\b(address_codes?|code_word|codes|confirmation|password|token|secret|command\.code)\b")


@pytest.fixture
def logs(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What is logged, as a host writes it on standard error."""
    before, written = structlog.get_config(), io.StringIO()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", written)
        set_up_logs()
    yield written
    structlog.configure(**before)


def tokens_of(world: World) -> set[str]:
    """Every token that stands in a mail of the host."""
    found = (str(mail.message["Reply-To"]).partition("+")[2].partition("@")[0] for mail in world.mails)
    return {token for token in found if token}


def test_a_log_holds_no_address_token_code_hand_or_word_of_a_mail(
    night: World, monkeypatch: pytest.MonkeyPatch, logs: io.StringIO
) -> None:
    def failing(*_: object) -> Decided:
        raise RuntimeError("our fault")

    hand = re.findall(r"[A-Z][a-z]+", night.last("anna").lines.partition("YOUR HAND")[2])[:3]
    assert len(hand) == 3
    night.courier.refusals["bob@example.org"] = (Outcome.BAD_ADDRESS, 550, "5.1.1 no bob@example.org here")
    night.courier.refusals["chen@example.org"] = (Outcome.RETRY, 450, "4.2.0 chen@example.org later")
    night.answer("anna", "PASS", "SAY a word to all", "RESIGN")
    night.answer("anna", "STATUS", sender="eve")
    night.tick()
    with monkeypatch.context() as patched:
        patched.setattr(Reception, "decided", failing)
        night.answer("anna", "BRIBE 1")
        night.tick()
    logged = logs.getvalue()
    assert "our fault" in logged
    assert "@" not in logged
    secrets = [*tokens_of(night), "a word to all", "BRIBE", *hand, night.table().secret]
    assert [secret for secret in secrets if secret in logged] == []


def test_a_copy_of_the_database_without_its_mails_lets_nobody_write_as_a_player(night: World, tmp_path: Path) -> None:
    """Mails hold reply addresses as long as they are kept; all else has hashes of them alone."""
    night.store.close()
    tokens = tokens_of(night)
    assert tokens
    with sqlite3.connect(tmp_path / "pbem.db") as database:
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        kept = {name: str(database.execute(f'SELECT * FROM "{name}"').fetchall()) for name in names}
    holding = {name for name, rows in kept.items() if any(token in rows for token in tokens)}
    assert holding <= {"inbox", "outbox"}, holding
    assert not [name for name, rows in kept.items() if "k" * 32 in rows]


def test_no_command_takes_a_secret_where_the_process_list_shows_it() -> None:
    group = typer.main.get_command(app)
    commands = getattr(group, "commands", {})
    assert "invite" in commands
    options = {option for command in commands.values() for each in command.params for option in each.opts}
    assert [option for option in options if re.search(r"pass|secret|token|key", option)] == []


@pytest.mark.parametrize(
    ("given", "expected", "is_same"),
    [("abc", "abc", True), ("abd", "abc", False), ("ab", "abc", False), ("", "abc", False), ("", "", False)],
)
def test_a_code_is_right_or_wrong_as_a_whole(given: str, expected: str, is_same: bool) -> None:
    assert same(given, expected) is is_same


def telling(text: str) -> list[str]:
    """The comparisons of a secret with something that varies, which stop at the first letter that differs."""
    return [
        ast.unparse(node)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.Eq | ast.NotEq)
        and not any(isinstance(side, ast.Constant) for side in (node.left, *node.comparators))
        and _SECRET.search(ast.unparse(node))
    ]


def test_no_code_and_no_token_is_compared_in_a_time_that_tells_how_much_of_it_is_right() -> None:
    assert telling("command.code != known.code_word") == ["command.code != known.code_word"]
    assert [(named(path), found) for path in HOST if (found := telling(path.read_text("utf-8")))] == []
