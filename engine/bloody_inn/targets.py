"""What bribe and kill have in common: guests in rooms, or peasants in the bistro."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate, chain, combinations
from typing import TypeVar

from msgspec.structs import replace

from engine.bloody_inn import payment
from engine.bloody_inn.annexes import Rights, allowing_several
from engine.bloody_inn.cards import PEASANT, RANK, Card
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.state import Board, Hand, Room
from engine.game import Illegal

Guests = tuple[tuple[int, Card], ...]
"""Room numbers and who lies there."""
T = TypeVar("T")
Taking = Callable[[tuple[int, ...], int, tuple[Card, ...]], T]
"""Makes an action of room numbers, a number of peasants and a payment."""


def guests(rooms: tuple[Room, ...]) -> Guests:
    """All who lie in rooms."""
    return tuple([(room.number, room.guest) for room in rooms if room.guest])


def ranks(rooms: tuple[Room, ...], numbers: tuple[int, ...]) -> int:
    """The sum of the ranks of the guests in the rooms `numbers`."""
    total = 0
    for number in numbers:
        total += RANK[rooms[number - 1].guest]
    return total


def options(board: Board, me: Hand, rights: Rights, action: str, taking: Taking[T]) -> Iterator[T]:
    """Every way in which `action`, made by `taking`, may take guests, single guests first, lazily."""
    if action in rights.several:
        yield from _several(board, me, rights, action, taking)
        return
    payments = payment.for_one(me.hand, rights.discounts.count(action))
    for room in board.rooms:
        if room.guest:
            for pay in payments[RANK[room.guest]]:
                yield taking((room.number,), 0, pay)


def _several(board: Board, me: Hand, rights: Rights, action: str, taking: Taking[T]) -> Iterator[T]:
    taken = guests(board.rooms)
    budget = len(me.hand) + rights.discounts.count(action)
    sizes = range(1, _affordable(taken, budget) + 1)
    for chosen in chain.from_iterable(combinations(taken, size) for size in sizes):
        total = sum([RANK[card] for _, card in chosen])
        if total <= budget:
            numbers = tuple([number for number, _ in chosen])
            for pay in payment.options(me.hand, payment.price(total, rights, action)):
                yield taking(numbers, 0, pay)


def _affordable(taken: Guests, budget: int) -> int:
    """How many guests at most may be taken for ranks of `budget` in sum: the lowest ones."""
    return sum(total <= budget for total in accumulate(sorted(RANK[card] for _, card in taken)))


def check(board: Board, rights: Rights, action: str, rooms: tuple[int, ...], peasants: int, most_peasants: int) -> None:
    """Refuse targets that `action` cannot have; several are all named first and one bad one refuses all (D7)."""
    if not rooms and peasants < 1:
        raise Illegal(Refusal.NO_TARGET)
    if rooms and peasants:
        raise Illegal(Refusal.MIXED_TARGETS)
    if rooms:
        _check_rooms(board, rights, action, rooms)
    elif peasants > most_peasants:
        raise Illegal(Refusal.PEASANT_LIMIT, asked=peasants, most=most_peasants)
    elif peasants > board.bistro:
        raise Illegal(Refusal.BISTRO_SHORT, asked=peasants, there=board.bistro)


def _check_rooms(board: Board, rights: Rights, action: str, rooms: tuple[int, ...]) -> None:
    for number in rooms:
        check_open(board.rooms, number)
        if not board.rooms[number - 1].guest:
            raise Illegal(Refusal.ROOM_EMPTY, room=number)
    if len(rooms) == 1:
        return
    check_once(rooms)
    if action not in rights.several:
        raise Illegal(Refusal.ONE_TARGET, action=action, annex=allowing_several(action))


def check_open(rooms: tuple[Room, ...], number: int) -> None:
    """Refuse a room that is not open in this game. The open rooms are the first ones."""
    if not 1 <= number <= len(rooms):
        raise Illegal(Refusal.ROOM_CLOSED, room=number)


def check_once(rooms: tuple[int, ...]) -> None:
    """Refuse a room that is named twice."""
    for number in rooms:
        if rooms.count(number) > 1:
            raise Illegal(Refusal.TARGET_TWICE, room=number)


def taken(rooms: tuple[Room, ...], numbers: tuple[int, ...], peasants: int) -> tuple[Guests, list[Card]]:
    """The guests in the rooms `numbers` in their order, and all cards that are taken, so many peasants among them."""
    here = tuple([(number, rooms[number - 1].guest) for number in sorted(numbers)])
    return here, [card for _, card in here] + [PEASANT] * peasants


def emptied(rooms: tuple[Room, ...], numbers: tuple[int, ...]) -> tuple[Room, ...]:
    """`rooms` once the guests in `numbers` have been taken out."""
    left = list(rooms)
    for number in numbers:
        left[number - 1] = replace(left[number - 1], guest="")
    return tuple(left)
