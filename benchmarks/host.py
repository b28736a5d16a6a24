"""The host against a bare loop over the same mails, on Dovecot and an SMTP server in a process of its own.

One order comes in and four state mails go out: the first player of an evening lodges everybody. Each order is
in another game.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

import sqlalchemy as sa
import trustme

from benchmarks.bare import Answers, BareLoop
from benchmarks.house import house, in_memory, settings
from benchmarks.rounds import ROUNDS, Work, cpu_over, middle, rate_over, say, side_by_side
from benchmarks.sink import sink
from benchmarks.tables import DOMAIN, HOST, NOW, SEATS, opened, orders
from pbem.config import Imap
from pbem.host import Host
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.smtp import SmtpSender
from pbem.store import Store
from pbem.store.tables import OUTBOX
from tests.servers.dovecot import DovecotServer

ORDERS: Final = 50
"""In a round."""
EACH: Final = len(SEATS)
"""State mails for an order."""
BARE: Final = f"bare@{DOMAIN}"


def measured() -> dict[str, float]:
    """The host's share of the floor's rate (more is better), and its CPU as a multiple of the floor's (less is)."""
    with _street() as street:
        pairs = side_by_side(street.host_round, street.bare_round)
    say(f"host: {1 / pairs[-1][0].each:.0f} orders/s, bare loop {1 / pairs[-1][1].each:.0f}")
    return {"host_rate": middle(pairs, rate_over), "host_cpu": middle(pairs, cpu_over)}


@dataclass(slots=True)
class _Street:
    """The host and the bare loop at the same servers. A round of the host comes before each of the bare loop."""

    dovecot: DovecotServer
    host: Host
    bare: BareLoop
    tables: Iterator[str]
    """Names of those that wait for an order."""
    mails: list[bytes] = field(default_factory=list)

    def host_round(self) -> Work:
        """The next orders arrive at the host."""
        self.mails = orders(self.host.store, islice(self.tables, ORDERS))
        self._deliver(HOST)
        return self._tick

    def _tick(self) -> int:
        done = self.host.tick(NOW)
        assert (done.handled, done.sent) == (ORDERS, ORDERS * EACH), done
        return done.handled

    def bare_round(self) -> Work:
        """The same mails arrive at the bare loop, which answers with what the host sent last."""
        self._deliver(BARE)
        answers = _last_sent(self.host.store, ORDERS * EACH)
        return lambda: self.bare.run(answers, EACH)

    def _deliver(self, address: str) -> None:
        for mail in self.mails:
            self.dovecot.deliver(address, mail)


def _last_sent(store: Store, count: int) -> Answers:
    """The mails that the host sent last, in their order."""
    newest = sa.select(*OUTBOX.c["address", "raw"]).order_by(OUTBOX.c.id.desc()).limit(count)
    with store.engine.connect() as connection:
        return [(row.address, row.raw) for row in reversed(connection.execute(newest).all())]


@contextmanager
def _street() -> Iterator[_Street]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        dovecot = stack.enter_context(DovecotServer(trustme.CA()))
        for address in (HOST, BARE):
            dovecot.add_user(address, "secret")
        smtp = stack.enter_context(sink())
        imap = _flagging(dovecot.imap(HOST))
        wanted = settings(folder, imap, smtp)
        with in_memory(folder) as (quiet, store, _):
            tables = opened(store, ORDERS * (ROUNDS + 1))
            quiet.tick(NOW)
        inbox = stack.enter_context(ImapInbox(imap, wanted.limits.largest_mail))
        host = stack.enter_context(house(wanted, inbox, SmtpSender(smtp)))
        bare = stack.enter_context(closing(BareLoop(dovecot.imap(BARE), smtp, folder)))
        yield _Street(dovecot, host, bare, iter(tables))


def _flagging(imap: Imap) -> Imap:
    """The same, with handled mail flagged where it lies, as the bare loop does."""
    return imap.model_copy(update={"handled_folder": ""})
