"""A host through a year: pass after pass, with everything that goes wrong, and what is kept for the judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.rounds import say
from benchmarks.year.cast import Cast, Sent
from benchmarks.year.fate import BEGINS, DAY, HOUR, YEAR, Kind, Trouble, fate
from benchmarks.year.judge import Evidence, Game, Span, Verdict, judged
from benchmarks.year.post import Got, got
from pbem.config import Limits
from pbem.table import Table
from tests.conversations.world import World

OUTAGE: Final = timedelta(hours=2)
MANY: Final = 10_000
"""More than anybody asks for: the limits on how much a person may write are not what this is about."""


class Year:
    """The year that follows from a seed."""

    def __init__(self, folder: Path, seed: str, share: float) -> None:
        limits = Limits(invitations_a_day=MANY, open_invitations=MANY, idle_mails_an_hour=MANY, talk_an_hour=MANY)
        self.world = World(folder, limits=limits, outage=OUTAGE)
        self.world.now = BEGINS
        self.fate = fate(seed, share)
        self.evidence = Evidence()
        self.failures: list[str] = []
        self._chance = Random(f"{seed} chance")
        self._cast = Cast(self.fate, self.world.store, self._table, self._deliver, Random(f"{seed} cast"))
        self._troubles = list(self.fate.troubles)
        self._last_pass = BEGINS
        self._answered: set[str] = set()
        self._seed_deals()

    def live(self) -> None:
        """From the first day to the last, an hour a pass."""
        ends = BEGINS + YEAR
        while self.world.now < ends:
            self.world.now += HOUR
            self._cast.until(self.world.now)
            if self._troubles and self._troubles[0].begins <= self.world.now:
                self._suffer(self._troubles.pop(0))
            else:
                self._pass()
            if self.world.now.hour == 0 and self.world.now.day == 1:
                say(f"{self.world.now:%B}: {len(self._cast.plans)} tables, {len(self.evidence.mails)} mails")

    def judged(self) -> Verdict:
        """What the judge says of all games, and whether every mail was answered once."""
        games = [self._game(name) for name in self._cast.plans]
        verdict = judged(games, self.evidence, self.world.now)
        counts = {**verdict.counts, "mails in": len(self._cast.by_id), "mails out": len(self.evidence.mails)}
        return Verdict(counts, (*verdict.faults, *self.failures, *self._unanswered()))

    def _game(self, name: str) -> Game:
        table = self._table(name)
        log = self.world.store.log(table) if table.position else ()
        return Game(table, log, self._cast.plans[name])

    def _unanswered(self) -> Iterable[str]:
        settled = self.world.now - DAY
        return (
            f"the mail {each.id} of {each.by} was not answered: {each.lines}"
            for each in self._cast.by_id.values()
            if each.id not in self._answered and each.at < settled
        )

    # Passes

    def _pass(self) -> bool:
        """Whether the host could do all that it had to."""
        done = self.world.host.tick(self.world.now)
        if done.failures:
            self.failures.append(f"{done.failures} failures at {self.world.now}")
        well = done.trouble is None and done.idle is None
        if well:
            self._last_pass = self.world.now
        parcels, self.world.courier.taken = self.world.courier.taken, []
        for parcel in parcels:
            self._note(mail := got(parcel, self.world.now))
            self._cast.receive(mail, parcel.raw)
        self.world.mailbox.forget()
        return well

    def _note(self, mail: Got) -> None:
        """Keep for the judge what the mail shows, and what it proves that the host has known since."""
        self.evidence.mails.append(mail)
        for id in set(mail.answers) & self._cast.by_id.keys():
            if id in self._answered:
                self.failures.append(f"the mail {id} was answered twice, by {mail.subject}")
            self._answered.add(id)
            self._know(self._cast.by_id[id])

    def _know(self, sent: Sent) -> None:
        if sent.order:
            self.evidence.orders[sent.by, sent.table].append(self.world.now)
        for begins, ends in self._cast.announced(sent):
            span = Span(max(begins, self.world.now), ends)
            self.evidence.absences[sent.by].append(span)

    # Troubles

    def _suffer(self, trouble: Trouble) -> None:
        _SUFFER[trouble.kind](self, trouble)

    def _wrong_clock(self, trouble: Trouble) -> None:
        """One pass at a wrong time, and the next at the right one."""
        right = self.world.now
        self.world.now = right + trouble.shift
        self._pass()
        self.world.now = right
        self._pass()

    def _down(self, trouble: Trouble) -> None:
        """Nothing runs until its end; mail comes in meanwhile. Another process begins."""
        while self.world.now < trouble.ends:
            self.world.now += HOUR
            self._cast.until(self.world.now)
        self.world.restart()
        self._seed_deals()
        self._cast.store = self.world.store
        self._back(self._last_pass)

    def _cut_off(self, trouble: Trouble, switch: Callable[[bool], None]) -> None:
        """A mail server is away while the host goes on. It is an outage from when the host needs it."""
        switch(True)
        since = None
        while self.world.now < trouble.ends:
            if not self._pass() and since is None:
                since = self.world.now
            self.world.now += HOUR
            self._cast.until(self.world.now)
        switch(False)
        self._back(since or self.world.now)

    def _back(self, since: datetime) -> None:
        """The host can do its work again; what it sees first it may doubt."""
        self._pass()
        self._pass()
        if self.world.now - since > OUTAGE:
            self.evidence.outages.append(Span(since, self.world.now))

    def _no_mail_in(self, trouble: Trouble) -> None:
        self._cut_off(trouble, lambda down: setattr(self.world.mailbox, "down", down))

    def _no_mail_out(self, trouble: Trouble) -> None:
        self._cut_off(trouble, lambda down: setattr(self.world.courier, "down", down))

    # Parts

    def _deliver(self, raw: bytes, at: datetime) -> None:
        self.world.deliver(raw, at)

    def _table(self, name: str) -> Table:
        return self.world.table(name)

    def _seed_deals(self) -> None:
        """Other deals at every table, the same in every run."""
        host = self.world.host
        host.reception = replace(host.reception, entropy=lambda: f"{self._chance.getrandbits(256):064x}")


_SUFFER: Final[dict[Kind, Callable[[Year, Trouble], None]]] = {
    Kind.DOWN: Year._down,
    Kind.NO_MAIL_IN: Year._no_mail_in,
    Kind.NO_MAIL_OUT: Year._no_mail_out,
    Kind.WRONG_CLOCK: Year._wrong_clock,
}
