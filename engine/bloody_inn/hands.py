"""Sorted tuples of cards: taking out, putting in, what is missing; and where a discarded card goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.bloody_inn.cards import PEASANT, Card

Cards = tuple[Card, ...]


def added(cards: Cards, more: Sequence[Card]) -> Cards:
    """`cards` and `more` together, sorted."""
    return tuple(sorted([*cards, *more])) if more else cards


def without(cards: Cards, less: Sequence[Card]) -> Cards:
    """`cards` less each of `less` once; all of them must be there."""
    if not less:
        return cards
    left = list(cards)
    for card in less:
        left.remove(card)
    return tuple(left)


def missing(cards: Cards, wanted: Iterable[Card]) -> Cards:
    """Those of `wanted` that `cards` does not hold, counted, sorted."""
    left = list(cards)
    lacking: list[Card] = []
    for card in wanted:
        if card in left:
            left.remove(card)
        else:
            lacking.append(card)
    return tuple(sorted(lacking))


def discarded(exit_stack: Cards, bistro: int, cards: Cards) -> tuple[Cards, int]:
    """The Exit Stack and the number of peasants in the bistro once `cards` have left a hand."""
    peasants = cards.count(PEASANT)
    if peasants < len(cards):
        exit_stack = added(exit_stack, [card for card in cards if card != PEASANT])
    return exit_stack, bistro + peasants
