"""Answering for seats: with an order of the moderator's, or with what a missed deadline does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.game import Ambiguous, Decision, Illegal, Unreadable
from engine.record import By
from pbem.commands.overriding import ActAs, Moderating, Process, Skip
from pbem.draft import Draft, Refused
from pbem.moderation.signing import in_play, named, remark, seat_called, sees_all, signed
from pbem.parties import Notice, seat_party
from pbem.plans.syntax import Unclear, parse
from pbem.plans.ways import go, not_gone
from pbem.table import Table, play
from pbem.verdicts import Line, Reason, Said

TRIED = "tried"


def act_as(draft: Draft, n: int, text: str, command: ActAs) -> Draft:
    """Answer a seat's open decision.

    An order that cannot be read or done is refused with one and the same reason, whatever the seat's hand has to do
    with it, and its player learns that it was tried: nobody probes a hand, seen or unseen.
    """
    table = _going_on(draft)
    seat = seat_called(table, command.name)
    name, decision = table.names[seat - 1], table.open_decision(seat)
    if decision is None:
        raise Refused(Reason.NOT_AWAITED, name=name, kind="")
    try:
        action = table.game.read(command.order, table.view(seat), draft.language)
        if decision.kind != table.game.kind(action):
            return _tried(draft, table, seat, command, Line(n, text, Said.REFUSED))
        after, written = play(table, seat, action, By.MODERATOR)
    except (Unreadable, Illegal, Ambiguous):
        return _tried(draft, table, seat, command, Line(n, text, Said.REFUSED))
    order = table.game.write(action, table.view(seat), draft.language)
    drafted = draft.changing(after, signed(written, remark(draft, command)))
    return drafted.doing(n, text, "acted", name=name, order=order)


def skip(draft: Draft, n: int, text: str, command: Skip) -> Draft:
    """What a missed deadline does, now, for the open decision of a seat; it counts as no miss."""
    table = _going_on(draft)
    seat = seat_called(table, command.name)
    decision = table.open_decision(seat)
    if decision is None:
        raise Refused(Reason.NOT_AWAITED, name=table.names[seat - 1], kind="")
    return _skipped(draft, table, [decision], command).doing(n, text, "skipped", names=[table.names[seat - 1]])


def process(draft: Draft, n: int, text: str, command: Process) -> Draft:
    """The same for everybody who is awaited, if the game stands in the round and phase that the moderator means."""
    table = _going_on(draft)
    waiting = table.waiting
    now = {(decision.round, decision.phase) for decision in waiting}
    if now != {(command.round, command.phase)}:
        here = waiting[0]
        raise Refused(Reason.OTHER_PHASE, round=here.round, phase=here.phase)
    names = [table.names[decision.seat - 1] for decision in waiting]
    return _skipped(draft, table, waiting, command).doing(n, text, "skipped", names=names)


def _going_on(draft: Draft) -> Table:
    table = in_play(draft)
    if table.running.paused:
        raise Refused(Reason.PAUSED, game=table.name)
    return table


def _skipped(draft: Draft, table: Table, decisions: Iterable[Decision], command: Moderating) -> Draft:
    """`draft` with the game's fallback for each of `decisions` that is still open when its turn comes."""
    for decision in decisions:
        if table.open_decision(decision.seat) != decision:
            continue
        action = table.game.fallback(table.running.state, decision.seat)
        table, written = play(table, decision.seat, action, By.SKIP)
        draft = draft.changing(table, signed(written, remark(draft, command)))
    return draft


def _tried(draft: Draft, table: Table, seat: int, command: ActAs, line: Line) -> Draft:
    name = table.names[seat - 1]
    if sees_all(draft, table) and (why := _why_not(table, seat, line, command.order)) is not None:
        return draft.saying(why)
    facts = {"name": name, "why": _publicly_wrong(table, command.order, draft.language)}
    refused = Line(line.n, line.text, Said.REFUSED, reason=Reason.ACT_REFUSED, facts=facts)
    if table.chair(seat).person is None:
        return draft.saying(refused)
    told = {"game": table.name, "moderator": named(draft), "order": command.order}
    notice = Notice(seat_party(table, seat), TRIED, told)
    return replace(draft, notices=(*draft.notices, notice)).saying(refused)


def _why_not(table: Table, seat: int, line: Line, order: str) -> Line | None:
    """`line` as its seat would be refused it, for who sees the hand that it comes from; nothing where the order alone
    would do."""
    try:
        gone = go(table, seat, line, parse(order, table.game.verbs(table.language(seat))), By.MODERATOR)
    except Unclear:
        return None
    return not_gone(table, line, gone.tried, table.view(seat)) if gone.way is None else None


def _publicly_wrong(table: Table, order: str, language: str) -> str:
    """Why nobody at the table could read `order`, from what all may see alone; nothing where that is not so."""
    try:
        table.game.read(order, table.view(None), language)
    except Unreadable as trouble:
        return str(trouble.reason.value)
    except Ambiguous:
        return ""
    return ""
