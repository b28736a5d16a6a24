"""What ways in and out have in common: trust, small packets, addresses, and troubles in plain words."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from pbem.config import Connection
from pbem.errors import ConfigurationTrouble, TlsTrouble, Trouble, Unreachable

_ADDRESS: Final = re.compile(r"[^\s<>\x00-\x1f\x7f]+@[^\s<>@\x00-\x1f\x7f]+")


NO_DATE: Final = datetime.fromtimestamp(0, UTC)
"""Where there is no arrival time: nobody comes late because of it."""


def arrived(said: Callable[[], datetime]) -> datetime:
    """The arrival time that `said` gives, in UTC; `NO_DATE` for one that lies before it or outside of the calendar."""
    try:
        return max(said().astimezone(UTC), NO_DATE)
    except (OverflowError, ValueError, OSError):
        return NO_DATE


@dataclass(frozen=True, slots=True)
class Server:
    """A server as it is named in troubles: the section that configures it, and where it is."""

    section: str
    host: str
    port: int

    @classmethod
    def of(cls, section: str, settings: Connection) -> Server:
        """The server that these settings lead to."""
        return cls(section, settings.host, settings.port)

    def __str__(self) -> str:
        return f"the {self.section} server {self.host}:{self.port}"


Explain = Callable[[Any, Server], Trouble]
"""Gives the trouble for an error of one type."""
Rules = Iterable[tuple[type[BaseException], Explain]]


def tls_context(settings: Connection, server: Server) -> ssl.SSLContext:
    """What is trusted: the authority of `ca_file` alone, or else those of the system. Names are always checked."""
    if settings.ca_file is None:
        return ssl.create_default_context()
    return _trusting(settings.ca_file, server)


def _trusting(ca_file: Path, server: Server) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file)
    except (OSError, ssl.SSLError) as error:
        raise ConfigurationTrouble(
            f"the certificate authority {ca_file} cannot be read ({words(error)})",
            f"Let ca_file in [{server.section}] name a PEM file, or leave it empty",
        ) from None


def is_address(text: str) -> bool:
    """Whether this is one address and nothing else: no line break, which would begin another command or header."""
    return _ADDRESS.fullmatch(text) is not None


def at_once(connection: socket.socket) -> None:
    """Send small packets without delay: Nagle's algorithm costs 40 ms for each command otherwise."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def explained(error: BaseException, server: Server, rules: Rules = ()) -> Trouble:
    """The trouble behind an error: by the first rule whose type fits, then by those for any connection."""
    for kind, explain in (*rules, *_RULES):
        if isinstance(error, kind):
            return explain(error, server)
    raise error


def words(error: BaseException) -> str:
    """What an error says, without what Python adds to it."""
    said = getattr(error, "strerror", None) or (error.args[0] if error.args else "") or type(error).__name__
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)


def _untrusted(error: ssl.SSLCertVerificationError, server: Server) -> Trouble:
    return TlsTrouble(
        f"the certificate of {server} is not trusted ({error.verify_message})",
        f"Check host in [{server.section}], or let ca_file name the authority that signed it",
    )


def _no_tls(error: ssl.SSLError, server: Server) -> Trouble:
    return TlsTrouble(
        f"no private connection to {server} ({error.reason or words(error)})",
        f"Check that port and security in [{server.section}] go together",
    )


def _unknown(_error: socket.gaierror, server: Server) -> Trouble:
    return Unreachable(f"the host name of {server} is not known", f"Check host in [{server.section}] and the network")


def _silent(_error: TimeoutError, server: Server) -> Trouble:
    return Unreachable(
        f"{server} does not answer in time", f"Check host, port and security in [{server.section}], or wait"
    )


def _away(error: OSError, server: Server) -> Trouble:
    return Unreachable(
        f"{server} cannot be reached ({words(error)})", f"Check host and port in [{server.section}], or wait"
    )


_RULES: Final[tuple[tuple[type[BaseException], Explain], ...]] = (
    (ssl.SSLCertVerificationError, _untrusted),
    (ssl.SSLError, _no_tls),
    (socket.gaierror, _unknown),
    (TimeoutError, _silent),
    (OSError, _away),
)
