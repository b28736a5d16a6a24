"""A pass that finds nothing, against a bare loop that asks no more than any mail host has to.

The floor asks the server for news and for its newest mail, as everybody has to whom a server shows new mail only when
asked, and its own database, once, whether anything waits to be handled or to be sent.
On one machine the server answers in a tenth of a millisecond, so that the ratio is one of the two programs; to a server
far away both wait alike.
"""

from __future__ import annotations

import imaplib
import socket
import sqlite3
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

import trustme

from benchmarks.growth import polled
from benchmarks.rounds import Work, cpu_over, middle, say, side_by_side, time_over
from benchmarks.tables import DOMAIN, NOW
from pbem.config import Imap
from pbem.host import Host
from pbem.passes import Pass
from tests.servers.dovecot import DovecotServer

POLLS: Final = 200
"""In a round."""
MAILS: Final = 100
"""In the folder, all handled."""
_WORK: Final = (
    "SELECT EXISTS (SELECT id FROM mail WHERE stage = 'new') OR EXISTS (SELECT id FROM mail WHERE stage = 'queued')"
)


def measured() -> dict[str, float]:
    """The time of an empty pass as a multiple of the floor's, and its own CPU likewise; less is better."""
    with tempfile.TemporaryDirectory() as folder, DovecotServer(trustme.CA()) as dovecot, ExitStack() as stack:
        host = stack.enter_context(polled(dovecot, Path(folder), MAILS))
        imap = dovecot.imap(f"inn{MAILS}@{DOMAIN}")
        bare = stack.enter_context(closing(BarePoll(imap, Path(folder) / "bare.db")))
        pairs = side_by_side(lambda: _polling(host), lambda: bare.polling)
    one, other = (cost.each * 1000 for cost in pairs[-1])
    say(f"poll: an empty pass {one:.2f} ms, bare {other:.2f}")
    return {"empty_poll": middle(pairs, time_over), "empty_poll_cpu": middle(pairs, cpu_over)}


def _polling(host: Host) -> Work:
    def work() -> int:
        for _ in range(POLLS):
            done = host.tick(NOW)
            assert done == Pass(), done
        return POLLS

    return work


class BarePoll:
    """Connections that stay open, as a host's do."""

    def __init__(self, imap: Imap, database: Path) -> None:
        self._imap = imaplib.IMAP4(imap.host, imap.port)
        self._imap.login(imap.user, imap.password.get_secret_value())
        self._imap.select()
        self._imap.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._database = sqlite3.connect(database)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, stage TEXT)")
        self._database.execute("CREATE INDEX by_stage ON mail (stage)")

    def polling(self) -> int:
        """Find nothing, so many times."""
        for _ in range(POLLS):
            self._imap.noop()
            _, (newest,) = self._imap.uid("SEARCH", "UID *")
            assert int(newest) == MAILS
            assert not self._database.execute(_WORK).fetchone()[0]
        return POLLS

    def close(self) -> None:
        """Log out."""
        self._imap.logout()
        self._database.close()
