"""What is done to one mail, and to one table, at a time: by the host for all of them, by a worker for those of a lane.

Each mail, each released plan and each table's deadlines are a transaction of their own.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

import structlog

from engine.game import AnyGame
from pbem import clock, undo
from pbem.archiving import Archiving
from pbem.counting import Counts, MailIn, became
from pbem.errors import DatabaseTrouble, Trouble
from pbem.onward import Steps
from pbem.parties import Decided
from pbem.postroom import Postroom
from pbem.reception import Arrived, Reception
from pbem.stopping import Stop
from pbem.store import Conflict, Store, Work
from pbem.table import Table

BATCH: Final = 50
MOST_RELEASED: Final = 200
"""Plans of one table that one pass releases; the rest waits for the next."""
TRIES: Final = 5
"""How often something is decided anew when another process wrote in between."""
A_MOMENT: Final = timedelta(microseconds=1)
"""Who answers within the second of his deadline is in time: servers tell arrivals in whole seconds."""

log = structlog.get_logger()


@dataclass(slots=True, kw_only=True)
class Labor:
    """Handles mails, lets deadlines act and settles tables. What is decided gets its time as an argument."""

    store: Store
    games: Mapping[str, AnyGame]
    reception: Reception
    postroom: Postroom
    archiving: Archiving
    counts: Counts = field(default_factory=Counts)
    """What it has done since the process began."""
    stop: Stop = field(default_factory=Stop)
    """Once it is asked to end, it finishes what it is at and leaves the rest."""
    _looked: bool = field(default=False, init=False)
    """The mailbox has been looked at, and the host was not away before: only then may a deadline act."""
    _held: set[str] = field(default_factory=set, init=False)
    """Tables of whose players a mail waits to be handled again: until then no deadline acts there (law 7)."""
    _failures: int = field(default=0, init=False)
    """Of this pass, so far."""

    # A mail

    def _handle_in_time(self, work: Work, now: datetime, *, away: bool) -> bool:
        """Handle a mail. Before it its arrival's deadlines act, unless the host was `away`."""
        with self._sparing(work.id):
            if not away:
                self._sweep(min(work.received_at, now) - A_MOMENT, now)
            return self._handle(work, now)

    @contextmanager
    def _sparing(self, mail: int) -> Iterator[None]:
        """What the database keeps from being done was no attempt at a mail: none is given up for it."""
        try:
            yield
        except DatabaseTrouble:
            with suppress(DatabaseTrouble):
                self.store.spare(mail)
            raise

    def _handle(self, work: Work, now: datetime) -> bool:
        """Handle one mail. One that the host fails on is tried again in the next passes, and then parked."""
        began = time.perf_counter()
        try:
            first = self.store.came_first(work.id) if work.again else None
            arrived = Arrived(work.id, self.store.raw(work.id), work.received_at, first)
            decided = self._write(lambda: self.reception.decided(arrived, now), work.id, now)
        except Exception:
            self._fault("handling a mail failed", mail=work.id, attempt=work.attempts)
            self.counts.add(MailIn.FAILED)
            self._hold(work.sender)
            return False
        self.counts.add(became(decided))
        self.counts.handling.add(time.perf_counter() - began)
        return True

    def _hold(self, address: str) -> None:
        """No deadline of the tables where `address` plays, or which it moderates, acts in this pass any more."""
        person = self.store.person_by_address(address) if address else None
        if person is not None:
            self._held.update(each.name for each in self.store.listed(person.id, self.games) if each.mine)

    def _give_up(self, work: Work, now: datetime) -> None:
        """Park a mail that was tried often enough, and tell its sender and the moderator. He has not been told yet: no
        deadline of his acts before."""
        self._hold(work.sender)
        self.counts.add(MailIn.PARKED)
        try:
            arrived = Arrived(work.id, self.store.raw(work.id), work.received_at)
            decided = self.reception.failed(arrived, now)
            self.store.write(decided, inbox=work.id, now=now, problem="it could not be handled")
        except Exception:
            self._fault("parking a mail without an answer", mail=work.id)
            self.store.park(work.id, "it could not be handled, nor answered")

    def _write(self, decide: Callable[[], Decided], inbox: int | None, now: datetime) -> Decided:
        """Write what `decide` gives, and give it; decide anew when somebody else has written in between."""
        for _ in range(TRIES - 1):
            with suppress(Conflict):
                self.store.write(decided := decide(), inbox=inbox, now=now)
                return decided
        self.store.write(decided := decide(), inbox=inbox, now=now)
        return decided

    # The clock

    def _look_at_clock(self, now: datetime) -> None:
        """Deadlines up to `now`, when the look at the mailbox began, and reminders."""
        self._sweep(now, now)
        for name in self._free(self.store.to_remind(now)):
            self._on_table(name, now, lambda table: clock.remind(table, now))
        for name in self._free(self.store.played_for_absent(now)):
            self._on_table(name, now, self._steps(now).next)

    def _sweep(self, until: datetime, now: datetime) -> None:
        """Let every hold and every deadline up to `until` act. Also done before each mail, up to its arrival at the
        server, so that it does not matter how late the host looks."""
        with self.store.looking() as seen:
            held, due = seen.held(until), seen.due(until)
        for name in self._free(held):
            self._on_table(name, now, lambda table: undo.over(table, until))
        for name in self._free(due):
            self._on_table(name, now, lambda table: clock.sweep(table, until))

    def _free(self, names: Iterable[str]) -> list[str]:
        """Those of the tables `names` in which deadlines may act."""
        return [name for name in names if name not in self._held]

    def _on_table(self, name: str, now: datetime, decide: Callable[[Table], Decided | None]) -> None:
        """Write what `decide` makes of a table; a table that fails does not hold up the others."""
        try:
            table = self.store.table(name, self.games)
            decided = decide(table) if table is not None else None
            if decided is not None:
                self.store.write(decided, inbox=None, now=now)
        except Conflict:
            log.info("table was written meanwhile", table=name)
        except Exception:
            self._fault("a step of a table failed", table=name)

    # A table

    def _settle_people(self, now: datetime) -> None:
        try:
            self._failures += self.postroom.settle_people(now)
        except Exception:
            self._fault("settling what is about no table failed")

    def _settle(self, name: str, now: datetime) -> None:
        """Release what plans are due, then tell; once more when somebody wrote in between."""
        try:
            for _ in range(TRIES):
                if self._settled(name, now):
                    return
        except DatabaseTrouble:
            raise
        except Trouble as trouble:
            log.warning("a table cannot be settled", table=name, trouble=str(trouble))
            self._failures += 1
        except Exception:
            self._fault("settling a table failed", table=name)

    def _settled(self, name: str, now: datetime) -> bool:
        try:
            for table in self._releasing(name, now):
                self._failures += self.archiving.show(table)
                self._failures += self.postroom.settle(table, now)
        except Conflict:
            return False
        return True

    def _releasing(self, name: str, now: datetime) -> Iterator[Table]:
        """Release the table's plans one by one; at last the table at rest."""
        for _ in range(MOST_RELEASED):
            table = self.store.table(name, self.games)
            if table is None:
                return
            decided = self._steps(now).next(table)
            if decided is None:
                yield table
                return
            self.store.write(decided, inbox=None, now=now)

    def _steps(self, now: datetime) -> Steps:
        """What tables do by themselves in this pass."""
        return Steps(now, self._fault, looked=self._looked, held=frozenset(self._held))

    def _fault(self, event: str, *, exc_info: bool = True, **facts: Any) -> None:
        """Log the exception that is being handled, with its traceback unless that may tell a secret, and count it.

        One of the database is raised anew: it is the fault of nothing that was being done.
        """
        if isinstance(sys.exc_info()[1], DatabaseTrouble):
            raise
        log.error(event, exc_info=exc_info, **facts)
        self._failures += 1
