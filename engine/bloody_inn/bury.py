"""Bury: own corpses, each under an annex with a free place; now their pockets pay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from msgspec.structs import replace

from engine.bloody_inn import payment
from engine.bloody_inn.actions import Bury, Grave
from engine.bloody_inn.annexes import Rights, allowing_several, rights
from engine.bloody_inn.cards import CAPACITY, FRANCS, RANK, Card
from engine.bloody_inn.events import Burial, Buried
from engine.bloody_inn.hands import Cards, added, discarded, without
from engine.bloody_inn.money import gain
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.seats import seated
from engine.bloody_inn.state import Annex, Board, Hand, Options, Player, State
from engine.game import Illegal, Step

ACTION: Final = "bury"

Place = tuple[int, Card]
"""An annex: its owner and its card. One owner's equal annexes are one place with more room (D27)."""


def places(players: Sequence[Hand]) -> dict[Place, int]:
    """All annexes with free places, in order of seats and cards, and how many are free (D16)."""
    return {(owner, card): left for owner, player in enumerate(players, 1) for card, left in _vacant(player.annexes)}


@lru_cache(maxsize=4096)
def _vacant(annexes: tuple[Annex, ...]) -> tuple[tuple[Card, int], ...]:
    """One owner's annexes with free places, by card. Few moves change them."""
    free: dict[Card, int] = {}
    for annex in annexes:
        left = CAPACITY[annex.card] - len(annex.graves)
        if left > 0:
            free[annex.card] = free.get(annex.card, 0) + left
    return tuple(sorted(free.items()))


def options(board: Board, seat: int) -> Iterator[Bury]:
    """Every burial that `seat` can pay for, lazily, single ones first."""
    me = board.players[seat - 1]
    if not me.corpses:
        return
    mine, free = rights(me.annexes), places(board.players)
    payments = payment.for_one(me.hand, mine.discounts.count(ACTION))
    for corpse in dict.fromkeys(me.corpses):
        for place in free if payments[RANK[corpse]] else ():
            graves = (Grave(corpse, *place),)
            for pay in payments[RANK[corpse]]:
                yield Bury(graves, pay)
    if ACTION in mine.several:
        yield from _several(me, free, mine)


def _several(me: Hand, free: dict[Place, int], mine: Rights) -> Iterator[Bury]:
    """Groups of two and more graves. Where there is none of a size there is none that is larger."""
    single = [Grave(corpse, *place) for corpse in dict.fromkeys(me.corpses) for place in free]
    budget = len(me.hand) + mine.discounts.count(ACTION)
    for size in range(2, len(me.corpses) + 1):
        groups = _groups(single, me.corpses, free, budget, size)
        first = next(groups, None)
        if first is None:
            return
        for graves in chain((first,), groups):
            for pay in payment.options(me.hand, payment.price(_ranks(graves), mine, ACTION)):
                yield Bury(graves, pay)


def check(board: Board, seat: int, action: Bury) -> None:
    """Own corpses under annexes with free places; places are counted as they fill (D7)."""
    me = board.players[seat - 1]
    mine = rights(me.annexes)
    if not action.graves:
        raise Illegal(Refusal.NO_TARGET)
    _check_corpses(me, action.graves)
    _check_places(board, action.graves)
    if len(action.graves) > 1 and ACTION not in mine.several:
        raise Illegal(Refusal.ONE_TARGET, action=ACTION, annex=allowing_several(ACTION))
    payment.check(me.hand, payment.price(_ranks(action.graves), mine, ACTION), action.pay)


def effect(state: State, seat: int, action: Bury) -> Step:
    """Pay, then bury one after the other."""
    me = state.players[seat - 1]
    paid = payment.settle(me.hand, action.pay, rights(me.annexes), ACTION)
    corpses = without(me.corpses, [grave.corpse for grave in action.graves])
    players = seated(state.players, seat, replace(me, hand=paid.hand, corpses=corpses))
    burials: tuple[Burial, ...] = ()
    for grave in action.graves:
        players, burial = _buried(players, seat, grave, state.options)
        burials += (burial,)
    exit_stack, bistro = discarded(state.exit, state.bistro, paid.discarded)
    after = replace(state, players=players, exit=exit_stack, bistro=bistro)
    return Step(after, (Buried(seat, burials, paid.played, paid.returned),))


def _ranks(graves: tuple[Grave, ...]) -> int:
    return sum([RANK[grave.corpse] for grave in graves])


def _groups(
    single: Sequence[Grave], corpses: Cards, free: dict[Place, int], budget: int, size: int
) -> Iterator[tuple[Grave, ...]]:
    """The different ways to bury `size` of the corpses with ranks of at most `budget` in sum."""
    if size == 0:
        yield ()
        return
    for index, grave in enumerate(single):
        place, rank = (grave.owner, grave.annex), RANK[grave.corpse]
        if grave.corpse in corpses and free[place] and rank <= budget:
            left = {**free, place: free[place] - 1}
            rest = without(corpses, (grave.corpse,))
            for others in _groups(single[index:], rest, left, budget - rank, size - 1):
                yield (grave, *others)


def _check_corpses(me: Hand, graves: tuple[Grave, ...]) -> None:
    named = [grave.corpse for grave in graves]
    for corpse in named:
        if me.corpses.count(corpse) < named.count(corpse):
            raise Illegal(Refusal.NO_CORPSE, corpse=corpse)


def _check_places(board: Board, graves: tuple[Grave, ...]) -> None:
    free = places(board.players)
    filled: list[Place] = []
    for grave in graves:
        place = (grave.owner, grave.annex)
        if place not in free and not _stands(board.players, grave):
            raise Illegal(Refusal.NO_ANNEX, owner=grave.owner, annex=grave.annex)
        if filled.count(place) >= free.get(place, 0):
            raise Illegal(Refusal.NO_PLACE, owner=grave.owner, annex=grave.annex, places=tuple(free))
        filled.append(place)


def _stands(players: Sequence[Hand], grave: Grave) -> bool:
    if not 1 <= grave.owner <= len(players):
        return False
    return any(annex.card == grave.annex for annex in players[grave.owner - 1].annexes)


def _buried(
    players: tuple[Player, ...], seat: int, grave: Grave, options: Options
) -> tuple[tuple[Player, ...], Burial]:
    """The whole pocket under one's own annex, else half to each; each half is capped by itself (D19)."""
    owner = players[grave.owner - 1]
    players = seated(players, grave.owner, replace(owner, annexes=_filled(owner.annexes, grave)))
    pocket = FRANCS[grave.corpse]
    mine = gain(players[seat - 1], pocket if seat == grave.owner else pocket // 2, options)
    players = seated(players, seat, mine.player)
    if seat == grave.owner:
        return players, Burial(grave.corpse, grave.owner, grave.annex, mine.gained, mine.lost, 0, 0)
    theirs = gain(players[grave.owner - 1], pocket // 2, options)
    players = seated(players, grave.owner, theirs.player)
    return players, Burial(grave.corpse, grave.owner, grave.annex, mine.gained, mine.lost, theirs.gained, theirs.lost)


def _filled(annexes: tuple[Annex, ...], grave: Grave) -> tuple[Annex, ...]:
    """The first of the equal annexes that has a place gets the corpse."""
    index = next(
        index
        for index, annex in enumerate(annexes)
        if annex.card == grave.annex and len(annex.graves) < CAPACITY[annex.card]
    )
    annex = annexes[index]
    full = replace(annex, graves=added(annex.graves, (grave.corpse,)))
    return (*annexes[:index], full, *annexes[index + 1 :])
