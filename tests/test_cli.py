"""The command line: what it says to a keeper who got something wrong, and what it lets a moderator do.

Every trouble is one line on standard error that says what and how to mend it, an exit status that is not 0, and no
traceback.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time
from sqlalchemy.exc import NoResultFound

from engine.record import Override, Verb
from pbem import keeping
from pbem.mailbox.loopback import LoopbackServer
from pbem.store import Conflict, Store
from pbem.store.database import writing
from pbem.store.tables import INBOX, Stage
from tests.conversations.conftest import SIGN_UP, START
from tests.conversations.transcript import play
from tests.conversations.world import World
from tests.terminal import ADDRESS, PASSWORD, Configure, Run, closed_port

pytestmark = pytest.mark.slow


def is_one_line(text: str) -> bool:
    return text.startswith("pbem: ") and text.endswith("\n") and text.count("\n") == 1 and "Traceback" not in text


# Configuration


def test_what_init_writes_works_once_it_is_filled_in(run: Run, configure: Configure) -> None:
    path = configure()
    assert run("poll", "-c", str(path)) == (0, "0 read, 0 handled, 0 sent\n", "")


def test_init_overwrites_nothing(run: Run, configure: Configure) -> None:
    before = configure().read_text()
    status, out, err = run("init")
    assert (status, out) == (1, "")
    assert is_one_line(err)
    assert Path("pbem.toml").read_text() == before


def test_init_keeps_a_secret_that_is_there_and_says_so(run: Run) -> None:
    Path("pbem.secret").write_text("s" * 64)
    status, out, err = run("init")
    assert (status, err) == (0, "")
    assert "pbem.secret was there, and is kept" in out
    assert "then: pbem doctor -c pbem.toml" in out
    assert Path("pbem.secret").read_text() == "s" * 64


def test_the_version_is_that_of_the_installed_package(run: Run) -> None:
    assert run("--version") == (0, f"pbem {version('pbem')}\n", "")


@pytest.mark.parametrize("command", [["run"], ["poll"], ["mod", "inn-1", "PAUSE"]])
def test_a_configuration_that_is_not_there_is_named(run: Run, command: list[str]) -> None:
    status, out, err = run(*command, "--config", "none.toml")
    assert (status, out) == (1, "")
    assert is_one_line(err)
    assert "none.toml" in err


BROKEN = [
    ("not TOML", "[imap", "is not valid TOML"),
    ("not text", "\udcff", "is not valid TOML"),
    ("empty", "", "is missing"),
    ("a misspelt key", '[imap]\nhots = "a.example"\n', "Did you mean host?"),
    ("a misspelt section", '[iamp]\nhost = "a.example"\n', "Did you mean imap?"),
    ("a port that is none", '[imap]\nhost = "a"\nuser = "a"\nport = 0\n[host]\naddress = "a@b.c"\n', "[imap] port"),
]


@pytest.mark.parametrize(("text", "said"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_a_broken_configuration_is_explained(run: Run, text: str, said: str) -> None:
    Path("pbem.toml").write_text(text, "utf-8", "surrogateescape")
    status, out, err = run("poll")
    assert (status, out) == (1, "")
    assert is_one_line(err)
    assert said in err


WRONG = [
    ("a password that is refused by IMAP", {"imap__password": "wrong"}, "refuses the login"),
    ("a password that is refused by SMTP", {"smtp__password": "wrong"}, "refuses the login"),
    ("an IMAP server that is away", {"imap__port": closed_port()}, "cannot be reached"),
    ("an SMTP server that is away", {"smtp__port": closed_port()}, "cannot be reached"),
    ("a port of another service", {"imap__security": "tls"}, "no private connection"),
    ("a folder that is not there", {"imap__folder": "Elsewhere"}, "Check folder in [imap]"),
    ("a password file that is not there", {"imap__password": "", "imap__password_file": "no"}, "cannot be read"),
    ("an authority that is not there", {"imap__security": "tls", "imap__ca_file": "no.pem"}, "no.pem cannot be read"),
    ("a password in the clear", {"imap__host": "imap.example.org"}, "in the clear"),
    ("a database that cannot be opened", {"database__url": "sqlite:////no/such/folder/a.db"}, "cannot be opened"),
    ("a database of no kind", {"database__url": "mydb"}, "cannot be read"),
    ("an archive folder that is a file", {"archive__folder": "pbem.toml"}, "archive folder"),
    ("a secret that is too short", {"host__secret": "short"}, "fewer than 32 characters"),
]


@pytest.mark.parametrize(("wrong", "said"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_what_does_not_work_is_said_before_anything_is_done(
    run: Run, configure: Configure, wrong: dict[str, Any], said: str
) -> None:
    configure(**wrong)
    status, out, err = run("poll")
    assert (status, out) == (1, "")
    assert is_one_line(err)
    assert said in err
    assert PASSWORD not in err


def test_a_trouble_during_a_pass_is_said_and_the_rest_is_done(
    run: Run, configure: Configure, server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure()
    server.deliver(ADDRESS, b"From: anna@example.org\r\nMessage-ID: <1@a>\r\n\r\nREGISTER Anna\r\n")
    monkeypatch.setattr("pbem.mailbox.smtp.SmtpSender.check", lambda _: None)
    monkeypatch.setenv("PBEM_SMTP__PORT", str(closed_port()))
    status, out, err = run("poll")
    assert (status, out) == (1, "1 read, 1 handled, 0 sent\n")
    assert is_one_line(err.splitlines(keepends=True)[-1])
    assert "Traceback" not in err


def test_a_pass_in_which_something_failed_does_not_end_as_if_all_were_well(
    run: Run, configure: Configure, server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("this is our fault")

    configure()
    server.deliver(ADDRESS, b"From: anna@example.org\r\nMessage-ID: <1@a>\r\n\r\nREGISTER Anna\r\n")
    monkeypatch.setattr("pbem.reception.Reception.decided", fail)
    status, out, err = run("poll")
    assert (status, out) == (1, "1 read, 0 handled, 0 sent\n")
    assert "1 failed here and will be tried again" in err.splitlines()[-1]


def test_a_process_of_its_own_ends_with_one_line_too(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pbem", "run"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert is_one_line(done.stderr)


# Records


@pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff", b'{"header": 1}', b"[" * 10_000])
def test_a_file_that_is_no_record_is_refused(run: Run, tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "record.json").write_bytes(content)
    status, out, err = run("verify", "record.json")
    assert (status, out) == (1, "")
    assert is_one_line(err)


def test_a_head_that_is_none_is_refused(run: Run) -> None:
    status, out, err = run("verify", "record.json", "--head", "xyz")
    assert (status, out) == (1, "")
    assert "'xyz' is no head" in err


# Moderating


@pytest.fixture
def world(tmp_path: Path, configure: Configure) -> World:
    """A game that Modi moderates, on the database of a configuration."""
    configure()
    world = World(tmp_path)
    play(world, SIGN_UP + START)
    return world


def test_a_moderator_at_a_terminal_does_what_he_could_do_by_mail(run: Run, world: World) -> None:
    with freeze_time(world.now):
        assert run("mod", "inn-1", "ACT", "AS", "Anna:", "LODGE", "1", "2", "3", "4", "5", "6")[0] == 0
        assert run("mod", "INN-1", "PAUSE")[0] == 0
        status, out, err = run("mod", "inn-1", "RESUME")
        assert run("mod", "inn-1", "ROLLBACK", "1")[0] == 0
        assert run("mod", "inn-1", "REPLACE", "Bob", "chen@example.org")[0] == 1
        assert run("mod", "inn-1", "END")[0] == 0
    assert (status, err) == (0, "")
    assert "DONE" in out
    overrides = [entry.what.verb for entry in world.entries() if isinstance(entry.what, Override)]
    assert overrides == [Verb.PAUSE, Verb.RESUME, Verb.ROLLBACK, Verb.END]
    assert {"anna", "bob", "chen"} <= {mail.to for mail in world.tick()}


def test_what_the_keeper_does_is_told_as_the_keepers(run: Run, world: World) -> None:
    with freeze_time(world.now):
        assert run("mod", "inn-1", "PAUSE", "because", "it", "is", "repaired")[0] == 0
    told = {mail.to: mail.text for mail in world.tick()}
    assert "The keeper of this host paused the game. The reason: it is repaired." in told["anna"]


def test_one_line_may_be_for_all_games_that_run(run: Run, world: World) -> None:
    with freeze_time(world.now):
        status, out, err = run("mod", "ALL", "PAUSE")
    assert (status, err) == (0, "")
    assert out.startswith("inn-1:")
    assert world.table().running.paused


def test_the_keeper_sees_which_games_do_not_move_and_why(run: Run, world: World) -> None:
    with freeze_time(world.now):
        assert run("games", "--stuck") == (0, "", "")
        status, out, _ = run("games")
        assert (status, out.split(",")[0]) == (0, "inn-1: The Bloody Inn")
        run("mod", "inn-1", "PAUSE")
        status, out, _ = run("games", "--stuck")
    assert "inn-1" in out
    assert "paused: Modi lets it go on with RESUME" in out


def test_the_keeper_has_the_archive_written_where_it_is_not_as_it_should_be(run: Run, world: World) -> None:
    for renewed, lists in ((1, 4), (0, 0)):
        told = f"1 game, {renewed} of them written anew; {lists} lists written anew\n"
        assert run("archive", "build")[:2] == (0, told)
    assert world.table().game.title in (Path("archive") / "inn-1" / "index.html").read_text("utf-8")


def test_the_keeper_sees_what_was_put_aside_and_does_something_about_it(run: Run, world: World) -> None:
    assert run("parked") == (0, "", "")
    world.write("anna", "GAMES")
    world.tick()
    last = max(work for work in range(1, 50) if _has(world.store, work))
    with writing(world.store.engine) as connection:
        connection.execute(INBOX.update().where(INBOX.c.id == last).values(stage=Stage.PARKED, problem="a tree fell"))
    assert run("parked")[1].startswith(f"{last}: from anna@example.org")
    assert "a tree fell" in run("parked")[1]
    assert run("parked", "--retry", "999")[0] == 1
    assert run("parked", "--retry", str(last))[0] == 0
    assert run("parked") == (0, "", "")
    assert [mail.to for mail in world.tick()] == ["anna"]


def _has(store: Store, id: int) -> bool:
    with suppress(NoResultFound):
        return store.raw(id) is not None
    return False


REFUSED = [
    ("a word that does not fit", ["inn-1", "REPLACE", "Bob"], "Please write it as"),
    ("an unknown seat", ["inn-1", "ACT", "AS", "Eve:", "PASS"], "Nobody at this table is called Eve"),
    ("more moves than there are", ["inn-1", "ROLLBACK", "99"], "You asked to take back 99 moves"),
    ("what is done already", ["inn-1", "RESUME"], "The game is not paused"),
]


@pytest.mark.parametrize(("words", "said"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_is_refused_is_answered_as_in_a_mail(run: Run, world: World, words: list[str], said: str) -> None:
    before = world.entries()
    status, out, err = run("mod", *words)
    assert (status, err) == (1, "")
    assert said in " ".join(out.split())
    assert world.entries() == before


NOT_HIS = [
    ("a table that is not there", ["inn-99", "PAUSE"], "There is no table inn-99"),
    ("a new table", ["inn-1", "NEW", "bloody-inn"], "nothing that a moderator says"),
    ("a name of his own", ["inn-1", "REGISTER", "Modi2"], "nothing that a moderator says"),
    ("an order", ["inn-1", "PASS"], "nothing that a moderator says"),
]


@pytest.mark.parametrize(("words", "said"), [case[1:] for case in NOT_HIS], ids=[case[0] for case in NOT_HIS])
def test_what_is_not_a_moderators_is_a_trouble(run: Run, world: World, words: list[str], said: str) -> None:
    before = world.entries()
    status, out, err = run("mod", *words)
    assert (status, out) == (1, "")
    assert is_one_line(err)
    assert said in err
    assert world.entries() == before


def test_a_host_that_writes_at_the_same_time_makes_the_moderator_decide_anew(
    run: Run, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, conflicts = Store.write, [1, 1]

    def contended(*args: Any, **named: Any) -> None:
        if conflicts:
            conflicts.pop()
            raise Conflict("the host was faster")
        write(*args, **named)

    monkeypatch.setattr(Store, "write", contended)
    assert run("mod", "inn-1", "PAUSE")[0] == 0
    assert world.table().running.paused


def test_what_strangers_wrote_cannot_write_on_the_keepers_terminal() -> None:
    assert keeping.plain("eve\x1b[2J\x07\r\n\u202eKeeper\tx") == "eve?[2J?\n?Keeper?x"
