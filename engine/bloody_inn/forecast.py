"""What an order would bring if it were its turn now, worked out from the view of the seat that asks."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec.structs import replace

from engine.bloody_inn import rules
from engine.bloody_inn.actions import Action
from engine.bloody_inn.ahead import next_action
from engine.bloody_inn.bots.steady import table
from engine.bloody_inn.night import ACTIONS
from engine.bloody_inn.state import Phase, Player, Shown, State, View
from engine.game import told


class Foreseen(msgspec.Struct, frozen=True):
    """The view behind an order, and what would happen."""

    view: View
    events: tuple[Any, ...]


_IN_TURN: Final = (Phase.EVENING, Phase.NIGHT)


def foresee(view: View, action: Action) -> Foreseen | None:
    """What `action` would bring now, `Illegal` if the rules would refuse it; ``None`` in another phase than its own."""
    seat = view.seat
    if rules.KINDS.get(view.phase) != rules.ACTION_KINDS[type(action)]:
        return None
    state = _in_turn(view)
    rules.check(state, seat, action)
    step = rules.EFFECTS[type(action)](state, seat, action)
    return Foreseen(_seen(view, step.state), told(step.events, seat))


def _in_turn(view: View) -> State:
    """The position as the view shows it, with its seat to move; of the stack it knows the top alone."""
    known = tuple(card for card in (view.guest, view.top) if card)
    state = replace(table(view), entrance=known)
    if view.phase in _IN_TURN:
        ordinal = min(next_action(view, view.seat), ACTIONS) if view.phase is Phase.NIGHT else view.action
        return replace(state, turn=view.seat, action=ordinal)
    return replace(state, awaited=(view.seat,))


def _seen(view: View, after: State) -> View:
    """`view` with what has changed on the table; it is still the turn of whose it was."""
    players = tuple(_shown(was, now, view.seat) for was, now in zip(view.players, after.players, strict=True))
    return replace(view, players=players, rooms=after.rooms, bistro=after.bistro, exit=after.exit)


def _shown(was: Shown, now: Player, reader: int) -> Shown:
    open_things = {"annexes": now.annexes, "corpses": now.corpses, "cash": now.cash, "checks": now.checks}
    if was.seat == reader:
        return replace(was, hand=now.hand, hand_size=len(now.hand), **open_things)
    return replace(was, **open_things)
