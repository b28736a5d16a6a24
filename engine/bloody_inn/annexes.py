"""What annexes do: one small handler for each code of power in ``cards.csv``, found by table.

Ongoing powers are folded into `Rights`; immediate ones give francs or change a room; powers at the end
of the game give francs. Powers act from the next action on: a new annex is not yet among those that are
asked while it is built (R4).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import msgspec
from msgspec.structs import replace

from engine.bloody_inn.cards import BARN, FACES, OF_COLOR, Card, Face
from engine.bloody_inn.hands import Cards
from engine.bloody_inn.state import Annex, Room

Params = dict[str, str]


class Rights(msgspec.Struct, frozen=True):
    """What the ongoing powers of a player's annexes allow."""

    discounts: tuple[str, ...] = ()
    """An action (``build``, ``bribe``, ``bury``) for each card that it may cost less; equal ones add up (R3)."""
    several: frozenset[str] = frozenset()
    """Actions that may have several targets."""
    returning: frozenset[str] = frozenset()
    """Actions whose whole payment comes back (R14)."""
    peasants: int = 2
    """How many peasants one bribe may take."""
    free_wages: int = 0
    """Accomplices that cost no wage."""
    leave_income: int = 0
    """Francs each time that the travelers leave."""


def _discount(rights: Rights, params: Params) -> Rights:
    return replace(rights, discounts=rights.discounts + (params["action"],) * int(params["cards"]))


def _free_wage(rights: Rights, params: Params) -> Rights:
    return replace(rights, free_wages=rights.free_wages + int(params["cards"]))


def _leave_income(rights: Rights, params: Params) -> Rights:
    return replace(rights, leave_income=rights.leave_income + int(params["amount"]))


def _multi_target(rights: Rights, params: Params) -> Rights:
    return replace(rights, several=rights.several | {params["action"]})


def _peasant_bribe_limit(rights: Rights, params: Params) -> Rights:
    return replace(rights, peasants=max(rights.peasants, int(params["max"])))


def _return_all(rights: Rights, params: Params) -> Rights:
    return replace(rights, returning=rights.returning | {params["action"]})


ONGOING: Final[dict[str, Callable[[Rights, Params], Rights]]] = {
    "DISCOUNT": _discount,
    "FREE_WAGE": _free_wage,
    "LEAVE_INCOME": _leave_income,
    "MULTI_TARGET": _multi_target,
    "PEASANT_BRIBE_LIMIT": _peasant_bribe_limit,
    "RETURN_ALL": _return_all,
}


@lru_cache(maxsize=4096)
def rights(annexes: tuple[Annex, ...]) -> Rights:
    """What all these annexes together allow."""
    found = Rights()
    for face in (FACES[annex.card] for annex in annexes if annex.card != BARN):
        if face.power in ONGOING:
            found = ONGOING[face.power](found, face.params)
    return found


def allowing_several(action: str) -> Card:
    """The card whose annex lets `action` have several targets."""
    return next(face.id for face in FACES.values() if face.power == "MULTI_TARGET" and face.params["action"] == action)


def _of_color(cards: Cards, color: str) -> int:
    """How many of `cards` have that color; the barn has none (R13)."""
    return sum(map(OF_COLOR[color].__contains__, cards))


def _gain(params: Params, _: Cards) -> int:
    return int(params["amount"])


def _gain_per_own_annex(params: Params, own: Cards) -> int:
    return int(params["each"]) * _of_color(own, params["color"])


def _gain_now(params: Params, _: Cards) -> int:
    return int(params["now"])


IMMEDIATE: Final[dict[str, Callable[[Params, Cards], int]]] = {
    "GAIN": _gain,
    "GAIN_PER_OWN_ANNEX": _gain_per_own_annex,
    "GAIN_AND_END_PER_EXIT_COLOR": _gain_now,
}


def gain_when_built(card: Card, own: Cards) -> int:
    """Francs that building `card` brings at once; `own` are the owner's annexes, the new one among them."""
    face = FACES[card]
    return IMMEDIATE[face.power](face.params, own) if face.power in IMMEDIATE else 0


class RoomPower(msgspec.Struct, frozen=True):
    """An immediate power that changes one room."""

    possible: Callable[[Room], bool]
    changed: Callable[[Room, int], Room]
    """The room once a seat has used the power on it."""


def _white(room: Room) -> bool:
    return room.key == 0


def _claimed(room: Room, seat: int) -> Room:
    return replace(room, key=seat)


def _without_token(room: Room) -> bool:
    return room.token == 0


def _served(room: Room, seat: int) -> Room:
    return replace(room, token=seat)


ROOM_POWERS: Final[dict[str, RoomPower]] = {
    "CLAIM_WHITE_KEY": RoomPower(_white, _claimed),
    "ROOM_SERVICE": RoomPower(_without_token, _served),
}


def room_power(card: Card) -> RoomPower | None:
    """The power over a room that `card` has when it is built, if it has one."""
    return ROOM_POWERS.get(FACES[card].power)


def rooms_for(rooms: tuple[Room, ...], card: Card) -> tuple[int, ...]:
    """The rooms that may be named when `card` is built (D18, R9, R11); none if it needs no room."""
    power = room_power(card)
    return tuple([room.number for room in rooms if power.possible(room)]) if power else ()


def _per_exit_color(params: Params, exit_stack: Cards, _: int) -> int:
    return int(params["each"]) * _of_color(exit_stack, params["color"])


def _per_check(params: Params, _: Cards, checks: int) -> int:
    return int(params["each"]) * checks


END: Final[dict[str, Callable[[Params, Cards, int], int]]] = {
    "GAIN_AND_END_PER_EXIT_COLOR": _per_exit_color,
    "END_PER_CHECK": _per_check,
}


def end_income(annexes: tuple[Annex, ...], exit_stack: Cards, checks: int) -> tuple[tuple[Card, int], ...]:
    """For each annex with a power at the end of the game its card and the francs it brings (D12, D15)."""
    paying = _paying_at_the_end(annexes)
    return tuple([(face.id, END[face.power](face.params, exit_stack, checks)) for face in paying]) if paying else ()


@lru_cache(maxsize=4096)
def _paying_at_the_end(annexes: tuple[Annex, ...]) -> tuple[Face, ...]:
    faces = [FACES[annex.card] for annex in annexes if annex.card != BARN]
    return tuple([face for face in faces if face.power in END])
