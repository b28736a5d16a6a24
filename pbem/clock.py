"""Deadlines and reminders, as pure functions of a table and the time.

A deadline acts only after a look at the mailbox that began after it (law 7), so `until` is the time at which
that look began. All seats that are late are treated at once, so that nobody gains by another's delay.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from engine.game import Decision
from engine.record import By
from engine.shuffle import Stream
from pbem import vacancy
from pbem.levels import ITERATIONS, bot_of
from pbem.parties import Changed, Decided, Notice, moderator_party, seat_party
from pbem.schedule import NOTHING, Clock, Missed, reminded, saved, started
from pbem.settle import REMINDER
from pbem.table import Chair, Person, Table, Written, play

MISSED: Final = "missed"
WAITING: Final = "waiting"
"""To a seat whose deadline has passed and whose moderator was asked."""
REFERRED: Final = "referred"
"""To that moderator."""


@dataclass(frozen=True, slots=True)
class _Swept:
    """What a look at the clock has decided so far."""

    table: Table
    written: tuple[Written, ...] = ()
    notices: tuple[Notice, ...] = ()

    def saying(self, *notices: Notice) -> _Swept:
        return replace(self, notices=(*self.notices, *notices))


def overdue(table: Table, until: datetime) -> tuple[Chair, ...]:
    """The chairs whose open decision lapsed by `until`."""
    return tuple(chair for chair, clock in _running(table) if clock.lapses_at <= until)


def sweep(table: Table, until: datetime) -> Decided | None:
    """What follows for every seat that is late by `until`, as the table's schedule says; ``None`` if none is."""
    late = overdue(table, until)
    swept = _Swept(table)
    for chair in late:
        decision = swept.table.open_decision(chair.seat)
        if decision is not None and decision.key == chair.asked:
            swept = _lapsed(swept, chair, decision, until)
    return _decided(table, swept)


def play_on(table: Table) -> Decided | None:
    """The move of a seat that is given up. No mail can come from there, so it needs no look at the mailbox."""
    return _first_moved(table, lambda chair: chair.given_up)


def pass_over(table: Table, now: datetime) -> Decided | None:
    """The move of a seat whose player has gone missing, at once, so that the others need not wait for him again.

    It takes somebody else who plays: where everybody is missing, nobody is in a hurry.
    """
    return _first_moved(table, lambda chair: is_passed_over(table, chair, now))


def is_passed_over(table: Table, chair: Chair, now: datetime) -> bool:
    """Whether the decisions of a chair are made at once, since its player has gone missing."""
    if not _is_missing(table, chair) or is_away(chair.person, now):
        return False
    others = (other for other in table.chairs if other.person and other.seat != chair.seat)
    return any(not _is_missing(table, other) for other in others)


def is_away(person: Person | None, now: datetime) -> bool:
    return person is not None and person.away is not None and person.away.covers(now)


def remind(table: Table, now: datetime) -> Decided | None:
    """A reminder for each seat that one is due for. Of several that were slept through only the last is sent."""
    after, notices = table, list[Notice]()
    for chair, clock in _running(table):
        if clock.remind_at is None or clock.remind_at > now:
            continue
        next_clock = next_reminder(table, chair, clock, now)
        after = after.with_chair(replace(chair, clock=next_clock))
        if chair.vacant and now < clock.due_at:
            notices += vacancy.waits(table, chair)
        elif chair.person and now < clock.due_at:
            facts = {"last": next_clock.remind_at is None, "missed": table.schedule.missed.value}
            notices.append(Notice(seat_party(table, chair.seat), REMINDER, facts))
    return Decided(tables=(Changed(table, after),), notices=tuple(notices)) if after != table else None


def next_reminder(table: Table, chair: Chair, clock: Clock, now: datetime) -> Clock:
    """`clock`, of `chair`, with the next reminder behind `now`: its player's, or of an empty one the moderators'."""
    return vacancy.reminded(clock, now) if chair.vacant else reminded(table.schedule, clock, now)


def answered(table: Table, seat: int, at: datetime) -> Table:
    """`table` as it is to be when the order of `seat` that came in `at` this time answers its open decision."""
    chair = table.chair(seat)
    decision = table.open_decision(seat)
    if chair.clock is None or decision is None or decision.key != chair.asked:
        return table
    return table.with_chair(replace(chair, bank=saved(table.schedule, chair.bank, chair.clock, at)))


def returned(table: Table, seat: int) -> Table:
    """`table` after any order of `seat`: nothing that it has missed counts any more, and no bot plays for it."""
    chair = table.chair(seat)
    return table.with_chair(replace(chair, misses=0, bot="")) if chair.misses or chair.bot else table


def back(table: Table, seat: int, now: datetime) -> Table:
    """`table` when the player of `seat` is back early: clocks that waited for him begin `now`."""
    chair = returned(table, seat).chair(seat)
    if chair.clock is not None and chair.clock.began_at > now:
        chair = replace(chair, clock=started(table.schedule, chair.kind, now, chair.bank))
    return table.with_chair(chair)


# What a deadline does


def _lapsed(swept: _Swept, chair: Chair, decision: Decision, until: datetime) -> _Swept:
    """One seat whose time is over: its miss is counted, and its move is made, or its moderator asked."""
    if chair.vacant:
        return _fallen(swept, chair, decision)
    table = swept.table
    if chair.clock is not None and not chair.clock.referred:
        chair = replace(chair, misses=chair.misses + 1, bank=NOTHING)
        swept = replace(swept, table=table.with_chair(chair))
        if _asks_moderator(table, chair):
            return _referred(swept, chair, until)
    return _moved(swept, decision, missed=True)


def _fallen(swept: _Swept, chair: Chair, decision: Decision) -> _Swept:
    """An empty seat that nobody has taken in time: nobody waits for it any more, until somebody sits down there."""
    table = swept.table.with_chair(replace(chair, given_up=True))
    return _moved(replace(swept, table=table), decision).saying(*vacancy.fallen(table, chair))


def _asks_moderator(table: Table, chair: Chair) -> bool:
    """A moderator who would decide about a seat of his own, or is asked for the same seat too often, is not asked."""
    own = chair.person is not None and chair.person.id == table.moderator.id
    return table.schedule.missed is Missed.MODERATOR and not own and not _is_missing(table, chair)


def _referred(swept: _Swept, chair: Chair, until: datetime) -> _Swept:
    """All moderators but one who sits there himself are asked; the seat may still answer for itself."""
    assert chair.clock is not None
    table = swept.table
    clock = replace(
        chair.clock,
        lapses_at=until + timedelta(days=table.schedule.moderator_silent),
        remind_at=None,
        referred=True,
    )
    facts = {
        "game": table.name,
        "name": table.names[chair.seat - 1],
        "misses": chair.misses,
        "until": clock.lapses_at.isoformat(),
    }
    told = replace(swept, table=table.with_chair(replace(chair, clock=clock)))
    for each in table.moderators:
        if chair.person is None or each.id != chair.person.id:
            told = told.saying(Notice(moderator_party(table, each), REFERRED, facts))
    return told.saying(Notice(seat_party(table, chair.seat), WAITING, facts)) if chair.person else told


def _first_moved(table: Table, chosen: Callable[[Chair], bool]) -> Decided | None:
    """The move that is made for the first awaited chair that is `chosen`."""
    for decision in table.free:
        if chosen(table.chair(decision.seat)):
            return _decided(table, _moved(_Swept(table), decision))
    return None


def _moved(swept: _Swept, decision: Decision, *, missed: bool = False) -> _Swept:
    """The move that is made for a seat; its player is told, unless it is one of many for which he is not there."""
    table, seat = swept.table, decision.seat
    action, by = _MOVES[table.schedule.missed](table, decision)
    order = table.game.write(action, table.view(seat), table.language(seat))
    after, entries = play(table, seat, action, by)
    moved = replace(swept, table=after, written=(*swept.written, *entries))
    if not missed or table.chair(seat).person is None:
        return moved
    chair = table.chair(seat)
    facts = {"order": order, "misses": chair.misses, "skipped": _is_missing(table, chair), "bot": by is By.BOT}
    return moved.saying(Notice(seat_party(table, seat), MISSED, facts))


def _fallback(table: Table, decision: Decision) -> tuple[Any, By]:
    return table.game.fallback(table.running.state, decision.seat), By.FALLBACK


def _by_bot(table: Table, decision: Decision) -> tuple[Any, By]:
    """What the game's bot does. Its chance follows from the record, so that anybody can ask it again."""
    words = ("pbem bot 1", table.head, decision.key)
    stream = Stream(hashlib.sha256("".join(f"{word}\n" for word in words).encode()).digest())
    return bot_of(table.game).choose(table.view(decision.seat), (), ITERATIONS, stream), By.BOT


_MOVES: Final[Mapping[Missed, Callable[[Table, Decision], tuple[Any, By]]]] = {
    Missed.FALLBACK: _fallback,
    Missed.BOT: _by_bot,
    Missed.MODERATOR: _fallback,
}


def _is_missing(table: Table, chair: Chair) -> bool:
    return 0 < table.schedule.skip_after <= chair.misses


def _running(table: Table) -> Iterator[tuple[Chair, Clock]]:
    """The chairs whose clock runs: the decision that their mail asked for is still open."""
    for decision in table.waiting:
        chair = table.chair(decision.seat)
        if chair.clock is not None and chair.asked == decision.key:
            yield chair, chair.clock


def _decided(before: Table, swept: _Swept) -> Decided | None:
    if swept.table == before:
        return None
    return Decided(tables=(Changed(before, swept.table, swept.written),), notices=swept.notices)
