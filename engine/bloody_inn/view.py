"""What a seat may see, built field by field from nothing (D24)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.bloody_inn.state import Phase, Player, Shown, State, View
from engine.game import Decision

PUBLIC = 0
"""The seat of a view that is for everybody."""
ANSWERS_UNTOLD = 2
"""Whether another seat has only one answer may depend on its hand."""


def view(state: State, seat: int, names: Sequence[str], waiting: tuple[Decision, ...]) -> View:
    """The view of `seat` (0: the public); `waiting` are the open decisions of all."""
    over = state.phase == Phase.OVER
    lodging = state.phase == Phase.EVENING and state.turn != 0
    stack = state.entrance[lodging:]
    return View(
        seat=seat,
        options=state.options,
        phase=state.phase,
        round=state.round,
        season=state.season,
        first=state.first,
        turn=state.turn,
        action=state.action,
        last_round=state.last_round,
        short=state.short,
        rooms=state.rooms,
        players=tuple(_shown(state, other, seat, names) for other in range(1, len(state.players) + 1)),
        bistro=state.bistro,
        top=stack[0] if stack else "",
        entrance_size=len(stack),
        exit=state.exit,
        gone=state.gone,
        awaited=state.awaited,
        waiting=tuple(_told(decision, sees_hand(state, decision.seat, seat)) for decision in waiting),
        guest=state.entrance[0] if lodging else "",
        lost=state.lost,
        accounts=state.accounts,
        removed=state.removed if over else (),
        deeds=state.deeds,
    )


def sees_hand(state: State, owner: int, reader: int) -> bool:
    """Whether `reader` is shown the hand of `owner`: his own, by option, or when the game is over."""
    return owner == reader or state.options.hands == "open" or state.phase == Phase.OVER


def _shown(state: State, seat: int, reader: int, names: Sequence[str]) -> Shown:
    player: Player = state.players[seat - 1]
    shown = sees_hand(state, seat, reader)
    return Shown(
        seat=seat,
        name=names[seat - 1] if names else f"Seat {seat}",
        hand=player.hand if shown else (),
        hand_size=len(player.hand),
        hand_shown=shown,
        annexes=player.annexes,
        corpses=player.corpses,
        cash=player.cash,
        checks=player.checks,
    )


def _told(decision: Decision, hand_seen: bool) -> Decision:
    return decision if hand_seen else replace(decision, answers=ANSWERS_UNTOLD)
