"""A world whose host leaves the work to a worker: the foreman, the worker and the queue between them in one process."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pbem.archiving import AskedFor
from pbem.crew import Foreman, Job, Worker, foreman
from pbem.passes import Pass
from tests.conversations.world import Mail, World, mail_in


class Pile:
    """A `Queue` in memory: a job for each lane."""

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}

    def lay(self, jobs: Iterable[Job]) -> None:
        for job in jobs:
            self.jobs.setdefault(job.lane, job)


class CrewedWorld(World):
    """Every pass is one of the foreman, all jobs that follow, and passes until there are none."""

    foreman: Foreman
    worker: Worker

    def begin(self) -> None:
        super().begin()
        host = self.host
        self.pile = Pile()
        self.host = self.foreman = foreman(host, self.pile)
        asked = AskedFor(self.store, host.games, host.archiving.publish, host.archiving.shows)
        self.worker = Worker(
            store=self.store,
            games=host.games,
            reception=host.reception,
            postroom=host.postroom,
            archiving=asked,
            now=lambda: self.now,
        )

    def passed(self) -> tuple[Pass, list[Mail]]:
        before = len(self.courier.taken)
        whole = self.host.tick(self.now)
        while self.pile.jobs:
            self.work()
            done = self.host.tick(self.now)
            whole = replace(whole, sent=whole.sent + done.sent)
        sent = [mail_in(parcel) for parcel in self.courier.taken[before:]]
        self.mails += sent
        return whole, sent

    def work(self, *lanes: str) -> None:
        """Do the jobs that wait, or those in some lanes."""
        for lane in lanes or tuple(self.pile.jobs):
            if job := self.pile.jobs.pop(lane, None):
                self.worker.look_after(job)
