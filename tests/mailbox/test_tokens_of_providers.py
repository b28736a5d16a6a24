"""Logging in with an access token: what is sent, that it is fresh each time, and that nobody else sees it."""

from __future__ import annotations

import base64
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.config import Imap, Login, Security, Smtp, load
from pbem.errors import ConfigurationTrouble, LoginRefused, TokenTrouble, Trouble
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.smtp import SmtpSender
from tests.mailbox.test_rude_servers import IMAP, SMTP
from tests.servers.rude import Answer, RudeServer
from tests.test_config import imap, written

TOKEN: Final = "ya29.not-for-others"
SAID: Final = {
    Login.XOAUTH2: "user=i,n@example.org\1auth=Bearer {token}\1\1",
    Login.OAUTHBEARER: "n,a=i=2Cn@example.org,\1host=localhost\1port={port}\1auth=Bearer {token}\1\1",
}
REFUSAL: Final = base64.b64encode(b'{"status":"400","schemes":"bearer"}').decode()
KINDS: Final = pytest.mark.parametrize("login", list(SAID))


def settings(folder: Path, port: int, login: Login, command: str = "cat token") -> dict[str, Any]:
    (folder / "token").write_text(f"{TOKEN}\n")
    shared = {"host": "localhost", "port": port, "security": Security.NONE, "user": "i,n@example.org"}
    return {**shared, "login": login, "token_command": command, "timeout": timedelta(seconds=10)}


def open_imap(folder: Path, answer: Answer, login: Login, command: str = "cat token") -> list[str]:
    """Opens a mailbox at a server that answers a login so; what was said to it."""
    with RudeServer({**IMAP, "AUTHENTICATE": answer}, tagged=True) as server:
        made = Imap(**settings(folder, server.port, login, command)).anchored(folder)
        try:
            for _ in range(2):
                with ImapInbox(made, 100_000):
                    (folder / "token").write_text("another")
        finally:
            server.lines.append(str(server.port))
            lines = [*server.lines]
        return lines


def open_smtp(folder: Path, answer: Answer, login: Login, offered: str) -> list[str]:
    greeting = {"EHLO": f"250-sink\r\n250 AUTH {offered}\r\n", "AUTH": answer, "": "220 ready\r\n"}
    with RudeServer({**SMTP, **greeting}, tagged=False) as server:
        SmtpSender(Smtp(**settings(folder, server.port, login)).anchored(folder)).check()
        return [*server.lines, str(server.port)]


@KINDS
def test_an_imap_server_gets_the_token_of_the_command_anew_for_each_connection(tmp_path: Path, login: Login) -> None:
    lines = open_imap(tmp_path, "+ \r\n{tag} OK logged in\r\n", login)
    sent = [base64.b64decode(after) for line, after in pairwise(lines) if "AUTHENTICATE" in line]
    assert [line.split()[-1] for line in lines if "AUTHENTICATE" in line] == [login.value.upper()] * 2
    assert sent == [SAID[login].format(token=token, port=lines[-1]).encode() for token in (TOKEN, "another")]
    assert not any(" LOGIN " in line for line in lines)


@KINDS
def test_an_smtp_server_gets_the_token_of_the_command(tmp_path: Path, login: Login) -> None:
    lines = open_smtp(tmp_path, "235 2.7.0 welcome\r\n", login, "PLAIN XOAUTH2 OAUTHBEARER")
    _, mechanism, said = next(line.split() for line in lines if line.startswith("AUTH"))
    assert mechanism == login.value.upper()
    assert base64.b64decode(said).decode() == SAID[login].format(token=TOKEN, port=lines[-1])


@KINDS
def test_a_token_that_is_refused_is_said_so_in_one_line_without_it(tmp_path: Path, login: Login) -> None:
    said: list[Trouble] = []
    with pytest.raises(LoginRefused, match=r"token_command, in \[imap\]") as caught:
        open_imap(tmp_path, f"+ \r\n+ {REFUSAL}\r\n{{tag}} NO [AUTHENTICATIONFAILED] Invalid credentials\r\n", login)
    said.append(caught.value)
    with pytest.raises(LoginRefused, match=r"token_command, in \[smtp\]") as caught:
        open_smtp(tmp_path, "535 5.7.8 Invalid credentials\r\n", login, "XOAUTH2 OAUTHBEARER")
    said.append(caught.value)
    assert not [trouble for trouble in said if TOKEN in str(trouble) or "\n" in str(trouble)]


def test_an_smtp_server_that_takes_no_token_does_not_get_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationTrouble, match="takes no login here"):
        open_smtp(tmp_path, "235 2.7.0 welcome\r\n", Login.XOAUTH2, "PLAIN LOGIN")


def test_a_command_that_gives_no_token_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(
        TokenTrouble, match=r"\[imap\] token_command gives no token: the command ends with 1\. It says: cat"
    ):
        open_imap(tmp_path, "+ \r\n", Login.XOAUTH2, "cat missing")


def test_with_a_token_no_password_is_needed_and_the_command_runs_beside_the_configuration(tmp_path: Path) -> None:
    made = imap(load(written(tmp_path, imap={"password": "", "login": "xoauth2", "token_command": "cat token"})))
    assert (made.login, made.home, made.password.get_secret_value()) == (Login.XOAUTH2, tmp_path, "")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"login": "xoauth2"}, "login xoauth2 needs user, in ASCII, and token_command"),
        ({"login": "oauthbearer", "token_command": "x", "user": "ïnn"}, "needs user, in ASCII"),
        ({"token_command": "x"}, "token_command is of no use with login password"),
        ({"login": "xoauth2", "token_command": "x", "security": "none"}, "in the clear"),
    ],
)
def test_a_login_by_token_that_cannot_be_is_refused(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    with pytest.raises(ConfigurationTrouble, match=why):
        load(written(tmp_path, imap=changes))
