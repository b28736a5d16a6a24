"""Wages: 1F for each card in hand; those who stay unpaid leave, and the player chooses who."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.bloody_inn import payment
from engine.bloody_inn.actions import Dismiss
from engine.bloody_inn.annexes import rights
from engine.bloody_inn.events import Dismissed, Event, WagesPaid
from engine.bloody_inn.hands import discarded, missing, without
from engine.bloody_inn.payment import Price
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.sealing import answer_of, sealed
from engine.bloody_inn.seats import in_order
from engine.bloody_inn.state import Board, Hand, Kind, Phase, Sealed, State
from engine.game import Illegal, Step


def due(player: Hand) -> int:
    """Francs of wages: a Distillery spares one card each (D8); with an empty hand nothing is gained (R8)."""
    return max(0, len(player.hand) - rights(player.annexes).free_wages)


def unpaid(player: Hand) -> int:
    """How many accomplices the cash does not pay. Checks do not count."""
    return max(0, due(player) - player.cash)


def options(board: Board, seat: int) -> Iterator[Dismiss]:
    """Every choice of those who leave, any cards of the hand."""
    me = board.players[seat - 1]
    leaving = unpaid(me)
    return map(Dismiss, payment.options(me.hand, Price(leaving, leaving)))


def check(board: Board, seat: int, action: Dismiss) -> None:
    """Exactly the unpaid leave: nobody who is paid may be dismissed (D8)."""
    me = board.players[seat - 1]
    if lacking := missing(me.hand, action.cards):
        raise Illegal(Refusal.NOT_IN_HAND, cards=lacking)
    if len(action.cards) != unpaid(me):
        raise Illegal(Refusal.DISMISS_COUNT, given=len(action.cards), due=unpaid(me))


def effect(state: State, seat: int, action: Dismiss) -> Step:
    """The answer is sealed; see `settle`."""
    return sealed(state, Kind.DISMISS, Sealed(seat, cards=tuple(sorted(action.cards))))


def call(state: State) -> Step:
    """Step of the morning: who cannot pay all wages is asked whom to dismiss."""
    short = [seat for seat, player in enumerate(state.players, start=1) if unpaid(player)]
    return Step(replace(state, phase=Phase.WAGES, awaited=tuple(short)))


def settle(state: State) -> Step:
    """Step of the morning: cash pays what it can, and the unpaid leave."""
    players, exit_stack, bistro = list(state.players), state.exit, state.bistro
    events: list[Event] = []
    for seat in in_order(state):
        player = players[seat - 1]
        if wages := due(player):
            cash, leaving = min(wages, player.cash), answer_of(state, seat).cards
            players[seat - 1] = replace(player, cash=player.cash - cash, hand=without(player.hand, leaving))
            exit_stack, bistro = discarded(exit_stack, bistro, leaving)
            events += [WagesPaid(seat, wages, cash), *([Dismissed(seat, leaving)] if leaving else ())]
    after = replace(state, players=tuple(players), exit=exit_stack, bistro=bistro, sealed=())
    return Step(after, tuple(events))
