"""Order lines of a seat: the first answers the open decision, the others are plans for this round (law 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from engine.game import Ambiguous, Decision, Illegal, Unreadable
from engine.record import By
from pbem.clock import answered
from pbem.draft import Draft, Refused
from pbem.table import Plan, Table, play
from pbem.verdicts import Line, Reason, Said, Source, Verdict

SUGGESTIONS = 3


def ordered(draft: Draft, table: Table, seat: int, n: int, text: str) -> Draft:
    """Carry out or plan one order line; `Refused` by the host, or a line that says why the game would not."""
    view = table.view(seat)
    action, trouble = _read(table, view, n, text)
    if trouble is not None:
        return draft.saying(trouble)
    decision = _decision(draft, table, seat, action)
    reading = table.game.write(action, view)
    if draft.bound or decision != table.open_decision(seat):
        return _planned(draft, table, seat, Line(n, text, Said.PLANNED, reading, decision=decision.key))
    try:
        after, written = play(answered(table, seat, draft.mail.received_at), seat, action, By.SEAT)
    except Illegal as illegal:
        return draft.saying(refused(table, view, Line(n, text, Said.REFUSED, reading), illegal))
    done = Line(n, text, Said.DONE, reading, decision=decision.key, entry=written[0].entry.n)
    return replace(draft.changing(after, written), bound=(decision.key,)).saying(done)


def has_passed(draft: Draft, table: Table, seat: int) -> bool:
    """Whether the mail answers a decision that has been made, or a mail from before a rollback."""
    reference = draft.known.reference
    if reference is None or not reference.decision or reference.table != table.name:
        return False
    return reference.n < table.rolled or reference.decision not in {d.key for d in table.ahead(seat)}


def _decision(draft: Draft, table: Table, seat: int, action: Any) -> Decision:
    """The decision that `action` belongs to: the next of its kind that no line of this mail has."""
    kind = table.game.kind(action)
    for decision in _answerable(draft, table, seat):
        if decision.kind == kind and decision.key not in draft.bound:
            return decision
    raise Refused(Reason.NOT_AHEAD, near=_suggestions(table, table.view(seat)), kind=kind)


def _answerable(draft: Draft, table: Table, seat: int) -> Sequence[Decision]:
    """The decisions ahead, from the one that the answered mail was about."""
    ahead = table.ahead(seat)
    reference = draft.known.reference
    keys = [decision.key for decision in ahead]
    if reference is not None and reference.table == table.name and reference.decision in keys:
        return ahead[keys.index(reference.decision) :]
    return ahead


def _planned(draft: Draft, table: Table, seat: int, line: Line) -> Draft:
    """Keep the line; it replaces an earlier plan for the same decision."""
    plan = Plan(seat, line.decision, line.text, draft.mail.inbox, line.n)
    older = [p for p in table.plans if (p.seat, p.decision) == (seat, line.decision)]
    kept = tuple(p for p in table.plans if p not in older)
    facts = {"replaces": older[0].text} if older else {}
    return replace(draft.changing(replace(table, plans=(*kept, plan))), bound=(*draft.bound, line.decision)).saying(
        msgspec.structs.replace(line, facts=facts)
    )


def _read(table: Table, view: Any, n: int, text: str) -> tuple[Any, Line | None]:
    try:
        return table.game.read(text, view), None
    except (Unreadable, Ambiguous) as fault:
        return None, unread(table, view, Line(n, text, Said.UNREAD), fault)


def unread(table: Table, view: Any, line: Line, fault: Unreadable | Ambiguous) -> Line:
    """The line with why it was not understood, and what may have been meant."""
    if isinstance(fault, Ambiguous):
        readings = tuple(table.game.write(action, view) for action in fault.readings)
        return msgspec.structs.replace(line, reason=Reason.AMBIGUOUS, near=readings)
    facts = as_json(fault.facts)
    return msgspec.structs.replace(
        line, source=Source.GAME, reason=fault.reason.value, facts=facts, near=tuple(facts.get("near", ()))
    )


def refused(table: Table, view: Any, line: Line, illegal: Illegal) -> Line:
    """The line with the rule that forbids it, and a few orders that would be legal."""
    return msgspec.structs.replace(
        line,
        source=Source.GAME,
        reason=illegal.reason.value,
        facts=as_json(illegal.facts),
        near=_suggestions(table, view),
    )


def _suggestions(table: Table, view: Any) -> tuple[str, ...]:
    return tuple(table.game.write(action, view) for action in table.game.suggest(view, SUGGESTIONS))


def as_json(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts as JSON values, which is how a verdict is stored."""
    plain: dict[str, Any] = msgspec.to_builtins(facts)
    return plain


def news_of(plan: Plan, line: Line) -> Verdict:
    """What became of a plan, as an answer without a mail."""
    return Verdict((line,), inbox=plan.inbox)
