"""Kill: a guest, or one peasant of the bistro, becomes a corpse before the player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from engine.bloody_inn import payment, targets
from engine.bloody_inn.actions import Kill
from engine.bloody_inn.annexes import rights
from engine.bloody_inn.events import Killed
from engine.bloody_inn.hands import added, discarded
from engine.bloody_inn.seats import seated
from engine.bloody_inn.state import Board, State
from engine.game import Step

ACTION: Final = "kill"
MOST_PEASANTS: Final = 1
"""In one kill (R16)."""


def options(board: Board, seat: int) -> Iterator[Kill]:
    """Every kill that `seat` can pay for, lazily."""
    me = board.players[seat - 1]
    yield from targets.options(board, me, rights(me.annexes), ACTION, Kill)
    if board.bistro:
        yield Kill((), MOST_PEASANTS)


def check(board: Board, seat: int, action: Kill) -> None:
    """Guests of any rooms against payment, or one peasant for nothing."""
    me = board.players[seat - 1]
    mine = rights(me.annexes)
    targets.check(board, mine, ACTION, action.rooms, action.peasants, MOST_PEASANTS)
    payment.check(me.hand, payment.price(targets.ranks(board.rooms, action.rooms), mine, ACTION), action.pay)


def effect(state: State, seat: int, action: Kill) -> Step:
    """No money yet: the pocket is emptied when the corpse is buried."""
    me = state.players[seat - 1]
    paid = payment.settle(me.hand, action.pay, rights(me.annexes), ACTION)
    dead, cards = targets.taken(state.rooms, action.rooms, action.peasants)
    exit_stack, bistro = discarded(state.exit, state.bistro - action.peasants, paid.discarded)
    after = replace(
        state,
        players=seated(state.players, seat, replace(me, hand=paid.hand, corpses=added(me.corpses, cards))),
        rooms=targets.emptied(state.rooms, action.rooms),
        exit=exit_stack,
        bistro=bistro,
    )
    return Step(after, (Killed(seat, dead, action.peasants, paid.played, paid.returned),))
