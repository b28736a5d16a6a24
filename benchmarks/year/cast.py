"""The people of the year. They know nothing but their mails, save for what they play: the benchmarks' own choice."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from benchmarks.tables import DOMAIN
from benchmarks.year.fate import DAY, HOUR, Fate, Habits, Plan
from benchmarks.year.post import Got, written
from pbem.store import Store
from pbem.table import Status, Table
from tests.conversations.world import INN

Act = Callable[[datetime], object]
_TABLE: Final = re.compile(rb"inn-\d+")
CHOICES: Final = 6
"""Legal actions that a player chooses among."""
SECOND_THOUGHTS: Final = 0.15
"""How often he adds what he will do next."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A mail that somebody has sent."""

    at: datetime
    by: str
    id: str
    lines: tuple[str, ...]
    table: str = ""
    order: bool = False


@dataclass(slots=True)
class Cast:
    """Everybody who writes, and what they will do when."""

    fate: Fate
    store: Store
    tables: Callable[[str], Table]
    post: Callable[[bytes, datetime], None]
    chance: Random
    plans: dict[str, Plan] = field(default_factory=dict)
    """Of the tables that have a name by now."""
    by_id: dict[str, Sent] = field(default_factory=dict)
    """All that was sent."""
    _absences: dict[str, tuple[datetime, datetime]] = field(default_factory=dict)
    """By the mail that announced one."""
    _next: list[tuple[datetime, int, Act]] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _last: dict[tuple[str, str], Got] = field(default_factory=dict)
    """The newest mail of an address about a table; its moderator's stand apart."""
    _writing: set[tuple[str, str]] = field(default_factory=set)
    _orders: Counter[tuple[str, str]] = field(default_factory=Counter)
    _opened: dict[str, Plan] = field(default_factory=dict)
    """By the mail that opened it."""

    def __post_init__(self) -> None:
        first = self.fate.plans[0].opens_at - 2 * DAY
        for person in self.fate.people:
            self._at(first, self._registering(person))
            for begins, ends, told in person.absences:
                if told:
                    self._at(begins - 3 * DAY, self._leaving(person, begins, ends))
        for plan in self.fate.plans:
            self._at(plan.opens_at, self._opening(plan))

    def until(self, now: datetime) -> None:
        """Everybody does what he wants to do up to `now`."""
        while self._next and self._next[0][0] <= now:
            at, _, act = heapq.heappop(self._next)
            act(at)

    def receive(self, mail: Got, raw: bytes) -> None:
        """Somebody reads a mail, and will perhaps answer it."""
        who = self._habits(mail.to)
        if "confirm your name" in mail.subject:
            self._at(mail.at + HOUR, lambda at: self._write(who, at, ("CONFIRM", f"TIMEZONE {who.zone}"), mail))
        elif "you are invited" in mail.subject or "a seat is offered to you" in mail.subject:
            self._at(mail.at + self._delay(who) / 4, lambda at: self._write(who, at, ("JOIN",), mail))
        elif "your table is open" in mail.subject:
            self._begin(who, mail, raw)
        elif mail.table:
            self._last[mail.to, f"{mail.table}{' moderator' * mail.moderator}"] = mail
            self._think(who, mail)
            if mail.late:
                self._judge(who, mail)
        else:
            self._last[mail.to, ""] = mail

    def announced(self, sent: Sent) -> Iterator[tuple[datetime, datetime]]:
        """The absence that a mail has announced, in the writer's own days."""
        zone = ZoneInfo(next(person.zone for person in self.fate.people if address(person) == sent.by))
        for span in filter(None, (self._absences.get(sent.id),)):
            begins, ends = (each.replace(tzinfo=zone).astimezone(UTC) for each in span)
            yield begins, ends

    # What they write

    def _registering(self, person: Habits) -> Act:
        return lambda at: self._write(person, at, (f"REGISTER {person.name}",))

    def _leaving(self, person: Habits, begins: datetime, ends: datetime) -> Act:
        line = f"AWAY FROM {begins:%Y-%m-%d} TO {ends - DAY:%Y-%m-%d}"

        def leave(at: datetime) -> None:
            mails = [mail for (to, _), mail in self._last.items() if to == address(person) and not mail.moderator]
            if mails:
                self._absences[self._write(person, at, (line,), mails[-1])] = (begins, ends)

        return leave

    def _opening(self, plan: Plan) -> Act:
        names = " ".join(address(self.fate.people[guest]) for guest in plan.guests)
        seats = "" if plan.guests else "seats=1 "
        line = f"NEW bloody-inn {names} {seats}{plan.options}"

        def open_table(at: datetime) -> None:
            opener = self.fate.people[plan.opener]
            self._opened[self._write(opener, at, (line,), self._last.get((address(opener), "")))] = plan

        return open_table

    def _begin(self, who: Habits, mail: Got, raw: bytes) -> None:
        """The opener knows the name of his table now; three days later he starts it."""
        plan = next(self._opened[id] for id in mail.answers if id in self._opened)
        found = _TABLE.search(raw)
        assert found is not None, mail.subject
        name = found[0].decode()
        self.plans[name] = plan
        start = mail.at + 3 * DAY
        self._at(start, lambda at: self._write(who, at, (f"START {name}",), mail))
        for delay, line in plan.deeds:
            self._at(start + delay, self._moderating(who, name, line))

    def _moderating(self, who: Habits, name: str, line: str) -> Act:
        def moderate(at: datetime) -> None:
            mail = self._last.get((address(who), f"{name} moderator"))
            if mail is not None and self.tables(name).status is Status.RUNNING:
                self._write(who, at, (line,), mail)

        return moderate

    def _judge(self, who: Habits, mail: Got) -> None:
        """A moderator who is asked about somebody decides, or lets it be."""
        other = address(self.chance.choice(self.fate.people))
        lines = (f"REPLACE {mail.late} {other}", f"EXTEND {mail.late} BY 48h", f"ACT AS {mail.late}: PASS", "")
        if line := self.chance.choice(lines):
            self._at(mail.at + self._delay(who), self._moderating(who, mail.table, line))

    def _think(self, who: Habits, mail: Got) -> None:
        """He will look at his newest mail about the table, unless he is about to anyway."""
        key = (mail.to, mail.table)
        if mail.asked and key not in self._writing:
            self._writing.add(key)
            self._at(mail.at + self._delay(who), lambda at: self._play(who, mail.table, at))

    def _play(self, who: Habits, name: str, at: datetime) -> None:
        key = (address(who), name)
        for begins, ends, _ in who.absences:
            if begins <= at < ends:
                self._at(ends + self._delay(who), lambda at: self._play(who, name, at))
                return
        self._writing.discard(key)
        if self._is_silent(who, name):
            return
        lines = self._orders_of(key, name)
        if lines:
            self._orders[key] += 1
            self._write(who, at, lines, self._last[key], order=True)

    def _orders_of(self, key: tuple[str, str], name: str) -> tuple[str, ...]:
        """What he wants to do now, as far as he knows; nothing if he is not awaited."""
        table = self.tables(name)
        seat = next((c.seat for c in table.chairs if c.person and c.person.address == key[0]), 0)
        if table.status is not Status.RUNNING or not seat or table.open_decision(seat) is None:
            return ()
        actions = list(islice(table.game.legal(table.running.state, seat), CHOICES))
        order = table.game.write(self.chance.choice(actions), table.view(seat))
        return (order, "PASS") if self.chance.random() < SECOND_THOUGHTS else (order,)

    def _is_silent(self, who: Habits, name: str) -> bool:
        """Whether he has lost interest in a game."""
        plan = self.plans[name]
        most = next((mails for seat, mails in plan.silent if self.fate.people[seat] is who), None)
        return most is not None and self._orders[address(who), name] >= most

    # How they write

    def _write(
        self, who: Habits, at: datetime, lines: tuple[str, ...], answered: Got | None = None, *, order: bool = False
    ) -> str:
        id = f"<{next(self._numbers)}@client.{DOMAIN}>"
        to = answered.reply_to if answered else INN
        table = answered.table if answered else ""
        self.by_id[id] = Sent(at, address(who), id, lines, table, order)
        self.post(written(f"{who.name} <{address(who)}>", to, id, at, lines, answered), at)
        return id

    def _at(self, when: datetime, act: Act) -> None:
        heapq.heappush(self._next, (when, next(self._numbers), act))

    def _delay(self, who: Habits) -> timedelta:
        return self.chance.expovariate(1 / who.delay) * HOUR

    def _habits(self, to: str) -> Habits:
        return next(person for person in self.fate.people if address(person) == to)


def address(person: Habits) -> str:
    """Where somebody reads his mails."""
    return f"{person.name.lower()}@{DOMAIN}"
