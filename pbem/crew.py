"""Several processes at one database: a foreman, who has the mailbox, hands out lanes, and workers look after them.

The truth stands in the inbox and the tables; a job only says where to look, so that one which is lost, or done
twice, changes nothing. That a mail is acted on once is up to its transaction, not to the queue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Protocol

from pbem.host import Host, real_time
from pbem.labor import BATCH, Labor
from pbem.letters import Letter
from pbem.store import HOST_LANE, Incoming, Work


@dataclass(frozen=True, slots=True)
class Job:
    """A lane to be looked after."""

    lane: str
    """The name of a table; nothing: what is about no table."""
    looked: datetime | None
    """When the newest complete look at the mailbox began: deadlines up to then may act (law 7). Nothing: none may."""
    away: bool
    """The host was out of reach: nobody's time is up before that is made good."""


class Queue(Protocol):
    """Where jobs wait. No two for one lane are done at the same time, and at most one waits for each."""

    def lay(self, jobs: Iterable[Job]) -> None:
        """Let these be done, unless one waits already for the same lane."""


@dataclass(slots=True, kw_only=True)
class Foreman(Host):
    """A host that reads and sends mail, and leaves what lies between to workers."""

    queue: Queue

    def _kept(self, mail: Incoming, letter: Letter) -> Incoming:
        """Workers count each time that they begin a mail, and take those of a table in order."""
        return replace(mail, lane=self.reception.table_of(letter), attempts=0)

    def _handle_all(self, fresh: set[int], now: datetime, *, away: bool) -> int:  # noqa: ARG002
        return 0

    def _go_on(self, now: datetime, *, away: bool) -> None:
        lanes = self.store.lanes(now, clock=self._looked)
        self.queue.lay(Job(lane, now if self._looked else None, away) for lane in lanes)
        self._failures += self.archiving.again()

    def _settle_all(self, now: datetime) -> None:
        self._go_on(now, away=False)


@dataclass(slots=True, kw_only=True)
class Worker(Labor):
    """Looks after one lane at a time."""

    now: Callable[[], datetime] = real_time
    _lane: str = field(default=HOST_LANE, init=False)
    _mail: Work | None = field(default=None, init=False)
    """The one at hand."""

    def look_after(self, job: Job) -> None:
        """Handle the mails of a lane in order of intake, let its clock act, and settle it. `DatabaseTrouble`."""
        self._lane, self._mail = job.lane, None
        self._looked = job.looked is not None
        self._held.clear()
        now = self.now()
        self._handle_lane(now, away=job.away)
        if job.looked is not None and job.lane != HOST_LANE and not self.stop.asked:
            self._mail = None
            self._look_at_clock(job.looked)
        self._settle_lane(now)

    def _handle_lane(self, now: datetime, *, away: bool) -> None:
        """All that waits, up to a mail for which an earlier one in another lane has to be handled first: whoever does
        that lets this lane be looked after again."""
        after = 0
        while works := self.store.in_lane(self._lane, after, BATCH):
            for work in works:
                if self.stop.asked or self.store.must_wait(self._lane, work):
                    return
                after = work.id
                self._begin(work, now, away=away)

    def _begin(self, work: Work, now: datetime, *, away: bool) -> None:
        """Handle a mail once more, or give it up when it was begun often enough."""
        self._mail = work
        if work.attempts >= self.store.attempts:
            self._give_up(work, now)
            return
        self.store.try_again(work.id)
        self._handle_in_time(work, now, away=away)

    def _settle_lane(self, now: datetime) -> None:
        if self._lane != HOST_LANE:
            if self.store.is_restless(self._lane):
                self._settle(self._lane, now)
            return
        if daily := self.store.digests_due(now):
            for name in daily:
                self._settle(name, now)
            self.store.digests_done(now)
        self._settle_people(now)

    def _free(self, names: Iterable[str]) -> list[str]:
        """Those in this lane for which no mail waits that came before: a clock never overtakes a mail."""
        mine = [name for name in super(Worker, self)._free(names) if self._lane in (HOST_LANE, name)]
        return [name for name in mine if not self._awaits(name)]

    def _awaits(self, name: str) -> bool:
        return self.store.is_awaited(name, self._mail.id) if self._mail is not None else self.store.is_awaited(name)


def foreman(host: Host, queue: Queue) -> Foreman:
    """`host`, which leaves the work to others from now on."""
    return Foreman(queue=queue, **{each.name: getattr(host, each.name) for each in fields(host) if each.init})
