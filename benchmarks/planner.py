"""Two ways to play by mail: one decision a mail, or a night ahead. Both see what the mails to their seat show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from benchmarks.choosing import Case, Choice, Way, chosen
from benchmarks.imagined import Imagined, Prospect
from benchmarks.others import Inn
from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Bribe, Lodge, Night
from engine.bloody_inn.bots.steady import ranked
from engine.bloody_inn.candidates import worth
from engine.bloody_inn.cards import FACES
from engine.bloody_inn.conditions import Did, Holds, Police
from engine.bloody_inn.conditions import write as written
from engine.bloody_inn.lodge import empty
from engine.bloody_inn.night import ACTIONS
from engine.bloody_inn.rules import VERBS
from engine.bloody_inn.state import Phase, View
from engine.bloody_inn.words import words
from pbem.plans.syntax import MOST_WAYS, WAIT

THOUGHT: Final = 300
"""Positions that are looked at for one decision that is answered alone."""


def plainly(view: View) -> tuple[str, ...]:
    """The best action for the open decision, alone; all travelers are lodged at once, as people do."""
    best = ranked(view, THOUGHT)[0][1]
    if isinstance(best, Lodge):
        best = Lodge((*best.rooms, *(room for room in empty(view.rooms) if room not in best.rooms)))
    return (GAME.write(best, view),)


def ahead(view: View) -> tuple[str, ...]:
    """All that is left of the night, one line an action, and which rooms to fill first; or another open decision."""
    if view.phase is not Phase.NIGHT:
        return plainly(view)
    return (_lodging(view), *_lines(Imagined(view)))


def settled() -> tuple[str, ...]:
    """What the planner settles before the game begins."""
    names = ", ".join(words().card(card) for card in sorted(FACES, key=lambda card: (worth(card), card)))
    return ("ALWAYS LODGE ANY", "ALWAYS PAY CASH", f"ALWAYS DISMISS {names}", "ALWAYS RETURNING FIRST")


def _lodging(view: View) -> str:
    """One's own rooms first, those of others last."""
    mine = {view.seat: 2, 0: 1}
    order = sorted(view.rooms, key=lambda room: -(mine.get(room.key, 0) + 2 * mine.get(room.token, 0)))
    return f"ALWAYS LODGE {' '.join(str(room.number) for room in order)}"


def _lines(night: Imagined) -> Iterator[str]:
    """The next action; then, unless that is the second one, the second behind whatever the first line may do."""
    inns = Counter(course.first for course in night.courses)
    if night.next == ACTIONS:
        cases = [Case(_worth(night.now(inn)), _police(night, inn), often) for inn, often in inns.items()]
        yield _line(chosen(cases, MOST_WAYS), night.view)
        return
    firsts = {each.action: each for each in night.firsts()}
    before = {inn: _first(night, firsts.values(), inn, often) for inn, often in inns.items()}
    ways = chosen(tuple(before.values()), MOST_WAYS)
    yield _line(ways, night.view)
    done = {inn: _done(ways, case) for inn, case in before.items()}
    behind = Counter((move, course.second) for course in night.courses if (move := done[course.first]))
    cases = [_second(night, firsts[move], inn, often) for (move, inn), often in behind.items()]
    if cases:
        yield _line(chosen(cases, MOST_WAYS), night.view)


def _first(night: Imagined, firsts: Iterable[Prospect], inn: Inn, often: int) -> Case:
    worth = {each.action: night.worth(each, inn) for each in firsts if each.possible(inn)}
    return Case(worth, _police(night, inn), often)


def _second(night: Imagined, first: Prospect, others: Inn, often: int) -> Case:
    """The second action behind `first`, and what tells this case from those in which something else was done."""
    view, inn = night.view, others.without(first.rooms)
    facts = [written(Did(view.seat, VERBS[type(first.action)]), view)]
    if isinstance(first.action, Bribe):
        facts += [written(Holds(night.guests[room]), view) for room in first.action.rooms]
    possible = (each for each in night.behind(first, inn) if each.possible(inn))
    return Case(_worth(possible), _police(night, inn).union(facts), often)


def _worth(prospects: Iterable[Prospect]) -> dict[Night, float]:
    return {each.action: each.worth for each in prospects}


def _police(night: Imagined, inn: Inn) -> frozenset[str]:
    return frozenset([written(Police(), night.view)] if night.police(inn) else ())


def _done(ways: Iterable[Way], case: Case) -> Choice:
    """What a line of `ways` does in `case`; nothing where it asks."""
    return next(way.choice for way in ways if case.passes(way.test) and case.missed(way.choice) is not None)


def _line(ways: Iterable[Way], view: View) -> str:
    return " ELSE ".join(dict.fromkeys(_way(way, view) for way in ways))


def _way(way: Way, view: View) -> str:
    order = WAIT if way.choice is None else GAME.write(way.choice, view)
    if not way.test:
        return order
    return f"IF {' AND '.join(statement if wanted else f'NOT {statement}' for statement, wanted in way.test)} {order}"
