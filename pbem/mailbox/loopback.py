"""The embedded mail server: SMTP and IMAP on this machine alone, all in memory, ready at once.

It serves the demo, the sandbox and quick tests with no account anywhere. What is mailed to one of its users
lies in that user's INBOX, byte for byte; what is mailed to anybody else is refused.
"""

from __future__ import annotations

import asyncio
import hmac
from argparse import Namespace
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, Self

from pydantic import SecretStr

from pbem.config import Imap, Security, Smtp
from pbem.errors import ConfigurationTrouble
from pbem.mailbox import Parcel
from pbem.mailbox.background import Background

try:
    from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
    from proxyprotocol.reader import ProxyProtocolReader
    from pymap.backend.dict import Config, Identity, Login
    from pymap.concurrent import Subsystem
    from pymap.imap import IMAPServer
    from pymap.parsing.message import AppendMessage
    from pymap.user import UserMetadata
    from pysasl.hashing import Cleartext
except ImportError as missing:
    raise ConfigurationTrouble(
        f"the embedded mail server is not installed ({missing.name} is missing)",
        "Install it with: pip install 'pbem[embedded]'",
    ) from None

HOST: Final = "127.0.0.1"
_LARGEST_MAIL: Final = 64 * 1024 * 1024
_LONGEST_LINE: Final = 1024 * 1024
"""More than RFC 5321 allows: what awkward clients write has to come through here as well."""


def _real_time() -> datetime:
    """A mail server has a clock of its own, as a real one has: the host hears of it only by arrival times."""
    return datetime.now(UTC)


class LoopbackServer:
    """A mail server for `users`, a password for each address. A context manager, or `start` and `stop`.

    Mail to ``name+anything@domain`` reaches ``name@domain``. `now` gives the arrival times. `delivered` is
    called with each parcel that was taken over, in the server's thread, before SMTP says so.
    """

    def __init__(
        self,
        users: Mapping[str, str],
        now: Callable[[], datetime] = _real_time,
        delivered: Callable[[Parcel], None] | None = None,
    ) -> None:
        self._background = Background("loopback mail server")
        self._mailboxes = _Mailboxes(now)
        self._postman = _Postman(self._mailboxes, delivered)
        self.imap_port = 0
        self.smtp_port = 0
        for address, password in users.items():
            self.add_user(address, password)

    def start(self) -> None:
        """Begin to serve; both ports are free ones on 127.0.0.1. Once only."""
        self._background.start()
        self.imap_port = self._background.run(self._mailboxes.serve())
        self.smtp_port = self._background.run(self._postman.serve())

    def stop(self) -> None:
        """Hang up on everybody. All mail is forgotten."""
        self._background.stop()

    def add_user(self, address: str, password: str) -> None:
        """One more mailbox, before the server runs or while it does."""
        self._mailboxes.add(address.casefold(), password)

    def deliver(self, address: str, raw: bytes) -> None:
        """Put a mail into somebody's INBOX without SMTP. `KeyError` if nobody has that address."""
        owner = self._mailboxes.owner(address)
        if owner is None:
            raise KeyError(address)
        self._background.run(self._mailboxes.deliver(owner, raw))

    def imap(self, address: str) -> Imap:
        """The settings that open this user's mailbox."""
        user, password = self._login(address)
        return Imap(host=HOST, port=self.imap_port, security=Security.NONE, user=user, password=password)

    def smtp(self, address: str) -> Smtp:
        """The settings with which this user sends."""
        user, password = self._login(address)
        return Smtp(host=HOST, port=self.smtp_port, security=Security.NONE, user=user, password=password)

    def _login(self, address: str) -> tuple[str, SecretStr]:
        user = address.casefold()
        return user, SecretStr(self._mailboxes.password(user))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class _QuietConfig(Config):
    """pymap's settings, without asking the machine for its name at each greeting: that can take seconds."""

    @property
    def greeting(self) -> bytes:
        return b"Loopback mail server ready"


class _Mailboxes:
    """The users with their folders, and IMAP to read them."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        # Plain passwords and no thread pool: hashing would cost more than all the rest, and guard nothing here.
        self._config = _QuietConfig(
            Namespace(proxy_protocol=None, passlib_cfg=None),
            demo_data=False,
            demo_user="",
            demo_password="",
            host=HOST,
            port=0,
            tls_enabled=False,
            hash_context=Cleartext(),
            cpu_subsystem=Subsystem.for_asyncio(),
            invalid_user_sleep=0,
        )
        self._login = Login(self._config)

    async def serve(self) -> int:
        """Listen; gives the port."""
        server = IMAPServer(self._login, self._config)
        callback = ProxyProtocolReader(self._config.proxy_protocol).get_callback(server)
        return _port(await asyncio.start_server(callback, HOST, 0))

    def add(self, user: str, password: str) -> None:
        """One more user; a known one gets a new password."""
        self._login.users_dict[user] = UserMetadata(self._config, user, password=password)

    def password(self, user: str) -> str:
        """The user's password. `KeyError` if there is no such user."""
        return self._login.users_dict[user].password or ""

    def owner(self, address: str) -> str | None:
        """Whose INBOX mail to this address reaches; None if nobody's."""
        local, _, domain = address.casefold().rpartition("@")
        user = f"{local.partition('+')[0]}@{domain}"
        return user if user in self._login.users_dict else None

    async def deliver(self, user: str, raw: bytes) -> None:
        """Lay a mail into the user's INBOX as it is, with the time of now."""
        async with Identity(user, self._login, None, frozenset()).new_session() as session:
            inbox = await session.mailbox_set.get_mailbox("INBOX")
            await inbox.append(AppendMessage(raw, self._now()), recent=True)


class _QuietSession(Session):
    """aiosmtpd warns about this attribute each time it sets it itself."""

    login_data = None


class _Smtp(SMTP):
    line_length_limit = _LONGEST_LINE

    def _create_session(self) -> Session:
        return _QuietSession(self.loop)


class _Postman:
    """SMTP into the mailboxes. The hooks are named as aiosmtpd wants them."""

    def __init__(self, mailboxes: _Mailboxes, delivered: Callable[[Parcel], None] | None) -> None:
        self._mailboxes = mailboxes
        self._delivered = delivered

    async def serve(self) -> int:
        """Listen; gives the port."""
        loop = asyncio.get_running_loop()
        return _port(await loop.create_server(self._connection, HOST, 0))

    def _connection(self) -> SMTP:
        return _Smtp(
            self,
            hostname="loopback",
            loop=asyncio.get_running_loop(),
            data_size_limit=_LARGEST_MAIL,
            enable_SMTPUTF8=True,
            auth_require_tls=False,
            authenticator=self._check,
        )

    def _check(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, login: object
    ) -> AuthResult:
        known = isinstance(login, LoginPassword) and self._knows(login)
        return AuthResult(success=known, handled=False)

    def _knows(self, login: LoginPassword) -> bool:
        user = login.login.decode("utf-8", "replace").casefold()
        if self._mailboxes.owner(user) != user:
            return False
        return hmac.compare_digest(self._mailboxes.password(user).encode(), login.password)

    async def handle_RCPT(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Take a recipient or refuse him."""
        if self._mailboxes.owner(address) is None:
            return "550 5.1.1 Nobody here has this address"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Well known"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        """Take a mail over for all recipients."""
        for address in envelope.rcpt_tos:
            await self._hand_over(Parcel(envelope.mail_from or "", address, envelope.original_content or b""))
        return "250 2.0.0 Delivered"

    async def _hand_over(self, parcel: Parcel) -> None:
        owner = self._mailboxes.owner(parcel.envelope_to)
        if owner is not None:
            await self._mailboxes.deliver(owner, parcel.raw)
        if self._delivered is not None:
            self._delivered(parcel)


def _port(server: asyncio.Server) -> int:
    port: int = server.sockets[0].getsockname()[1]
    return port
