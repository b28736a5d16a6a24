"""Mail out, by SMTP, through any server."""

from __future__ import annotations

import base64
import smtplib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final

from pbem.config import Connection, Login, Security, Smtp
from pbem.errors import ConfigurationTrouble, LoginRefused, TlsTrouble, Trouble, Unreachable
from pbem.letters.status import NOBODY, STATUS, blames_address, blames_size
from pbem.mailbox import Outcome, Parcel, Receipt
from pbem.mailbox.sasl import exchange
from pbem.mailbox.smtp_session import PrivateSmtpSession, SmtpSession
from pbem.mailbox.wire import Rules, Server, at_once, explained, is_address, tls_context

_NAMES_THE_RECIPIENT: Final = frozenset({501, 550, 551, 553})
"""Replies to RCPT that may mean the address itself (RFC 5321, 4.2.3)."""
_LONGEST_REPLY: Final = 300
_LOGGED_IN: Final = 235
_NO_LINE_ENDS: Final = bytes(set(range(256)) - set(b"\r\n"))


class SmtpSender:
    """A `Sender` over one SMTP connection a batch."""

    def __init__(self, settings: Smtp) -> None:
        self._settings = settings
        self._server = Server.of("smtp", settings)

    def send(self, parcels: Iterable[Parcel]) -> Iterator[Receipt]:
        """Send each parcel once, in order. A batch of none opens no connection.

        A server that hangs up in the middle costs the parcel at hand a retry; the next one connects anew.
        """
        connection: SmtpSession | None = None
        try:
            for parcel in parcels:
                if connection is None or connection.sock is None:
                    connection = self._connect(_domain(parcel.envelope_from))
                yield _hand_over(connection, parcel)
        finally:
            if connection is not None:
                _part(connection)

    def check(self) -> None:
        """Connect and log in, and nothing else, so that a wrong setting shows at once. `Trouble`."""
        _part(self._connect("localhost"))

    def _connect(self, own_name: str) -> SmtpSession:
        settings = self._settings
        try:
            connection = _OPEN[settings.security](settings, self._server, own_name)
        except (OSError, smtplib.SMTPException) as error:
            raise explained(error, self._server, _RULES) from None
        try:
            return self._logged_in(connection)
        except (OSError, smtplib.SMTPException) as error:
            connection.close()
            raise explained(error, self._server, _RULES) from None
        except Trouble:
            connection.close()
            raise

    def _logged_in(self, connection: SmtpSession) -> SmtpSession:
        settings = self._settings
        if settings.security is Security.STARTTLS:
            connection.starttls(context=tls_context(settings, self._server))
        connection.ehlo_or_helo_if_needed()
        if settings.user:
            _log_in(connection, settings, self._server)
        if connection.sock is not None:
            at_once(connection.sock)
        return connection


def outcome_of(code: int, text: str, about_recipient: bool) -> Outcome:
    """What a reply means (mail-cases: "SMTP answers 4xx / 5xx").

    `about_recipient` says that it answered RCPT or the mail itself, not the sender's own address. Enhanced
    codes (RFC 3463) decide where there are any; a bare reply is read by its code and its words, and where
    they are not clear no player's address is blamed.
    """
    if code < 500:
        # Also what is no refusal and not what was asked for, or no reply at all: then the mail may not have arrived.
        return Outcome.RETRY
    if blames_size(text):
        return Outcome.TOO_LARGE
    return Outcome.BAD_ADDRESS if about_recipient and _no_such_address(code, text) else Outcome.HOST_TROUBLE


def _no_such_address(code: int, text: str) -> bool:
    if status := STATUS.search(text):
        return blames_address(status)
    return code in _NAMES_THE_RECIPIENT and bool(NOBODY.search(text))


def _hand_over(connection: SmtpSession, parcel: Parcel) -> Receipt:
    """One parcel through an open connection. Losing the connection is a retry: whether it arrived is not known."""
    if not is_address(parcel.envelope_to):
        # smtplib would take out the line break and send to whoever that leaves.
        return Receipt(parcel, Outcome.BAD_ADDRESS, 0, "not an address")
    options = _needs(parcel)
    if "SMTPUTF8" in options and not connection.has_extn("smtputf8"):
        return Receipt(parcel, Outcome.BAD_ADDRESS, 0, "the server takes no addresses outside ASCII")
    try:
        connection.hand_over(parcel.envelope_from, parcel.envelope_to, _with_crlf(parcel.raw), options)
    except smtplib.SMTPRecipientsRefused as refused:
        code, said = refused.recipients[parcel.envelope_to]
        _hang_up_on_nonsense(connection, code)
        return _receipt(parcel, code, said, about_recipient=True)
    except smtplib.SMTPSenderRefused as refused:
        _hang_up_on_nonsense(connection, refused.smtp_code)
        return _receipt(parcel, refused.smtp_code, refused.smtp_error, about_recipient=False)
    except smtplib.SMTPDataError as refused:
        _hang_up_on_nonsense(connection, refused.smtp_code)
        return _receipt(parcel, refused.smtp_code, refused.smtp_error, about_recipient=True)
    except OSError as lost:
        connection.close()
        return Receipt(parcel, Outcome.RETRY, 0, f"connection lost: {lost}"[:_LONGEST_REPLY])
    return Receipt(parcel, Outcome.ACCEPTED, 250, "")


def _hang_up_on_nonsense(connection: SmtpSession, code: int) -> None:
    """Behind what is no refusal nobody knows which command the next line answers."""
    if code < 400:
        connection.close()


def _log_in(connection: SmtpSession, settings: Smtp, server: Server) -> None:
    user, password = settings.user, settings.password.get_secret_value()
    if settings.login is not Login.PASSWORD:
        _log_in_by_token(connection, settings, server)
        return
    if (user + password).isascii():
        connection.login(user, password)
        return
    # smtplib's own login takes ASCII only.
    response = base64.b64encode(f"\0{user}\0{password}".encode()).decode()
    code, said = connection.docmd("AUTH", f"PLAIN {response}")
    if code != _LOGGED_IN:
        raise smtplib.SMTPAuthenticationError(code, said)


def _log_in_by_token(connection: SmtpSession, settings: Smtp, server: Server) -> None:
    mechanism, respond = exchange(settings, server)
    if mechanism not in connection.esmtp_features.get("auth", "").upper().split():
        raise smtplib.SMTPNotSupportedError(f"no AUTH {mechanism}")
    connection.auth(mechanism, lambda challenge=None: respond(challenge or b""))


def _needs(parcel: Parcel) -> list[str]:
    if not (parcel.envelope_from + parcel.envelope_to).isascii():
        return ["SMTPUTF8", "BODY=8BITMIME"]
    return [] if parcel.raw.isascii() else ["BODY=8BITMIME"]


def _receipt(parcel: Parcel, code: int, said: bytes | str, about_recipient: bool) -> Receipt:
    text = _one_line(said)
    return Receipt(parcel, outcome_of(code, text, about_recipient), code, text)


def _one_line(said: bytes | str) -> str:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return " ".join(text.split())[:_LONGEST_REPLY]


def _with_crlf(raw: bytes) -> bytes:
    """The mail with the line ends that SMTP wants; servers refuse bare LF since it was used for smuggling."""
    ends = raw.translate(None, _NO_LINE_ENDS)
    if ends == b"\r\n" * (len(ends) // 2):
        return raw  # as our own mails are
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\r\n")


def _domain(address: str) -> str:
    """The name the host says at EHLO. Asking the machine for its own can take seconds without a name server."""
    domain = address.rpartition("@")[2]
    return domain if domain and domain.isascii() else "localhost"


def _part(connection: SmtpSession) -> None:
    with suppress(OSError, smtplib.SMTPException):
        connection.quit()
    connection.close()


def _open_private(settings: Connection, server: Server, own_name: str) -> SmtpSession:
    return PrivateSmtpSession(
        settings.host,
        settings.port,
        own_name,
        timeout=settings.timeout.total_seconds(),
        context=tls_context(settings, server),
    )


def _open_plain(settings: Connection, _server: Server, own_name: str) -> SmtpSession:
    return SmtpSession(settings.host, settings.port, own_name, timeout=settings.timeout.total_seconds())


_OPEN: Final[dict[Security, Callable[[Connection, Server, str], SmtpSession]]] = {
    Security.TLS: _open_private,
    Security.STARTTLS: _open_plain,
    Security.NONE: _open_plain,
}


def _login(error: smtplib.SMTPAuthenticationError, server: Server) -> Trouble:
    said = f"{error.smtp_code} {_one_line(error.smtp_error)}"
    if error.smtp_code < 500:
        return Unreachable(f"{server} accepts no login now ({said})", "Wait; it says that this will pass")
    return LoginRefused(f"{server} refuses the login ({said})", "Check user and password, or token_command, in [smtp]")


def _unsupported(error: smtplib.SMTPNotSupportedError, server: Server) -> Trouble:
    if "STARTTLS" in str(error):
        return TlsTrouble(f"{server} offers no STARTTLS", "Check port in [smtp], or set security to tls")
    return ConfigurationTrouble(
        f"{server} takes no login here", "Check port and security in [smtp], or leave user empty"
    )


def _no_method(_error: smtplib.SMTPException, server: Server) -> Trouble:
    return LoginRefused(f"{server} did not take part in the login", "Check port, user and security in [smtp]")


def _refused(error: smtplib.SMTPResponseException, server: Server) -> Trouble:
    said = f"{error.smtp_code} {_one_line(error.smtp_error)}"
    return Unreachable(f"{server} refuses the connection ({said})", "Ask its keeper, or wait")


def _hung_up(error: smtplib.SMTPServerDisconnected, server: Server) -> Trouble:
    if isinstance(error.__context__, TimeoutError):
        return explained(error.__context__, server)
    return Unreachable(f"{server} hung up", "Check port and security in [smtp], or wait")


# smtplib's errors are OSErrors as well, so these come before the rules for any connection.
_RULES: Final[Rules] = (
    (smtplib.SMTPAuthenticationError, _login),
    (smtplib.SMTPNotSupportedError, _unsupported),
    (smtplib.SMTPServerDisconnected, _hung_up),
    (smtplib.SMTPResponseException, _refused),
    (smtplib.SMTPException, _no_method),
)
