"""Whether the year was fair: counted from the mails, the records and what really happened, never from the host's marks.

What the host keeps of misses, reminders and heartbeats is not looked at: it is what may be wrong.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from benchmarks.year.fate import DAY, HOUR, SILENCE, Plan
from benchmarks.year.post import Got
from engine import record
from engine.record import By, Flaw, Flawed, Move, Override, Record, Verb
from pbem.settle import Logged
from pbem.table import Status, Table

NOTHING: Final = timedelta()
STANDS: Final = timedelta(days=45)
"""So long a game may wait for somebody: weeks of absence, a deadline and a moderator's silence."""
_ANEW: Final = frozenset({Verb.PAUSE, Verb.RESUME, Verb.ROLLBACK, Verb.ROLLFORWARD})
"""Behind these whoever is awaited is asked anew."""
_MORE_TIME: Final = frozenset({Verb.EXTEND, Verb.DEADLINE})
"""Behind these the same decision may be late once more."""
_HOSTS: Final = frozenset({By.FALLBACK, By.BOT})
_UNATTENDED: Final = frozenset({Verb.EJECT, Verb.OPEN, Verb.REPLACE, Verb.RESIGN, Verb.BOT})
"""Behind these nobody is waited for at a seat, or somebody else sits there."""


@dataclass(frozen=True, slots=True)
class Span:
    """From when until when something was so."""

    begins: datetime
    ends: datetime

    def overlap(self, other: Span) -> timedelta:
        return max(NOTHING, min(self.ends, other.ends) - max(self.begins, other.begins))


@dataclass(slots=True)
class Evidence:
    """What the judge goes by."""

    mails: list[Got] = field(default_factory=list)
    """All that the host sent, oldest first."""
    outages: list[Span] = field(default_factory=list)
    """As they were made, longer than the host's setting."""
    absences: dict[str, list[Span]] = field(default_factory=lambda: defaultdict(list))
    """By address: from when the host had confirmed one."""
    orders: dict[tuple[str, str], list[datetime]] = field(default_factory=lambda: defaultdict(list))
    """When orders of an address about a table were answered."""


@dataclass(frozen=True, slots=True)
class Game:
    """A table at the end of the year."""

    table: Table
    log: Sequence[Logged]
    plan: Plan

    def overrides(self, *verbs: Verb) -> list[tuple[datetime, Override]]:
        said = ((logged.at, logged.entry.what) for logged in self.log)
        return [(at, what) for at, what in said if isinstance(what, Override) and what.verb in verbs]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge found: how much there was of everything, and every fault in words."""

    counts: Mapping[str, int]
    faults: tuple[str, ...]


def judged(games: Sequence[Game], evidence: Evidence, ends: datetime) -> Verdict:
    """The whole year, game by game."""
    by_table: dict[str, list[Got]] = defaultdict(list)
    for mail in evidence.mails:
        by_table[mail.table].append(mail)
    faults: list[str] = []
    counts = Counter[str](games=len(games))
    for game in games:
        mails = by_table[game.table.name]
        faults += [f"{game.table.name}: {fault}" for fault in _faults(game, mails, evidence, ends)]
        counts.update(_counted(game, mails))
    return Verdict(counts, tuple(faults))


def _counted(game: Game, mails: Iterable[Got]) -> Counter[str]:
    counts = Counter[str](finished=game.table.status in (Status.OVER, Status.ENDED), entries=len(game.log))
    for logged in game.log:
        what = logged.entry.what
        counts[f"moves by {what.by}" if isinstance(what, Move) else f"{getattr(what, 'verb', 'deal')}s"] += 1
    for mail in mails:
        counts.update(mails=1, reminders=mail.reminder, charges=mail.moved, referred=mail.referred)
    return counts


def _faults(game: Game, mails: Sequence[Got], evidence: Evidence, ends: datetime) -> Iterator[str]:
    yield from _record_faults(game)
    yield from _end_faults(game, evidence, ends)
    for address in sorted({mail.to for mail in mails}):
        own = [mail for mail in mails if mail.to == address and not mail.moderator]
        yield from _reminder_faults(game, own)
        yield from _charge_faults(game, own, evidence)
    yield from _move_faults(game, mails, evidence)


# Records and ends


def _record_faults(game: Game) -> Iterator[str]:
    """A record that runs lacks its end and nothing else."""
    if game.table.header is None:
        return
    over = game.table.status in (Status.OVER, Status.ENDED)
    try:
        record.verify(game.table.game, _whole(game))
    except Flawed as flawed:
        if over or flawed.flaw is not Flaw.UNFINISHED:
            yield f"its record does not hold: {flawed.flaw}"


def _whole(game: Game) -> Record:
    """The record so far; while its game runs nobody but the judge sees it."""
    table = game.table
    assert table.header is not None
    entries = tuple(logged.entry for logged in game.log)
    return Record(table.header, entries, table.head, table.secret, table.game.outcome(table.running.state))


def _end_faults(game: Game, evidence: Evidence, ends: datetime) -> Iterator[str]:
    """A game that is not over waits for whoever is awaited, or, paused or at an empty seat, for its moderator."""
    table = game.table
    if table.status is Status.OPEN:
        yield "it never began"
    if table.status is not Status.RUNNING:
        return
    if game.log[-1].at + STANDS < ends:
        yield f"it stands still since {game.log[-1].at:%Y-%m-%d}"
    if not table.waiting and not table.running.paused:
        yield "it runs, and waits for nobody"
    stood = Span(game.log[-1].at, ends)
    lasted = stood.ends - stood.begins - sum((stood.overlap(outage) for outage in evidence.outages), NOTHING)
    yield from (fault for decision in table.waiting for fault in _awaited_faults(table, decision.seat, lasted))


def _awaited_faults(table: Table, seat: int, lasted: timedelta) -> Iterator[str]:
    """Who is awaited is a person; or for an empty seat its moderator, and no longer than he may be silent."""
    chair = table.chair(seat)
    if chair.person is not None:
        return
    if not chair.vacant:
        yield f"it waits for {chair.name}, which the host or a bot answers for"
    elif lasted > SILENCE + DAY:
        yield f"it waits for {table.moderator.name} to give {chair.name} away, for {lasted.days} days"


# Reminders


def _reminder_faults(game: Game, own: Sequence[Got]) -> Iterator[str]:
    """At most one for each mark of a deadline, and none for a decision that was not asked for."""
    anew = [at for at, _ in game.overrides(*_ANEW)]
    told = Counter((bisect_left(anew, mail.at), mail.asked, mail.due) for mail in own if mail.reminder and mail.asked)
    for (_, asked, due), count in told.items():
        if count > game.plan.reminders:
            yield f"{count} reminders of {asked} by {due}"


# Charges


def _charge_faults(game: Game, own: Sequence[Got], evidence: Evidence) -> Iterator[str]:
    """Each missed deadline was asked for, had its whole time, and was charged once."""
    charged = Counter[tuple[datetime, int, int, str]]()
    more = [at for at, _ in game.overrides(*_MORE_TIME)]
    moved = _moved_at(game, own)
    for index, mail in enumerate(own):
        if not (mail.moved or mail.referred):
            continue
        asked = _asked(game, own[:index], mail.at)
        if asked is None:
            yield f"{mail.to} was charged at {mail.at} without having been asked"
            continue
        charged[
            asked.at, bisect_left(more, mail.at), bisect_left(moved, mail.at), "moved" if mail.moved else "referred"
        ] += 1
        had = _had(game, asked.at, mail, evidence)
        if had < game.plan.hours * HOUR:
            yield f"{mail.to} was charged at {mail.at} after {had} of {game.plan.hours} hours ({asked.subject})"
    yield from (
        f"{what} {count} times for what was asked {at}" for (at, *_, what), count in charged.items() if count > 1
    )


def _moved_at(game: Game, own: Sequence[Got]) -> list[datetime]:
    """When the reader of `own` has moved himself; of who sits there no more, when anybody has.

    A mail calls by one name what is decided one by one, as travelers that are lodged: a move stands between them.
    """
    reader = {mail.to for mail in own}
    seats = {chair.seat for chair in game.table.chairs if chair.person and chair.person.address in reader}
    moves = ((logged.at, logged.entry.what) for logged in game.log)
    own_moves = ((at, what) for at, what in moves if isinstance(what, Move) and what.by not in _HOSTS)
    return [at for at, what in own_moves if not seats or what.seat in seats]


def _asked(game: Game, before: Sequence[Got], at: datetime) -> Got | None:
    """The mail that asked for the decision that was open at `at`: the first of those that named it last."""
    asking = [mail for mail in before if mail.asked and mail.at < at]
    if not asking:
        return None
    anew = max(
        (when for when, _ in game.overrides(*_ANEW) if when < at), default=datetime.min.replace(tzinfo=at.tzinfo)
    )
    first = None
    for mail in reversed(asking):
        if mail.asked != asking[-1].asked or mail.at < anew:
            break
        first = mail
        if mail.moved:  # what was asked before it has been decided; the next may be called the same
            break
    return first or asking[-1]


def _had(game: Game, asked_at: datetime, mail: Got, evidence: Evidence) -> timedelta:
    """How much time of his own somebody has had: none counts in which the host, or he, was known to be away."""
    begins = max((a.ends for a in evidence.absences[mail.to] if a.begins <= asked_at < a.ends), default=asked_at)
    whole = Span(begins, max(begins, mail.at))
    lost = sum((whole.overlap(outage) for outage in evidence.outages), NOTHING)
    paused = sum((whole.overlap(pause) for pause in _pauses(game, mail.at)), NOTHING)
    return whole.ends - whole.begins - lost - paused


def _pauses(game: Game, until: datetime) -> Iterator[Span]:
    begins: datetime | None = None
    for at, what in game.overrides(Verb.PAUSE, Verb.RESUME):
        if what.verb is Verb.PAUSE:
            begins = at
        elif begins is not None:
            yield Span(begins, at)
            begins = None
    if begins is not None:
        yield Span(begins, until)


# Moves that nobody made


def _move_faults(game: Game, mails: Sequence[Got], evidence: Evidence) -> Iterator[str]:
    """Each move of the host for a seat was told as a charge, or follows so many that nobody waits any more."""
    told = Counter((mail.to, mail.at) for mail in mails if mail.moved)
    sitting = {chair.person.address for chair in game.table.chairs if chair.person}
    gone = {mail.to for mail in mails if not mail.moderator} - sitting
    """Who sat at the table once, and nobody knows any more at which seat."""
    unattended: set[int] = set()
    for logged in game.log:
        what = logged.entry.what
        if isinstance(what, Override):
            _attend(unattended, what)
        if not isinstance(what, Move) or what.by not in _HOSTS or what.seat in unattended:
            continue
        person = game.table.chair(what.seat).person
        if person is None:
            continue
        sat = {person.address, *gone}
        if reader := next((each for each in sat if told[each, logged.at]), None):
            told[reader, logged.at] -= 1
        elif not any(_is_missing(game, each, mails, logged.at, evidence) for each in sat):
            yield f"{person.name} was moved for at {logged.at} without a word"


def _attend(unattended: set[int], what: Override) -> None:
    if what.verb in _UNATTENDED:
        unattended.add(what.seat)
    elif what.verb is Verb.PERSON:
        unattended.discard(what.seat)


def _is_missing(game: Game, address: str, mails: Sequence[Got], at: datetime, evidence: Evidence) -> bool:
    """Whether so many charges have followed the last order of `address` that the others do not wait for it."""
    last = max((when for when in evidence.orders[address, game.table.name] if when < at), default=game.plan.opens_at)
    charges = sum(mail.moved or mail.referred for mail in mails if mail.to == address and last <= mail.at <= at)
    return 0 < game.plan.skip_after <= charges
