"""The lists of legal actions, against every action one can think of; and counted trees of moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, combinations_with_replacement, islice
from typing import Any

import pytest

from engine.bloody_inn import GAME, rules
from engine.bloody_inn.actions import Action, Bribe, Build, Bury, Grave, Kill, Pass
from engine.bloody_inn.cards import BARN, FACES
from engine.bloody_inn.payment import choices
from engine.bloody_inn.state import State
from engine.game import Illegal
from tests.engine.bloody_inn.positions import cards, evening, last_of_night, morning, night, player

RICH = night(
    player("cultivator monk peasant peasant shopkeeper", "representative mechanic", "baron count", cash=24, checks=2),
    player("", "abbot[baron]"),
    rooms="viscount - duke",
    keys="1 2 -",
    bistro=3,
)
BUTCHER = night(player("major peasant peasant", "butcher brewer"), rooms="viscount baron count peacekeeper", bistro=6)
STORE = night(player("newsboy peasant", "shopkeeper representative"), rooms="viscount baron count viscount")
CRYPT = night(player("peasant novice", "archbishop abbot priest", "baron peasant viscount viscount"), rooms="- -")
CONCIERGE = night(player("concierge mechanic gardener peasant", "mechanic"), rooms="- -", tokens="2 -", keys="- -")
POSITIONS = {"rich": RICH, "butcher": BUTCHER, "store": STORE, "crypt": CRYPT, "concierge": CONCIERGE}


def subsets(things: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    return chain.from_iterable(combinations(things, size) for size in range(len(things) + 1))


def payments(state: State) -> list[tuple[str, ...]]:
    hand = state.players[0].hand
    return [pay for size in range(len(hand) + 1) for pay in choices(hand, size)]


def conceivable(state: State) -> Iterator[Action]:
    """Every action at night that the rules could be asked about, legal or not."""
    rooms = tuple(range(1, len(state.rooms) + 2))
    annexes = sorted({annex.card for seat in state.players for annex in seat.annexes})
    graves = [Grave(c, o, a) for c in sorted(set(state.players[0].corpses)) for o in (1, 2) for a in annexes]
    for pay in payments(state):
        for taken in subsets(rooms):
            for peasants in range(6):
                yield Bribe(taken, peasants, pay)
                yield Kill(taken, peasants, pay)
        for card in (*FACES, BARN):
            for room in (0, *rooms):
                yield Build(card, room, pay)
        for size in range(len(state.players[0].corpses) + 1):
            for buried in combinations_with_replacement(graves, size):
                yield Bury(buried, pay)
    for launder in range(0, 60, 5):
        for cash in range(0, 60, 5):
            yield Pass(launder, cash)


def allowed(state: State, action: Action) -> bool:
    try:
        rules.check(state, 1, action)
    except Illegal:
        return False
    return True


@pytest.mark.parametrize("name", POSITIONS)
def test_the_list_holds_exactly_what_the_check_allows(name: str) -> None:
    state = POSITIONS[name]
    listed = list(GAME.legal(state, 1))
    assert len(set(listed)) == len(listed)
    assert set(listed) == {action for action in conceivable(state) if allowed(state, action)}


def test_a_huge_list_is_made_lazily() -> None:
    state = night(
        player(" ".join(FACES), "butcher shopkeeper archbishop", " ".join([*FACES, *FACES])),
        rooms="count count count count count count count count",
        bistro=8,
    )
    assert len(list(islice(GAME.legal(state, 1), 100))) == 100
    assert GAME.waiting(state)[0].answers == 2


def test_many_corpses_that_nobody_can_pay_for_cost_no_time() -> None:
    corpses = "monk mechanic viscount brigadier representative " * 4
    state = night(player("peasant", "archbishop priest duke prince", corpses, cash=0, checks=0), rooms="duke")
    places = 5 + 1
    assert len(list(GAME.legal(state, 1))) == len(set(corpses.split())) * places + 1


@pytest.mark.parametrize(
    ("hand", "size", "expected"),
    [
        ("", 0, [()]),
        ("", 1, []),
        ("baron", 1, [("baron",)]),
        ("baron baron duke", 2, [("baron", "baron"), ("baron", "duke")]),
        ("baron baron duke", 3, [("baron", "baron", "duke")]),
        ("baron duke", 3, []),
        ("a a b b c", 3, [("a", "a", "b"), ("a", "a", "c"), ("a", "b", "b"), ("a", "b", "c"), ("b", "b", "c")]),
    ],
)
def test_equal_cards_are_chosen_once(hand: str, size: int, expected: list[tuple[str, ...]]) -> None:
    assert list(choices(cards(hand), size)) == expected


def leaves(state: State, depth: int) -> int:
    """How many different sequences of moves lead `depth` moves on, as in the perft of chess programs."""
    if depth == 0:
        return 1
    return sum(
        leaves(GAME.apply(state, decision.seat, action).state, depth - 1)
        for decision in GAME.waiting(state)[:1]
        for action in GAME.legal(state, decision.seat)
    )


OPENING = night(player("peasant peasant"), player("peasant peasant"), rooms="baron viscount count duke major")
EVENING = evening(entrance="baron viscount count duke major", rooms="- - - - -", tokens="- - - 1 -")
POLICE = morning(
    last_of_night(player(corpses="baron duke", cash=20, checks=2), player(corpses="monk", cash=12), rooms="major -")
)


@pytest.mark.parametrize(
    ("state", "counts"),
    [
        pytest.param(OPENING, (8, 62, 500), id="opening"),
        pytest.param(EVENING, (4, 13, 33), id="evening"),
        pytest.param(POLICE, (3, 6, 12), id="police"),
        pytest.param(RICH, (89, 458, 22045), id="rich"),
        pytest.param(BUTCHER, (36, 272, 6594), id="butcher"),
        pytest.param(STORE, (38, 158, 3672), id="store"),
        pytest.param(CRYPT, (1524, 3381), id="crypt"),
    ],
)
def test_a_tree_of_moves_has_its_number_of_leaves(state: State, counts: tuple[int, ...]) -> None:
    """The first three are counted by hand to depth 1 or further; the others guard against a silent change."""
    assert tuple(leaves(state, depth) for depth in range(1, len(counts) + 1)) == counts
