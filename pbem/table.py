"""A table: people on chairs around a game, and what it means to make a move there.

All values are frozen; the functions give the next table and the entries to be written, and do no I/O.
Times are aware and in UTC.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

import msgspec

from engine import record, shuffle
from engine.game import DEALER, AnyGame, Decision
from engine.record import By, Entry, Header, Override, Position, Verb, What
from pbem.chairs import Chair as Chair
from pbem.chairs import Orders as Orders
from pbem.hold import Hold
from pbem.names import folded
from pbem.persons import Mails as Mails
from pbem.persons import Person as Person
from pbem.plans import moments
from pbem.schedule import NO_DEADLINE, Schedule
from pbem.tongues import ENGLISH
from pbem.watcher import Watcher

_LEADING_BACK: Final = frozenset({Verb.ROLLBACK, Verb.ROLLFORWARD})
_LEAVING: Final = frozenset({Verb.REPLACE, Verb.EJECT, Verb.OPEN, Verb.RESIGN})
_CHANGING: Final = frozenset({*_LEADING_BACK, Verb.CORRECT, Verb.RESUME})
"""Overrides after which a deal or an only answer may be due."""


class Status(StrEnum):
    """Of a table."""

    OPEN = "open"
    RUNNING = "running"
    OVER = "over"
    ENDED = "ended"
    """By the moderator, before its end."""


BEGUN: Final = (Status.RUNNING, Status.OVER, Status.ENDED)
"""What a table may be that has a record."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A line kept for a decision that is not open yet, or a standing choice."""

    seat: int
    decision: str
    """The key of the decision, or another one of `moments`."""
    text: str
    """Without a heading."""
    inbox: int = 0
    """The mail it came in, and its line there."""
    line: int = 0
    id: int = 0


@dataclass(frozen=True, slots=True)
class Remark:
    """What stands beside an entry that a moderator made: it is told with it, and can be withdrawn."""

    by: int = 0
    """The id of the person who did it; 0: the keeper of the host."""
    name: str = ""
    """Of that person; nothing for the keeper."""
    why: str = ""
    """The reason, in his own words."""
    facts: dict[str, Any] = field(default_factory=dict)
    """What was before and what is after, as JSON values."""


@dataclass(frozen=True, slots=True)
class Written:
    """An entry to be appended, and the events that it caused (secret ones included)."""

    entry: Entry
    events: tuple[Any, ...] = ()
    remark: Remark | None = None


@dataclass(frozen=True, kw_only=True)
class Table:
    """All that is known of one table. It has no slots, so that what follows from it can be worked out once."""

    id: int
    name: str
    """As in ``inn-7``; it never changes, since tokens and proofs are made with it."""
    rematch_of: str = ""
    """The name of the table whose players sit again."""
    label: str = ""
    """What people call it beside."""
    game: AnyGame
    options: dict[str, str]
    places: int
    """Most seats it takes while open; the number of seats once running."""
    status: Status
    moderator: Person
    moderator_epoch: int = 0
    """Of the tokens of all who moderate."""
    co_moderators: tuple[Person, ...] = ()
    """Who moderates beside him, by id."""
    secret: str
    """256 bits in hex. Never shown before the end."""
    chosen: bool = False
    schedule: Schedule = NO_DEADLINE
    """How long its decisions may take."""
    chairs: tuple[Chair, ...] = ()
    header: Header | None = None
    position: Position | None = None
    head: str = ""
    sealed: bool = False
    """A moderator ended it and keeps its secret and its hands closed until REVEAL."""
    rolled: int = 0
    """The entry of the last rollback: an answer to a mail from before it has passed."""
    undone: tuple[int, int] = (0, 0)
    """The entry that the last undo led back to, and its own: what a mail between the two asked is no more."""
    hold: Hold | None = None
    """What a seat may still take back; the others wait."""
    plans: tuple[Plan, ...] = ()
    witnesses: frozenset[int] = frozenset()
    """The ids of those who may have seen every hand while they moderated: none of them can play here any more."""
    watchers: tuple[Watcher, ...] = ()
    """Who watches, by the id of the person."""
    version: int = 0
    """Of the stored row: writing compares and sets it."""

    def __repr__(self) -> str:
        return f"<Table {self.name} {self.status} v{self.version}>"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the seats are called, each otherwise: somebody's own name is never another's at this table."""
        if not any(chair.called for chair in self.chairs):
            return tuple(chair.own_name for chair in self.chairs)
        own = {folded(chair.own_name): chair.seat for chair in self.chairs}
        return tuple(
            chair.name if own.get(folded(chair.called), chair.seat) == chair.seat else chair.own_name
            for chair in self.chairs
        )

    @property
    def running(self) -> Position:
        """The position of a game that has begun."""
        assert self.position is not None, f"{self.name} has not begun"
        return self.position

    @cached_property
    def waiting(self) -> tuple[Decision, ...]:
        """The open decisions that people have to make; none while the game is paused."""
        if self.status is not Status.RUNNING or self.running.paused:
            return ()
        return self.game.waiting(self.running.state)

    @property
    def free(self) -> tuple[Decision, ...]:
        """Those of `waiting` that may be answered by what somebody has settled before: in a hold, its own seat's."""
        return tuple(each for each in self.waiting if self.hold is None or each.seat == self.hold.seat)

    @property
    def private(self) -> bool:
        """Nobody but its moderator plays, who has nothing to hide from himself."""
        return all(chair.person is None or chair.person.id == self.moderator.id for chair in self.chairs)

    @property
    def is_trial(self) -> bool:
        """A copy of another game to try something out: nobody else plays in it, and nothing in it is a secret."""
        return self.header is not None and isinstance(self.header.trial, record.Trial)

    @property
    def moderators(self) -> tuple[Person, ...]:
        """Everybody who moderates, the moderator first."""
        return (self.moderator, *self.co_moderators)

    def moderates(self, person: Person) -> bool:
        return any(each.id == person.id for each in self.moderators)

    def seen_by(self, person: Person) -> bool:
        """Whether every hand is open to `person`: to who moderates and does not play, in a trial copy or where the
        table wants it so."""
        open_to_him = self.is_trial or not self.schedule.blind
        return open_to_him and self.moderates(person) and not self.seat_of(person)

    @property
    def witnessed(self) -> Table:
        """The same, and it is kept who may see every hand in it."""
        witnesses = {person.id for person in self.moderators if self.header is not None and self.seen_by(person)}
        return self if witnesses <= self.witnesses else replace(self, witnesses=self.witnesses | witnesses)

    def watcher(self, person: Person) -> Watcher | None:
        """`person` as a watcher, if he is one."""
        return next((each for each in self.watchers if each.person.id == person.id), None)

    def with_watcher(self, watcher: Watcher) -> Table:
        others = (each for each in self.watchers if each.person.id != watcher.person.id)
        return replace(self, watchers=tuple(sorted((*others, watcher), key=lambda each: each.person.id)))

    def without_watcher(self, person: Person) -> Table:
        """The same, not watched by `person`: he has no mind to, or plays from now on."""
        return replace(self, watchers=tuple(each for each in self.watchers if each.person.id != person.id))

    def chair(self, seat: int) -> Chair:
        return self.chairs[seat - 1]

    def language(self, seat: int | None) -> str:
        """What who sits at `seat` reads and writes; English for a bot, an empty seat and the public."""
        person = self.chair(seat).person if seat else None
        return person.language if person else ENGLISH

    def seat_of(self, person: Person) -> int:
        """The seat where `person` sits, or 0."""
        return next((c.seat for c in self.chairs if c.person and c.person.id == person.id), 0)

    def open_decision(self, seat: int) -> Decision | None:
        return next((decision for decision in self.waiting if decision.seat == seat), None)

    def ahead(self, seat: int) -> tuple[Decision, ...]:
        """What `seat` may still have to decide in this round, the open decision first."""
        if self.status is not Status.RUNNING:
            return ()
        return self.game.ahead(self.running.state, seat)

    def view(self, seat: int | None) -> Any:
        """What `seat` (``None``: the public) may see."""
        return self.game.view(self.running.state, seat, self.names)

    def known_view(self, seat: int) -> Any:
        """The same as far as `seat` may be told: of what another seat may still take back it hears nothing."""
        if self.hold is None or seat == self.hold.seat:
            return self.view(seat)
        return self.game.view(self.hold.before, seat, self.names)

    def with_chair(self, chair: Chair) -> Table:
        return replace(self, chairs=(*self.chairs[: chair.seat - 1], chair, *self.chairs[chair.seat :]))


def table_name(kind: str, number: int) -> str:
    """What a table is called: by the last word of its game's name, and its number among all tables."""
    return f"{kind.rsplit('-', 1)[-1]}-{number}"


def begin(table: Table) -> tuple[Table, tuple[Written, ...]]:
    """Close the sign-up and deal: the header is settled, seats are numbered as the chairs stand."""
    phrases = tuple(shuffle.phrase_hash(table.name, chair.seat, chair.phrase) for chair in table.chairs if chair.phrase)
    header = Header(
        format=record.FORMAT,
        game=table.name,
        kind=table.game.name,
        version=table.game.version,
        seats=len(table.chairs),
        options=table.options,
        commitment=shuffle.commitment(table.name, table.secret),
        phrases=phrases,
        chosen=table.chosen,
    )
    return opened(table, header)


def opened(table: Table, header: Header) -> tuple[Table, tuple[Written, ...]]:
    """A game that begins as `header` says, and what follows without anybody's choice."""
    position, head = record.opening(table.game, header), record.header_hash(header, table.secret)
    begun = replace(table, status=Status.RUNNING, places=len(table.chairs), header=header)
    return _advance(replace(begun, position=position, head=head).witnessed)


def play(table: Table, seat: int, action: Any, by: By) -> tuple[Table, tuple[Written, ...]]:
    """A move, and all that follows from it without anybody's choice: deals and only answers.

    Raises the game's `Illegal`, and then nothing has changed.
    """
    moved, first = _append(table, record.move(table.game, seat, action, by))
    settled, rest = _advance(moved)
    return settled, (first, *rest)


def overrule(table: Table, what: Override, past: Sequence[Position] = ()) -> tuple[Table, tuple[Written, ...]]:
    """What a moderator does, as an entry, and what follows from it without anybody's choice.

    A rollback or a rollforward needs `past`, all positions so far, and clears every plan, made for another position,
    but no standing choice. An undo, which is a seat's, needs the hold that it ends. A correction may raise the game's
    `Illegal`. `ValueError` for what no check of the record would let pass: it is never written.
    """
    assert table.header is not None
    if not record.fits(table.game, table.header, table.running, what):
        raise ValueError(f"no record holds this {what.verb} here")
    target, events = _target(table, what, past)
    entry = record.link(table.head, table.running.n + 1, what)
    after = replace(table, position=record.override(table.running, what, target), head=entry.hash, hold=None)
    after = _without_plans(after, what)
    if what.verb is Verb.UNDO:
        after = replace(after, undone=(what.to, entry.n))
    if what.verb in _LEADING_BACK:
        chairs = tuple(replace(chair.unasked, phase="", orders=None, ballot=None) for chair in after.chairs)
        after = replace(after, chairs=chairs, rolled=entry.n)
    after = replace(after, status=_status(after)).witnessed
    first = Written(entry, events)
    if what.verb not in _CHANGING or after.running.paused or after.status is not Status.RUNNING:
        return after, (first,)
    settled, rest = _advance(after)
    return settled, (first, *rest)


def unasked(table: Table) -> Table:
    """`table` with nobody's clock running: whoever is awaited gets asked anew."""
    return replace(table, chairs=tuple(chair.unasked for chair in table.chairs))


def _target(table: Table, what: Override, past: Sequence[Position]) -> tuple[Position | None, tuple[Any, ...]]:
    """The position that an override leads to, if to another one, and what happened on the way."""
    if what.verb in _LEADING_BACK:
        return past[what.to], ()
    if what.verb is Verb.UNDO:
        assert table.hold is not None, "nothing is held"
        return msgspec.structs.replace(table.running, state=table.hold.before), ()
    if what.verb is Verb.FINISH:
        step = record.finished(table.game, table.running.state)
    elif isinstance(what.change, dict):
        step = record.corrected(table.game, table.running.state, what.change)
    else:
        return None, ()
    return msgspec.structs.replace(table.running, state=step.state), step.events


def _without_plans(table: Table, what: Override) -> Table:
    """The plans of a seat go with its player, all go with the position that they were made for."""
    if what.verb in _LEADING_BACK:
        return replace(table, plans=tuple(plan for plan in table.plans if moments.is_always(plan.decision)))
    if what.verb not in _LEAVING:
        return table
    return replace(table, plans=tuple(plan for plan in table.plans if plan.seat != what.seat))


def _append(table: Table, what: record.Move | record.Dealt) -> tuple[Table, Written]:
    position, events = record.follow(table.game, table.running, what)
    entry = record.link(table.head, position.n, what)
    after = replace(table, position=position, head=entry.hash, hold=None)
    if isinstance(what, record.Move):
        after = after.with_chair(after.chair(what.seat).unasked)
    return replace(after, status=_status(after)), Written(entry, events)


def _status(table: Table) -> Status:
    if table.running.ended:
        return Status.ENDED
    return Status.OVER if table.game.outcome(table.running.state) else Status.RUNNING


def _advance(table: Table) -> tuple[Table, tuple[Written, ...]]:
    written: list[Written] = []
    while (what := _without_choice(table)) is not None:
        table, entry = _append(table, what)
        written.append(entry)
    return replace(table, plans=_still_ahead(table)), tuple(written)


def _without_choice(table: Table) -> record.Move | record.Dealt | None:
    """The deal that is due, or the move of a seat that has a single answer."""
    for decision in table.game.waiting(table.running.state):
        if decision.seat == DEALER:
            assert table.header is not None
            return record.deal(table.header, table.secret, table.running.deals + 1, decision.size)
        if decision.answers == 1:
            action = next(table.game.legal(table.running.state, decision.seat))
            return record.move(table.game, decision.seat, action, By.HOST)
    return None


def _still_ahead(table: Table) -> tuple[Plan, ...]:
    if not table.plans:
        return ()
    if table.status in (Status.OVER, Status.ENDED):
        return ()
    round = max((decision.round for decision in table.game.waiting(table.running.state)), default=0)
    ahead = {chair.seat: table.ahead(chair.seat) for chair in table.chairs}
    return tuple(plan for plan in table.plans if moments.is_to_come(plan.decision, ahead[plan.seat], round))


def whats(entries: Sequence[Entry]) -> list[What]:
    """What the entries of a record say, without their hashes."""
    return [entry.what for entry in entries]
