"""The end: gravedigger, end-of-game income, accounts, places, and the grades of a game alone."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.bloody_inn import annexes
from engine.bloody_inn.cards import Card
from engine.bloody_inn.events import Ended, EndIncome, Event, Gravedigger, Lost
from engine.bloody_inn.hands import added
from engine.bloody_inn.money import CHECK, bill, gain, paid, payment, wealth
from engine.bloody_inn.state import Account, Annex, Options, Phase, Player, State
from engine.game import Outcome, Step

GRADES: Final = ((170, "legendary"), (150, "feared"), (130, "crafty"), (110, "promising"))
"""Alone, long game: the least wealth for each grade, best first (L: two texts say *over* 170)."""


def lost(state: State, by: str) -> Step:
    """Alone, a corpse was found: the game is over at once and has no score (D3)."""
    return Step(replace(state, phase=Phase.OVER, turn=0, awaited=(), lost=True), (Lost(by),))


def finish(state: State) -> Step:
    """The end of the game after its last round."""
    if len(state.players) == 1 and state.players[0].corpses:
        return lost(state, "gravedigger")
    buried = [_gravedigger(player) for player in state.players]
    settled = [_settled(player, fee, state) for player, fee in buried]
    accounts = tuple(account for _, account in settled)
    over = replace(
        state,
        phase=Phase.OVER,
        turn=0,
        players=tuple(player for player, _ in settled),
        gone=added(state.gone, [corpse for player in state.players for corpse in player.corpses]),
        accounts=accounts,
    )
    told = [*_graves_told(state.players), *_income_told(accounts)]
    return Step(over, (*told, Ended(tuple(account.wealth for account in accounts), places(accounts))))


def places(accounts: tuple[Account, ...]) -> tuple[int, ...]:
    """By wealth, then corpses under own annexes; equal ones share their place, as 1, 1, 3 (D14)."""
    results = [(account.wealth, account.graves) for account in accounts]
    return tuple(1 + sum(other > result for other in results) for result in results)


def outcome(state: State) -> Outcome | None:
    """Places and wealth, or nothing while the game runs; a lost game has neither."""
    if state.phase != Phase.OVER:
        return None
    if state.lost:
        return Outcome((0,), (None,))
    scores = tuple(account.wealth for account in state.accounts)
    return Outcome(places(state.accounts), scores, grade(state.options, scores))


def grade(options: Options, scores: tuple[int, ...]) -> str:
    """The word for a long game alone; nothing below 110F, in a short game or in company."""
    if len(scores) > 1 or options.length != "long":
        return ""
    return next((word for least, word in GRADES if scores[0] >= least), "")


def _gravedigger(player: Player) -> tuple[Player, int]:
    """`player` after 10F for each unburied corpse, and the francs paid: cash first, then checks (D11)."""
    what = payment(player, bill(player).least) if player.corpses else None
    if what is None:
        return player, 0
    return replace(paid(player, what), corpses=()), what.cash + CHECK * what.checks


def _settled(player: Player, fee: int, state: State) -> tuple[Player, Account]:
    """End-of-game income is worked out from one position and gained as one sum (D12)."""
    income = annexes.end_income(player.annexes, state.exit, player.checks)
    gained = gain(player, sum(francs for _, francs in income), state.options)
    rich = gained.player
    return rich, Account(
        cash=rich.cash,
        checks=rich.checks,
        gravedigger=fee,
        income=income,
        lost=gained.lost,
        wealth=wealth(rich.cash, rich.checks),
        graves=_graves(player.annexes),
    )


def _graves(own: tuple[Annex, ...]) -> int:
    return sum(len(annex.graves) for annex in own)


def _graves_told(players: tuple[Player, ...]) -> list[Event]:
    return [
        Gravedigger(seat, player.corpses, what.cash, what.checks)
        for seat, player in enumerate(players, start=1)
        if player.corpses
        for what in (payment(player, bill(player).least),)
    ]


def _income_told(accounts: tuple[Account, ...]) -> list[Event]:
    return [
        EndIncome(seat, account.income, _sum(account.income) - account.lost, account.lost)
        for seat, account in enumerate(accounts, start=1)
        if account.income
    ]


def _sum(income: tuple[tuple[Card, int], ...]) -> int:
    return sum(francs for _, francs in income)
