"""What an order leaves out, looked up in the position: which annex, which payment, how many checks.

Nothing here judges legality. Where the position leaves one reading, that is it; where it leaves several,
the caller gets them all; where it leaves none, something that the rules will refuse with their reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final

import msgspec

from engine.bloody_inn import bury, money, payment
from engine.bloody_inn.annexes import Rights, rights
from engine.bloody_inn.candidates import cheapest
from engine.bloody_inn.cards import APTITUDE, RANK, Card
from engine.bloody_inn.hands import Cards
from engine.bloody_inn.state import Shown, View

_LISTED: Final = 10
"""Payments that are looked at as examples."""
_NOBODY: Final = Shown(0, "", (), 0, False, (), (), 0, 0)


class Paying(msgspec.Struct, frozen=True):
    """How a payment is found where WITH is left out and there is a choice."""

    chosen: bool = False
    """Those that come back and then those that can do least are played, as few as can be; else nothing is guessed."""
    kept: Cards = ()
    """Cards that are never played so."""


ASKING: Final = Paying()


class Bill(msgspec.Struct, frozen=True):
    """What an action costs in cards, the hand that pays it, and what the payer's annexes allow."""

    action: str
    cost: payment.Price
    hand: Cards
    rights: Rights


def reader(view: View) -> Shown:
    """The seat that reads; for the public somebody who has nothing."""
    return view.players[view.seat - 1] if view.seat else _NOBODY


def guests(view: View) -> dict[int, Card]:
    """Who lies in which room."""
    return {room.number: room.guest for room in view.rooms if room.guest}


def bill(view: View, action: str, targets: Iterable[Card], hand: Cards) -> Bill:
    """The cost of `action` on `targets`, paid from `hand` by the reader."""
    mine = rights(reader(view).annexes)
    return Bill(action, payment.price(sum(RANK[card] for card in targets), mine, action), hand, mine)


def sensible_payments(due: Bill) -> Iterator[Cards]:
    """The payments of `due`, that which one misses least before the others; those have the fewest cards first."""
    least = cheapest(due.hand, due.cost.least, due.rights, due.action)
    found = chain(() if least is None else (least,), payment.options(due.hand, due.cost))
    return iter(dict.fromkeys(islice(found, _LISTED)))


def unasked_payment(due: Bill) -> Cards | None:
    """The payment that need not be named: one that costs nothing, or the only one possible.

    Payments of which every card comes back lead to the same position, so that the first of them will do.
    ``None`` if there is a choice; no cards if the hand is too small.
    """
    everything = due.action in due.rights.returning
    kept = tuple(card for card in due.hand if everything or APTITUDE[card] == due.action)
    free = next(payment.choices(kept, due.cost.least), None)
    if free is not None:
        return free
    found = tuple(islice(payment.options(due.hand, due.cost), 2))
    return None if len(found) > 1 else found[0] if found else ()


def settled_payment(due: Bill, paying: Paying) -> Cards | None:
    """The payment that the payer has settled beforehand; ``None`` if he has not, or keeps too many of his cards."""
    if not paying.chosen:
        return None
    hand = tuple(card for card in due.hand if card not in paying.kept)
    return cheapest(hand, due.cost.least, due.rights, due.action)


def places(view: View, annex: Card, owner: int, mine: bool) -> tuple[bury.Place, ...]:
    """The annexes that words may mean: the named owner's, else the reader's, else everybody's who has one.

    If nobody has such an annex, it is the reader's, so that the rules can say so.
    """
    if owner or mine:
        return ((owner or view.seat, annex),)
    holders = [shown.seat for shown in view.players if any(built.card == annex for built in shown.annexes)]
    if view.seat in holders or not holders:
        return ((view.seat, annex),)
    return tuple((seat, annex) for seat in holders)


def free_places(view: View) -> tuple[bury.Place, ...]:
    """All annexes, whoever's, under which a corpse can still be buried."""
    return tuple(bury.places(view.players))


def police_checks(view: View) -> tuple[int, int]:
    """The fewest and the most checks with which the reader can pay the police (D9)."""
    owed = money.bill(reader(view))
    return owed.least, owed.most
