"""From what would be best in many cases to one list of alternatives that serves them all, in order, with conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from math import inf
from typing import Final

from engine.bloody_inn.actions import Bury, Night, Pass

Choice = Night | None
"""What a way does; ``None``: it lets its writer be asked."""
Test = tuple[tuple[str, bool], ...]
"""Statements, all of which must be true or false as they are wanted."""

ASKING: Final = 3.0
"""What it costs, in francs, to be asked: the others wait."""
WAY: Final = 1.0
"""What one more alternative must spare in all cases together, so that a list is not made for a single one."""
STAND_INS: Final = 2
"""Other places for a burial, should the one that is meant be filled meanwhile."""
AS_GOOD: Final = 2.0
"""So much worse, in francs, they may be."""
NOTHING: Final = inf
"""The cost of a way that settles nothing."""


@dataclass(frozen=True, slots=True)
class Case:
    """What may come: what each possible action is worth then, and the statements that are true."""

    worth: Mapping[Night, float]
    facts: frozenset[str]
    weight: int
    """How often it was met."""

    @property
    def best(self) -> float:
        return max(self.worth.values())

    def passes(self, test: Test) -> bool:
        return all((statement in self.facts) is wanted for statement, wanted in test)

    def missed(self, choice: Choice) -> float | None:
        """What `choice` misses of the best; ``None`` if it is not possible."""
        if choice is None:
            return ASKING
        return self.best - self.worth[choice] if choice in self.worth else None


@dataclass(frozen=True, slots=True)
class Way:
    """One alternative."""

    test: Test
    choice: Choice


class _Column:
    """A way, and the cases that it applies to, each with what it misses and how often that was met."""

    def __init__(self, way: Way, cases: Sequence[Case]) -> None:
        self.way = way
        missed = ((at, each.missed(way.choice), each.weight) for at, each in enumerate(cases) if each.passes(way.test))
        self.missed = {at: (much, weight) for at, much, weight in missed if much is not None}

    def cost(self, left: set[int]) -> tuple[float, int, int]:
        """What it costs in each case of those `left` that it settles, which should be many, by a short condition."""
        settled = [self.missed[at] for at in self.missed.keys() & left]
        if not settled:
            return NOTHING, 0, 0
        times = sum([weight for _, weight in settled])
        return (sum([much * weight for much, weight in settled]) + WAY) / times, -times, len(self.way.test)


def chosen(cases: Sequence[Case], most: int) -> tuple[Way, ...]:
    """At most `most` ways, in order, that miss little in all `cases` and end with a question, or what is as good.

    Way by way the one is taken that misses least where none before it applies.
    """
    columns = _columns(cases, _tests(cases))
    found: list[_Column] = []
    left = set(range(len(cases)))
    while left:
        best = min(columns, key=lambda column: column.cost(left))
        found.append(best)
        left -= best.missed.keys()
    ways = _closed([column.way for column in _pruned(found, cases, most - 1)])
    return tuple(_with_stand_ins(ways, cases, most - len(ways)))


def _tests(cases: Iterable[Case]) -> tuple[Test, ...]:
    """What tells `cases` apart: whether one statement is true, and two together."""
    facts = [case.facts for case in cases]
    telling = sorted(frozenset().union(*facts).difference(frozenset.intersection(*facts)))
    alone: list[Test] = [((each, wanted),) for each in telling for wanted in (True, False)]
    both = ((*one, *other) for one, other in combinations(alone, 2) if one[0][0] != other[0][0])
    return ((), *alone, *both)


def _columns(cases: Sequence[Case], tests: Iterable[Test]) -> list[_Column]:
    """Every way that is good enough in one of the cases, under each condition."""
    good = (action for case in cases for action in case.worth if case.best - case.worth[action] <= ASKING)
    choices = (*dict.fromkeys(good), None)
    return [_Column(Way(test, choice), cases) for choice, test in product(choices, tests)]


def _pruned(columns: list[_Column], cases: Sequence[Case], most: int) -> list[_Column]:
    """The `most` columns without which most would be missed."""
    while len(columns) > most:
        fewer = [columns[:at] + columns[at + 1 :] for at in range(len(columns))]
        columns = min(fewer, key=lambda each: _total(each, cases))
    return columns


def _total(columns: Sequence[_Column], cases: Sequence[Case]) -> float:
    """What is missed in all cases together; where no way is left it would be asked."""
    return sum(_missed(columns, at) * case.weight for at, case in enumerate(cases))


def _missed(columns: Sequence[_Column], at: int) -> float:
    return next((each.missed[at][0] for each in columns if at in each.missed), ASKING)


def _closed(ways: list[Way]) -> list[Way]:
    """`ways` with a question behind them, for cases that were not thought of; behind a pass nothing is left to ask."""
    always = {way.choice for way in ways if not way.test}
    return ways if None in always or Pass() in always else [*ways, Way((), None)]


def _with_stand_ins(ways: Sequence[Way], cases: Sequence[Case], room: int) -> Iterator[Way]:
    """`ways` with at most `room` more of them: others fill places too, which the cases do not show."""
    known = {way.choice for way in ways}
    for way in ways:
        yield way
        others = (each for each in _other_places(way.choice, cases) if each not in known)
        for other in islice(others, min(STAND_INS, room)):
            room -= 1
            yield Way(way.test, other)


def _other_places(burial: Choice, cases: Sequence[Case]) -> list[Night]:
    """What buries the same corpses elsewhere and is about as good, the best first."""
    worth = next((case.worth for case in cases if burial in case.worth), {})
    if not isinstance(burial, Bury):
        return []
    same = [each for each in worth if isinstance(each, Bury) and each != burial and _corpses(each) == _corpses(burial)]
    return sorted((each for each in same if worth[burial] - worth[each] <= AS_GOOD), key=lambda each: -worth[each])


def _corpses(burial: Bury) -> list[str]:
    return [grave.corpse for grave in burial.graves]
