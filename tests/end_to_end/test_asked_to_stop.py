"""The real program is asked to end, wherever it is: it does so soon, well, and says so; asked twice, at once."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.request import urlopen

import pytest

from pbem import config
from pbem.bootstrap import store_of
from pbem.doctor import State, examine
from tests.end_to_end.keeper import edited
from tests.kills.life import Life
from tests.mailbox.test_rude_servers import IMAP, SMTP
from tests.private import told
from tests.servers.rude import Answer, Ends, Hangs, RudeServer
from tests.terminal import closed_port

pytestmark = pytest.mark.slow

MAIL: Final = (
    "From: anna@example.org\r\nTo: inn@example.org\r\nMessage-ID: <1@example.org>\r\n"
    "Date: Tue, 01 Dec 2026 12:00:00 +0000\r\nSubject: Hello\r\n\r\nREGISTER Anna\r\n"
)
FETCHED: Final = (
    f'* 1 FETCH (UID 1 INTERNALDATE "01-Dec-2026 12:00:00 +0000" RFC822.SIZE {len(MAIL)}'
    f" BODY[]<0> {{{len(MAIL)}}}\r\n{MAIL})\r\n{{tag}} OK done\r\n"
)
IDLES: Final = {"CAPABILITY": "* CAPABILITY IMAP4rev1 IDLE\r\n{tag} OK done\r\n", "IDLE": "+ go on\r\n"}
SILENT: Final = 1.0
"""Seconds that a server may be silent, where the test waits for that."""
LONG: Final = 60.0
"""The same, where it must not be waited for."""
SOON: Final = 8.0
"""Seconds: three times `SILENT`, and as much again on a machine that does other things too."""


class Case(NamedTuple):
    """Where the program is asked to end."""

    at: str
    """The beginning of the line that it has said to a server by then; empty: it has only connected."""
    imap: Mapping[str, Answer] = {}
    smtp: Mapping[str, Answer] = {}
    silent: float = SILENT
    number: signal.Signals = signal.SIGTERM


CASES: Final = {
    "while it starts": Case("", imap={"": Hangs()}, silent=LONG),
    "while it logs in": Case("LOGIN", imap={"LOGIN": Hangs()}, silent=LONG, number=signal.SIGHUP),
    "while it checks the way out": Case("EHLO", smtp={"EHLO": Hangs()}, silent=LONG),
    "while it fetches a mail": Case("UID FETCH", imap={"UID FETCH 1": Hangs()}),
    "while it marks a mail": Case("UID STORE", imap={"UID STORE": Hangs()}, number=signal.SIGHUP),
    "while it sends a mail": Case(".", smtp={".": Hangs()}),
    "while it waits for news": Case("IDLE", imap=IDLES),
    "while it waits after a trouble": Case("UID FETCH", imap={"UID FETCH 1": Ends()}, silent=LONG),
}


@contextmanager
def running(
    folder: Path, case: Case, more: Mapping[tuple[str, str], str] = MappingProxyType({})
) -> Iterator[tuple[Life, Callable[[], bool]]]:
    """The program, with `more` settings, at servers that behave but for what the case says, and whether it has come to
    that place."""
    imap_script = {**IMAP, "UID FETCH 1": FETCHED, **case.imap}
    with RudeServer(imap_script, tagged=True) as imap, RudeServer({**SMTP, **case.smtp}, tagged=False) as smtp:
        path = folder / "pbem.toml"
        config.create(path)
        path.write_text(edited(path.read_text(), {**dict(_settings(imap.port, smtp.port, case.silent)), **more}))

        def is_there() -> bool:
            said = [line.partition(" ")[2] for line in imap.lines] + smtp.lines
            return imap.connections > 0 and any(line.upper().startswith(case.at) for line in ["", *said])

        life = Life(folder)
        try:
            yield life, is_there
        finally:
            life.kill()


def _settings(imap: int, smtp: int, silent: float) -> Iterator[tuple[tuple[str, str], str]]:
    user: dict[str, Any] = {
        "host": '"localhost"',
        "security": '"none"',
        "user": '"inn"',
        "password": '"secret"',
        "timeout": f'"{silent:.0f}s"',
    }
    for section, port in (("imap", imap), ("smtp", smtp)):
        yield from (((section, name), value) for name, value in {**user, "port": str(port)}.items())
    yield ("imap", "handled_folder"), '""'
    yield ("host", "registration"), '"open"'


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "it never came there"
        time.sleep(0.02)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_it_ends_soon_and_well_and_says_so(tmp_path: Path, case: Case) -> None:
    with running(tmp_path, case) as (life, is_there):
        until(is_there)
        time.sleep(0.2)
        began = time.monotonic()
        os.kill(life.pid, case.number)
        assert life.ended()[1] == 0
        assert time.monotonic() - began < SOON
    log = (tmp_path / "host.log").read_text()
    assert case.number.name in log.splitlines()[-1]
    assert "Traceback" not in log
    with store_of(config.load(tmp_path / "pbem.toml")) as store:
        assert store.parked() == ()
        assert store.worn_out(9) == ()


def test_its_numbers_are_there_while_it_runs_and_the_port_is_free_when_it_has_ended(tmp_path: Path) -> None:
    port, file = closed_port(), tmp_path / "pbem.prom"
    shown = {("metrics", "port"): str(port), ("metrics", "textfile"): f'"{file}"'}
    with running(tmp_path, Case("", imap=IDLES), shown) as (life, _):
        until(file.exists)
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            text = answer.read().decode()
        assert 'pbem_mails_out_total{outcome="accepted"} 1.0' in text
        assert "process_open_fds" in text
        assert {State.OK} == {each.state for each in examine(tmp_path / "pbem.toml").all if each.about == "numbers"}
        life.stop()
    socket.create_server(("127.0.0.1", port)).close()
    assert 'pbem_passes_total{outcome="well"} 1.0' in file.read_text()
    assert list(told(file.read_text(), ("anna", "inn"))) == []


def test_asked_twice_it_ends_at_once(tmp_path: Path) -> None:
    with running(tmp_path, Case("UID FETCH", imap={"UID FETCH 1": Hangs()}, silent=LONG)) as (life, is_there):
        until(is_there)
        os.kill(life.pid, signal.SIGTERM)
        time.sleep(0.2)
        assert not life.is_over()
        os.kill(life.pid, signal.SIGTERM)
        assert life.ended()[1] == -signal.SIGTERM
    assert "asked twice to stop" in (tmp_path / "host.log").read_text()
