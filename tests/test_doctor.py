"""`pbem doctor`: what it finds well, what it finds wrong, how it says to mend it, and that it leaves all as it is."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from alembic import command

from pbem.config import Imap, load
from pbem.doctor import Finding, Findings, State, examine, servers
from pbem.doctor.findings import WIDTH
from pbem.host import real_time
from pbem.mailbox.checkup import ImapCheckup, imap_checkup
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.loopback import LoopbackServer
from pbem.store import Store, health, migrate
from pbem.store.database import connect, writing
from pbem.store.health import Form
from pbem.store.tables import INBOX, STRANGER, Stage
from pbem.tokens import Tokens
from tests.servers.fixtures import DovecotMail
from tests.terminal import ADDRESS, PASSWORD, Configure, Run, closed_port, of

pytestmark = pytest.mark.slow


def by_name(found: Findings) -> dict[str, Finding]:
    return {each.about: each for each in found.all}


def test_a_host_that_works_has_nothing_to_mend(run: Run, configure: Configure) -> None:
    path = configure()
    assert run("poll", "-c", str(path))[0] == 0
    status, out, err = run("doctor", "-c", str(path))
    assert (status, err) == (0, "")
    assert out.endswith("Nothing has to be mended.\n")
    assert max(map(len, out.splitlines())) <= WIDTH or str(path.parent) in out
    assert by_name(examine(path))["passes"].state is State.OK


def test_a_host_that_has_never_run_is_no_fault_and_gets_no_database(run: Run, configure: Configure) -> None:
    path = configure()
    found = json.loads(run("doctor", "--json", "-c", str(path))[1])
    (database,) = (each for each in found["findings"] if each["about"] == "database")
    assert (found["well"], database["state"]) == (True, "note")
    assert not (path.parent / "pbem.db").exists()


def test_nothing_that_lies_in_the_mailbox_is_touched(configure: Configure, server: LoopbackServer) -> None:
    path = configure()
    server.deliver(ADDRESS, b"From: anna@example.org\r\nMessage-ID: <untouched@a>\r\n\r\nHELP\r\n")
    assert examine(path, send=True).well
    with ImapInbox(server.imap(ADDRESS), 10_000) as inbox:
        waiting = [arrival.raw or b"" for arrival in inbox.fetch(100)]
    assert any(b"<untouched@a>" in raw for raw in waiting)
    assert not any(b"pbem doctor" in raw for raw in waiting)


def test_a_mail_to_itself_is_awaited_at_the_plus_address(configure: Configure) -> None:
    found = by_name(examine(configure(), send=True))
    assert found["round trip"].says == "a mail to terminal+doctor@example.org came"
    assert found["clock"].state is State.OK


def test_a_mail_that_does_not_come_says_what_may_keep_it(configure: Configure, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "PATIENCE", 0.0)
    monkeypatch.setattr(ImapCheckup, "take", lambda *_: None)
    found = by_name(examine(configure(), send=True))["round trip"]
    assert found.state is State.FAULT
    assert "plus_addresses = false" in found.mend


@pytest.mark.parametrize(("used", "state"), [(0.5, State.OK), (0.95, State.FAULT)])
def test_a_mailbox_that_is_nearly_full_has_to_be_emptied(
    configure: Configure, monkeypatch: pytest.MonkeyPatch, used: float, state: State
) -> None:
    monkeypatch.setattr(ImapCheckup, "share_used", lambda *_: used)
    assert by_name(examine(configure()))["mailbox"].state is state


def test_a_folder_with_very_many_handled_mails_is_noted_unless_they_leave_it(
    configure: Configure, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    assert run("poll", "-c", str(configure()))[0] == 0
    monkeypatch.setattr(ImapCheckup, "handled_folder", lambda *_: "INBOX")
    monkeypatch.setattr(ImapCheckup, "lying", lambda *_: 20_001)
    found = by_name(examine(Path("pbem.toml")))["handled mail"]
    assert (found.state, "keep_handled_days" in found.mend) == (State.NOTE, True)
    monkeypatch.setenv("PBEM_LIMITS__KEEP_HANDLED_DAYS", "30")
    assert by_name(examine(Path("pbem.toml")))["handled mail"].state is State.OK


class Wrong(NamedTuple):
    """What is wrong in a configuration, and where and how that is found."""

    settings: dict[str, Any]
    about: str
    says: str


WRONG = {
    "an IMAP server that is away": Wrong({"imap__port": closed_port()}, "mail in", "cannot be reached"),
    "an IMAP password": Wrong({"imap__password": "wrong"}, "mail in", "refuses the login"),
    "a folder that is not there": Wrong({"imap__folder": "Elsewhere"}, "mail in", "said no"),
    "an SMTP server that is away": Wrong({"smtp__port": closed_port()}, "mail out", "cannot be reached"),
    "an SMTP password": Wrong({"smtp__password": "wrong"}, "mail out", "refuses the login"),
    "a database of no kind": Wrong({"database__url": "mydb"}, "database", "cannot be read"),
    "an archive that is a file": Wrong({"archive__folder": "pbem.toml"}, "disk", "cannot be written"),
    "a secret that is too short": Wrong({"host__secret": "short"}, "configuration", "fewer than 32 characters"),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_each_thing_that_is_wrong_is_found_with_a_way_to_mend_it(run: Run, configure: Configure, wrong: Wrong) -> None:
    configure(**wrong.settings)
    status, out, err = run("doctor", "--json")
    found = next(each for each in json.loads(out)["findings"] if each["state"] == "fault")
    assert (status, err, found["about"]) == (1, "", wrong.about)
    assert wrong.says in found["says"]
    assert found["mend"]
    assert PASSWORD not in out


def test_one_thing_that_is_wrong_does_not_hide_another(configure: Configure) -> None:
    found = examine(configure(imap__port=closed_port(), smtp__password="wrong"))
    assert [each.about for each in found.all if each.state is State.FAULT] == ["mail in", "mail out"]
    assert found.text.endswith("2 things have to be mended.")


Clock = Callable[[], datetime]


@pytest.mark.parametrize(("hours", "says"), [(-1, "behind"), (1, "ahead of")])
def test_a_clock_that_is_wrong_is_seen_by_that_of_the_mail_server(
    run: Run, configure: Configure, hours: int, says: str
) -> None:
    path = configure()
    run("poll", "-c", str(path))
    found = by_name(examine(path, send=True, now=lambda: real_time() + timedelta(hours=hours)))["clock"]
    assert found.state is State.FAULT
    assert f"3600 s {says}" in found.says or f"3599 s {says}" in found.says


def test_secrets_that_others_can_read_are_found(configure: Configure) -> None:
    path = configure()
    path.chmod(0o644)
    found = by_name(examine(path))["secrets"]
    assert (found.state, found.mend) == (State.FAULT, f"Run: chmod 600 {path}")


def test_a_leave_that_others_can_read_is_found(configure: Configure) -> None:
    token = {"login": "xoauth2", "token_command": "pbem token inn.leave", "password": ""}
    path = configure(**{f"imap__{name}": value for name, value in token.items()})
    leave = path.parent / "inn.leave"
    for rights, state in ((0o640, State.FAULT), (0o600, State.OK)):
        leave.touch()
        leave.chmod(rights)
        assert by_name(examine(path))["secrets"].state is state


def test_a_leave_that_cannot_be_written_anew_is_found(configure: Configure, monkeypatch: pytest.MonkeyPatch) -> None:
    path = configure(imap__login="xoauth2", imap__token_command="pbem token kept/inn.leave", imap__password="")
    assert by_name(examine(path))["leave"].state is State.FAULT
    (path.parent / "kept").mkdir()
    assert by_name(examine(path))["leave"].state is State.OK
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "Keep it where the host may write" in by_name(examine(path))["leave"].mend


def test_a_mail_to_itself_is_known_though_the_server_gave_it_another_message_id(
    configure: Configure, server: LoopbackServer
) -> None:
    path = configure()
    server.deliver(ADDRESS, b"From: a@example.org\r\nMessage-ID: <other@b>\r\nReferences: <sent@a>\r\n\r\nx\r\n")
    imap = load(path).imap
    assert imap is not None
    with imap_checkup(imap) as mailbox:
        assert [mailbox.take("<sent@a>") is None, mailbox.take("<sent@a>") is None] == [False, True]


def test_what_waits_for_the_keeper_is_found(run: Run, configure: Configure) -> None:
    path = configure()
    run("poll", "-c", str(path))
    with (
        Store.open(f"sqlite:///{path.parent / 'pbem.db'}", Tokens(b"key")) as store,
        writing(store.engine) as connection,
    ):
        parked = {"stage": Stage.PARKED, "problem": "a tree fell", "digest": "d", "folder": "f", "uid": 1, "raw": b"r"}
        times = {"received_at": datetime(2026, 1, 1, tzinfo=UTC), "attempts": 3, "copies": 1, "sender": "a@example.org"}
        connection.execute(INBOX.insert().values(**parked, **times))
    found = by_name(examine(path))["parked mails"]
    assert (found.state, found.says) == (State.FAULT, "1 could not be handled")


def test_a_host_that_answers_no_newcomer_any_more_says_so(run: Run, configure: Configure) -> None:
    path = configure()
    run("poll", "-c", str(path))
    for answered, state in ((99, State.OK), (1, State.NOTE)):
        with (
            Store.open(f"sqlite:///{path.parent / 'pbem.db'}", Tokens(b"key")) as store,
            writing(store.engine) as connection,
        ):
            connection.execute(STRANGER.insert(), [{"hash": "h", "at": real_time()}] * answered)
        assert by_name(examine(path))["newcomers"].state is state


def test_a_host_that_does_not_run_any_more_is_found(run: Run, configure: Configure) -> None:
    path = configure()
    run("poll", "-c", str(path))
    found = by_name(examine(path, now=lambda: real_time() + timedelta(hours=3)))["passes"]
    assert found.state is State.FAULT


def test_little_room_on_the_disk_is_noted_and_none_is_a_fault(
    configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = configure()
    for free, state in ((5 * 2**20, State.FAULT), (500 * 2**20, State.NOTE), (50 * 2**30, State.OK)):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, free=free: shutil._ntuple_diskusage(2**40, 2**40, free))
        assert by_name(examine(path))["disk"].state is state


def test_an_older_database_is_told_and_left_as_it_is(configure: Configure) -> None:
    path = configure()
    url = f"sqlite:///{path.parent / 'pbem.db'}"
    engine = connect(url, foreign_keys=False)
    with writing(engine) as connection:
        command.upgrade(migrate._config(connection), "0012")
    engine.dispose()
    found = by_name(examine(path))
    assert found["database"].state is State.NOTE
    assert "of form 0012" in found["database"].says
    assert health.look(url).form is Form.OLDER


def test_a_damaged_database_is_found(run: Run, configure: Configure) -> None:
    path = configure()
    run("poll", "-c", str(path))
    file = path.parent / "pbem.db"
    whole = bytearray(file.read_bytes())
    whole[4096 * 3 : 4096 * 6] = b"\xff" * 4096 * 3
    file.write_bytes(whole)
    found = by_name(examine(path))["database"]
    assert found.state is State.FAULT
    assert "restore a backup" in found.mend


def test_on_a_real_server_all_is_found_well(
    configure: Configure, dovecot_mail: DovecotMail, new_address: Callable[[DovecotMail], str]
) -> None:
    address = new_address(dovecot_mail)
    imap: Imap = dovecot_mail.imap(address)
    there = {**of("imap", imap), **of("smtp", dovecot_mail.smtp(address))}
    secret = {"imap__password": "secret", "smtp__password": "secret"}
    path = configure(**{**there, **secret, "host__address": address})
    dovecot_mail.deliver(address, b"From: anna@example.org\r\nMessage-ID: <1@a>\r\n\r\nHELP\r\n")
    with ImapInbox(imap, 10_000) as inbox:
        inbox.done(inbox.fetch(10))
    found = examine(path, send=True)
    assert found.well, found.text
    assert {"news of mail", "handled mail", "clock", "round trip"} <= by_name(found).keys()
    assert all(each.state is State.OK for each in found.all if each.about in ("handled mail", "clock", "round trip"))
