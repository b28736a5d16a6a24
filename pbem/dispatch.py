"""From the queue to the mail server, and what the server said back into the queue.

Sending is mostly waiting, so mails set out while others are still written. The database is spoken to by the host alone,
between two tables: a mail is noted as sent after it was accepted, whatever carried it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import structlog

from engine.game import AnyGame
from pbem.counting import Counts
from pbem.errors import DatabaseTrouble, Trouble
from pbem.mailbox import Outcome, Parcel, Receipt, Sender
from pbem.mailbox.porter import Porter
from pbem.pulse import HELD
from pbem.stopping import Stop
from pbem.store import Conflict, Outgoing, Store
from pbem.unreachable import unreachable

BATCH: Final = 50
"""Mails that are on their way at once, and noted together."""
TABLES: Final = 5
"""Settled since the last batch set out: what they tell is worth a walk."""
RETRIES: Final = (1, 5, 15, 60, 240)
"""Minutes until a mail that was not taken is tried again; the last counts from then on."""
GIVEN_UP: Final = 40
"""Tries after which a mail that is never taken is given up: about a week."""
SMALL: Final = 16_000
"""Whoever refuses a mail of so many bytes for its size has no room for any."""
TRIES: Final = 3
"""How often a seat is marked anew when somebody writes to its table in between."""

log = structlog.get_logger()


@dataclass(slots=True, kw_only=True)
class Dispatch:
    """Sends the mails of a host."""

    store: Store
    games: Mapping[str, AnyGame]
    sender: Sender
    address: str
    shortened: Callable[[bytes], bytes]
    """What goes out in the place of a mail that is too large."""
    most: tuple[tuple[timedelta, int], ...] = ()
    """How many mails may go out in a span of time."""
    counts: Counts = field(default_factory=Counts)
    """What the host has done, for its keeper."""
    _porter: Porter = field(init=False)
    _out: Sequence[Outgoing] = field(default=(), init=False)
    """On their way."""
    _settled: int = field(default=0, init=False)
    """Tables since the last batch set out."""
    _accepted: int = field(default=0, init=False)
    """In this pass."""
    _halted: bool = field(default=False, init=False)
    """Nothing sets out any more in this pass."""
    _trouble: Trouble | None = field(default=None, init=False)
    """Why not, if the server is away."""

    def __post_init__(self) -> None:
        self._porter = Porter(self.sender)

    def meanwhile(self, now: datetime, stop: Stop) -> None:
        """Another table is settled: mails set out, now and then, if those before them have arrived.

        Those that may still become one with others stay. Whatever goes wrong is told by `send`.
        """
        self._settled += 1
        if self._settled < TABLES or self._halted or not self._porter.is_back:
            return
        self._note(now)
        self._set_out(now, stop, alone=True)

    def send(self, now: datetime, stop: Stop) -> int:
        """Send what is queued, over one connection, until it is asked to `stop`; how many were accepted, those that set
        out `meanwhile` among them. `Trouble` when the server is away."""
        try:
            self._note(now)
            while self._set_out(now, stop):
                self._note(now)
            if self._trouble is not None:
                raise self._trouble
            return self._accepted
        finally:
            self.rest()

    def rest(self) -> None:
        """Wait for what is on its way, and forget it: what has not been noted as sent goes out again, the same."""
        self._porter.rest()
        self._out, self._settled, self._accepted, self._halted, self._trouble = (), 0, 0, False, None

    def _set_out(self, now: datetime, stop: Stop, *, alone: bool = False) -> bool:
        """Let the next batch set out; whether there is one."""
        if self._halted or stop.asked:
            return False
        self._settled = 0
        self._out = self.store.queue(now, self._room(now), alone=alone)
        parcels = [Parcel(self.address, each.to, each.raw) for each in self._out]
        if parcels:
            self._porter.carry(parcels, lambda: bool(stop.asked))
        return bool(parcels)

    def _room(self, now: datetime) -> int:
        """How many mails may go out now; those behind them wait, and nothing is lost."""
        room = BATCH
        for span, most in self.most:
            sent = self.store.sent_since(now - span)
            room = min(room, max(0, most - sent))
            if sent >= most and self.store.queue(now, 1):
                log.warning("sending waits", sent=sent, most=most, span=str(span))
        return room

    def _note(self, now: datetime) -> None:
        """Wait for what is on its way, and keep what became of it."""
        accepted: list[int] = []
        told = 0
        try:
            for each, receipt in zip(self._out, self._porter.receipts(), strict=False):
                told += 1
                self.counts.add(receipt.outcome)
                if receipt.outcome is Outcome.ACCEPTED:
                    accepted.append(each.id)
                elif self._not_accepted(each, receipt, now):
                    self._halted = True
        except DatabaseTrouble:
            raise
        except Trouble as trouble:
            self._trouble = trouble
        finally:
            if accepted:
                self.store.accepted(accepted, now)
        self._accepted += len(accepted)
        self._halted = self._halted or told < len(self._out)
        self._out = ()

    def _not_accepted(self, mail: Outgoing, receipt: Receipt, now: datetime) -> bool:
        """Put a mail off, or give it up and tell the moderator; True if the rest has to wait too."""
        error = f"{receipt.code} {receipt.text}"
        log.warning("mail not accepted", outcome=receipt.outcome.value, code=receipt.code)
        if receipt.outcome is Outcome.TOO_LARGE and len(mail.raw) > SMALL:
            self.store.shorten(mail.id, self.shortened(mail.raw), error)
            return False
        if receipt.outcome is Outcome.BAD_ADDRESS or mail.attempts + 1 >= GIVEN_UP:
            self.store.failed(mail.id, error)
            self._tell_moderator(mail, now)
            return False
        wait = RETRIES[min(mail.attempts, len(RETRIES) - 1)]
        self.store.retry_later(mail.id, now + timedelta(minutes=wait), error)
        held = receipt.outcome is Outcome.HOST_TROUBLE
        if held:
            self.store.set_mark(HELD, now.isoformat())
        return held

    def _tell_moderator(self, mail: Outgoing, now: datetime) -> None:
        """A seat whose mail cannot be delivered is the moderator's to replace."""
        for part in self.store.parts(mail.id):
            self._tell_of(part.table, part.seat, mail.to, now)
        self._tell_of(mail.table, mail.seat, mail.to, now)

    def _tell_of(self, name: str, seat: int, address: str, now: datetime) -> None:
        for _ in range(TRIES):
            table = self.store.table(name, self.games) if name and seat else None
            decided = unreachable(table, seat, address) if table else None
            if decided is None:
                return
            with suppress(Conflict):  # somebody wrote to the table in between
                self.store.write(decided, inbox=None, now=now)
                return
