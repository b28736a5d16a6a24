"""The host: one pass after another over mailbox, games, clock and outbox.

A pass looks for mail first and at the clock after (law 7): a deadline acts only if the look that found
nothing began after it. Each mail, each released plan and each table's deadlines are a transaction of
their own; the mailbox is marked only after the commit.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import structlog

from engine.game import AnyGame
from pbem import clock, undo
from pbem.archiving import Archiving
from pbem.counting import Counts, MailIn, Way, became
from pbem.errors import DatabaseTrouble, Trouble
from pbem.letters import HostAddress, read_head
from pbem.logs import RECOVERED
from pbem.mailbox import Arrival, Inbox
from pbem.onward import Steps
from pbem.parties import Decided
from pbem.passes import Idle, Pass
from pbem.postroom import Postroom
from pbem.pulse import Pulse
from pbem.reception import TOO_LARGE_HEADER, Arrived, Reception
from pbem.stopping import Stop
from pbem.store import Conflict, Incoming, Store, Work
from pbem.table import Table
from pbem.watch import Watch

BATCH: Final = 50
MOST_RELEASED: Final = 200
"""Plans of one table that one pass releases; the rest waits for the next."""
TRIES: Final = 5
"""How often something is decided anew when another process wrote in between."""
CURED: Final = "cured"
"""Under which the store keeps when it could be written again after a failure."""
A_MOMENT: Final = timedelta(microseconds=1)
"""Who answers within the second of his deadline is in time: servers tell arrivals in whole seconds."""
A_WHILE: Final = timedelta(seconds=5)
"""Until the clock is asked again, or another process may be done."""
LONGEST_BACK_OFF: Final = timedelta(minutes=15)

log = structlog.get_logger()


def real_time() -> datetime:
    """The real clock, in UTC: the only place that asks it."""
    return datetime.now(UTC)


@dataclass(slots=True, kw_only=True)
class Host:
    """A host at work. `now` is asked once a pass, and what is decided gets its time as an argument."""

    store: Store
    games: Mapping[str, AnyGame]
    inbox: Inbox
    reception: Reception
    postroom: Postroom
    address: HostAddress
    interval: timedelta
    archiving: Archiving
    outage: timedelta | None = None
    """How long it may be out of reach before deadlines move for it; ``None``: they never do."""
    keep_mails: timedelta = timedelta(days=90)
    """How long the bytes of mails are kept."""
    now: Callable[[], datetime] = real_time
    stop: Stop = field(default_factory=Stop)
    """Once it is asked to end, a pass finishes what it is at and leaves the rest to the next one."""
    report: Callable[[], None] = lambda: None
    """Called behind each pass, to tell of it elsewhere."""
    _looked: bool = field(default=False, init=False)
    """This pass has looked at the mailbox, and the host was not away before: only then may a deadline act."""
    _held: set[str] = field(default_factory=set, init=False)
    """Tables of whose players a mail waits to be handled again: until then no deadline acts there (law 7)."""
    _failures: int = field(default=0, init=False)
    """Of this pass, so far."""
    _ill: bool = field(default=False, init=False)
    """The database failed in the last pass."""

    @property
    def counts(self) -> Counts:
        """What it has done since the process began."""
        return self.postroom.counts

    def tick(self, now: datetime) -> Pass:
        """One pass. Troubles with a mail server are in the result; everything else goes on without it. One of the
        database ends the pass, and is in the result as well.

        It does nothing while another process makes one, so that each attempt at a mail is one, nor at a time so far
        from the last pass that the clock may be wrong: the next pass has to agree.
        """
        try:
            done = self._in_turn(now)
        except DatabaseTrouble as trouble:
            log.error("the database failed", trouble=str(trouble))
            self._ill = True
            self.inbox.rewind()  # what was fetched may not have been kept
            done = Pass(trouble=trouble, failures=self._failures)
        self.counts.passed(done, now)
        self.report()
        return done

    def _in_turn(self, now: datetime) -> Pass:
        pulse = Pulse(self.store, self.outage)
        with self.store.turn() as mine:
            if not mine:
                return Pass(idle=Idle.TAKEN)
            self._see_it_cured(now)
            return self._passed(now, pulse) if pulse.believes(now) else Pass(idle=Idle.DOUBT)

    def _see_it_cured(self, now: datetime) -> None:
        """After a failure the database has to take a word first: otherwise each pass would send the same mails, and
        could not note it."""
        if self._ill:
            self.store.set_mark(CURED, now.isoformat())
            self._ill = False

    def _passed(self, now: datetime, pulse: Pulse) -> Pass:
        self._failures = 0
        self._held.clear()
        away = pulse.silent_since(now) is not None
        taken, fresh, trouble = self._take_in()
        handled = self._handle_all(fresh, now, away=away)
        if not (trouble and self.stop.asked):  # nobody waits for a silent server twice
            trouble = self._put_away(taken) or trouble
        self._looked = trouble is None and not away and not self.stop.asked
        if self._looked:
            self._look_at_clock(now)
        self.store.release_press(now)
        self._settle_all(now)
        sent, unsent = self._send(now)
        if not (trouble or unsent or self.stop.asked) and pulse.beat(now, sent):
            self._settle_all(now)
            sent += self._send(now)[0]
        self._clear_out(now)
        return Pass(len(taken), handled, sent, trouble or unsent, self._failures)

    def once(self) -> Pass:
        """One pass at the present time."""
        return self.tick(self.now())

    def run(self) -> None:
        """Pass after pass until it is asked to end (`Stop`); between them, wait for mail or the interval."""
        self.stop.wake = self.inbox.wake
        self.stop.listen()
        failures = 0
        watch = Watch(self.now)
        while not self.stop.asked:
            now = watch.read()
            done = self.tick(now) if now is not None else Pass(idle=Idle.DOUBT)
            if failures and not (done.trouble or done.idle):
                log.info(RECOVERED, passes=failures)
            if not done.idle:
                failures = failures + 1 if done.trouble else 0
            if done.read or done.sent:
                log.info("pass", read=done.read, handled=done.handled, sent=done.sent)
            if done.idle:
                log.warning("nothing was done", why=done.idle.value)
                self.stop.wait(min(self.interval, A_WHILE).total_seconds())
            elif not self.stop.asked:
                self._rest(failures)
        log.info("stopped", by=self.stop.asked)

    def _rest(self, failures: int) -> None:
        """Wait for mail; after troubles longer and longer, without asking the server."""
        seconds = self.interval.total_seconds()
        if failures:
            self.stop.wait(min(seconds * 2 ** min(failures - 1, 10), LONGEST_BACK_OFF.total_seconds()))
            return
        began = time.monotonic()
        try:
            self.inbox.wait(seconds)
        except Trouble as trouble:
            self._trouble("waiting for mail failed", Way.IN, trouble)
            self.stop.wait(max(0.0, seconds - (time.monotonic() - began)))

    # Mail in

    def _take_in(self) -> tuple[list[Arrival], set[int], Trouble | None]:
        """Keep everything new in the mailbox, batch by batch, each in one commit; also the ids of what was unknown."""
        taken: list[Arrival] = []
        fresh: set[int] = set()
        try:
            while not self.stop.asked and (batch := self.inbox.fetch(BATCH)):
                fresh.update(self.store.intake([self._incoming(arrival) for arrival in batch]))
                taken += (replace(arrival, raw=None, headers=b"") for arrival in batch)
        except DatabaseTrouble:
            raise
        except Trouble as trouble:
            self._trouble("reading mail failed", Way.IN, trouble)
            return taken, fresh, trouble
        return taken, fresh, None

    def _incoming(self, arrival: Arrival) -> Incoming:
        raw = arrival.raw if arrival.raw is not None else TOO_LARGE_HEADER + arrival.headers
        letter = read_head(raw, self.address)
        return Incoming(arrival.folder_key, arrival.uid, letter.digest, letter.sender, raw, arrival.received_at)

    def _put_away(self, taken: list[Arrival]) -> Trouble | None:
        """Mark what is handled, or parked, in the mailbox."""
        if not taken:
            return None
        try:
            self.inbox.done(taken)
        except Trouble as trouble:
            self._trouble("marking mail failed", Way.IN, trouble)
            return trouble
        return None

    def _handle_all(self, fresh: set[int], now: datetime, *, away: bool) -> int:
        """Handle what waits, in order of intake. Those not in `fresh` were begun before, in a pass that failed on them
        or in a process that ended: they are counted again first, so that none can fail, or kill, for ever. Before each
        its arrival's deadlines act, unless the host was `away`. Those tried too often are given up before that."""
        for worn in self.store.worn_out(BATCH):
            self._give_up(worn, now)
        handled = 0
        seen: set[int] = set()
        while work := [each for each in self.store.work(BATCH + len(seen)) if each.id not in seen]:
            for each in work:
                if self.stop.asked:
                    self.store.spare(*fresh - seen)
                    return handled
                seen.add(each.id)
                if each.id not in fresh:
                    self.store.try_again(each.id)
                with self._sparing(each.id):
                    if not away:
                        self._sweep(min(each.received_at, now) - A_MOMENT, now)
                    handled += self._handle(each, now)
        return handled

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

    # Settling

    def _settle_all(self, now: datetime) -> None:
        seen: set[str] = set(daily := self.store.digests_due(now))
        for name in daily:
            if self.stop.asked:
                return
            self._settle(name, now)
        if daily:
            self.store.digests_done(now)
        while names := [name for name in self.store.restless(BATCH + len(seen)) if name not in seen]:
            for name in names:
                if self.stop.asked:
                    return
                seen.add(name)
                self._settle(name, now)
        self._settle_people(now)
        self._failures += self.archiving.again()

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

    # Mail out of date

    def _clear_out(self, now: datetime) -> None:
        try:
            self.store.sweep(now, self.keep_mails)
        except Exception:
            self._fault("clearing out old mails failed")

    def _fault(self, event: str, *, exc_info: bool = True, **facts: Any) -> None:
        """Log the exception that is being handled, with its traceback unless that may tell a secret, and count it.

        One of the database is raised anew: it is the fault of nothing that was being done.
        """
        if isinstance(sys.exc_info()[1], DatabaseTrouble):
            raise
        log.error(event, exc_info=exc_info, **facts)
        self._failures += 1

    def _trouble(self, event: str, way: Way, trouble: Trouble) -> None:
        """Log and count what a mail server keeps from being done; it is tried again."""
        log.warning(event, trouble=str(trouble))
        self.counts.add(way)

    # Mail out

    def _send(self, now: datetime) -> tuple[int, Trouble | None]:
        try:
            return self.postroom.send(now, self.stop), None
        except DatabaseTrouble:
            raise
        except Trouble as trouble:
            self._trouble("sending mail failed", Way.OUT, trouble)
            return 0, trouble
