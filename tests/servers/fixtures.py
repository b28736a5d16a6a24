"""Fixtures for tests that need mail to come in and go out.

`post` is each way in turn: folders on this machine, the embedded server, Dovecot. What is about IMAP or SMTP
asks for `mail_server`. All are started once a session and shared: a test that needs a mailbox asks for
`new_address`, which no other test has.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import count
from typing import Protocol, cast

import pytest
import trustme
from imapclient import IMAPClient  # type: ignore[import-untyped]

from pbem.config import Imap, Security, Smtp
from pbem.errors import MailboxTrouble
from pbem.mailbox import Inbox, Sender
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.loopback import LoopbackServer
from pbem.mailbox.smtp import SmtpSender
from tests.servers.dovecot import DovecotServer, version
from tests.servers.maildirs import MaildirPost
from tests.servers.smtp_sink import SmtpSink

DOMAIN = "example.org"
LARGEST = 1_000_000
_numbers = count(1)


class Users(Protocol):
    """Whoever keeps mailboxes; one can be added at any time."""

    def add_user(self, address: str, password: str) -> None:
        """One more mailbox."""


class Post(Users, Protocol):
    """A way for mail to come in and to go out. Plus addresses reach their owner."""

    def deliver(self, address: str, raw: bytes, at: datetime | None = None) -> None:
        """Put a mail into somebody's inbox as it is, without a sender; it arrives now, or `at` another time."""

    def inbox(self, address: str, largest_mail: int = LARGEST) -> Inbox:
        """This user's inbox, not yet opened. Each one is as a process of its own."""

    def sender(self, address: str) -> Sender:
        """What this user sends with; it lies in the inboxes of the recipients as soon as there is a receipt."""

    def handled(self, address: str) -> list[bytes]:
        """What lies in the user's folder for handled mail."""


class MailServer(Users, Protocol):
    """IMAP to read, SMTP to send."""

    def deliver(self, address: str, raw: bytes) -> None:
        """Put a mail into an INBOX without SMTP."""

    def imap(self, address: str) -> Imap:
        """The settings that open this user's mailbox, in the clear."""

    def smtp(self, address: str) -> Smtp:
        """The settings with which this user sends, in the clear."""


class DovecotMail:
    """Dovecot with an SMTP server before it: what is sent to its users lies in their INBOX."""

    def __init__(self, dovecot: DovecotServer, sink: SmtpSink) -> None:
        self.dovecot = dovecot
        self.sink = sink

    def add_user(self, address: str, password: str) -> None:
        """One more mailbox."""
        self.dovecot.add_user(address, password)

    def deliver(self, address: str, raw: bytes) -> None:
        """Put a mail into an INBOX by LMTP."""
        self.dovecot.deliver(address, raw)

    def imap(self, address: str, security: Security = Security.NONE) -> Imap:
        """The settings that open this user's mailbox, trusting the tests' authority."""
        return self.dovecot.imap(address, security)

    def smtp(self, address: str, security: Security = Security.NONE) -> Smtp:
        """The settings with which this user sends, trusting the tests' authority."""
        ca_file = None if security is Security.NONE else self.dovecot.ca_file
        return self.sink.smtp(address, security).model_copy(update={"ca_file": ca_file})


class ServerPost:
    """A `Post` by IMAP and SMTP."""

    def __init__(self, server: MailServer) -> None:
        self._server = server
        self.add_user = server.add_user

    def deliver(self, address: str, raw: bytes, at: datetime | None = None) -> None:
        """As the server does it; with another time than now as a mail program does it that copies a mail."""
        if at is None:
            self._server.deliver(address, raw)
            return
        settings = self._server.imap(address)
        with IMAPClient(settings.host, settings.port, ssl=False, timeout=10) as client:
            client.login(settings.user, settings.password.get_secret_value())
            client.append("INBOX", raw, (), at)

    def inbox(self, address: str, largest_mail: int = LARGEST) -> ImapInbox:
        """This user's INBOX."""
        return ImapInbox(self._server.imap(address), largest_mail)

    def sender(self, address: str) -> SmtpSender:
        """By SMTP, with this user's login."""
        return SmtpSender(self._server.smtp(address))

    def handled(self, address: str) -> list[bytes]:
        """What lies in the folder for handled mail, if there is one yet."""
        settings = self._server.imap(address)
        handled = settings.model_copy(update={"folder": settings.handled_folder, "handled_folder": ""})
        try:
            with ImapInbox(handled, LARGEST) as inbox:
                return [arrival.raw for arrival in inbox.fetch(100) if arrival.raw is not None]
        except MailboxTrouble:
            return []


@pytest.fixture(scope="session")
def tls_authority() -> trustme.CA:
    """The authority that signs every test server's certificate; no system trusts it."""
    return trustme.CA()


@pytest.fixture(scope="session")
def dovecot(tls_authority: trustme.CA) -> Iterator[DovecotServer]:
    """Debian's Dovecot. Without one a test is skipped on a person's machine, and fails in CI."""
    require_dovecot()
    with DovecotServer(tls_authority) as server:
        yield server


@pytest.fixture(scope="session")
def smtp_sink(dovecot: DovecotServer, tls_authority: trustme.CA) -> Iterator[SmtpSink]:
    """SMTP in three kinds before Dovecot. Use it through `fresh_sink`, which begins to count anew."""
    with SmtpSink(dovecot, tls_authority) as sink:
        yield sink


@pytest.fixture
def fresh_sink(smtp_sink: SmtpSink) -> SmtpSink:
    """The SMTP server with nothing kept, nobody refused."""
    smtp_sink.forget()
    return smtp_sink


@pytest.fixture(scope="session")
def dovecot_mail(dovecot: DovecotServer, smtp_sink: SmtpSink) -> DovecotMail:
    """Dovecot and SMTP together, also with TLS."""
    return DovecotMail(dovecot, smtp_sink)


@pytest.fixture(scope="session")
def loopback() -> Iterator[LoopbackServer]:
    """The embedded server."""
    with LoopbackServer({}) as server:
        yield server


@pytest.fixture(params=["loopback", pytest.param("dovecot_mail", marks=pytest.mark.slow)])
def mail_server(request: pytest.FixtureRequest) -> MailServer:
    """Each kind of server in turn."""
    return cast(MailServer, request.getfixturevalue(request.param))


@pytest.fixture(scope="session")
def maildir(tmp_path_factory: pytest.TempPathFactory) -> MaildirPost:
    """Maildirs, and a program that carries what lies in an outbox folder."""
    return MaildirPost(tmp_path_factory.mktemp("maildirs"))


@pytest.fixture(scope="session", params=["maildir", "loopback", pytest.param("dovecot_mail", marks=pytest.mark.slow)])
def post(request: pytest.FixtureRequest) -> Post:
    """Each way for mail to come in and to go out in turn."""
    way: MaildirPost | MailServer = request.getfixturevalue(request.param)
    return way if isinstance(way, MaildirPost) else ServerPost(way)


@pytest.fixture
def new_address() -> Callable[[Users], str]:
    """Makes a user that no other test has; gives the address. The password is ``secret``."""

    def make(server: Users) -> str:
        address = f"user{next(_numbers)}@{DOMAIN}"
        server.add_user(address, "secret")
        return address

    return make


def require_dovecot() -> None:
    """Skip, or in CI fail, where there is no Dovecot."""
    if version() is not None:
        return
    if os.environ.get("CI"):
        pytest.fail("there is no Dovecot on this machine: install dovecot-imapd and dovecot-lmtpd", pytrace=False)
    pytest.skip("there is no Dovecot on this machine")
