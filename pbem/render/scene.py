"""What a mail shows besides the position itself, as values for one reader.

Templates never see a table, a state or a secret (law 3): a `Scene` is built field by field from what its
reader may know, and the game's part comes from his own view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from engine.game import Decision, Outcome
from engine.record import SHORT_HEAD, Move, Override
from pbem.levels import levels
from pbem.parties import Party, Role
from pbem.plans.syntax import WAIT
from pbem.schedule import Clock
from pbem.settle import REMINDER, VOTED, Telling
from pbem.table import Status, Table
from pbem.tally import tallies
from pbem.times import When, utc
from pbem.verdicts import Line, Said, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class MailFacts:
    """What only the shell knows of a mail. The token is not among it: no text can let it slip."""

    now: datetime
    """Aware, in UTC."""
    host: str
    """The name of the host, as in its settings."""
    address: str
    """The host's address without a token, where anybody may write."""
    mark: str
    """`compose.mark` of the Message-ID."""
    zone: str = "UTC"
    """Of the reader."""
    clock: Clock | None = None
    """Of the reader's open decision; in a mail that asks, as if it began now."""
    language: str = "en"
    page: str = ""
    """The address at which anybody can read the game once it is over, or nothing."""
    html: bool = True
    """The reader's mails have a form in HTML, too."""
    pictures: bool = True
    """It shows the position as a picture."""
    brief: bool = False
    """The text shows the position in few lines."""

    def when(self, moment: datetime | str) -> When:
        """`moment`, or its ISO form as facts hold it, as the reader sees it."""
        return When(moment if isinstance(moment, datetime) else utc(moment), self.zone, self.now, self.language)


class Summary(StrEnum):
    """What became of the lines of a mail, in a word for the subject."""

    NOTHING = ""
    """There is no answer in this mail."""
    DONE = "done"
    PLANNED = "planned"
    PARTLY = "partly"
    NOT = "not"
    ANSWERED = "answered"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True)
class Planned:
    """A line that the reader's seat has in store."""

    decision: Decision
    text: str


@dataclass(frozen=True, slots=True)
class Awaited:
    """A seat whose answer the game waits for."""

    seat: int
    name: str
    due: When | None
    """Nothing where no deadline runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What shows, once the game is over, that every deal was settled before it began."""

    secret: str
    commitment: str
    phrases: bool
    """Players have added phrases."""
    chosen: bool
    """The secret was chosen, not drawn: nothing is proved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncedScene:
    """What somebody else than its player did to a seat or a table, and what stands beside it."""

    what: Override | Move
    name: str
    """Of the seat that it is about, if it is about one."""
    names: tuple[str, ...]
    """Of all seats."""
    who: str
    """The name of who did it, where it is known."""
    keeper: bool
    """It was the keeper of the host."""
    voted: bool
    """The players have voted for it."""
    why: str
    facts: Mapping[str, Any]
    """What was before and what is after."""

    @property
    def moved(self) -> tuple[str, ...]:
        """Whose moves a rollback took back."""
        return tuple(self.names[seat - 1] for seat in self.facts.get("of", ()))

    @property
    def seen(self) -> tuple[str, ...]:
        """Who had seen things of their own that a rollback took back."""
        return tuple(self.names[seat - 1] for seat in self.facts.get("seen", ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteScene:
    """Something that players vote on."""

    motion: str
    about: str
    """The name of the seat that it is about, if it is about one."""
    names: tuple[str, ...]
    """Of those who have voted for it."""
    missing: int
    may: bool
    """The reader may vote for it, and has not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableScene:
    """A table as anybody at it may know it."""

    name: str
    label: str
    """What people call it beside, or nothing."""
    title: str
    status: Status
    paused: bool
    names: tuple[str, ...]
    """Of the seats, in order."""
    moderator: str
    n: int
    head: str
    """The short head; nothing before the start."""
    outcome: Outcome | None
    winners: tuple[str, ...]
    look_up: bool
    """Whether the game has cards and rules to ask for."""
    proof: Proof | None
    """Only when the game is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A mail's reader, what he is asked, and what else is the host's to say."""

    host: str
    address: str
    mark: str
    role: Role
    reader: str
    """His name; nothing while he has none."""
    seat: int
    table: TableScene | None
    decision: Decision | None
    """The reader's open decision."""
    due: When | None
    due_there: str
    """The same in the table's zone, where its clocks show another time than the reader's; or nothing."""
    lapses: When | None
    """When the host stops waiting, if that is later, by grace and saved time."""
    begins: When | None
    """When the reader's clock begins, if he is away now."""
    undo: When | None
    """Until when the reader may take back what his last order did; the others are told after that."""
    votes: tuple[VoteScene, ...]
    """What the players vote on in this round, unless the mail brings a vote as its news."""
    away: tuple[tuple[str, When, bool], ...]
    """Names of others at the table who are away, until when, and whether a bot plays meanwhile."""
    missing: tuple[tuple[str, int], ...]
    """Names of seats that have let deadlines pass since their last order, and how many."""
    ahead: tuple[Decision, ...]
    """What else the reader will have to decide in this round."""
    soon: bool
    """The first of these belongs to the phase that the table is in, so that it is sure enough to speak of."""
    others: tuple[str, ...]
    """Names of the others who are awaited."""
    watchers: tuple[str, ...]
    """Names of who watches, the reader not among them."""
    awaited: tuple[Awaited, ...]
    """All who are, the reader among them."""
    plans: tuple[Planned, ...]
    summary: Summary
    answers: bool
    """Whether a mail of the reader is answered."""
    reminder: bool
    state: bool
    final: bool
    page: str
    """Where the game can be read, now that it is over; or nothing."""


def scene(telling: Telling, table: Table | None, facts: MailFacts) -> Scene:
    """The scene of one mail; `table` is the one that it is about."""
    to, seat = telling.to, telling.to.seat if telling.to.role is Role.SEAT else 0
    decision = table.open_decision(seat) if table and seat else None
    ahead = table.ahead(seat) if table and seat else ()
    clock = facts.clock if decision else None
    return Scene(
        host=facts.host,
        address=facts.address,
        mark=facts.mark,
        role=to.role,
        reader=_reader(to, table),
        seat=seat,
        table=table_scene(table) if table else None,
        decision=decision,
        due=facts.when(clock.due_at) if clock else None,
        due_there=_there(facts.when(clock.due_at), table.schedule.zone) if table and clock else "",
        lapses=facts.when(clock.lapses_at) if clock and clock.lapses_at > clock.due_at and not clock.referred else None,
        begins=facts.when(clock.began_at) if clock and clock.began_at > facts.now else None,
        undo=facts.when(table.hold.until) if table and table.hold and table.hold.seat == seat else None,
        votes=_votes(table, seat) if table and table.position and not _tells(telling, VOTED) else (),
        away=_away(table, seat, facts) if table else (),
        missing=_missing(table) if table else (),
        ahead=tuple(each for each in ahead if each != decision),
        soon=_soon(table, tuple(each for each in ahead if each != decision)),
        others=_others(table, seat) if table else (),
        watchers=_watchers(table, to) if table else (),
        awaited=_awaited(table, facts) if table else (),
        plans=_plans(table, seat, ahead) if table else (),
        summary=summary(telling.verdicts),
        answers=any(verdict.received_at for verdict in telling.verdicts),
        reminder=_tells(telling, REMINDER),
        state=telling.state or telling.final,
        final=telling.final,
        page=facts.page if telling.final and table and not table.sealed else "",
    )


def _tells(telling: Telling, kind: str) -> bool:
    return any(notice.kind == kind for notice in telling.notices)


def _soon(table: Table | None, ahead: Sequence[Decision]) -> bool:
    if table is None or not ahead or not table.waiting:
        return False
    now, later = table.waiting[0], ahead[0]
    return (now.round, now.phase) == (later.round, later.phase)


def _there(due: When, zone: str) -> str:
    """The moment on the clocks of another zone; nothing where they show the same."""
    there = replace(due, zone=zone)
    if there.shown == due.shown:
        return ""
    return there.time if there.shown.date() == due.shown.date() else there.long


def _away(table: Table, seat: int, facts: MailFacts) -> tuple[tuple[str, When, bool], ...]:
    others = (
        (chair.person, table.names[chair.seat - 1]) for chair in table.chairs if chair.person and chair.seat != seat
    )
    there = [(name, person.away) for person, name in others if person.away and person.away.covers(facts.now)]
    return tuple((name, facts.when(away.ends_at), away.bot and bool(levels(table.game))) for name, away in there)


def _votes(table: Table, seat: int) -> tuple[VoteScene, ...]:
    return tuple(
        VoteScene(
            motion=each.motion.value,
            about=table.names[each.seat - 1] if each.seat else "",
            names=tuple(table.names[voter - 1] for voter in each.cast),
            missing=each.missing,
            may=seat in set(each.voters) - set(each.cast),
        )
        for each in tallies(table)
    )


def _missing(table: Table) -> tuple[tuple[str, int], ...]:
    pairs = zip(table.names, table.chairs, strict=True)
    return tuple((name, chair.misses) for name, chair in pairs if chair.misses)


def table_scene(table: Table) -> TableScene:
    """What anybody may know of `table` besides its position."""
    begun = table.position is not None
    outcome = table.game.outcome(table.running.state) if begun else None
    return TableScene(
        name=table.name,
        label=table.label,
        title=table.game.title,
        status=table.status,
        paused=begun and table.running.paused,
        names=table.names,
        moderator=table.moderator.name,
        n=table.running.n if begun else 0,
        head=table.head[:SHORT_HEAD] if begun else "",
        outcome=outcome,
        winners=winners(table.names, outcome),
        look_up="lookup" in table.game.capabilities,
        proof=_proof(table),
    )


def winners(names: Sequence[str], outcome: Outcome | None) -> tuple[str, ...]:
    """Who came first; nobody while the game runs or when it was lost."""
    if outcome is None:
        return ()
    return tuple(name for name, place in zip(names, outcome.places, strict=True) if place == 1)


def _proof(table: Table) -> Proof | None:
    if table.status not in (Status.OVER, Status.ENDED) or table.header is None or table.sealed:
        return None
    return Proof(
        secret=table.secret, commitment=table.header.commitment, phrases=bool(table.header.phrases), chosen=table.chosen
    )


def _reader(to: Party, table: Table | None) -> str:
    """What he is called: at his own seat, as the table calls him."""
    if table is not None and to.person is not None and to.role is Role.SEAT and table.seat_of(to.person) == to.seat:
        return table.names[to.seat - 1]
    return to.person.name if to.person else ""


def _others(table: Table, seat: int) -> tuple[str, ...]:
    seats = dict.fromkeys(waited.seat for waited in table.waiting if waited.seat not in (0, seat))
    return tuple(table.names[other - 1] for other in seats)


def _awaited(table: Table, facts: MailFacts) -> tuple[Awaited, ...]:
    """By seat; a clock of an earlier decision says nothing."""
    chairs = ((table.chair(decision.seat), decision.key) for decision in table.waiting if decision.seat)
    return tuple(
        Awaited(chair.seat, chair.name, facts.when(chair.due_at) if chair.due_at and chair.asked == key else None)
        for chair, key in chairs
    )


def _watchers(table: Table, to: Party) -> tuple[str, ...]:
    reader = to.person.id if to.person else 0
    return tuple(each.person.name for each in table.watchers if each.person.id != reader)


def _plans(table: Table, seat: int, ahead: Iterable[Decision]) -> tuple[Planned, ...]:
    texts = {plan.decision: plan.text for plan in table.plans if plan.seat == seat and plan.text != WAIT}
    return tuple(Planned(decision, texts[decision.key]) for decision in ahead if decision.key in texts)


_GOOD: Final = (Said.DONE, Said.PLANNED)
_BAD: Final = (Said.REFUSED, Said.UNREAD)
_ALONE: Final = {
    Said.DONE: Summary.DONE,
    Said.PLANNED: Summary.PLANNED,
    Said.ANSWERED: Summary.ANSWERED,
    Said.LAPSED: Summary.LAPSED,
}


def summary(verdicts: Iterable[Verdict]) -> Summary:
    """What became of all lines of `verdicts` taken together."""
    answers = tuple(verdicts)
    lines: tuple[Line, ...] = tuple(line for verdict in answers for line in verdict.lines)
    said = {line.said for line in lines}
    good = said.intersection(_GOOD)
    if said.intersection(_BAD) or any(verdict.reason for verdict in answers):
        return Summary.PARTLY if good else Summary.NOT
    return next((word for each, word in _ALONE.items() if each in said), Summary.NOTHING)
