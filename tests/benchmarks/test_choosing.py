"""A list of alternatives does in each case what is best there, or asks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from benchmarks.choosing import ASKING, Case, Choice, Way, chosen
from engine.bloody_inn.actions import Bribe, Bury, Grave, Kill, Night, Pass

MOST = 12
BARON, NOVICE, SHOT = Bribe((1,)), Bribe((2,)), Kill((1,))


def case(*facts: str, often: int = 10, **worth: float) -> Case:
    """A case in which a pass is worth nothing."""
    moves: dict[str, Night] = {"baron": BARON, "novice": NOVICE, "shot": SHOT}
    return Case({Pass(): 0.0, **{moves[name]: each for name, each in worth.items()}}, frozenset(facts), often)


def done(ways: Sequence[Way], now: Case) -> Choice:
    """What a host does with `ways`: the first that can be done."""
    return next(way.choice for way in ways if now.passes(way.test) and now.missed(way.choice) is not None)


@pytest.mark.parametrize(
    ("cases", "best"),
    [
        pytest.param([case(baron=9, novice=5), case(novice=5)], [BARON, NOVICE], id="the next best if it is gone"),
        pytest.param([case(baron=9), case()], [BARON, Pass()], id="a pass if nothing is left"),
        pytest.param(
            [case("POLICE", baron=9, shot=2), case(baron=5, shot=9)], [BARON, SHOT], id="by a condition that tells"
        ),
        pytest.param(
            [case("POLICE", "A", baron=9, shot=2), case("POLICE", baron=2, shot=9), case("A", baron=2, shot=9)],
            [BARON, SHOT, SHOT],
            id="by two conditions together",
        ),
        pytest.param([case(baron=9, shot=2), case(baron=2, shot=9)], [None, None], id="a question if nothing tells"),
        pytest.param(
            [case(baron=9, shot=2, often=99), case(baron=2, shot=9, often=1)], [BARON, BARON], id="what is best mostly"
        ),
    ],
)
def test_what_is_done_in_each_case_is(cases: list[Case], best: list[Choice]) -> None:
    ways = chosen(cases, MOST)
    assert [done(ways, each) for each in cases] == best


@pytest.mark.parametrize("most", [2, 3, 5])
def test_a_list_keeps_to_its_length_and_ends_with_a_question(most: int) -> None:
    cases = [Case({Bribe((room,)): 9.0, Pass(): 0.0}, frozenset(), room) for room in range(1, 9)]
    ways = chosen(cases, most)
    assert len(ways) == most
    assert ways[-1] == Way((), None)
    assert {way.choice for way in ways[:-1]} == {Bribe((room,)) for room in range(9 - len(ways) + 1, 9)}


def test_a_little_is_missed_rather_than_asked() -> None:
    close = [case(baron=9, shot=9 - ASKING / 2), case(baron=9 - ASKING / 2, shot=9)]
    assert None not in [done(chosen(close, MOST), each) for each in close]


def test_a_burial_has_other_places_behind_it_but_no_worse_ones() -> None:
    mine, anna, bob = (Bury((Grave("baron", owner, "barn"),)) for owner in (1, 2, 3))
    novice = Bury((Grave("novice", 1, "barn"),))
    ways = chosen([Case({mine: 9.0, anna: 8.0, bob: 4.0, novice: 8.5, Pass(): 0.0}, frozenset(), 1)], MOST)
    assert [way.choice for way in ways] == [mine, anna, None]
    assert [way.choice for way in chosen([Case({mine: 9.0, anna: 9.0}, frozenset(), 1)], 2)] == [mine, None]
