"""A terminal for tests: it runs commands of `pbem` in an empty folder, on a configuration that works."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem import cli
from pbem.config import Connection
from pbem.mailbox.loopback import LoopbackServer
from tests.end_to_end.keeper import edited

ADDRESS, PASSWORD = "terminal@example.org", "swordfish"
Run = Callable[..., tuple[int, str, str]]
Configure = Callable[..., Path]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Runs a command in an empty folder: its exit status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def command(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["pbem", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    return command


@pytest.fixture
def server(loopback: LoopbackServer) -> LoopbackServer:
    """The embedded server, where the host has a mailbox."""
    loopback.add_user(ADDRESS, PASSWORD)
    return loopback


@pytest.fixture
def configure(run: Run, server: LoopbackServer, tmp_path: Path) -> Callable[..., Path]:
    """Writes a configuration that works with the embedded server, or one with settings of the test's own."""

    def write(**wrong: Any) -> Path:
        path = tmp_path / "pbem.toml"
        assert run("init", str(path))[0] == 0
        settings = {
            "host__address": ADDRESS,
            **of("imap", server.imap(ADDRESS)),
            **of("smtp", server.smtp(ADDRESS)),
            **wrong,
        }
        places = {(name.split("__")[0], name.split("__")[1]): json.dumps(value) for name, value in settings.items()}
        path.write_text(edited(path.read_text(), places))
        return path

    return write


def of(section: str, server: Connection) -> dict[str, Any]:
    """How a server is written in a configuration."""
    values = {"host": server.host, "port": server.port, "security": "none", "user": server.user, "password": PASSWORD}
    return {f"{section}__{name}": value for name, value in values.items()}


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port
