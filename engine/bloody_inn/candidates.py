"""A few legal actions out of very many: each target once, with the payment that gives up least.

`legal` lists thousands of payments where hands are big. People and bots want to compare targets; which cards
to part with is nearly always clear: those that come back, then those that can do least.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations, islice
from typing import Final

from engine.bloody_inn import build, bury, lodge, passing, police, targets, wages
from engine.bloody_inn.actions import Action, Bribe, Build, Bury, Dismiss, Grave, Kill
from engine.bloody_inn.annexes import Rights, rights, rooms_for
from engine.bloody_inn.cards import APTITUDE, BUILDABLE, FRANCS, PEASANT, RANK, Card
from engine.bloody_inn.hands import Cards, without
from engine.bloody_inn.state import Board, Hand, Phase

MOST: Final = 200
"""Candidates of one kind: an annex for several targets allows hundreds of sets."""

Found = Iterator[Action]


def candidates(board: Board, seat: int) -> Iterator[Action]:
    """Legal actions of `seat`, lazily, in a stable order: every target, one sensible payment each."""
    for listed in _LISTS[board.phase]:
        yield from islice(listed(board, seat), MOST)


def cheapest(hand: Cards, least: int, mine: Rights, action: str) -> Cards | None:
    """The `least` cards of `hand` that one misses least when they are played; ``None`` if there are too few."""
    return _cheapest(hand, least, action, action in mine.returning)


@lru_cache(maxsize=4096)
def _cheapest(hand: Cards, least: int, action: str, returning: bool) -> Cards | None:
    return tuple(sorted(_least_missed(hand, action, returning)[:least])) if least <= len(hand) else None


def _least_missed(hand: Cards, action: str, returning: bool) -> list[Card]:
    """`hand` in the order in which one would play it for `action`; with `returning` all cards come back."""
    return sorted(hand, key=lambda card: 0 if returning or APTITUDE[card] == action else 1 + worth(card))


def worth(card: Card) -> int:
    """How much one likes to keep a card of the hand, roughly in francs."""
    return 0 if card == PEASANT else 2 * bool(APTITUDE[card]) + RANK[card] * (card in BUILDABLE) + 1


def _priced(hand: Cards, ranks: int, mine: Rights, action: str) -> Cards | None:
    return _cheapest(hand, max(0, ranks - mine.discounts.count(action)), action, action in mine.returning)


def _bribes(board: Board, seat: int) -> Found:
    mine = rights(board.players[seat - 1].annexes)
    for peasants in range(min(mine.peasants, board.bistro), 0, -1):
        yield Bribe(peasants=peasants)
    for rooms, pay in _guests(board, seat, "bribe"):
        yield Bribe(rooms, 0, pay)


def _kills(board: Board, seat: int) -> Found:
    for rooms, pay in _guests(board, seat, "kill"):
        yield Kill(rooms, 0, pay)
    if board.bistro:
        yield Kill(peasants=1)


def _guests(board: Board, seat: int, action: str) -> Iterator[tuple[tuple[int, ...], Cards]]:
    """Sets of guests that `action` may take, the single ones first, each with its payment."""
    me = board.players[seat - 1]
    mine = rights(me.annexes)
    taken = [number for number, _ in targets.guests(board.rooms)]
    most = len(taken) if action in mine.several else 1
    for rooms in chain.from_iterable(combinations(taken, size) for size in range(1, most + 1)):
        pay = _priced(me.hand, targets.ranks(board.rooms, rooms), mine, action)
        if pay is not None:
            yield rooms, pay


def builds(board: Board, seat: int) -> Found:
    """Every annex that `seat` can pay for, in each room that its power may change."""
    me = board.players[seat - 1]
    for card in filter(BUILDABLE.__contains__, dict.fromkeys(me.hand)):
        pay = _priced(without(me.hand, (card,)), RANK[card], rights(me.annexes), build.ACTION)
        if pay is not None:
            for room in rooms_for(board.rooms, card) or (0,):
                yield Build(card, room, pay)


def burials(board: Board, seat: int) -> Found:
    """Every burial that `seat` can pay for, several corpses at once before single ones."""
    me = board.players[seat - 1]
    mine = rights(me.annexes)
    for graves in chain(_several_graves(board, seat, mine), _single_graves(board, me)):
        pay = _priced(me.hand, sum(RANK[grave.corpse] for grave in graves), mine, bury.ACTION)
        if pay is not None:
            yield Bury(graves, pay)


def _single_graves(board: Board, me: Hand) -> Iterator[tuple[Grave, ...]]:
    for corpse in dict.fromkeys(me.corpses):
        for place in bury.places(board.players):
            yield (Grave(corpse, *place),)


def _several_graves(board: Board, seat: int, mine: Rights) -> Iterator[tuple[Grave, ...]]:
    """With an annex for several corpses: the richest corpses under one's own annexes first, then others'."""
    if bury.ACTION not in mine.several:
        return
    corpses = sorted(board.players[seat - 1].corpses, key=lambda corpse: (-FRANCS[corpse], corpse))
    free = chain.from_iterable([place] * count for place, count in bury.places(board.players).items())
    places = sorted(free, key=lambda place: place[0] != seat)
    for size in range(min(len(corpses), len(places)), 1, -1):
        graves = (Grave(corpse, *place) for corpse, place in zip(corpses[:size], places, strict=False))
        yield tuple(sorted(graves, key=lambda grave: (grave.corpse, grave.owner, grave.annex)))


def _dismissals(board: Board, seat: int) -> Found:
    """Only the one that is missed least."""
    me = board.players[seat - 1]
    leaving: Iterable[Card] = sorted(me.hand, key=lambda card: (worth(card), card))
    yield Dismiss(tuple(sorted(islice(leaving, wages.unpaid(me)))))


_LISTS: Final[dict[Phase, tuple[Callable[[Board, int], Iterator[Action]], ...]]] = {
    Phase.SETUP: (),
    Phase.EVENING: (lodge.options,),
    Phase.NIGHT: (burials, _kills, builds, _bribes, passing.options),
    Phase.POLICE: (police.options,),
    Phase.WAGES: (_dismissals,),
    Phase.OVER: (),
}
