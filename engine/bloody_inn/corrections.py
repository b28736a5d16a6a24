"""What a moderator may correct at night: a player's cash or checks, and where a card lies.

Cards are taken from open places alone, so that no correction tells what a hand holds; none is made or lost, so that
the 78 stay 78. At other times of a round answers are sealed or travelers on their way: there is nothing to correct.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from engine.bloody_inn.cards import BARN, PEASANT, Card
from engine.bloody_inn.events import CardMoved, Place, PurseCorrected, Spot
from engine.bloody_inn.hands import added, without
from engine.bloody_inn.lookup import CARD, LOOKUP
from engine.bloody_inn.money import LIMIT
from engine.bloody_inn.reasons import Fault, Refusal
from engine.bloody_inn.state import Phase, Player, State, View
from engine.game import Illegal, Step, Unreadable

MOST_CHECKS: Final = 99


class Purse(msgspec.Struct, frozen=True, tag="purse", forbid_unknown_fields=True):
    """A player's ``cash`` in francs, or number of ``checks``."""

    seat: int
    what: str
    amount: int


class Put(msgspec.Struct, frozen=True, tag="put", forbid_unknown_fields=True):
    """A card is put from one place to another."""

    card: Card
    source: Spot
    target: Spot


_PURSE: Final = re.compile(r"(cash|checks?)\s+(.+?)\s+(?:to\s+)?(\d{1,3})\s*(?:f|francs?)?", re.IGNORECASE)
_PUT: Final = re.compile(r"(?:put|move)\s+(.+?)\s+from\s+(.+?)\s+to\s+(.+)", re.IGNORECASE)
_ROOM: Final = re.compile(r"room\s+(\d{1,2})")
_OF: Final = re.compile(r"(corpses|hand)\s+of\s+(.+)")
_ALONE: Final = {"exit": Place.EXIT, "exit stack": Place.EXIT, "gone": Place.GONE, "bistro": Place.BISTRO}


class BloodyInnCorrections:
    """The capability ``corrections``."""

    usage: tuple[str, ...] = (
        "CASH name francs",
        "CHECKS name number",
        "PUT card FROM place TO place (room 3, exit, gone, bistro, corpses of name; to a hand too: hand of name)",
    )

    def read(self, text: str, view: View) -> dict[str, Any]:
        """The change that `text` asks for; `Unreadable` where it asks for none."""
        plain = " ".join(text.split())
        if purse := _PURSE.fullmatch(plain):
            what = "cash" if purse[1].lower() == "cash" else "checks"
            return _built(Purse(_seat(purse[2], view), what, int(purse[3])))
        if put := _PUT.fullmatch(plain):
            return _built(Put(LOOKUP.find(CARD, put[1]), _spot(put[2], view), _spot(put[3], view)))
        raise Unreadable(Fault.VERB, word=plain.split(" ")[0])

    def apply(self, state: State, change: Mapping[str, Any]) -> Step:
        """The state after `change`, and what was before; `Illegal` where the position would not hold."""
        known = msgspec.convert(dict(change), Purse | Put)
        if state.phase != Phase.NIGHT:
            raise Illegal(Refusal.NOT_NOW)
        return _purse(state, known) if isinstance(known, Purse) else _put(state, known)


CORRECTIONS: Final = BloodyInnCorrections()


def _purse(state: State, change: Purse) -> Step:
    most = {"cash": LIMIT, "checks": MOST_CHECKS}.get(change.what, -1)
    if not 1 <= change.seat <= len(state.players) or not 0 <= change.amount <= most:
        raise Illegal(Refusal.NO_AMOUNT, amount=change.amount, most=max(0, most))
    before: int = getattr(state.players[change.seat - 1], change.what)
    after = _with_player(state, change.seat, **{change.what: change.amount})
    return Step(after, (PurseCorrected(change.seat, change.what, before, change.amount),))


def _put(state: State, change: Put) -> Step:
    if change.card == BARN or change.source.place == Place.HAND:
        raise Illegal(Refusal.NOT_THERE, card=change.card)
    taken = _TAKE[change.source.place](state, change.card, change.source.number)
    given = _GIVE[change.target.place](taken, change.card, change.target.number)
    return Step(given, (CardMoved(change.card, change.source, change.target),))


# From a place, and to one. `number` is a room or a seat.


def _from_room(state: State, card: Card, number: int) -> State:
    return _with_guest(state, number, card, "")


def _to_room(state: State, card: Card, number: int) -> State:
    return _with_guest(state, number, "", card)


def _with_guest(state: State, number: int, before: Card, after: Card) -> State:
    rooms = tuple(replace(room, guest=after) if room.number == number else room for room in state.rooms)
    guests = [room.guest for room in state.rooms if room.number == number]
    if guests != [before] or PEASANT in (before, after):
        raise Illegal(Refusal.NOT_THERE, card=before or after)
    return replace(state, rooms=rooms)


def _from_stack(name: str) -> Callable[[State, Card, int], State]:
    def take(state: State, card: Card, _: int) -> State:
        return _replaced(state, **{name: _without(getattr(state, name), card)})

    return take


def _to_stack(name: str) -> Callable[[State, Card, int], State]:
    def give(state: State, card: Card, _: int) -> State:
        if card == PEASANT and name == "exit":
            raise Illegal(Refusal.NOT_THERE, card=card)
        return _replaced(state, **{name: added(getattr(state, name), [card])})

    return give


def _from_bistro(state: State, card: Card, _: int) -> State:
    if card != PEASANT or not state.bistro:
        raise Illegal(Refusal.NOT_THERE, card=card)
    return replace(state, bistro=state.bistro - 1)


def _to_bistro(state: State, card: Card, _: int) -> State:
    if card != PEASANT:
        raise Illegal(Refusal.NOT_THERE, card=card)
    return replace(state, bistro=state.bistro + 1)


def _from_corpses(state: State, card: Card, seat: int) -> State:
    return _with_player(state, seat, corpses=_without(_player(state, seat).corpses, card))


def _to_corpses(state: State, card: Card, seat: int) -> State:
    return _with_player(state, seat, corpses=added(_player(state, seat).corpses, [card]))


def _to_hand(state: State, card: Card, seat: int) -> State:
    return _with_player(state, seat, hand=added(_player(state, seat).hand, [card]))


Change = Callable[[State, Card, int], State]
_TAKE: Final[Mapping[Place, Change]] = {
    Place.ROOM: _from_room,
    Place.EXIT: _from_stack("exit"),
    Place.GONE: _from_stack("gone"),
    Place.BISTRO: _from_bistro,
    Place.CORPSES: _from_corpses,
}
_GIVE: Final[Mapping[Place, Change]] = {
    Place.ROOM: _to_room,
    Place.EXIT: _to_stack("exit"),
    Place.GONE: _to_stack("gone"),
    Place.BISTRO: _to_bistro,
    Place.CORPSES: _to_corpses,
    Place.HAND: _to_hand,
}


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    if card not in cards:
        raise Illegal(Refusal.NOT_THERE, card=card)
    return without(cards, [card])


def _player(state: State, seat: int) -> Player:
    if not 1 <= seat <= len(state.players):
        raise Illegal(Refusal.NOT_THERE, card="")
    return state.players[seat - 1]


def _with_player(state: State, seat: int, **facts: Any) -> State:
    changed = replace(_player(state, seat), **facts)
    return replace(state, players=(*state.players[: seat - 1], changed, *state.players[seat:]))


def _replaced(state: State, **facts: Any) -> State:
    return replace(state, **facts)


# From words to places


def _built(change: Purse | Put) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(change)
    return found


def _spot(text: str, view: View) -> Spot:
    words = text.lower().removeprefix("the ").strip()
    if words in _ALONE:
        return Spot(_ALONE[words])
    if room := _ROOM.fullmatch(words):
        return Spot(Place.ROOM, int(room[1]))
    if of := _OF.fullmatch(words):
        return Spot(Place(of[1]), _seat(of[2], view))
    raise Unreadable(Fault.VERB, word=text)


def _seat(name: str, view: View) -> int:
    wanted = name.casefold()
    for player in view.players:
        if wanted in (player.name.casefold(), f"seat {player.seat}"):
            return player.seat
    raise Unreadable(Fault.PLAYER, word=name)
