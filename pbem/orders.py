"""Order lines of a seat: the first answers the open decision, the others are plans (law 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from engine.game import Decision
from engine.record import By
from pbem.clock import answered
from pbem.draft import Draft, Refused
from pbem.plans.later import kept_for_later, replaced, with_plan_of_a_player
from pbem.plans.syntax import WAIT, PlanLine, Unclear, is_now, parse
from pbem.plans.ways import Gone, Read, forecast, go, not_gone, read, suggestions
from pbem.table import Plan, Table
from pbem.undo import begun, waits
from pbem.verdicts import Line, Reason, Said


def ordered(draft: Draft, table: Table, seat: int, n: int, text: str) -> Draft:
    """Carry out or plan one line; `Refused` by the host, or a line that says why the game would not."""
    line = Line(n, text, Said.PLANNED)
    try:
        said = parse(text, table.game.verbs(draft.language))
    except Unclear as fault:
        return draft.saying(msgspec.structs.replace(line, said=Said.UNREAD, reason=fault.reason, facts=fault.facts))
    round = said.round or draft.heading
    if not said.ways:
        return replace(draft, heading=said.round)
    if said.until or (round and not is_now(round) and round != _present(table)):
        return kept_for_later(draft, table, seat, line, replace(said, round=round))
    return _this_round(draft, table, seat, line, said)


def has_passed(draft: Draft, table: Table, seat: int) -> bool:
    """Whether the mail answers a decision that has been made, or a mail about what was rolled back or undone since."""
    reference = draft.known.reference
    if reference is None or not reference.decision or reference.table != table.name:
        return False
    if reference.n < table.rolled or table.undone[0] < reference.n < table.undone[1]:
        return True
    return reference.decision not in {decision.key for decision in table.ahead(seat)}


def _present(table: Table) -> str:
    """The number of the round that is going on."""
    return next((str(decision.round) for decision in table.waiting), "")


def _this_round(draft: Draft, table: Table, seat: int, line: Line, said: PlanLine) -> Draft:
    view = table.known_view(seat)
    found = _read_ahead(draft, table, seat, line, said, view)
    if found.trouble is not None:
        return draft.saying(found.trouble)
    decision = _decision(draft, table, seat, found.first)
    line = msgspec.structs.replace(line, reading=found.reading, decision=decision.key)
    if draft.bound or decision != table.open_decision(seat) or waits(table, decision):
        return _planned(draft, table, seat, line, said, found)
    gone = go(answered(table, seat, draft.mail.received_at), seat, line, said, By.SEAT)
    return _gone(draft, table, seat, line, gone, view)


def _read_ahead(draft: Draft, table: Table, seat: int, line: Line, said: PlanLine, view: Any) -> Read:
    """The line as it reads behind those that this mail has planned before; if it does not, as it reads now."""
    if draft.foreseen is not None:
        found = read(table, seat, line, said, draft.foreseen)
        if found.trouble is None:
            return found
    return read(table, seat, line, said, view)


def _gone(draft: Draft, table: Table, seat: int, line: Line, gone: Gone, view: Any) -> Draft:
    """What became of a line for the open decision."""
    if gone.way is None:
        return draft.saying(not_gone(table, line, gone.tried, view))
    if gone.after is None:
        waiting = msgspec.structs.replace(line, said=Said.LAPSED, reason=Reason.WAITS, tried=gone.tried)
        return _kept(draft, table, Plan(seat, line.decision, WAIT, draft.mail.inbox, line.n)).saying(waiting)
    entry = gone.written[0].entry.n
    done = msgspec.structs.replace(line, said=Said.DONE, reading=gone.reading, entry=entry, tried=gone.tried)
    after = begun(table, gone.after, seat, gone.written, draft.known.now)
    return replace(draft.changing(after, gone.written), bound=(line.decision,), foreseen=None).saying(done)


def _decision(draft: Draft, table: Table, seat: int, action: Any | None) -> Decision:
    """The decision that `action` belongs to: the next of its kind that no line of this mail has."""
    kind = table.game.kind(action) if action is not None else ""
    for decision in _answerable(draft, table, seat):
        if kind in ("", decision.kind) and decision.key not in draft.bound:
            return decision
    raise Refused(Reason.NOT_AHEAD, near=suggestions(table, table.known_view(seat)), kind=kind)


def _answerable(draft: Draft, table: Table, seat: int) -> Sequence[Decision]:
    """The decisions ahead, from the one that the answered mail was about."""
    ahead = table.ahead(seat)
    reference = draft.known.reference
    keys = [decision.key for decision in ahead]
    if reference is not None and reference.table == table.name and reference.decision in keys:
        return ahead[keys.index(reference.decision) :]
    return ahead


def _planned(draft: Draft, table: Table, seat: int, line: Line, said: PlanLine, found: Read) -> Draft:
    """Keep the line; it replaces an earlier plan for the same decision."""
    plan = Plan(seat, line.decision, said.body, draft.mail.inbox, line.n)
    behind, told = forecast(table, draft.foreseen or table.known_view(seat), found.actions)
    line = msgspec.structs.replace(line, forecast=told, facts=replaced(table, plan))
    return replace(_kept(draft, table, plan), foreseen=behind).saying(line)


def _kept(draft: Draft, table: Table, plan: Plan) -> Draft:
    return replace(draft.changing(with_plan_of_a_player(table, plan)), bound=(*draft.bound, plan.decision))
