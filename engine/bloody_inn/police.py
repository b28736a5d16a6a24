"""The police: an investigation, what each player pays for his corpses, and the collection."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.bloody_inn.actions import Pay
from engine.bloody_inn.cards import POLICEMEN, Card
from engine.bloody_inn.events import Event, PoliceCame, PolicePaid
from engine.bloody_inn.hands import added
from engine.bloody_inn.money import bill, paid, payment
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.scoring import lost
from engine.bloody_inn.sealing import answer_of, sealed
from engine.bloody_inn.seats import in_order
from engine.bloody_inn.state import Board, Kind, Phase, Sealed, State
from engine.bloody_inn.targets import guests
from engine.game import Illegal, Step


def options(board: Board, seat: int) -> Iterator[Pay]:
    """Every number of checks that pays exactly (D9)."""
    owed = bill(board.players[seat - 1])
    return map(Pay, range(owed.least, owed.most + 1))


def check(board: Board, seat: int, action: Pay) -> None:
    """As many checks as an exact payment allows; everything if the wealth is too small (D9)."""
    owed = bill(board.players[seat - 1])
    if not owed.least <= action.checks <= owed.most:
        raise Illegal(Refusal.CHECKS_RANGE, checks=action.checks, least=owed.least, most=owed.most)


def effect(state: State, seat: int, action: Pay) -> Step:
    """The answer is sealed; see `collect`."""
    return sealed(state, Kind.PAY, Sealed(seat, checks=action.checks))


def investigate(state: State) -> Step:
    """Step of the morning: police in a room asks for everybody's corpses; alone, one corpse loses (D3)."""
    here = tuple([(room, card) for room, card in guests(state.rooms) if card in POLICEMEN])
    morning = replace(state, phase=Phase.POLICE)
    if not here:
        return Step(morning)
    owing = tuple([seat for seat, player in enumerate(state.players, start=1) if player.corpses])
    if owing and len(state.players) == 1:
        end = lost(morning, "police")
        return Step(end.state, (PoliceCame(here), *end.events))
    return Step(replace(morning, awaited=owing), (PoliceCame(here),))


def collect(state: State) -> Step:
    """Step of the morning: all pay, and the corpses leave the game."""
    players = list(state.players)
    events: list[Event] = []
    found: list[Card] = []
    payers = [answer.seat for answer in state.sealed]
    for seat in in_order(state) if payers else ():
        if seat in payers:
            player = players[seat - 1]
            what = payment(player, answer_of(state, seat).checks)
            events.append(PolicePaid(seat, player.corpses, what.cash, what.checks))
            players[seat - 1] = replace(paid(player, what), corpses=())
            found += player.corpses
    return Step(replace(state, players=tuple(players), gone=added(state.gone, found), sealed=()), tuple(events))
