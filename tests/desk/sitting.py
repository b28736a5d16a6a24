"""A table in memory, without store and mail: lines go to the desk, what it decides comes back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from engine.bloody_inn import GAME
from engine.record import Entry
from pbem.clock import sweep
from pbem.desk import decide
from pbem.draft import Known, Mail
from pbem.parties import Decided, Invitation, Notice, Party, Reference, Role
from pbem.plans import releasing, standing
from pbem.schedule import Schedule, Span, started
from pbem.settle import Answers, Logged, Telling, tellings
from pbem.table import Chair, Person, Status, Table
from pbem.verdicts import Line, Verdict

NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)
ANNA, BOB, CHEN, MODI = (
    Person(number, name, f"{name.lower()}@example.org")
    for number, name in enumerate(("Anna", "Bob", "Chen", "Modi"), 1)
)
PLAYERS = (ANNA, BOB, CHEN)
CODE = "abcde"
"""Confirms every costly word at a table in memory."""
_COSTLY = re.compile(r"^(?:PREVIEW )?(?:END(?: WITH RESULT| SEALED)?|RESIGN|LEAVE)(?: inn-7)?(?=$| because)")


def scheduled(deadline: timedelta | None) -> Schedule:
    """So long for each decision, with a reminder twelve hours before."""
    time = Span(seconds=int(deadline.total_seconds())) if deadline else None
    return Schedule(time=time, remind=(timedelta(hours=12),))


def open_table(
    *players: Person, deadline: timedelta | None = None, schedule: Schedule | None = None, **options: str
) -> Table:
    """A table before the start, moderated by Modi, who does not play."""
    return Table(
        id=1,
        name="inn-7",
        game=GAME,
        options={option.name: option.default for option in GAME.options} | options,
        places=4,
        status=Status.OPEN,
        moderator=MODI,
        secret="ab" * 32,
        schedule=schedule or scheduled(deadline),
        chairs=tuple(Chair(seat, person) for seat, person in enumerate(players, 1)),
    )


class Sitting:
    """One running table and everything that has been decided about it."""

    def __init__(self, table: Table | None = None, deadline: timedelta | None = None) -> None:
        self.table = table or open_table(*PLAYERS, deadline=deadline, first="1")
        self.now = NOW
        self.log: list[Logged] = []
        self.answers: dict[Party, list[Verdict]] = {}
        self.notices: list[Notice] = []
        self.inbox = 0

    @classmethod
    def started(cls, deadline: timedelta | None = None) -> Sitting:
        """Three players, Anna first, the evening open."""
        sitting = cls(deadline=deadline)
        sitting.moderator("START")
        return sitting

    @classmethod
    def at_night(cls, deadline: timedelta | None = None) -> Sitting:
        """The same with the guests lodged in number order; nothing is told yet."""
        sitting = cls.started(deadline)
        sitting.seat(1, "LODGE 1 2 3 4 5 6")
        sitting.answers.clear()
        sitting.notices.clear()
        return sitting

    def known(self, party: Party, reference: Reference | None = None, **facts: object) -> Known:
        known = Known(
            now=self.now,
            party=party,
            games={GAME.name: GAME},
            tables={self.table.name: self.table},
            mine=(self.table.name,),
            reference=reference,
            logs={self.table.name: tuple(self.log)},
            others={person.address: person for person in (*PLAYERS, MODI)},
            codes={(word, self.table.name): CODE for word in ("RESIGN", "END")},
        )
        return replace(known, **facts)  # type: ignore[arg-type]

    @property
    def entries(self) -> list[Entry]:
        return [logged.entry for logged in self.log]

    def party(self, seat: int) -> Party:
        person = self.table.chair(seat).person
        assert person is not None
        return Party(Role.SEAT, person.address, person, self.table.name, seat)

    def seat(self, seat: int, *lines: str, reference: Reference | None = None) -> Verdict:
        """A mail from a seat."""
        return self.send(self.party(seat), lines, reference)

    def moderator(self, *lines: str) -> Verdict:
        """A mail to the moderator's address."""
        return self.send(Party(Role.MODERATOR, MODI.address, MODI, self.table.name), lines)

    def send(self, party: Party, lines: Iterable[str], reference: Reference | None = None) -> Verdict:
        self.inbox += 1
        mail = Mail(lines=tuple(map(confirmed, lines)), received_at=self.now, inbox=self.inbox)
        decided = self.write(decide(self.known(party, reference), mail))
        assert decided.verdict is not None
        return decided.verdict

    def write(self, decided: Decided) -> Decided:
        for change in decided.tables:
            self.table = replace(change.after, version=change.after.version + 1)
            self.log += [Logged(written.entry, written.events, self.now, written.remark) for written in change.written]
        if decided.verdict and decided.to:
            self.answers.setdefault(decided.to, []).append(decided.verdict)
        self.notices += decided.notices
        return decided

    def release(self) -> list[Line]:
        """Run all plans that are due; their lines."""
        lines: list[Line] = []
        while (decided := self._step()) is not None:
            self.write(decided)
            lines += decided.verdict.lines if decided.verdict else ()
        return lines

    def _step(self) -> Decided | None:
        """What runs by itself next: a plan, or what a standing choice settles."""
        plan = releasing.due(self.table)
        return releasing.release(self.table, plan) if plan else standing.answer(self.table)

    def sweep(self) -> Decided | None:
        decided = sweep(self.table, self.now)
        return self.write(decided) if decided else None

    def settle(self) -> tuple[Telling, ...]:
        """The mails that are written now; they count as sent at once."""
        self.release()
        parties = dict.fromkeys([*self.answers, *(notice.to for notice in self.notices)])
        answers = [
            Answers(
                party,
                tuple(self.answers.get(party, ())),
                tuple(notice for notice in self.notices if notice.to == party),
            )
            for party in parties
        ]
        written = tellings(self.table, answers, self.log, self.now)
        self.answers.clear()
        self.notices.clear()
        for telling in written:
            if telling.chair is not None:
                self.table = self.table.with_chair(self._asked(telling.chair) if telling.asks else telling.chair)
        return written

    def _asked(self, chair: Chair) -> Chair:
        """The chair when the mail that asks was accepted for sending."""
        away = chair.person.away if chair.person else None
        return replace(chair, clock=started(self.table.schedule, chair.kind, self.now, chair.bank, away))


def confirmed(line: str) -> str:
    """`line` with its code, if it is a costly word: nobody has to ask for it first."""
    return _COSTLY.sub(rf"\g<0> {CODE}", line)


def reference(telling: Telling, n: int) -> Reference:
    """The mail that `telling` became, as one that is answered."""
    return Reference("<m@example.org>", telling.to.table, telling.to.seat, telling.decision, n, b"")


def offer(address: str, seat: int = 0) -> Invitation:
    return Invitation("inn-7", address, seat)
