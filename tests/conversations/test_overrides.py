"""Each of a moderator's words, by mail and by command line: told, recorded, and refused where it does not belong."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import record
from engine.record import By, Dealt, Override, Verb
from pbem import bootstrap, cli, moderation
from tests.conversations.transcript import code_for, play
from tests.conversations.world import INN, Mail, World
from tests.moderation.overrides import ALL, CASES, EVERYBODY, Case

Terminal = Callable[..., tuple[int, str]]
WHY = "it rained all day"
CONFIGURATION = """
[host]
address = "{inn}"
secret = "{secret}"
[maildir]
path = "{folder}"
[outbox]
folder = "{folder}"
[database]
url = "{database}"
"""

each_override = pytest.mark.parametrize("case", ALL, ids=[case.line for case in ALL])


def prepared(world: World, case: Case) -> None:
    """What has to stand before is done."""
    for line in case.before:
        play(world, line if line.startswith("wait") else f"modi >> {line}")
        world.tick()
        if line.startswith("END"):
            world.answer("modi", code_for(world, "modi", line))
            world.tick()


def by_mail(world: World, case: Case, *lines: str) -> list[Mail]:
    """The moderator writes the override and `lines` behind it; what the host sends upon it."""
    line = case.line
    if case.coded:
        world.answer("modi", line)
        world.tick()
        line = code_for(world, "modi", case.line)
    world.answer("modi", f"{line} because {WHY}" if case.reasoned else line, *lines)
    return world.tick()


def standing(world: World) -> tuple[str, tuple[str, ...], int]:
    """What a moderator's word may change of a table: its record, who sits where, and who moderates."""
    table = world.table()
    return table.head, table.names, len(table.moderators)


def fresh(world: World, before: tuple[str, tuple[str, ...], int]) -> set[Verb | By | None]:
    """What the record holds beyond where it stood, but for deals; nothing stands for a record without new entries."""
    if not before[0]:
        return {None}
    entries = world.entries()
    known = next((n for n, entry in enumerate(entries, 1) if entry.hash == before[0]), 0)
    whats = [entry.what for entry in entries[known:] if not isinstance(entry.what, Dealt)]
    return {what.verb if isinstance(what, Override) else what.by for what in whats} or {None}


def to_seats(mails: list[Mail]) -> dict[str, str]:
    """The mails to the players, as players of inn-1 or before it begins; who moderates as well gets another one."""
    players = [mail for mail in mails if mail.to in EVERYBODY and ": moderator" not in mail.subject]
    return {mail.to: mail.text for mail in players if "somebody else" not in mail.subject}


def verified(world: World) -> None:
    table = world.table()
    if table.header is not None:
        whats = [entry.what for entry in world.entries()]
        assert record.positions(table.game, table.header, whats)[-1] == table.position


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Terminal:
    """`pbem mod` on the database of a world: the exit status and what it says."""

    def mod(world: World, line: str) -> tuple[int, str]:
        path = tmp_path / "pbem.toml"
        secret = world.settings.host.secret.get_secret_value()
        path.write_text(
            CONFIGURATION.format(inn=INN, secret=secret, folder=tmp_path, database=world.settings.database.url)
        )
        monkeypatch.setattr(bootstrap, "Renderer", lambda *_: world.host.postroom.renderer)
        monkeypatch.setattr(bootstrap, "real_time", lambda: world.now)
        monkeypatch.setattr(sys, "argv", ["pbem", "mod", "inn-1", *line.split(), "-c", str(path)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return int(ended.value.code or 0), " ".join(capsys.readouterr().out.split())

    return mod


@pytest.fixture
def right(case: Case, request: pytest.FixtureRequest) -> World:
    """Where the override belongs: in the first night, or before the start."""
    world: World = request.getfixturevalue("signed_up" if case.lobby else "at_night")
    prepared(world, case)
    return world


@pytest.fixture
def wrong(case: Case, request: pytest.FixtureRequest) -> World:
    """Where it does not."""
    world: World = request.getfixturevalue("at_night" if case.lobby else "signed_up")
    return world


def test_each_override_has_its_case() -> None:
    assert CASES.keys() == moderation.OVERRIDES.keys()


@each_override
def test_by_mail_it_is_told_with_its_reason_and_stands_in_the_record(case: Case, right: World) -> None:
    before = standing(right)
    told = to_seats(by_mail(right, case))
    assert told.keys() == set(case.seats)
    for text in told.values():
        assert case.told in text
        assert not case.reasoned or WHY in text
    assert case.entry in fresh(right, before)
    verified(right)


@pytest.mark.slow
@each_override
def test_by_command_line_it_is_told_as_the_keepers_and_stands_in_the_record(
    case: Case, right: World, terminal: Terminal
) -> None:
    before = standing(right)
    status, said = terminal(right, f"{case.line} because {WHY}" if case.reasoned else case.line)
    assert (status, "DONE" in said) == (0, True), said
    sent = right.tick()
    for text in (told := to_seats(sent)).values():
        assert case.told in text
        assert not case.reasoned or WHY in text
    assert told.keys() == set(case.seats)
    assert case.entry in fresh(right, before)
    modi = " ".join(mail.text for mail in sent if mail.to == "modi")
    assert not case.entry or f"at inn-1 by the keeper of this host: {case.line}" in modi


@each_override
def test_without_a_moderators_key_it_does_nothing(case: Case, right: World) -> None:
    """A player's key is none, nor is the moderator's address alone."""
    before = standing(right)
    right.answer("anna", case.line)
    right.write("modi", case.line, subject="[inn-1] moderating")
    right.tick()
    assert standing(right) == before


@each_override
def test_at_the_wrong_time_it_is_refused_by_mail(case: Case, wrong: World) -> None:
    before = standing(wrong)
    wrong.answer("modi", case.line)
    assert any("  NOT" in mail.lines for mail in wrong.tick() if mail.to == "modi")
    assert standing(wrong) == before


@pytest.mark.slow
@each_override
def test_at_the_wrong_time_it_is_refused_by_command_line(case: Case, wrong: World, terminal: Terminal) -> None:
    before = standing(wrong)
    status, said = terminal(wrong, case.line)
    assert status == 1
    assert ("has begun" if case.lobby else case.early) in said
    assert standing(wrong) == before


@each_override
def test_a_line_that_fails_stops_the_mail_behind_it_and_undoes_nothing_before_it(case: Case, right: World) -> None:
    before = standing(right)
    sent = by_mail(right, case, "EXCUSE Nobody", "PREVIEW PAUSE", "NOTE never said")
    answer = next(mail for mail in sent if mail.to == "modi")
    said = [
        words for line in answer.lines.splitlines() if (words := line[:13].strip()) in ("DONE", "NOT DONE", "NOT TRIED")
    ]
    assert said == ["DONE", "NOT DONE", "NOT TRIED", "NOT TRIED"], answer.lines
    assert case.entry in fresh(right, before)
    assert case.entry is Verb.NOTE or Verb.NOTE not in fresh(right, before)
