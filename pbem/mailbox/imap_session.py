"""One IMAP connection with one folder open: what imapclient can do, in the few words that the inbox needs.

Every call may raise what `LOST` lists, and then the session is of no more use.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import groupby, islice
from typing import Any, Final, Self

from imapclient import SEEN, IMAPClient  # type: ignore[import-untyped]
from imapclient.exceptions import (  # type: ignore[import-untyped]
    CapabilityError,
    IMAPClientAbortError,
    IMAPClientError,
    LoginError,
)

from pbem.config import Imap, Login, Security
from pbem.errors import LoginRefused, MailboxTrouble, TlsTrouble, Trouble, Unreachable
from pbem.mailbox.bell import Bell
from pbem.mailbox.sasl import exchange
from pbem.mailbox.wire import NO_DATE, Rules, Server, arrived, at_once, explained, tls_context, words

LOST: Final[tuple[type[Exception], ...]] = (IMAPClientError, OSError)
"""imapclient also aborts when a line comes in two pieces, so whatever it raises is answered by a new connection."""
WINDOW: Final = 100
"""Most UIDs in one command: some servers refuse long lists."""

_LONGEST_IDLE: Final = 29 * 60
"""Seconds. A server may end an IDLE after 30 minutes (RFC 2177)."""
_HANDLED: Final = b"$Handled"
_PART: Final = b"BODY[]<0>"
_PASSING: Final = re.compile(r"\[(UNAVAILABLE|INUSE|LIMIT|SERVERBUG)\]", re.IGNORECASE)
"""Response codes of a refused login that say nothing about the password (RFC 5530)."""
_SHUT: Final = "authenticated but not connected"
"""What Microsoft's servers say to SELECT behind a login that went well, where IMAP is off for this mailbox."""
_ALLOW: Final = "Allow IMAP for this mailbox, in its settings on the web or at its administrator"


@dataclass(frozen=True, slots=True)
class Beginning:
    """The beginning of a mail: its first bytes, or all of them if it has no more."""

    uid: int
    size: int
    received_at: datetime
    start: bytes


class ImapSession:
    """An open folder. Made by `ImapSession.open`."""

    def __init__(self, client: IMAPClient, settings: Imap) -> None:
        self._client = client
        self._settings = settings
        answer: dict[bytes, Any] = client.select_folder(settings.folder)
        if b"UIDVALIDITY" not in answer:
            raise IMAPClientError("without UIDVALIDITY no mail can be told from another")
        self.uidvalidity: int = answer[b"UIDVALIDITY"]
        self._handled = settings.handled_folder
        self._keywords = b"\\*" in answer.get(b"PERMANENTFLAGS", ())
        self._movable = bool(self._handled) and client.has_capability("MOVE")
        self._idles: bool = client.has_capability("IDLE")

    @classmethod
    def open(cls, settings: Imap) -> Self:
        """Connect, log in, open the folder. `Trouble` says what keeps it from doing so, without the password."""
        server = Server.of("imap", settings)
        try:
            client = _connected(settings, server)
        except LOST as error:
            raise explained(error, server, _RULES) from None
        try:
            _log_in(client, settings, server)
            at_once(client.socket())
            return cls(client, settings)
        except LOST as error:
            _hang_up(client)
            raise explained(error, server, _RULES) from None
        except Trouble:
            _hang_up(client)
            raise

    def trouble(self, error: BaseException) -> Trouble:
        """What an error that this session raised means to the keeper of the host."""
        return explained(error, Server.of("imap", self._settings), _RULES)

    def close(self) -> None:
        """Log out as far as the server still listens; never raises."""
        with suppress(*LOST):
            self._client.logout()
        _hang_up(self._client)

    def drop(self) -> None:
        """Hang up without a word, for a connection that is lost."""
        _hang_up(self._client)

    def refresh(self) -> None:
        """Ask for news: Dovecot and others show no mail that came since they were last asked."""
        self._client.noop()

    def newest(self) -> int:
        """The UID of the newest mail; 0 in an empty folder."""
        return max(self._client.search(["UID", "*"]), default=0)

    def between(self, first: int, last: int) -> list[int]:
        """The UIDs from `first` to `last` that exist."""
        return sorted(self._client.search(["UID", f"{first}:{last}"]))

    def beginnings(self, first: int, count: int, length: int) -> list[Beginning]:
        """The mails among `count` UIDs from `first`, in order, each with its first `length` bytes. Sets no flag."""
        wanted = ["INTERNALDATE", "RFC822.SIZE", f"BODY.PEEK[]<0.{length}>"]
        rows = self._client.fetch(list(range(first, first + min(count, WINDOW))), wanted)
        # A row without a body is news of a flag, or of a mail that was removed meanwhile, as by another process.
        return [_beginning(uid, row) for uid, row in sorted(rows.items()) if row.get(_PART)]

    def whole(self, uid: int, length: int) -> bytes:
        """A mail, up to `length` bytes. One that somebody removed meanwhile is a reason to look anew."""
        row = self._client.fetch([uid], [f"BODY.PEEK[]<0.{length}>"]).get(uid, {})
        if _PART not in row:
            raise IMAPClientError(f"mail {uid} is gone")
        return row[_PART] or b""

    def put_away(self, uids: Sequence[int]) -> None:
        """Move these to the folder for handled mail; where that cannot be, flag them and leave them."""
        for ranges in ranges_of(uids):
            if self._movable:
                self._movable = self._move(ranges)
            if not self._movable:
                self._client.add_flags(ranges, [SEEN, *([_HANDLED] if self._keywords else [])], silent=True)

    def idle(self, seconds: float, bell: Bell) -> bool:
        """Wait for news from the server, the bell, or the end of the time; True if a mail may have come.

        Always one whole round of idle, check and done: an empty check says nothing, for it comes at once,
        and for ever, when the server is gone. Only the end of the round raises then.
        """
        if not self._idles:
            bell.wait(seconds)
            return True
        self._client.idle()
        news = bell.wait(min(seconds, _LONGEST_IDLE), self._client.socket().fileno())
        answers = list(self._client.idle_check(timeout=0)) if news else []
        answers += self._client.idle_done()[1]
        return any(b"EXISTS" in answer for answer in answers)

    def _move(self, ranges: list[str]) -> bool:
        """True if they were moved. The folder is made when it is missing, under the prefix that some servers want."""
        for folder in self._handled_names():
            move = partial(self._client.move, ranges, folder)
            if _obeyed(move) or (_obeyed(partial(self._client.create_folder, folder)) and _obeyed(move)):
                self._handled = folder
                return True
        return False

    def _handled_names(self) -> Iterator[str]:
        yield self._handled
        if self._client.has_capability("NAMESPACE"):
            personal = self._client.namespace().personal
            prefix = personal[0][0] if personal else ""
            if prefix and not self._handled.startswith(prefix):
                yield prefix + self._handled


def _obeyed(command: Callable[[], object]) -> bool:
    """True if the server did it, False if it said no. A lost connection is neither."""
    try:
        command()
    except IMAPClientAbortError:
        raise
    except IMAPClientError:
        return False
    return True


def _beginning(uid: int, row: Mapping[bytes, Any]) -> Beginning:
    start: bytes = row[_PART]
    came = arrived(lambda: row.get(b"INTERNALDATE") or NO_DATE)
    return Beginning(uid, row.get(b"RFC822.SIZE", len(start)), came, start)


def ranges_of(uids: Iterable[int]) -> Iterator[list[str]]:
    """The UIDs as ranges, so many to a command as are sure to be taken: 3, 4, 5, 9 is ``3:5``, ``9``."""
    runs = groupby(enumerate(sorted(set(uids))), key=lambda pair: pair[1] - pair[0])
    spans = (_span([uid for _, uid in run]) for _, run in runs)
    while command := list(islice(spans, WINDOW)):
        yield command


def _span(run: Sequence[int]) -> str:
    return f"{run[0]}:{run[-1]}" if len(run) > 1 else str(run[0])


def _connected(settings: Imap, server: Server) -> IMAPClient:
    context = None if settings.security is Security.NONE else tls_context(settings, server)
    client = IMAPClient(
        settings.host,
        settings.port,
        ssl=settings.security is Security.TLS,
        ssl_context=context,
        timeout=settings.timeout.total_seconds(),
    )
    # Otherwise arrival times lose their zone.
    client.normalise_times = False
    if settings.security is Security.STARTTLS:
        _start_tls(client, context, server)
    return client


def _start_tls(client: IMAPClient, context: ssl.SSLContext | None, server: Server) -> None:
    try:
        client.starttls(context)
    except CapabilityError:
        _hang_up(client)
        raise TlsTrouble(f"{server} offers no STARTTLS", "Check port in [imap], or set security to tls") from None
    except LOST:
        _hang_up(client)
        raise


def _log_in(client: IMAPClient, settings: Imap, server: Server) -> None:
    if settings.login is not Login.PASSWORD:
        client.sasl_login(*exchange(settings, server))
        return
    password = settings.password.get_secret_value()
    # LOGIN takes ASCII only.
    login = client.login if (settings.user + password).isascii() else client.plain_login
    login(settings.user, password)


def _hang_up(client: IMAPClient) -> None:
    with suppress(*LOST):
        client.shutdown()


def _login_refused(error: LoginError, server: Server) -> Trouble:
    # imapclient gives the server's words as Python writes bytes.
    said = words(error).removeprefix("b'").removesuffix("'")
    if isinstance(error.__context__, IMAPClientAbortError) or _PASSING.search(said):
        return Unreachable(f"{server} accepts no login now ({said})", "Wait; the password was not even looked at")
    return LoginRefused(f"{server} refuses the login ({said})", "Check user and password, or token_command, in [imap]")


def _hung_up(_error: IMAPClientAbortError, server: Server) -> Trouble:
    return Unreachable(f"{server} hung up", "Check port and security in [imap], or wait")


def _said_no(error: IMAPClientError, server: Server) -> Trouble:
    if words(error).startswith("* BYE"):
        # As a greeting; later it is an abort.
        return Unreachable(f"{server} takes no connection now ({words(error)})", "Wait, or ask its keeper")
    mend = _ALLOW if _SHUT in words(error) else "Check folder in [imap]"
    return MailboxTrouble(f"{server} said no ({words(error)})", mend)


_RULES: Final[Rules] = (
    (LoginError, _login_refused),
    (IMAPClientAbortError, _hung_up),
    (IMAPClientError, _said_no),
)
