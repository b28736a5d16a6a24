"""Bribe: a guest, or peasants of the bistro, into the hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from engine.bloody_inn import payment, targets
from engine.bloody_inn.actions import Bribe
from engine.bloody_inn.annexes import rights
from engine.bloody_inn.events import Bribed
from engine.bloody_inn.hands import added, discarded
from engine.bloody_inn.seats import seated
from engine.bloody_inn.state import Board, State
from engine.game import Step

ACTION: Final = "bribe"


def options(board: Board, seat: int) -> Iterator[Bribe]:
    """Every bribe that `seat` can pay for, lazily."""
    me = board.players[seat - 1]
    mine = rights(me.annexes)
    yield from targets.options(board, me, mine, ACTION, Bribe)
    for peasants in range(1, min(mine.peasants, board.bistro) + 1):
        yield Bribe((), peasants)


def check(board: Board, seat: int, action: Bribe) -> None:
    """Guests of any rooms against payment, or peasants for nothing; never both at once (D7)."""
    me = board.players[seat - 1]
    mine = rights(me.annexes)
    targets.check(board, mine, ACTION, action.rooms, action.peasants, mine.peasants)
    payment.check(me.hand, payment.price(targets.ranks(board.rooms, action.rooms), mine, ACTION), action.pay)


def effect(state: State, seat: int, action: Bribe) -> Step:
    """The bribed come into the hand after the payment: no target pays for a target."""
    me = state.players[seat - 1]
    paid = payment.settle(me.hand, action.pay, rights(me.annexes), ACTION)
    guests, cards = targets.taken(state.rooms, action.rooms, action.peasants)
    exit_stack, bistro = discarded(state.exit, state.bistro - action.peasants, paid.discarded)
    after = replace(
        state,
        players=seated(state.players, seat, replace(me, hand=added(paid.hand, cards))),
        rooms=targets.emptied(state.rooms, action.rooms),
        exit=exit_stack,
        bistro=bistro,
    )
    return Step(after, (Bribed(seat, guests, action.peasants, paid.played, paid.returned),))
