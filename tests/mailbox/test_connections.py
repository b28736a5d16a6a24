"""Whatever keeps the host from its mail server is one line that says what and how to mend it, without the password."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import trustme
from pydantic import SecretStr

from pbem.config import Imap, Security, Smtp
from pbem.errors import ConfigurationTrouble, LoginRefused, TlsTrouble, Trouble, Unreachable
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.loopback import LoopbackServer
from pbem.mailbox.smtp import SmtpSender
from tests.servers.dovecot import HOST
from tests.servers.fixtures import DovecotMail, MailServer

PASSWORD = "open sesame"
PRIVATE = [Security.TLS, Security.STARTTLS]
needs_dovecot = pytest.mark.slow


@pytest.fixture
def someone(mail_server: MailServer, new_address: Callable[[MailServer], str]) -> str:
    return new_address(mail_server)


@pytest.fixture
def private_user(dovecot_mail: DovecotMail, new_address: Callable[[MailServer], str]) -> str:
    return new_address(dovecot_mail)


@pytest.fixture
def closed_port() -> Iterator[int]:
    with socket.socket() as bound:
        bound.bind((HOST, 0))
        yield bound.getsockname()[1]


@pytest.fixture
def silent_port() -> Iterator[int]:
    with socket.create_server((HOST, 0)) as listening:
        yield listening.getsockname()[1]


def open_imap(settings: Imap) -> None:
    with ImapInbox(settings, 1_000_000):
        pass


def open_smtp(settings: Smtp) -> None:
    SmtpSender(settings).check()


def said(action: Callable[[], None], kind: type[Trouble]) -> str:
    """What a trouble of exactly this kind says; it has to be one line that ends with what to do."""
    with pytest.raises(Trouble) as caught:
        action()
    assert type(caught.value) is kind, str(caught.value)
    text = str(caught.value)
    assert "\n" not in text
    assert PASSWORD not in text
    assert re.search(r"\[(imap|smtp)\]|Wait|Ask", caught.value.mend)
    return text


def test_a_refused_login_is_said_so(mail_server: MailServer, someone: str) -> None:
    wrong = {"password": SecretStr(PASSWORD)}
    imap, smtp = mail_server.imap(someone), mail_server.smtp(someone)
    assert "refuses the login" in said(lambda: open_imap(imap.model_copy(update=wrong)), LoginRefused)
    assert "refuses the login" in said(lambda: open_smtp(smtp.model_copy(update=wrong)), LoginRefused)


@needs_dovecot
def test_a_password_outside_ascii_works(dovecot_mail: DovecotMail) -> None:
    dovecot_mail.add_user("geheim@example.org", "pässwörd")
    open_imap(dovecot_mail.imap("geheim@example.org"))
    smtp = dovecot_mail.smtp("geheim@example.org")
    open_smtp(smtp)
    wrong = smtp.model_copy(update={"password": SecretStr("pässwört")})
    said(lambda: open_smtp(wrong), LoginRefused)


def test_a_sender_without_a_user_logs_in_nowhere(mail_server: MailServer, someone: str) -> None:
    open_smtp(mail_server.smtp(someone).model_copy(update={"user": "", "password": SecretStr("")}))


def imap_at(port: int, host: str = HOST, security: Security = Security.NONE) -> Imap:
    timeout = timedelta(seconds=0.2)
    return Imap(host=host, port=port, security=security, user="inn", password=SecretStr(PASSWORD), timeout=timeout)


def smtp_at(port: int, host: str = HOST, security: Security = Security.NONE) -> Smtp:
    timeout = timedelta(seconds=0.2)
    return Smtp(host=host, port=port, security=security, user="inn", password=SecretStr(PASSWORD), timeout=timeout)


@pytest.mark.parametrize("security", Security)
def test_a_server_that_is_not_there_is_unreachable(closed_port: int, security: Security) -> None:
    assert f"{HOST}:{closed_port}" in said(lambda: open_imap(imap_at(closed_port, security=security)), Unreachable)
    assert f"{HOST}:{closed_port}" in said(lambda: open_smtp(smtp_at(closed_port, security=security)), Unreachable)


@pytest.mark.parametrize("security", Security)
def test_a_server_that_says_nothing_is_given_up(silent_port: int, security: Security) -> None:
    assert "in time" in said(lambda: open_imap(imap_at(silent_port, security=security)), Unreachable)
    assert "in time" in said(lambda: open_smtp(smtp_at(silent_port, security=security)), Unreachable)


def test_a_host_name_that_nobody_has_is_said_so() -> None:
    nowhere = {"host": "nowhere.invalid"}
    imap, smtp = imap_at(143).model_copy(update=nowhere), smtp_at(25).model_copy(update=nowhere)
    assert "nowhere.invalid" in said(lambda: open_imap(imap), Unreachable)
    assert "nowhere.invalid" in said(lambda: open_smtp(smtp), Unreachable)


@pytest.mark.parametrize(("security", "kind"), [(Security.TLS, TlsTrouble), (Security.STARTTLS, TlsTrouble)])
def test_a_server_without_tls_is_never_spoken_to_in_the_clear(
    loopback: LoopbackServer, security: Security, kind: type[Trouble]
) -> None:
    said(lambda: open_imap(imap_at(loopback.imap_port, security=security)), kind)
    said(lambda: open_smtp(smtp_at(loopback.smtp_port, security=security)), kind)


@needs_dovecot
@pytest.mark.parametrize("security", PRIVATE)
def test_the_tests_own_authority_is_trusted_when_it_is_named(
    dovecot_mail: DovecotMail, private_user: str, security: Security
) -> None:
    open_imap(dovecot_mail.imap(private_user, security))
    open_smtp(dovecot_mail.smtp(private_user, security))


@needs_dovecot
@pytest.mark.parametrize("security", PRIVATE)
def test_an_unknown_authority_is_refused(dovecot_mail: DovecotMail, private_user: str, security: Security) -> None:
    system = {"ca_file": None}
    imap, smtp = dovecot_mail.imap(private_user, security), dovecot_mail.smtp(private_user, security)
    assert "not trusted" in said(lambda: open_imap(imap.model_copy(update=system)), TlsTrouble)
    assert "not trusted" in said(lambda: open_smtp(smtp.model_copy(update=system)), TlsTrouble)


@needs_dovecot
@pytest.mark.parametrize("security", PRIVATE)
def test_another_authority_than_the_named_one_is_refused(
    dovecot_mail: DovecotMail, private_user: str, security: Security, tmp_path: Path
) -> None:
    stranger = tmp_path / "stranger.pem"
    trustme.CA().cert_pem.write_to_path(str(stranger))
    other = {"ca_file": stranger}
    imap, smtp = dovecot_mail.imap(private_user, security), dovecot_mail.smtp(private_user, security)
    said(lambda: open_imap(imap.model_copy(update=other)), TlsTrouble)
    said(lambda: open_smtp(smtp.model_copy(update=other)), TlsTrouble)


@needs_dovecot
@pytest.mark.parametrize("security", PRIVATE)
def test_a_certificate_for_another_name_is_refused(
    dovecot_mail: DovecotMail, private_user: str, security: Security
) -> None:
    # The certificate names localhost and 127.0.0.1, and this is the same machine by another number.
    other = {"host": "127.0.0.2"}
    imap = dovecot_mail.imap(private_user, security).model_copy(update=other)
    with pytest.raises((TlsTrouble, Unreachable)):
        open_imap(imap)


@pytest.mark.parametrize("contents", [None, "this is no certificate"])
def test_an_authority_that_cannot_be_read_is_a_trouble_of_the_configuration(
    tmp_path: Path, contents: str | None, silent_port: int
) -> None:
    ca_file = tmp_path / "authority.pem"
    if contents is not None:
        ca_file.write_text(contents)
    imap = imap_at(silent_port, security=Security.TLS).model_copy(update={"ca_file": ca_file})
    smtp = smtp_at(silent_port, security=Security.TLS).model_copy(update={"ca_file": ca_file})
    assert str(ca_file) in said(lambda: open_imap(imap), ConfigurationTrouble)
    assert str(ca_file) in said(lambda: open_smtp(smtp), ConfigurationTrouble)
