"""What is to be told when a table is at rest: at most one mail for each of its people.

A seat is mailed when it has answers or notices, when it becomes awaited, when a phase begins in which it
will have a say (so that it can plan early), when somebody touches what is its own, when a moderator did
something, and at the end (law 5). `Mails` narrows the news, never answers, turns and overrides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from engine.game import Decision, told
from engine.record import By, Entry, Move, Override, Verb, What
from pbem.guide import next_lesson
from pbem.parties import Notice, Party, Role, moderator_party, seat_party
from pbem.press import KIND as PRESS
from pbem.press import Delivery
from pbem.schedule import started
from pbem.table import Chair, Mails, Person, Remark, Status, Table
from pbem.tally import round_of
from pbem.verdicts import Line, Verdict
from pbem.watcher import Watcher

ENDED: Final = "ended"
OVER: Final = "over"
"""What stands in `Chair.asked` once the final mail is written."""
REMINDER: Final = "reminder"
VOTED: Final = "voted"
WITH_STATE: Final = frozenset({REMINDER, "started", "seated", "waiting", "token", "resent"})
"""Notices that bring the whole position."""
PRESSING: Final = frozenset({REMINDER, "waiting", "token", "resent", "seated"})
"""Notices that wait for no daily mail."""
OTHERS: Final = frozenset({By.MODERATOR, By.SKIP, By.FALLBACK, By.BOT})
"""Who else than its player or his plan may move for a seat, by choice."""
DAY: Final = timedelta(days=1)
END: Final = -1
"""What stands in `Watcher.round` once he was told of the end."""


@dataclass(frozen=True, slots=True)
class Logged:
    """An entry as it stands in the log: when it came, and what it caused."""

    entry: Entry
    events: tuple[Any, ...]
    at: datetime
    remark: Remark | None = None


@dataclass(frozen=True, slots=True)
class Announced:
    """News of what a moderator, a bot or a missed deadline did, and what stands beside it."""

    what: Override | Move
    remark: Remark | None = None


@dataclass(frozen=True, slots=True)
class Answers:
    """What waits to be told to one party."""

    to: Party
    verdicts: tuple[Verdict, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """One mail to be written: to whom, and everything that it says, as data."""

    to: Party
    verdicts: tuple[Verdict, ...] = ()
    notices: tuple[Notice, ...] = ()
    news: tuple[Any, ...] = ()
    """In order: events as the reader may know them, and `Announced`: overrides, and, before its events, a move that
    somebody else than its player made."""
    done: Mapping[int, tuple[Any, ...]] = field(default_factory=dict)
    """The events behind each line of `verdicts` that was done, by `Line.entry`; they are not in `news`."""
    state: bool = False
    """The whole position belongs into it."""
    final: bool = False
    decision: str = ""
    """The key of the decision that an answer to this mail belongs to."""
    asks: str = ""
    """The same, if it is open and this mail is the first to ask: its clock starts with this mail."""
    lesson: str = ""
    """What a newcomer is told of the game, by the game's name for it."""
    chair: Chair | None = None
    """The reader's chair as it is once this mail is queued."""
    watcher: Watcher | None = None
    """The same of a reader who watches."""


def tellings(table: Table, answers: Sequence[Answers], log: Sequence[Logged], now: datetime) -> tuple[Telling, ...]:
    """All mails that `table`, at rest, has to send now. `log` reaches back to the chair told least.

    In a hold it is not at rest: whoever may take something back is answered, and all others wait.
    """
    answers = _by_addressee(table, answers)
    waiting = {answer.to.seat: answer for answer in answers if answer.to.role is Role.SEAT}
    seats = [
        telling
        for chair in table.chairs
        if chair.person is not None
        and table.status is not Status.OPEN
        and (telling := _seat(table, chair, waiting.get(chair.seat), log, now)) is not None
    ]
    if table.hold is not None:
        return tuple(telling for telling in seats if telling.to.seat == table.hold.seat)
    others = [
        plain(answer, state=_is_seen_by(table, answer.to))
        for answer in answers
        if answer.to.role is not Role.SEAT and not _can_wait(table, answer)
    ]
    others = _with_watchers(table, others, answers, log, now)
    if any(telling.final for telling in seats) or (table.is_trial and table.status is not Status.RUNNING):
        for moderator in table.moderators:
            others = _with_farewell(table, moderator, others)
    return (*seats, *others)


def _is_seen_by(table: Table, to: Party) -> bool:
    """Whether `to` moderates with every hand open, and so gets the whole position with each mail."""
    return (
        table.position is not None and to.role is Role.MODERATOR and to.person is not None and table.seen_by(to.person)
    )


def watcher_party(table: Table, person: Person) -> Party:
    """The party of a watcher: himself, about a table."""
    return Party(Role.PERSON, person.address, person, table.name)


def _with_watchers(
    table: Table, others: list[Telling], answers: Sequence[Answers], log: Sequence[Logged], now: datetime
) -> list[Telling]:
    """`others`, in which each who watches gets what he asked for, and the news that he wants."""
    waiting = {answer.to: answer for answer in answers}
    found = (
        _watcher(table, watcher, waiting.get(to, Answers(to)), log, now)
        for watcher in table.watchers
        if (to := watcher_party(table, watcher.person)) and not table.seat_of(watcher.person)
    )
    told = {telling.to: telling for telling in found if telling is not None}
    return [*(telling for telling in others if telling.to not in told), *told.values()]


def _watcher(table: Table, watcher: Watcher, answer: Answers, log: Sequence[Logged], now: datetime) -> Telling | None:
    """The public position with the news since his last mail, when a round begins and at the end, or when he asks."""
    if table.position is None or watcher.person.stopped:
        return None
    over = table.status is not Status.RUNNING
    round = END if over else round_of(table)
    begun = round != watcher.round and (over or _wants(watcher.person.mails, watcher.mailed_at, now))
    if not begun and not any(verdict.state for verdict in answer.verdicts):
        return None
    fresh = [logged for logged in without_undone(log, watcher.told) if logged.entry.n > watcher.told]
    return Telling(
        to=answer.to,
        verdicts=merged(answer.verdicts),
        notices=answer.notices,
        news=news(fresh, None),
        state=True,
        final=over and watcher.round != END,
        watcher=replace(watcher, told=table.running.n, round=round, mailed_at=now),
    )


def addressee(table: Table, to: Party) -> Party:
    """Whom to tell what waits for `to`: a seat's answers are for the player who wrote, and if somebody else sits there
    by now he is told as a person, who sees nothing of the position any more."""
    if to.role is not Role.SEAT:
        return to
    sitting = table.chair(to.seat).person
    if sitting is not None and to.person is not None and sitting.id == to.person.id:
        return seat_party(table, to.seat)
    return replace(to, role=Role.PERSON, seat=0)


def _by_addressee(table: Table, answers: Sequence[Answers]) -> list[Answers]:
    """`answers` with those together that are told to the same party."""
    found: dict[Party, Answers] = {}
    for answer in answers:
        to = addressee(table, answer.to)
        before = found.get(to, Answers(to))
        found[to] = Answers(to, (*before.verdicts, *answer.verdicts), (*before.notices, *answer.notices))
    return [replace(answer, notices=_in_order(answer.notices)) for answer in found.values()]


def _in_order(notices: Sequence[Notice]) -> tuple[Notice, ...]:
    """`notices` with anonymous words behind all others, in an order that says nothing of when they were written."""
    nameless = [notice for notice in notices if notice.kind == PRESS and not notice.facts["by"]]
    named = (notice for notice in notices if notice not in nameless)
    return (*named, *sorted(nameless, key=lambda notice: list(notice.facts["lines"])))


def _can_wait(table: Table, answer: Answers) -> bool:
    """Whether there is nothing in it, or nothing but words for somebody who reads them with his next mail.

    There has to come one: not after the end, nor for who has neither a seat nor the table any more.
    """
    to = answer.to
    if not (answer.verdicts or answer.notices):
        return True
    if answer.verdicts or table.status is not Status.RUNNING or to.role not in (Role.SEAT, Role.MODERATOR):
        return False
    patient = to.person is not None and to.person.press is Delivery.NEXT
    return patient and all(notice.kind == PRESS for notice in answer.notices)


def _with_farewell(table: Table, moderator: Person, others: list[Telling]) -> list[Telling]:
    """`others`, in which a moderator who does not play learns that the game is over, and gets its record too."""
    if table.seat_of(moderator):
        return others
    to = moderator_party(table, moderator)
    told = next((telling for telling in others if telling.to == to), Telling(to=to))
    farewell = Notice(to, ENDED, {"game": table.name})
    last = replace(told, notices=(*told.notices, farewell), final=True)
    return [*(telling for telling in others if telling.to != to), last]


def plain(answer: Answers, *, state: bool = False) -> Telling:
    """A mail that tells answers and notices, and to a moderator who asks, or with `state`, the public position."""
    state = answer.to.role is Role.MODERATOR and (state or any(verdict.state for verdict in answer.verdicts))
    return Telling(to=answer.to, verdicts=merged(answer.verdicts), notices=answer.notices, state=state)


def _seat(table: Table, chair: Chair, answer: Answers | None, log: Sequence[Logged], now: datetime) -> Telling | None:
    assert chair.person is not None
    to = Party(Role.SEAT, chair.person.address, chair.person, table.name, chair.seat)
    answer = answer or Answers(to)
    fresh = [logged for logged in without_undone(log, chair.told) if logged.entry.n > chair.told]
    final = table.status in (Status.OVER, Status.ENDED) and chair.asked != OVER
    decision = table.open_decision(chair.seat)
    asked = decision is not None and decision.key != chair.asked
    phase = _phase_with_a_say(table, chair.seat)
    begun = phase != "" and phase != chair.phase
    touched = _touched(table, chair.seat, fresh)
    state = final or asked or _wants_state(answer) or ((begun or touched) and _wants_news(chair, now))
    overruled = any(_is_a_moderators(logged.entry.what) for logged in fresh)
    if not (state or overruled) and _can_wait(table, answer):
        return None
    if chair.person.digest and chair.person.digest.waits(now) and not _urgent(table, chair, answer, decision, now):
        return None
    ahead = table.ahead(chair.seat)
    lesson = next_lesson(table, chair) if state and ahead else ""
    after = replace(
        chair,
        told=table.running.n,
        asked=OVER if final else decision.key if decision else chair.asked,
        kind=decision.kind if decision else chair.kind,
        phase=phase or chair.phase,
        lessons=tuple(each for each in chair.lessons if each != lesson),
        mailed_at=now,
        clock=None if asked or final else chair.clock,
    )
    own = {line.entry for verdict in answer.verdicts for line in verdict.lines if line.entry}
    return Telling(
        to=to,
        verdicts=merged(answer.verdicts),
        notices=answer.notices,
        news=news((logged for logged in fresh if logged.entry.n not in own), chair.seat),
        done={logged.entry.n: told(logged.events, chair.seat) for logged in log if logged.entry.n in own},
        state=state,
        final=final,
        decision=ahead[0].key if ahead else "",
        asks=decision.key if asked and decision else "",
        lesson=lesson,
        chair=after,
    )


def _urgent(table: Table, chair: Chair, answer: Answers, decision: Decision | None, now: datetime) -> bool:
    """What does not wait for a daily mail: an answer, and whatever has a deadline before it."""
    person = chair.person
    assert person is not None
    assert person.digest is not None
    assert person.digest.next_at is not None
    if any(verdict.received_at for verdict in answer.verdicts):
        return True
    at_once = {*PRESSING, PRESS} if person.press is Delivery.NOW else PRESSING
    if any(notice.kind in at_once for notice in answer.notices):
        return True
    if decision is None:
        return False
    clock = chair.clock or started(table.schedule, decision.kind, now, chair.bank, person.away)
    return clock is not None and clock.due_at <= person.digest.next_at


def merged(verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """`verdicts` with the news of plans put into the lines of the mails that they came in, where those are told too."""
    mails = {verdict.inbox for verdict in verdicts if verdict.received_at}
    late = {(v.inbox, line.n): line for v in verdicts if not v.received_at for line in v.lines}
    return tuple(
        replace_lines(verdict, late) if verdict.received_at else verdict
        for verdict in verdicts
        if verdict.received_at or verdict.inbox not in mails
    )


def replace_lines(verdict: Verdict, late: Mapping[tuple[int, int], Line]) -> Verdict:
    """`verdict` with each line in its latest form."""
    lines = tuple(late.get((verdict.inbox, line.n), line) for line in verdict.lines)
    return msgspec.structs.replace(verdict, lines=lines)


def without_undone(log: Sequence[Logged], told: int = 0) -> tuple[Logged, ...]:
    """`log` without what a seat has taken back, and without the undo: for who has not been told of it.

    The news reach him from behind entry `told`.
    """
    hidden = {n for each in log for n in _taken_back(each.entry, told)}
    return tuple(each for each in log if each.entry.n not in hidden)


def _taken_back(entry: Entry, told: int) -> range:
    """The numbers of the entries that an undo takes back, and its own, if none of them is told."""
    what = entry.what
    if not isinstance(what, Override) or what.verb is not Verb.UNDO or what.to < told:
        return range(0)
    return range(what.to + 1, entry.n + 1)


def news(log: Iterable[Logged], seat: int | None) -> tuple[Any, ...]:
    """What happened, as `seat` may know it; overrides and moves that others made stand before their events."""
    items: list[Any] = []
    for logged in log:
        what = logged.entry.what
        if is_private(what):
            continue
        if isinstance(what, Override) or (isinstance(what, Move) and what.by in OTHERS):
            items.append(Announced(what, logged.remark))
        items.extend(told(logged.events, seat))
    return tuple(items)


def is_private(what: What) -> bool:
    """Whether an entry is the moderators' own, and told to nobody else."""
    return isinstance(what, Override) and what.verb is Verb.NOTE


def _is_a_moderators(what: What) -> bool:
    if isinstance(what, Override):
        return not is_private(what)
    return isinstance(what, Move) and what.by in (By.MODERATOR, By.SKIP)


def _phase_with_a_say(table: Table, seat: int) -> str:
    """The round and phase that the table is in, if `seat` has a decision ahead in it."""
    if not table.waiting:
        return ""
    now = table.waiting[0]
    if not any((ahead.round, ahead.phase) == (now.round, now.phase) for ahead in table.ahead(seat)):
        return ""
    return f"{now.round}/{now.phase}"


def _touched(table: Table, seat: int, fresh: Sequence[Logged]) -> bool:
    touches = table.game.capabilities.get("touches")
    return touches is not None and any(
        seat in touches(event) for logged in fresh for event in told(logged.events, seat)
    )


def _wants_state(answer: Answers) -> bool:
    return any(verdict.state for verdict in answer.verdicts) or any(
        notice.kind in WITH_STATE for notice in answer.notices
    )


def _wants_news(chair: Chair, now: datetime) -> bool:
    assert chair.person is not None
    return _wants(chair.person.mails, chair.mailed_at, now)


def _wants(mails: Mails, mailed_at: datetime | None, now: datetime) -> bool:
    """Whether somebody whose last news went out `mailed_at` wants some now."""
    match mails:
        case Mails.ALL:
            return True
        case Mails.TURN:
            return False
        case Mails.DAILY:
            return mailed_at is None or now - mailed_at >= DAY
