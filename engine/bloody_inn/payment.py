"""Paying for an action with cards of the hand (D6): how many, which, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations
from typing import Final

from engine.bloody_inn.annexes import Rights
from engine.bloody_inn.cards import APTITUDE, HIGHEST, Card
from engine.bloody_inn.hands import Cards, missing, without
from engine.bloody_inn.reasons import Refusal
from engine.game import Illegal
from engine.values import Value

KEPT: Final = HIGHEST
"""Choices of up to so many cards are kept in memory; a single target never costs more."""


class Price(Value, frozen=True):
    """How many cards an action costs: discounts may be used or not (R2)."""

    least: int
    most: int


def price(ranks: int, rights: Rights, action: str) -> Price:
    """Of targets with so many ranks in sum: discounts count once an action (R5), never below zero (R3)."""
    return Price(max(0, ranks - rights.discounts.count(action)), ranks)


def options(hand: Cards, cost: Price) -> Iterable[Cards]:
    """Every payment out of `hand`, lazily, fewest cards first, equal cards collapsed."""
    most = min(cost.most, len(hand))
    if most <= KEPT:
        return _kept(hand, cost.least, most)
    return chain.from_iterable(choices(hand, size) for size in range(cost.least, most + 1))


@lru_cache(maxsize=4096)
def for_one(hand: Cards, discount: int) -> tuple[tuple[Cards, ...], ...]:
    """By the rank of a single target every payment for it, as `options` gives them."""
    return tuple([_kept(hand, max(0, rank - discount), min(rank, len(hand))) for rank in range(HIGHEST + 1)])


@lru_cache(maxsize=4096)
def _kept(hand: Cards, least: int, most: int) -> tuple[Cards, ...]:
    sizes = range(least, most + 1)
    return tuple(dict.fromkeys(cards for size in sizes for cards in combinations(hand, size)))


def choices(hand: Cards, size: int) -> Iterator[Cards]:
    """The different ways to take `size` cards of a sorted `hand`, lazily, in order."""
    if size == 0:
        yield ()
    for start in range(len(hand) - size + 1 if size else 0):
        if start == 0 or hand[start] != hand[start - 1]:
            for others in choices(hand[start + 1 :], size - 1):
                yield (hand[start], *others)


def check(hand: Cards, cost: Price, pay: Cards) -> None:
    """Refuse a payment that is not in `hand` or has the wrong number of cards."""
    if len(hand) < cost.least:
        raise Illegal(Refusal.HAND_TOO_SMALL, least=cost.least, there=len(hand))
    if pay and (lacking := missing(hand, pay)):
        raise Illegal(Refusal.NOT_IN_HAND, cards=lacking)
    if not cost.least <= len(pay) <= cost.most:
        raise Illegal(Refusal.CARD_COUNT, given=len(pay), least=cost.least, most=cost.most)


class Paid(Value, frozen=True):
    """A hand after a payment, what was played, and which of it came back or was discarded."""

    hand: Cards
    played: Cards
    returned: Cards
    discarded: Cards


def settle(hand: Cards, pay: Cards, rights: Rights, action: str) -> Paid:
    """Play `pay`; cards with the aptitude come back, all of them where an annex says so (R14)."""
    if not pay:
        return Paid(hand, (), (), ())
    played = tuple(sorted(pay))
    if action in rights.returning:
        return Paid(hand, played, played, ())
    returned: list[Card] = []
    gone: list[Card] = []
    for card in played:
        (returned if APTITUDE[card] == action else gone).append(card)
    return Paid(without(hand, gone), played, tuple(returned), tuple(gone))
