"""An SMTP server for tests: in the clear, with STARTTLS, and with TLS from the first byte.

It hands what it takes over to somebody (Dovecot's LMTP, as a rule), keeps it to look at, and refuses on demand.
"""

from __future__ import annotations

import asyncio
import base64
import re
import ssl
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Final, Protocol, Self

import trustme
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from pydantic import SecretStr

from pbem.config import Security, Smtp
from pbem.mailbox import Parcel
from pbem.mailbox.background import Background
from tests.servers.dovecot import HOST

_LARGEST_MAIL: Final = 64 * 1024 * 1024


_BY_TOKEN: Final = ("XOAUTH2", "OAUTHBEARER")
_SAID: Final = re.compile("(?:user=|n,a=)([^,\1]*).*\1auth=Bearer (.*)\1\1", re.DOTALL)
"""User and token in what a client says first, in either way."""


class Mailboxes(Protocol):
    """Whoever keeps the users and their mail."""

    def has_user(self, address: str) -> bool:
        """Whether there is a mailbox for this address."""

    def password(self, address: str) -> str:
        """The user's password. `KeyError` if there is no such user."""

    def deliver(self, address: str, raw: bytes) -> None:
        """Put a mail into the mailbox. Blocks."""


class Tokens(Protocol):
    """Whoever knows which access tokens are good."""

    def knows(self, user: str, token: str) -> bool:
        """Whether this token is good for the user's mailbox now."""


class _QuietSession(Session):
    """aiosmtpd warns about this attribute each time it sets it itself."""

    login_data = None


class _Smtp(SMTP):
    line_length_limit = 1024 * 1024

    def _create_session(self) -> Session:
        return _QuietSession(self.loop)


class SmtpSink:
    """A context manager. The hooks are named as aiosmtpd wants them."""

    def __init__(self, mailboxes: Mailboxes, authority: trustme.CA) -> None:
        self.received: list[Parcel] = []
        """What was taken over, in order."""
        self.connections = 0
        self.tokens: Tokens | None = None
        """Set it, and users log in with access tokens as well."""
        self._mailboxes = mailboxes
        self._refusals: dict[str, str] = {}
        self._hang_ups: set[str] = set()
        self._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert("localhost", HOST).configure_cert(self._tls)
        self._background = Background("smtp sink")
        self._ports: dict[Security, int] = {}

    def start(self) -> None:
        """Begin to serve on three free ports of 127.0.0.1. Once only."""
        self._background.start()
        for security in Security:
            self._ports[security] = self._background.run(self._serve(security))

    def stop(self) -> None:
        """Hang up on everybody."""
        self._background.stop()

    def port(self, security: Security) -> int:
        """Where it listens for clients of this kind."""
        return self._ports[security]

    def smtp(self, address: str, security: Security = Security.NONE) -> Smtp:
        """The settings with which this user sends; where there is TLS, `ca_file` is still to be filled in."""
        return Smtp(
            host="localhost",
            port=self._ports[security],
            security=security,
            user=address,
            password=SecretStr(self._mailboxes.password(address)),
        )

    def refuse(self, address: str, reply: str) -> None:
        """Answer every RCPT for this address, or every MAIL FROM it, with this reply, as ``450 4.2.0 Later``."""
        self._refusals[address] = reply

    def hang_up_on(self, address: str) -> None:
        """Cut the connection, once, when a mail for this address has been transferred and not yet answered."""
        self._hang_ups.add(address)

    def forget(self) -> None:
        """Refuse nobody any more, and begin to count and to keep anew."""
        self._refusals.clear()
        self._hang_ups.clear()
        self.received.clear()
        self.connections = 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    async def _serve(self, security: Security) -> int:
        implicit = self._tls if security is Security.TLS else None
        connection = partial(self._connection, self._tls if security is Security.STARTTLS else None)
        server = await asyncio.get_running_loop().create_server(connection, HOST, 0, ssl=implicit)
        port: int = server.sockets[0].getsockname()[1]
        return port

    def _connection(self, starttls: ssl.SSLContext | None) -> SMTP:
        self.connections += 1
        return _Smtp(
            self,
            hostname="sink",
            loop=asyncio.get_running_loop(),
            data_size_limit=_LARGEST_MAIL,
            enable_SMTPUTF8=True,
            tls_context=starttls,
            require_starttls=starttls is not None,
            auth_require_tls=starttls is not None,
            authenticator=self._check,
            auth_exclude_mechanism=() if self.tokens else _BY_TOKEN,
        )

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:
        """Take or refuse a token. Who is refused is told why first, and has to say one more word."""
        said = _SAID.fullmatch(base64.b64decode(args[1]).decode())
        if said and self.tokens and self.tokens.knows(*said.groups()):
            return AuthResult(success=True)
        await server.challenge_auth('{"status":"invalid_token"}')
        return AuthResult(success=False, handled=False)

    auth_OAUTHBEARER = auth_XOAUTH2

    def _check(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, login: object
    ) -> AuthResult:
        return AuthResult(success=isinstance(login, LoginPassword) and self._knows(login), handled=False)

    def _knows(self, login: LoginPassword) -> bool:
        try:
            return self._mailboxes.password(login.login.decode()).encode() == login.password
        except KeyError:
            return False

    async def handle_EHLO(
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        """Offer what aiosmtpd can do all along: to be sent several commands at once."""
        session.host_name = hostname
        return [*responses[:-1], "250-PIPELINING", responses[-1]]

    async def handle_MAIL(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Take a sender or refuse him."""
        if address in self._refusals:
            return self._refusals[address]
        envelope.mail_from = address
        return "250 2.1.0 Yes"

    async def handle_RCPT(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Take a recipient or refuse him."""
        if address in self._refusals:
            return self._refusals[address]
        if not self._mailboxes.has_user(address):
            return "550 5.1.1 Nobody here has this address"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Well known"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:
        """Take a mail over for all recipients."""
        raw = envelope.original_content or b""
        for address in envelope.rcpt_tos:
            if address in self._hang_ups:
                self._hang_ups.discard(address)
                return _cut(server)
            await self._off_the_loop(partial(self._mailboxes.deliver, address, raw))
            self.received.append(Parcel(envelope.mail_from or "", address, raw))
        return "250 2.0.0 Delivered"

    async def _off_the_loop(self, work: Callable[[], None]) -> None:
        await asyncio.get_running_loop().run_in_executor(None, work)


def _cut(server: SMTP) -> str:
    assert isinstance(server.transport, asyncio.Transport)
    server.transport.abort()
    return "421 4.3.0 This is never read"
