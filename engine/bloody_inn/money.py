"""Francs and checks: gains and their limit, and bills of 10F a corpse."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.bloody_inn.state import Hand, Options, Player
from engine.values import Value

LIMIT: Final = 40
"""The most francs of cash; what exceeds it is lost, or becomes checks with unlimited wealth."""
CHECK: Final = 10
"""What a check is worth, in francs."""
CORPSE_FEE: Final = 10
"""What the police and the gravedigger take for an unburied corpse, in francs."""


class Gain(Value, frozen=True):
    """A player after a gain; francs that arrived, and francs that were lost over the limit."""

    player: Player
    gained: int
    lost: int


def gain(player: Player, amount: int, options: Options) -> Gain:
    """`player` with `amount` francs more. A gain is never refused (D6); see D13 for unlimited wealth."""
    if not amount:
        return Gain(player, 0, 0)
    total = player.cash + amount
    if total <= LIMIT:
        return Gain(replace(player, cash=total), amount, 0)
    if options.unlimited == "on":
        return Gain(_broken(player, total), amount, 0)
    return Gain(replace(player, cash=LIMIT), LIMIT - player.cash, total - LIMIT)


def _broken(player: Player, total: int) -> Player:
    """Each 40F become four checks while more than 40F are there; exactly 40F stay (D13)."""
    times = (total - 1) // LIMIT
    return replace(player, cash=total - times * LIMIT, checks=player.checks + times * (LIMIT // CHECK))


def wealth(cash: int, checks: int) -> int:
    """In francs."""
    return cash + CHECK * checks


class Bill(Value, frozen=True):
    """10F for each unburied corpse, and how many checks may be part of the payment (D9)."""

    due: int
    least: int
    most: int
    poor: bool
    """The wealth does not suffice: everything goes."""


def bill(hand: Hand) -> Bill:
    """What the police or the gravedigger want of a player."""
    corpses = len(hand.corpses)
    least = max(0, corpses - hand.cash // CHECK)
    if least > hand.checks:
        return Bill(CORPSE_FEE * corpses, hand.checks, hand.checks, True)
    return Bill(CORPSE_FEE * corpses, least, min(corpses, hand.checks), False)


class Payment(Value, frozen=True):
    """A part in cash, in francs, and a number of checks."""

    cash: int
    checks: int


def payment(hand: Hand, checks: int) -> Payment:
    """How a player settles his bill when he gives so many checks."""
    owed = bill(hand)
    return Payment(hand.cash if owed.poor else owed.due - CHECK * checks, checks)


def paid(player: Player, what: Payment) -> Player:
    """`player` after a payment; checks are never broken (D13)."""
    return replace(player, cash=player.cash - what.cash, checks=player.checks - what.checks)
