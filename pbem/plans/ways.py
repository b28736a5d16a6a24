"""The alternatives of a line in a position: how they are read, and which of them is gone.

Everything is read from the view of the line's own seat (law 3).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.game import Ambiguous, Conditions, Illegal, Standing, Unreadable
from engine.record import By
from pbem.plans import moments
from pbem.plans.syntax import PlanLine, Term, Test, Way
from pbem.table import Table, Written, play
from pbem.verdicts import Forecast, Line, Reason, Said, Source
from pbem.wording import word

SUGGESTIONS = 3


@dataclass(frozen=True, slots=True)
class Read:
    """A line as it was read: the actions of its alternatives (``None``: to wait), and its written form."""

    actions: tuple[Any | None, ...] = ()
    reading: str = ""
    trouble: Line | None = None
    """Why it was not understood; then there is nothing else."""

    @property
    def first(self) -> Any | None:
        """The first action; nothing for a line that only waits."""
        return next((action for action in self.actions if action is not None), None)


@dataclass(frozen=True, slots=True)
class Gone:
    """What became of a line whose decision is open."""

    tried: tuple[Line, ...]
    """The alternatives that were passed by, and why."""
    way: Way | None = None
    """The one that was taken; nothing if none could be."""
    reading: str = ""
    after: Table | None = None
    """The table behind its order; nothing where it waits."""
    written: tuple[Written, ...] = ()


def choices_of(table: Table, seat: int) -> tuple[Any, ...]:
    """The standing choices of `seat`, newest first."""
    standing: Standing | None = table.game.capabilities.get("standing")
    if standing is None:
        return ()
    kept = (plan for plan in table.plans if plan.seat == seat and moments.is_always(plan.decision))
    return tuple(standing.read(plan.text, table.language(seat)) for plan in kept)


def order(table: Table, seat: int, text: str, view: Any) -> Any:
    """The action that an order line of `seat` asks for, with what its standing choices fill in."""
    choices = choices_of(table, seat)
    if not choices:
        return table.game.read(text, view, table.language(seat))
    return table.game.capabilities["standing"].order(text, view, choices, table.language(seat))


def read(table: Table, seat: int, line: Line, said: PlanLine, view: Any) -> Read:
    """Every alternative of a line; `Read.trouble` is `line` with the first thing that was not understood."""
    actions, readings = [], []
    for way in said.ways:
        test, trouble = _read_test(table, view, line, way.test)
        if trouble is None and not way.waits:
            action, trouble = _read_order(table, seat, line, way.order, view)
            actions.append(action)
        elif trouble is None:
            actions.append(None)
        if trouble is not None:
            return Read(trouble=trouble)
        readings.append(_written(table, view, test, actions[-1]))
    kinds = {table.game.kind(action) for action in actions if action is not None}
    if len(kinds) > 1:
        return Read(trouble=_unread(line, Reason.MIXED_KINDS))
    return Read(tuple(actions), f" {word('else', table.language(seat))} ".join(readings))


def go(table: Table, seat: int, line: Line, said: PlanLine, by: By) -> Gone:
    """Take the first alternative whose condition holds and whose order is legal. Nothing else is guessed.

    An order that has become ambiguous ends the search: what its writer wants first can be done, but not by guessing.
    """
    view = table.view(seat)
    tried: list[Line] = []
    for way in said.ways:
        each = Line(line.n, way.order, Said.REFUSED)
        if (unmet := _unmet(table, view, each, way.test)) is not None:
            tried.append(unmet)
            continue
        if way.waits:
            return Gone(tuple(tried), way)
        action, trouble = _read_order(table, seat, each, way.order, view)
        if trouble is None:
            try:
                after, written = play(table, seat, action, by)
            except Illegal as illegal:
                tried.append(refused(each, illegal))
                continue
            return Gone(tuple(tried), way, _said(table, view, action), after, written)
        tried.append(trouble)
        if trouble.reason == Reason.AMBIGUOUS:
            break
    return Gone(tuple(tried))


def holds(table: Table, view: Any, test: Test) -> bool:
    """Whether what `test` asks is so; what cannot be read is not."""
    answers = (_answer(table, view, term) for term in test.terms)
    return all(answers) if test.all else any(answers)


def trouble_with(table: Table, view: Any, line: Line, test: Test) -> Line | None:
    """`line` with what is not understood of the condition `test`; nothing if it can be read."""
    return _read_test(table, view, line, test)[1]


# Conditions


def _read_test(table: Table, view: Any, line: Line, test: Test) -> tuple[str, Line | None]:
    """The condition in its written form, or why it was not understood."""
    conditions: Conditions | None = table.game.capabilities.get("conditions")
    if not test.terms:
        return "", None
    if conditions is None:
        return "", _unread(line, Reason.NO_CONDITIONS)
    try:
        terms = [_term(conditions, view, term, table.language(view.seat)) for term in test.terms]
    except Unreadable as fault:
        return "", unread(table, view, line, fault)
    except Ambiguous as fault:
        readings = [conditions.write(each, view, table.language(view.seat)) for each in fault.readings]
        return "", _unread(line, Reason.CONDITION_AMBIGUOUS, condition=fault.text, readings=readings)
    return (" AND " if test.all else " OR ").join(terms), None


def _term(conditions: Conditions, view: Any, term: Term, language: str) -> str:
    said = conditions.write(conditions.read(term.text, view, language), view, language)
    return said if term.wanted else f"NOT {said}"


def _answer(table: Table, view: Any, term: Term) -> bool:
    conditions: Conditions = table.game.capabilities["conditions"]
    return conditions.holds(conditions.read(term.text, view, table.language(view.seat)), view) is term.wanted


def _unmet(table: Table, view: Any, line: Line, test: Test) -> Line | None:
    """`line` with the condition that does not hold, or that can no longer be read."""
    said, trouble = _read_test(table, view, line, test)
    if trouble is not None:
        return trouble
    if holds(table, view, test):
        return None
    return msgspec.structs.replace(line, reason=Reason.NOT_SO, facts={"condition": said})


# Orders


def _read_order(table: Table, seat: int, line: Line, text: str, view: Any) -> tuple[Any, Line | None]:
    try:
        return order(table, seat, text, view), None
    except (Unreadable, Ambiguous) as fault:
        return None, unread(table, view, msgspec.structs.replace(line, said=Said.UNREAD), fault)


def _written(table: Table, view: Any, test: str, action: Any | None) -> str:
    language = table.language(view.seat)
    said = word("wait", language) if action is None else _said(table, view, action)
    return f"{word('if', language)} {test} {said}" if test else said


def _unread(line: Line, reason: Reason, **facts: Any) -> Line:
    return msgspec.structs.replace(line, said=Said.UNREAD, reason=reason, facts=facts)


def unread(table: Table, view: Any, line: Line, fault: Unreadable | Ambiguous) -> Line:
    """The line with why it was not understood, and what may have been meant."""
    said = msgspec.structs.replace(line, said=Said.UNREAD)
    if isinstance(fault, Ambiguous):
        readings = tuple(_said(table, view, action) for action in fault.readings)
        return msgspec.structs.replace(said, reason=Reason.AMBIGUOUS, near=readings)
    facts = as_json(fault.facts)
    return msgspec.structs.replace(
        said, source=Source.GAME, reason=fault.reason.value, facts=facts, near=tuple(facts.get("near", ()))
    )


def refused(line: Line, illegal: Illegal) -> Line:
    """The line with the rule that forbids it."""
    facts = as_json(illegal.facts)
    return msgspec.structs.replace(
        line, said=Said.REFUSED, source=Source.GAME, reason=illegal.reason.value, facts=facts
    )


def not_gone(table: Table, line: Line, tried: tuple[Line, ...], view: Any) -> Line:
    """`line`, of which no way could be gone: why not, and a few orders that would be legal."""
    near = suggestions(table, view)
    if len(tried) == 1 and tried[0].reason != Reason.NOT_SO:
        why = tried[0]
        near = why.near if why.reason == Reason.AMBIGUOUS else near
        return msgspec.structs.replace(
            line, said=why.said, source=why.source, reason=why.reason, facts=why.facts, near=near
        )
    return msgspec.structs.replace(line, said=Said.REFUSED, reason=Reason.NO_WAY, near=near, tried=tried)


def suggestions(table: Table, view: Any) -> tuple[str, ...]:
    """A few orders that would be legal."""
    return tuple(_said(table, view, action) for action in table.game.suggest(view, SUGGESTIONS))


def _said(table: Table, view: Any, action: Any) -> str:
    """An action as the owner of the view would order it."""
    return table.game.write(action, view, table.language(view.seat))


def as_json(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts as JSON values, which is how a verdict is stored."""
    plain: dict[str, Any] = msgspec.to_builtins(facts)
    return plain


def forecast(table: Table, view: Any, actions: Iterable[Any | None]) -> tuple[Any | None, Forecast | None]:
    """What the first of `actions` that the rules allow would bring now, and the view behind it.

    Nothing where that cannot be told: for another phase, behind an alternative that waits, of a game that never tells.
    """
    foresee = table.game.capabilities.get("foresee")
    found: Forecast | None = None
    for action in actions:
        if foresee is None or action is None:
            return None, None
        try:
            seen = foresee(view, action)
        except Illegal as illegal:
            found = found or Forecast(illegal.reason.value, as_json(illegal.facts))
            continue
        if seen is None:
            return None, None
        events = tuple(msgspec.json.decode(table.game.encode(event)) for event in seen.events)
        return seen.view, Forecast(order=_said(table, view, action), events=events)
    return None, found
