"""Pass: do nothing, or change cash into checks or back, in tens and one way only."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.bloody_inn.actions import Pass
from engine.bloody_inn.events import Passed
from engine.bloody_inn.money import CHECK, LIMIT
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.seats import seated
from engine.bloody_inn.state import Board, State
from engine.game import Illegal, Step


def options(board: Board, seat: int) -> Iterator[Pass]:
    """The plain pass first, then every change of money."""
    me = board.players[seat - 1]
    yield Pass()
    for amount in range(CHECK, me.cash + 1, CHECK):
        yield Pass(launder=amount)
    for amount in range(CHECK, min(CHECK * me.checks, LIMIT - me.cash) + 1, CHECK):
        yield Pass(cash=amount)


def check(board: Board, seat: int, action: Pass) -> None:
    """Multiples of 10F, one direction a pass (L), and never more than 40F of cash (L)."""
    me = board.players[seat - 1]
    for amount in (action.launder, action.cash):
        if amount % CHECK or amount < 0:
            raise Illegal(Refusal.TENS, amount=amount)
    if action.launder and action.cash:
        raise Illegal(Refusal.BOTH_WAYS)
    if action.launder > me.cash:
        raise Illegal(Refusal.CASH_SHORT, amount=action.launder, there=me.cash)
    if action.cash > CHECK * me.checks:
        raise Illegal(Refusal.CHECKS_SHORT, amount=action.cash, there=CHECK * me.checks)
    if action.cash and me.cash + action.cash > LIMIT:
        raise Illegal(Refusal.CASH_LIMIT, amount=action.cash, there=me.cash)


def effect(state: State, seat: int, action: Pass) -> Step:
    """Move the money."""
    me = state.players[seat - 1]
    moved = action.launder - action.cash
    changed = replace(me, cash=me.cash - moved, checks=me.checks + moved // CHECK)
    after = replace(state, players=seated(state.players, seat, changed)) if moved else state
    return Step(after, (Passed(seat, action.launder, action.cash),))
