"""Lines for later rounds, for every round, or until something comes about: their position is not there yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Final

import msgspec

from engine.game import Unreadable
from pbem.draft import Draft, Refused
from pbem.plans import moments
from pbem.plans.syntax import WAIT, PlanLine
from pbem.plans.ways import trouble_with, unread
from pbem.table import Plan, Table
from pbem.verdicts import Line, Reason, Said

MOST_KEPT: Final = 100
"""Lines for one seat, standing choices included: more than the longest game has decisions left for."""


def kept_for_later(draft: Draft, table: Table, seat: int, line: Line, said: PlanLine) -> Draft:
    """Keep a headed line, as far as can be told now that it will be understood: the words, not who is in the inn."""
    trouble = next(_troubles(table, seat, line, said), None)
    if trouble is not None:
        return draft.saying(trouble)
    kinds = {_kind(table, way.order, table.language(seat)) for way in said.ways if not way.waits}
    if len(kinds) != 1 or "" in kinds:
        reason = Reason.MIXED_KINDS if len(kinds) > 1 else Reason.NO_LATER
        return draft.saying(msgspec.structs.replace(line, said=Said.UNREAD, reason=reason))
    plan = Plan(seat, _moment(draft, said, kinds.pop()), said.body, draft.mail.inbox, line.n)
    facts = {"round": said.round, "until": said.until is not None, **replaced(table, plan)}
    line = msgspec.structs.replace(line, decision=plan.decision, facts=facts)
    return replace(draft.changing(with_plan_of_a_player(table, plan)), bound=(*draft.bound, plan.decision)).saying(line)


def with_plan_of_a_player(table: Table, plan: Plan) -> Table:
    """The same as `with_plan`; `Refused` where it would be one more than is kept for a seat."""
    after = with_plan(table, plan)
    if len(after.plans) > len(table.plans) and sum(other.seat == plan.seat for other in after.plans) > MOST_KEPT:
        raise Refused(Reason.TOO_MANY_PLANS, most=MOST_KEPT)
    return after


def with_plan(table: Table, plan: Plan) -> Table:
    """`table` with `plan` in the place of an earlier one for the same decision."""
    kept = tuple(p for p in table.plans if (p.seat, p.decision) != (plan.seat, plan.decision))
    return replace(table, plans=(*kept, plan))


def replaced(table: Table, plan: Plan) -> dict[str, str]:
    """The line whose place `plan` takes, as a fact; nothing if there is none."""
    older = [p.text for p in table.plans if (p.seat, p.decision) == (plan.seat, plan.decision) and p.text != WAIT]
    return {"replaces": older[0]} if older else {}


def _troubles(table: Table, seat: int, line: Line, said: PlanLine) -> Iterator[Line]:
    """What of a line will not be understood in any position."""
    view = table.known_view(seat)
    present = max((decision.round for decision in table.waiting), default=0)
    if said.round != moments.EVERY and int(said.round) < present:
        yield msgspec.structs.replace(line, said=Said.REFUSED, reason=Reason.ROUND_PAST, facts={"round": said.round})
    tests = [way.test for way in said.ways] + ([said.until] if said.until else [])
    yield from (trouble for test in tests if (trouble := trouble_with(table, view, line, test)) is not None)
    outline = table.game.capabilities.get("outline")
    for way in said.ways:
        try:
            if outline is not None and not way.waits:
                outline(way.order, table.language(seat))
        except Unreadable as fault:
            yield unread(table, view, line, fault)


def _kind(table: Table, order: str, language: str) -> str:
    """The kind of decision that an order answers, whatever the position; nothing where the game cannot tell."""
    kind_of = table.game.capabilities.get("kind_of")
    if kind_of is not None:
        return str(kind_of(order, language))
    kinds = table.game.capabilities.get("kinds", ())
    return str(kinds[0]) if len(kinds) == 1 else ""


def _moment(draft: Draft, said: PlanLine, kind: str) -> str:
    """The key of a line: the next of its kind that no line of this mail has."""
    if said.until:
        return moments.later(moments.EVERY, kind)
    keys = (moments.later(said.round, kind, ordinal) for ordinal in count(1))
    return next(key for key in keys if key not in draft.bound)
