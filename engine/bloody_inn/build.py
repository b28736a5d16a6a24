"""Build: a card of the hand becomes an annex before the player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from engine.bloody_inn import annexes, payment
from engine.bloody_inn.actions import Build
from engine.bloody_inn.annexes import Rights, rights
from engine.bloody_inn.cards import BUILDABLE, RANK, Card
from engine.bloody_inn.events import Built
from engine.bloody_inn.hands import discarded, without
from engine.bloody_inn.money import gain
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.seats import seated
from engine.bloody_inn.state import Annex, Board, Room, State
from engine.game import Illegal, Step

ACTION: Final = "build"


def options(board: Board, seat: int) -> Iterator[Build]:
    """Every annex that `seat` can pay for, lazily; with a room where the power needs one."""
    me = board.players[seat - 1]
    discount = rights(me.annexes).discounts.count(ACTION)
    for card in dict.fromkeys(me.hand):
        if card in BUILDABLE:
            payments = payment.for_one(without(me.hand, (card,)), discount)[RANK[card]]
            for room in annexes.rooms_for(board.rooms, card) or (0,):
                for pay in payments:
                    yield Build(card, room, pay)


def check(board: Board, seat: int, action: Build) -> None:
    """A card with an annex, paid for by other cards of the hand; the room must fit its power (D18)."""
    me = board.players[seat - 1]
    if action.card not in me.hand:
        raise Illegal(Refusal.NOT_IN_HAND, cards=(action.card,))
    if action.card not in BUILDABLE:
        raise Illegal(Refusal.NOT_BUILDABLE, card=action.card)
    _check_room(board, action)
    payment.check(without(me.hand, (action.card,)), _price(action.card, rights(me.annexes)), action.pay)


def effect(state: State, seat: int, action: Build) -> Step:
    """Pay, put the annex down, then its immediate power."""
    me = state.players[seat - 1]
    paid = payment.settle(without(me.hand, (action.card,)), action.pay, rights(me.annexes), ACTION)
    own = (*me.annexes, Annex(action.card))
    amount = annexes.gain_when_built(action.card, tuple([annex.card for annex in own]))
    gained = gain(replace(me, hand=paid.hand, annexes=own), amount, state.options)
    exit_stack, bistro = discarded(state.exit, state.bistro, paid.discarded)
    after = replace(
        state,
        players=seated(state.players, seat, gained.player),
        rooms=_changed(state.rooms, seat, action),
        exit=exit_stack,
        bistro=bistro,
    )
    built = Built(seat, action.card, paid.played, paid.returned, action.room, gained.gained, gained.lost)
    return Step(after, (built,))


def _price(card: Card, mine: Rights) -> payment.Price:
    return payment.price(RANK[card], mine, ACTION)


def _check_room(board: Board, action: Build) -> None:
    possible = annexes.rooms_for(board.rooms, action.card)
    if action.room in possible or (not possible and not action.room):
        return
    if not annexes.room_power(action.card):
        raise Illegal(Refusal.ROOM_NOT_USED, card=action.card)
    if not action.room:
        raise Illegal(Refusal.ROOM_NEEDED, card=action.card, rooms=possible)
    raise Illegal(Refusal.ROOM_NOT_POSSIBLE, card=action.card, room=action.room, rooms=possible)


def _changed(rooms: tuple[Room, ...], seat: int, action: Build) -> tuple[Room, ...]:
    power = annexes.room_power(action.card)
    return tuple([power.changed(room, seat) if power and room.number == action.room else room for room in rooms])
