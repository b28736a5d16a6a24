"""The host: one pass after another over mailbox, games, clock and outbox.

A pass looks for mail first and at the clock after (law 7): a deadline acts only if the look that found
nothing began after it. Each mail, each released plan and each table's deadlines are a transaction of
their own; the mailbox is marked only after the commit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

from pbem.archiving import UNPUBLISHED
from pbem.counting import Shut, Way
from pbem.dispatch import Dispatch
from pbem.errors import DatabaseTrouble, LoginRefused, Trouble
from pbem.labor import BATCH, Labor
from pbem.letters import HostAddress, Letter, read_head
from pbem.logs import RECOVERED
from pbem.mailbox import Arrival, Inbox
from pbem.passes import Idle, Pass
from pbem.pulse import Pulse
from pbem.reception import TOO_LARGE_HEADER
from pbem.store import SWEEP_MARK, Incoming
from pbem.tidying import Tidying
from pbem.watch import Watch

CURED: Final = "cured"
"""Under which the store keeps when it could be written again after a failure."""
A_WHILE: Final = timedelta(seconds=5)
"""Until the clock is asked again, or another process may be done."""
LONGEST_BACK_OFF: Final = timedelta(minutes=15)

log = structlog.get_logger()


def real_time() -> datetime:
    """The real clock, in UTC: the only place that asks it."""
    return datetime.now(UTC)


@dataclass(slots=True, kw_only=True)
class Host(Labor):
    """A host at work. `now` is asked once a pass, and what is decided gets its time as an argument."""

    inbox: Inbox
    dispatch: Dispatch
    address: HostAddress
    interval: timedelta
    outage: timedelta | None = None
    """How long it may be out of reach before deadlines move for it; ``None``: they never do."""
    keep_mails: timedelta = timedelta(days=90)
    """How long the bytes of mails are kept."""
    tidying: Tidying | None = None
    """Of the mailbox, where it is wanted."""
    now: Callable[[], datetime] = real_time
    report: Callable[[], None] = lambda: None
    """Called behind each pass, to tell of it elsewhere."""
    _ill: bool = field(default=False, init=False)
    """The database failed in the last pass."""

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
        with self.store.turn() as mine:
            if not mine:
                return Pass(idle=Idle.TAKEN)
            self._see_it_cured(now)
            pulse = Pulse(self.store, self.outage, self.store.marks())
            try:
                return self._passed(now, pulse) if pulse.believes(now) else Pass(idle=Idle.DOUBT)
            finally:
                self.dispatch.rest()

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
        if not (taken or trouble or away or self._is_work(now, pulse.marks)):
            pulse.beat(now, 0)
            self._clear_out(now, pulse.marks)
            return Pass(failures=self._failures)
        handled = self._handle_all(fresh, now, away=away)
        if not (trouble and self.stop.asked):  # nobody waits for a silent server twice
            trouble = self._put_away(taken) or trouble
        self._looked = trouble is None and not away and not self.stop.asked
        self.store.release_press(now)
        self._go_on(now, away=away)
        sent, unsent = self._send(now)
        pulse = replace(pulse, marks=self.store.marks())
        if not (trouble or unsent or self.stop.asked) and pulse.beat(now, sent):
            self._settle_all(now)
            sent += self._send(now)[0]
        self._clear_out(now, pulse.marks)
        return Pass(len(taken), handled, sent, trouble or unsent, self._failures)

    def _is_work(self, now: datetime, marks: Mapping[str, str]) -> bool:
        """Whether there is anything to do though no mail came. Most passes find nothing, and ask no further."""
        return bool(self.stop.asked or marks.get(UNPUBLISHED)) or self.store.any_work(now)

    def once(self) -> Pass:
        """One pass at the present time."""
        return self.tick(self.now())

    def run(self) -> None:
        """Pass after pass until it is asked to end (`Stop`); between them, wait for mail or the interval."""
        self.stop.wake = self.inbox.wake
        self.stop.listen()
        failures = 0
        watch, idle = Watch(self.now), None
        while not self.stop.asked:
            now = watch.read()
            done = self.tick(now) if now is not None else Pass(idle=Idle.DOUBT)
            if failures and not (done.trouble or done.idle):
                log.info(RECOVERED, passes=failures)
            if not done.idle:
                failures = failures + 1 if done.trouble else 0
            if done.read or done.sent:
                log.info("pass", read=done.read, handled=done.handled, sent=done.sent)
            if done.idle and done.idle is not idle:
                log.warning("nothing was done", why=done.idle.value)
            if idle is Idle.TAKEN and not done.idle:
                log.info("took over")
            idle = done.idle
            if done.idle:
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
        return self._kept(
            Incoming(arrival.folder_key, arrival.uid, letter.digest, letter.sender, raw, arrival.received_at), letter
        )

    def _kept(self, mail: Incoming, letter: Letter) -> Incoming:  # noqa: ARG002
        """`mail` as it is kept: its handling begins at once."""
        return mail

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
                handled += self._handle_in_time(each, now, away=away)
        return handled

    # Tables

    def _go_on(self, now: datetime, *, away: bool) -> None:  # noqa: ARG002
        """Let deadlines act if the mailbox has been looked at, and settle what is restless."""
        if self._looked:
            self._look_at_clock(now)
        self._settle_all(now)

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
                self.dispatch.meanwhile(now, self.stop)
        self._settle_people(now)
        self._failures += self.archiving.again()

    # Mail out of date

    def _clear_out(self, now: datetime, marks: Mapping[str, str]) -> None:
        """Once a day: what is done with stands in `marks`."""
        if self.stop.asked:
            return
        try:
            if marks.get(SWEEP_MARK) != now.date().isoformat():
                self.store.sweep(now, self.keep_mails)
            if self.tidying is not None:
                self.tidying.tidy(now)
        except Exception:
            self._fault("clearing out old mails failed")

    def _trouble(self, event: str, way: Way, trouble: Trouble) -> None:
        """Log and count what a mail server keeps from being done; it is tried again."""
        log.warning(event, trouble=str(trouble))
        self.counts.add(way)
        if isinstance(trouble, LoginRefused):
            self.counts.add(Shut(way.value))

    # Mail out

    def _send(self, now: datetime) -> tuple[int, Trouble | None]:
        try:
            if not self.stop.asked:
                self.postroom.bundle(now)
            return self.dispatch.send(now, self.stop), None
        except DatabaseTrouble:
            raise
        except Trouble as trouble:
            self._trouble("sending mail failed", Way.OUT, trouble)
            return 0, trouble
