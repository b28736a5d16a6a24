"""PLAN and CANCEL: what the host keeps for a seat, numbered, and how it is withdrawn."""

from __future__ import annotations

from dataclasses import replace

from pbem.commands.grammar import CancelPlan, ShowPlan
from pbem.draft import Draft, Refused
from pbem.parties import seat_party
from pbem.plans import moments
from pbem.plans.releasing import shown
from pbem.table import Plan, Status, Table
from pbem.verdicts import Reason


def ask_plan(draft: Draft, n: int, text: str, _: ShowPlan) -> Draft:
    """Everything kept, in the order of its numbers: plans, then standing choices. It goes to the seat alone."""
    table, seat = _own(draft)
    told = replace(draft, to=seat_party(table, seat)) if table.status is Status.RUNNING else draft
    return told.answering(n, text, "plan", lines=[shown(plan, draft.language) for plan in numbered(table, seat)])


def cancel(draft: Draft, n: int, text: str, command: CancelPlan) -> Draft:
    """Throw away one line, every plan, or every standing choice."""
    table, seat = _own(draft)
    mine = numbered(table, seat)
    if command.number > len(mine) or (command.number and not mine):
        raise Refused(Reason.NO_PLAN, number=command.number, there=len(mine))
    if command.number:
        gone = [mine[command.number - 1]]
    else:
        gone = [plan for plan in mine if moments.is_always(plan.decision) is command.standing]
    left = tuple(plan for plan in table.plans if plan not in gone)
    lines = [shown(plan, draft.language) for plan in gone]
    return draft.changing(replace(table, plans=left)).doing(n, text, "cancelled", lines=lines)


def numbered(table: Table, seat: int) -> tuple[Plan, ...]:
    """The lines kept for `seat`, the first of which has number 1."""
    mine = [plan for plan in table.plans if plan.seat == seat]
    return tuple(sorted(mine, key=lambda plan: moments.is_always(plan.decision)))


def _own(draft: Draft) -> tuple[Table, int]:
    """The table and the seat of the sender; before the start there can be standing choices."""
    table = draft.about("")
    if table.status is not Status.OPEN:
        draft.running(table)
    seat = table.seat_of(draft.sender)
    if not seat:
        raise Refused(Reason.NOT_PLAYING, game=table.name)
    return table, seat
