"""Plans: orders kept for decisions that were not open yet. Each is released as a step of its own."""

from __future__ import annotations

from dataclasses import replace

from engine.game import Ambiguous, Illegal, Unreadable
from engine.record import By
from pbem.orders import refused, unread
from pbem.parties import Changed, Decided, seat_party
from pbem.table import Plan, Table, play
from pbem.verdicts import Line, Reason, Said, Verdict


def due(table: Table) -> Plan | None:
    """The plan whose decision is open, if there is one."""
    open_keys = {decision.key for decision in table.waiting}
    return next((plan for plan in table.plans if plan.decision in open_keys), None)


def release(table: Table, plan: Plan) -> Decided:
    """Carry out `plan`, which is due. One that fails takes the rest of its mail with it, and its sender is asked."""
    view = table.view(plan.seat)
    line = Line(plan.line, plan.text, Said.DONE, decision=plan.decision)
    try:
        action = table.game.read(plan.text, view)
        after, written = play(replace(table, plans=_without(table, plan)), plan.seat, action, By.PLAN)
    except (Unreadable, Ambiguous) as fault:
        return _failed(table, plan, unread(table, view, _said(line, Said.UNREAD), fault))
    except Illegal as illegal:
        return _failed(table, plan, refused(table, view, _said(line, Said.REFUSED), illegal))
    reading = table.game.write(action, view)
    done = Line(plan.line, plan.text, Said.DONE, reading, decision=plan.decision, entry=written[0].entry.n)
    return Decided(
        verdict=Verdict((done,), inbox=plan.inbox),
        to=seat_party(table, plan.seat),
        tables=(Changed(table, after, written),),
    )


def park(table: Table, plan: Plan) -> Decided:
    """Drop a plan that the host itself failed on, and say so."""
    line = Line(plan.line, plan.text, Said.REFUSED, reason=Reason.FAILED, decision=plan.decision)
    return _failed(table, plan, line)


def _said(line: Line, said: Said) -> Line:
    return Line(line.n, line.text, said, decision=line.decision)


def _without(table: Table, plan: Plan) -> tuple[Plan, ...]:
    return tuple(other for other in table.plans if other != plan)


def _failed(table: Table, plan: Plan, line: Line) -> Decided:
    rest = [p for p in _without(table, plan) if (p.seat, p.inbox) == (plan.seat, plan.inbox)]
    untried = (Line(p.line, p.text, Said.UNTRIED, decision=p.decision) for p in rest)
    kept = tuple(p for p in _without(table, plan) if p not in rest)
    return Decided(
        verdict=Verdict((line, *untried), inbox=plan.inbox),
        to=seat_party(table, plan.seat),
        tables=(Changed(table, replace(table, plans=kept)),),
    )
