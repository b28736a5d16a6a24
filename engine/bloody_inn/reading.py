"""What the parts of an order mean in a position: one reader a verb."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, islice, product
from typing import Final

import msgspec
from msgspec.structs import replace

from engine.bloody_inn.actions import Action, Bribe, Build, Bury, Dismiss, Grave, Kill
from engine.bloody_inn.annexes import rights, rooms_for
from engine.bloody_inn.bury import Place
from engine.bloody_inn.cards import PEASANT, Card
from engine.bloody_inn.clauses import Clause, Item, Line, parse, split_line
from engine.bloody_inn.hands import Cards
from engine.bloody_inn.naming import Counted, annex, building, card, cards, counted, how_many, is_open_plural, owned
from engine.bloody_inn.owners import owner_of
from engine.bloody_inn.plainly import lodge, pass_, pay
from engine.bloody_inn.reasons import Fault
from engine.bloody_inn.resolve import (
    ASKING,
    Bill,
    Paying,
    bill,
    free_places,
    guests,
    places,
    reader,
    sensible_payments,
    settled_payment,
    unasked_payment,
)
from engine.bloody_inn.spelling import near
from engine.bloody_inn.state import View
from engine.bloody_inn.tongues import understood
from engine.bloody_inn.words import lexicon, plain
from engine.bloody_inn.writing import write_cards
from engine.game import Ambiguous, Unreadable

_READINGS: Final = 32
"""More readings than this help nobody, and a hostile line could have millions."""


class _Order(msgspec.Struct, frozen=True):
    """An order in parts, with all that its reader needs."""

    text: str
    clause: Clause
    view: View
    language: str
    paying: Paying


class _Guests(msgspec.Struct, frozen=True):
    """Guests as an order names them: by card (empty: only by room), by number (``None``: one), by rooms."""

    card: Card
    count: int | None
    rooms: tuple[int, ...]


def read(text: str, view: View, language: str = "en", paying: Paying = ASKING) -> Action:
    """The action that `text` asks for in the position that `view` shows.

    `Unreadable` says what was not understood and what may have been meant, `Ambiguous` gives the readings.
    Whether the action is legal is not judged. `paying` is what the reader has settled about payments.
    """
    return understood(lambda tongue: _read(text, view, tongue, paying), language)


def _read(text: str, view: View, language: str, paying: Paying) -> Action:
    line = split_line(text, [shown.name for shown in view.players], language)
    if line.verb in _WHOLE:
        return _WHOLE[line.verb](line, view, language)
    order = _Order(text, parse(line, language), view, language, paying)
    if not order.clause.items:
        raise Unreadable(Fault.TARGET_MISSING, verb=line.verb)
    return _IN_PARTS[line.verb](order)


def _take(order: _Order) -> Action:
    """Bribe or kill: guests, wherever they lie, or peasants."""
    action = Bribe if order.clause.verb == "bribe" else Kill
    peasants, wanted = 0, []
    for item in order.clause.items:
        said = counted(item.text, order.language)
        if not said.words and not item.rooms:
            raise Unreadable(Fault.TARGET_MISSING, verb=order.clause.verb)
        name = card(said.words, order.language) if said.words else ""
        if name == PEASANT and not item.rooms:
            peasants += _peasants(order, said)
        else:
            wanted.append(_Guests(name, said.count, item.rooms))
    there = guests(order.view)
    readings = _rooms(order, wanted)
    bills = [_bill(order, [there.get(room, PEASANT) for room in rooms]) for rooms in readings]
    return _paid(order, [action(rooms, peasants) for rooms in readings], bills)


def _peasants(order: _Order, said: Counted) -> int:
    """How many peasants are meant: a plural without a number may mean each number that one bribe can take."""
    most = min(order.view.bistro, rights(reader(order.view).annexes).peasants)
    if order.clause.verb == "bribe" and most > 1 and is_open_plural(said, order.language):
        raise Ambiguous(order.text, [Bribe(peasants=count) for count in range(1, most + 1)])
    return 1 if said.count is None else said.count


def _rooms(order: _Order, wanted: Sequence[_Guests]) -> tuple[tuple[int, ...], ...]:
    """Every set of rooms that the guests named may be in."""
    there = guests(order.view)
    named = [room for each in wanted for room in _checked(there, each)]
    counts: Counter[Card] = Counter()
    for each in wanted:
        if not each.rooms:
            counts[each.card] += 1 if each.count is None else each.count
    choices = [list(_choices(there, named, name, count)) for name, count in counts.items()]
    found = (tuple(sorted(chain(named, *chosen))) for chosen in product(*choices))
    return tuple(islice(found, _READINGS))


def _checked(there: dict[int, Card], wanted: _Guests) -> tuple[int, ...]:
    """The rooms that are named, if the guest who is named is in each of them."""
    if wanted.rooms and wanted.count not in (None, len(wanted.rooms)):
        raise Unreadable(Fault.NUMBER, word=str(wanted.count))
    for room in wanted.rooms:
        if wanted.card and there.get(room) != wanted.card:
            raise Unreadable(Fault.NOT_IN_INN, card=wanted.card, room=room)
    return wanted.rooms


def _choices(there: dict[int, Card], named: Sequence[int], name: Card, count: int) -> Iterator[tuple[int, ...]]:
    """Every choice of `count` rooms with a guest called `name` that no room number names."""
    rooms = [room for room, guest in there.items() if guest == name and room not in named]
    if count > len(rooms):
        raise Unreadable(Fault.NOT_IN_INN, card=name, room=0)
    return combinations(rooms, count)


def _build(order: _Order) -> Action:
    item, *others = order.clause.items
    if others:
        raise Unreadable(Fault.REST, words=others[0].text)
    if not item.text:
        raise Unreadable(Fault.TARGET_MISSING, verb=order.clause.verb)
    name = building(counted(item.text, order.language).words, order.language)
    due = _bill(order, (name,), besides=name)
    return _paid(order, [Build(name, _building_room(order, name, item.rooms))], [due])


def _building_room(order: _Order, name: Card, said: tuple[int, ...]) -> int:
    """The room that is named, or the only one possible."""
    rooms = said or rooms_for(order.view.rooms, name)
    if len(rooms) > 1:
        raise Unreadable(Fault.ROOM_MISSING, verb=order.clause.verb, near=tuple(map(str, rooms)))
    return rooms[0] if rooms else 0


def _bury(order: _Order) -> Action:
    corpses = Counter(reader(order.view).corpses)
    choices = []
    for item in order.clause.items:
        said = counted(item.text, order.language)
        name = card(said.words, order.language)
        count = how_many(said, corpses[name], order.language)
        choices.append([(Grave(name, owner, where),) * count for owner, where in _places(order, item, name)])
    graves = (tuple(sorted(chain(*chosen), key=_grave_order)) for chosen in islice(product(*choices), _READINGS))
    readings = [Bury(each) for each in dict.fromkeys(graves)]
    bills = [_bill(order, [grave.corpse for grave in each.graves]) for each in readings]
    return _paid(order, readings, bills)


def _grave_order(grave: Grave) -> tuple[str, int, str]:
    return grave.corpse, grave.owner, grave.annex


def _places(order: _Order, item: Item, corpse: Card) -> tuple[Place, ...]:
    """The annexes that the words behind UNDER may mean; without them the only one with a free place."""
    if item.place is None:
        free = free_places(order.view)
        if len(free) != 1:
            raise Unreadable(Fault.PLACE_MISSING, corpse=corpse, places=free)
        return free
    owner, said = owner_of(item.place)
    mine, said = owned(said, order.language)
    _refuse_stranger(order, said)
    return places(order.view, annex(said, order.language), owner, mine)


def _refuse_stranger(order: _Order, said: str) -> None:
    """An owner who does not play is named as such, not as an odd annex."""
    owner, quote, _ = said.partition("'")
    if quote and plain(said) not in lexicon(order.language).annexes:
        names = tuple(shown.name for shown in order.view.players)
        raise Unreadable(Fault.PLAYER, word=owner, near=near(owner, names) or names)


def _dismiss(order: _Order) -> Action:
    return Dismiss(cards([item.text for item in order.clause.items], reader(order.view).hand, order.language))


def _bill(order: _Order, targets: Iterable[Card], besides: Card = "") -> Bill:
    """What `targets` cost the reader; the card `besides` does not pay."""
    hand = list(reader(order.view).hand)
    if besides in hand:
        hand.remove(besides)
    return bill(order.view, order.clause.verb, targets, tuple(hand))


def _paid(order: _Order, readings: Sequence[Bribe | Kill | Build | Bury], bills: Sequence[Bill]) -> Action:
    """The one reading with its payment; of several none is taken."""
    named = _named_payment(order)
    if named is None and len(readings) == 1:
        named = _unnamed_payment(order, bills[0])
    paid = [
        replace(reading, pay=(unasked_payment(due) or ()) if named is None else named)
        for reading, due in zip(readings, bills, strict=True)
    ]
    if len(paid) != 1:
        raise Ambiguous(order.text, paid)
    return paid[0]


def _named_payment(order: _Order) -> Cards | None:
    """The cards behind WITH; ``None`` if it was left out."""
    said = order.clause.pay
    if said is None or not said:
        return None
    if len(said) == 1 and said[0] in lexicon(order.language).little.nothing:
        return ()
    return cards(said, reader(order.view).hand, order.language)


def _unnamed_payment(order: _Order, due: Bill) -> Cards:
    """What need not be named. A WITH without cards is not left out: its line was broken in two."""
    found = unasked_payment(due) if order.clause.pay is None else None
    if found is None and order.clause.pay is None:
        found = settled_payment(due, order.paying)
    if found is None:
        some = tuple(write_cards(each, order.language) for each in islice(sensible_payments(due), 3))
        raise Unreadable(Fault.PAYMENT_UNCLEAR, least=due.cost.least, most=due.cost.most, near=some)
    return found


_WHOLE: Final[dict[str, Callable[[Line, View, str], Action]]] = {"lodge": lodge, "pass": pass_, "pay": pay}
_IN_PARTS: Final[dict[str, Callable[[_Order], Action]]] = {
    "bribe": _take,
    "kill": _take,
    "build": _build,
    "bury": _bury,
    "dismiss": _dismiss,
}
