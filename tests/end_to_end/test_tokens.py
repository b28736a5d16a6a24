"""The real program logs in to Dovecot, and to an SMTP server, with access tokens of a provider that is strict.

Each token comes by leave that is good once, so nothing here works if two logins ever use the same.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest
import trustme
from pydantic import SecretStr

from pbem.config import Imap, Login, Security, Smtp
from pbem.errors import LoginRefused, TokenTrouble
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.smtp import SmtpSender
from pbem.oauth import access_token, keep
from tests.end_to_end.keeper import Keeper
from tests.private import told
from tests.servers.dovecot import DovecotServer, submits
from tests.servers.fixtures import LARGEST, DovecotMail, require_dovecot
from tests.servers.issuer import Issuer
from tests.servers.smtp_sink import SmtpSink

pytestmark = pytest.mark.slow

INN: Final = "inn@example.org"
ANNA: Final = "anna@example.org"
LEAVE: Final = "inn.leave"
COMMAND: Final = f"pbem token {LEAVE}"
PATIENCE: Final = 40.0
"""Seconds until something has to have happened; a host that was refused waits longer and longer."""


@pytest.fixture(scope="module")
def mail(tls_authority: trustme.CA, issuer: Issuer) -> Iterator[DovecotMail]:
    """Servers that ask the provider whether a token is good."""
    require_dovecot()
    dovecot = DovecotServer(tls_authority, introspection=f"{issuer.url}/introspect")
    with SmtpSink(dovecot, tls_authority) as sink, ExitStack() as stack:
        sink.tokens = issuer
        dovecot.relay = sink.port(Security.NONE) if submits() else 0
        stack.enter_context(dovecot)
        for address in (INN, ANNA):
            dovecot.add_user(address, "secret")
        yield DovecotMail(dovecot, sink)


@pytest.fixture(autouse=True)
def fresh(issuer: Issuer) -> None:
    """Leave and tokens of an earlier test are void."""
    issuer.withdraw()
    issuer.away = False


def settings(mail: DovecotMail, folder: Path, login: Login, command: str) -> tuple[Imap, Smtp]:
    """How a host in `folder` logs in, both ways."""
    changes = {"password": SecretStr(""), "login": login, "token_command": command}
    imap, smtp = mail.imap(INN, Security.TLS), mail.smtp(INN, Security.STARTTLS)
    return imap.model_copy(update=changes).anchored(folder), smtp.model_copy(update=changes).anchored(folder)


def log_in(servers: tuple[Imap, Smtp]) -> None:
    """As a host does at the beginning of each pass that needs a connection. `Trouble`."""
    imap, smtp = servers
    with ImapInbox(imap, LARGEST):
        SmtpSender(smtp).check()


@pytest.fixture
def keeper(tmp_path: Path, mail: DovecotMail) -> Iterator[Keeper]:
    """A keeper whose host logs in by what `pbem login` keeps."""
    keeper = Keeper(tmp_path)
    wanted: dict[tuple[str, str], Any] = {
        ("host", "address"): INN,
        ("host", "registration"): "open",
        ("clock", "interval"): "1s",
        ("metrics", "textfile"): "numbers.prom",
    }
    for section, server in zip(("imap", "smtp"), settings(mail, tmp_path, Login.XOAUTH2, COMMAND), strict=True):
        wanted |= {
            (section, name): str(value) if isinstance(value := getattr(server, name), Path) else value
            for name in ("host", "port", "user", "login", "token_command", "ca_file")
        }
    keeper.configure({place: json.dumps(value) for place, value in wanted.items()})
    yield keeper
    if keeper.is_running():
        keeper.kill()


def asks(mail: DovecotMail, keeper: Keeper, number: int) -> None:
    """Anna writes to the inn."""
    letter = (
        f"From: {ANNA}\r\nTo: {INN}\r\nMessage-ID: <{number}.{keeper.folder.name}@a>\r\nSubject: HELP\r\n\r\nHELP\r\n"
    )
    mail.deliver(INN, letter.encode())


def answered(mail: DovecotMail) -> int:
    """How many mails she has got."""
    return sum(parcel.envelope_to == ANNA for parcel in mail.sink.received)


def wait_until(happened: Callable[[], object], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.05)


@pytest.mark.parametrize("login", [Login.XOAUTH2, Login.OAUTHBEARER])
def test_each_login_has_a_token_of_its_own_so_one_that_is_over_keeps_nobody_waiting(
    tmp_path: Path, mail: DovecotMail, issuer: Issuer, login: Login
) -> None:
    keep(tmp_path / LEAVE, issuer.grant(INN))
    servers = settings(mail, tmp_path, login, COMMAND)
    log_in(servers)
    issuer.expire()
    log_in(servers)


@pytest.mark.parametrize("login", [Login.XOAUTH2, Login.OAUTHBEARER])
def test_a_mail_server_that_is_no_stand_in_takes_a_token_by_smtp_and_refuses_one_that_is_over(
    tmp_path: Path, mail: DovecotMail, issuer: Issuer, login: Login
) -> None:
    if not (submits() or os.environ.get("CI")):
        pytest.skip("the Dovecot on this machine takes no mail by SMTP")
    keep(tmp_path / LEAVE, issuer.grant(INN))
    (tmp_path / "token").write_text(access_token(tmp_path / LEAVE))
    changes = {"login": login, "token_command": "cat token"}
    sender = SmtpSender(mail.dovecot.smtp(INN).model_copy(update=changes).anchored(tmp_path))
    sender.check()
    issuer.expire()
    with pytest.raises(LoginRefused, match="refuses the login"):
        sender.check()


def test_a_command_that_gives_a_token_which_is_over_is_asked_again_at_the_next_login(
    tmp_path: Path, mail: DovecotMail, issuer: Issuer
) -> None:
    servers = settings(mail, tmp_path, Login.XOAUTH2, "cat token")
    keep(tmp_path / LEAVE, issuer.grant(INN))
    for is_good in (True, False, True):
        token = access_token(tmp_path / LEAVE)
        (tmp_path / "token").write_text(f"{token}\n")
        if is_good:
            log_in(servers)
            continue
        issuer.expire()
        for server in (ImapInbox(servers[0], LARGEST).open, SmtpSender(servers[1]).check):
            with pytest.raises(LoginRefused, match=r"refuses the login .* token_command") as refused:
                server()
            assert token not in str(refused.value)


def test_when_leave_was_withdrawn_the_keeper_is_told_everywhere_and_the_host_goes_on_when_he_has_got_it_again(
    keeper: Keeper, mail: DovecotMail, issuer: Issuer
) -> None:
    keep(keeper.folder / LEAVE, issuer.grant(INN))
    before = answered(mail)
    asks(mail, keeper, 1)
    keeper.start()
    wait_until(lambda: answered(mail) > before, keeper.log)

    issuer.withdraw()
    mail.dovecot.stop()
    mail.dovecot.start()
    asks(mail, keeper, 2)
    wait_until(lambda: "invalid_grant" in keeper.log.read_text(), keeper.log)
    examined = keeper.pbem("doctor")
    numbers = keeper.folder / "numbers.prom"
    wait_until(lambda: 'logins_refused_total{way="in"} 0' not in numbers.read_text(), keeper.log)
    for said in (keeper.log.read_text(), " ".join(examined.stdout.split())):
        assert "The provider gives no token (invalid_grant): the leave is over or was withdrawn" in said
        assert "Ask for leave again with pbem login" in said
    assert examined.returncode == 1

    keep(keeper.folder / LEAVE, issuer.grant(INN))
    wait_until(lambda: answered(mail) > before + 1, keeper.log)
    assert keeper.stop() == 0
    assert "all goes well again" in keeper.log.read_text()
    assert list(told(keeper.log.read_text(), issuer.given)) == []
    assert not any(secret in examined.stdout + examined.stderr for secret in issuer.given)


def test_a_provider_that_is_away_is_waited_for(tmp_path: Path, mail: DovecotMail, issuer: Issuer) -> None:
    keep(tmp_path / LEAVE, issuer.grant(INN))
    servers = settings(mail, tmp_path, Login.XOAUTH2, COMMAND)
    issuer.away = True
    with pytest.raises(TokenTrouble, match=r"it has troubles of its own\. Wait"):
        log_in(servers)
    issuer.away = False
    log_in(servers)
