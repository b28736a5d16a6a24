"""Plans: lines kept for decisions that were not open yet. Each is released as a step of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from engine.game import Decision
from engine.record import By
from pbem.parties import Changed, Decided, seat_party
from pbem.plans import moments
from pbem.plans.later import with_plan
from pbem.plans.moments import Fit
from pbem.plans.syntax import WAIT, headed, parse
from pbem.plans.ways import Gone, go, holds, not_gone
from pbem.table import Plan, Table
from pbem.undo import carried
from pbem.verdicts import Line, Reason, Said, Verdict
from pbem.wording import word


def due(table: Table) -> Plan | None:
    """The plan whose decision is open, if there is one."""
    return next((found for decision in table.free if (found := plan_for(table, decision)) is not None), None)


def plan_for(table: Table, decision: Decision) -> Plan | None:
    """The line that names `decision` most closely; nothing where its seat wants to be asked."""
    mine = [plan for plan in table.plans if plan.seat == decision.seat]
    closest = max(mine, key=lambda plan: moments.fit(plan.decision, decision), default=None)
    if closest is None or moments.fit(closest.decision, decision) is Fit.NONE or waits_for(closest, decision):
        return None
    return closest


def waits_for(plan: Plan, decision: Decision) -> bool:
    """Whether `plan` says that its seat is to be asked for `decision`."""
    return plan.text == WAIT and plan.decision == decision.key


def release(table: Table, plan: Plan) -> Decided:
    """Carry out `plan`, which is due: the first of its alternatives that can be. If none can, its sender is asked."""
    decision = next(each for each in table.waiting if plan_for(table, each) == plan)
    said = parse(plan.text, table.game.verbs(table.language(plan.seat)))
    view = table.view(plan.seat)
    line = _line(table, plan, decision)
    if said.until is not None and holds(table, view, said.until):
        return _asked(table, plan, decision, _waiting(line, Reason.CAME_ABOUT), gone=True)
    gone = go(_without_used(table, plan), plan.seat, line, said, By.PLAN)
    if gone.way is None:
        return _failed(table, plan, decision, not_gone(table, line, gone.tried, view))
    if gone.after is None:
        waits = _waiting(line, Reason.WAITS)
        return _asked(table, plan, decision, msgspec.structs.replace(waits, tried=gone.tried))
    return _done(table, plan, line, gone)


def park(table: Table, plan: Plan) -> Decided:
    """Drop a plan that the host itself failed on, and say so."""
    line = Line(
        plan.line, shown(plan, table.language(plan.seat)), Said.REFUSED, reason=Reason.FAILED, decision=plan.decision
    )
    return _told(table, replace(table, plans=_without(table, plan)), plan, line)


def shown(plan: Plan, language: str) -> str:
    """A kept line as its writer would send it again."""
    if moments.is_always(plan.decision):
        return f"{word('always', language)} {plan.text}"
    return headed(moments.round_of(plan.decision), plan.text, language)


def _line(table: Table, plan: Plan, decision: Decision) -> Line:
    return Line(plan.line, shown(plan, table.language(plan.seat)), Said.DONE, decision=decision.key)


def _waiting(line: Line, reason: Reason) -> Line:
    return msgspec.structs.replace(line, said=Said.LAPSED, reason=reason)


def _without(table: Table, plan: Plan) -> tuple[Plan, ...]:
    return tuple(other for other in table.plans if other != plan)


def _without_used(table: Table, plan: Plan) -> Table:
    """A line for every round stays for the next; any other is used up."""
    if moments.round_of(plan.decision) == moments.EVERY:
        return table
    return replace(table, plans=_without(table, plan))


def _done(table: Table, plan: Plan, line: Line, gone: Gone) -> Decided:
    assert gone.after is not None
    entry = gone.written[0].entry.n
    done = msgspec.structs.replace(line, reading=gone.reading, entry=entry, tried=gone.tried)
    return _told(table, carried(table, gone.after, plan.seat, gone.written), plan, done, gone.written)


def _asked(table: Table, plan: Plan, decision: Decision, line: Line, *, gone: bool = False) -> Decided:
    """The sender is asked for `decision`, and no other line of his answers it."""
    base = replace(table, plans=_without(table, plan)) if gone else _without_used(table, plan)
    return _told(table, _asking(base, plan, decision), plan, line)


def _failed(table: Table, plan: Plan, decision: Decision, line: Line) -> Decided:
    """The sender is asked; the rest of his mail for this round would have run behind what was not done."""
    base = _without_used(table, plan)
    rest = [p for p in base.plans if _is_of_the_same_mail(p, plan)] if moments.is_exact(plan.decision) else []
    untried = (Line(p.line, p.text, Said.UNTRIED, decision=p.decision) for p in rest)
    kept = replace(base, plans=tuple(p for p in base.plans if p not in rest))
    return _told(table, _asking(kept, plan, decision), plan, line, (), *untried)


def _is_of_the_same_mail(other: Plan, plan: Plan) -> bool:
    return (other.seat, other.inbox) == (plan.seat, plan.inbox) and moments.is_exact(other.decision)


def _asking(table: Table, plan: Plan, decision: Decision) -> Table:
    """`table` where no other line, for any round, and no standing choice answers `decision` in the sender's place."""
    mine = (other.decision for other in table.plans if other.seat == plan.seat)
    if not any(moments.is_always(key) or moments.fit(key, decision) for key in mine):
        return table
    return with_plan(table, Plan(plan.seat, decision.key, WAIT, plan.inbox, plan.line))


def _told(table: Table, after: Table, plan: Plan, line: Line, written: tuple[Any, ...] = (), *others: Line) -> Decided:
    return Decided(
        verdict=Verdict((line, *others), inbox=plan.inbox),
        to=seat_party(table, plan.seat),
        tables=(Changed(table, after, written),),
    )
