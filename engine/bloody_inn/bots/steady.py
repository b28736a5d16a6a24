"""A player that takes the action after which its position is worth most, as `value` sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from engine.bloody_inn import money
from engine.bloody_inn.actions import Action, Lodge, Pay
from engine.bloody_inn.bots.value import rounds_left, value
from engine.bloody_inn.candidates import candidates
from engine.bloody_inn.cards import POLICEMEN, RANK
from engine.bloody_inn.rules import EFFECTS
from engine.bloody_inn.seats import seated
from engine.bloody_inn.state import Phase, Player, Room, State, View
from engine.game import Stream

AHEAD: Final = 8
"""At most so many first actions of a night are looked at with a second one behind them."""
Scored = tuple[float, Action]


class SteadyBot:
    """Buries what it kills, pays its wages, keeps out of the way of the police."""

    def choose(self, view: View, events: Sequence[Any], iterations: int, stream: Stream) -> Action:  # noqa: ARG002
        """The best action for the open decision; `iterations` bounds how many positions are looked at."""
        scored = ranked(view, iterations)
        best = [action for score, action in scored if score == scored[0][0]]
        return best[stream.below(len(best))]


def ranked(view: View, iterations: int) -> list[Scored]:
    """What the seat of `view` may do, with scores, the best first."""
    return _RANKED[view.phase](view, iterations)


def _night(view: View, iterations: int) -> list[Scored]:
    """At the first action the most promising ones are judged by the best second action behind them."""
    state, left = table(view), rounds_left(view)
    scored = _after_one(state, view.seat, left)
    ahead = min(AHEAD, iterations // len(scored) - 1) if state.action == 1 else 0
    if ahead < 1:
        return scored
    deeper = [(_second(state, view.seat, action, left), action) for _, action in scored[:ahead]]
    return _sorted(deeper)


def _second(state: State, seat: int, action: Action, left: float) -> float:
    after = replace(EFFECTS[type(action)](state, seat, action).state, action=2)
    return _after_one(after, seat, left)[0][0]


def _after_one(state: State, seat: int, left: float) -> list[Scored]:
    return _sorted(
        [(value(EFFECTS[type(each)](state, seat, each).state, seat, left), each) for each in candidates(state, seat)]
    )


def _evening(view: View, iterations: int) -> list[Scored]:  # noqa: ARG001
    """Guests who pay for Room Service go where the own token lies, the others where somebody else's does not."""
    rooms = {room.number: room for room in view.rooms}
    rank = RANK[view.guest] if view.guest else 0
    options = [each for each in candidates(view, view.seat) if isinstance(each, Lodge)]
    return _sorted([(_welcome(rooms[each.rooms[0]], view, rank), each) for each in options])


def _welcome(room: Room, view: View, rank: int) -> float:
    """Police stay longer than others, since killing them costs most: they pay room income as well as anybody."""
    served = {0: 0.0, view.seat: float(rank)}.get(room.token, -rank / 2)
    paid = {0: 0.0, view.seat: 0.6 if view.guest in POLICEMEN else 0.4}.get(room.key, -0.2) if view.guest else 0.0
    return served + paid


def _police(view: View, iterations: int) -> list[Scored]:  # noqa: ARG001
    state, left = table(view), rounds_left(view)
    me = state.players[view.seat - 1]
    options = [each for each in candidates(view, view.seat) if isinstance(each, Pay)]
    return _sorted([(_paid(state, view.seat, me, each.checks, left), each) for each in options])


def _paid(state: State, seat: int, me: Player, checks: int, left: float) -> float:
    poorer = replace(money.paid(me, money.payment(me, checks)), corpses=())
    return value(replace(state, players=seated(state.players, seat, poorer)), seat, left)


def _wages(view: View, iterations: int) -> list[Scored]:  # noqa: ARG001
    return [(0.0, each) for each in candidates(view, view.seat)]


def _sorted(scored: list[Scored]) -> list[Scored]:
    return sorted(scored, key=lambda pair: -pair[0])


def table(view: View) -> State:
    """A position as `view` shows it, without what it hides: enough to carry out an action and look at the result."""
    return State(
        options=view.options,
        phase=view.phase,
        players=tuple(Player(each.hand, each.annexes, each.corpses, each.cash, each.checks) for each in view.players),
        rooms=view.rooms,
        round=view.round,
        season=view.season,
        first=view.first,
        turn=view.turn,
        action=view.action,
        exit=view.exit,
        bistro=view.bistro,
        last_round=view.last_round,
    )


_RANKED: Final[dict[Phase, Callable[[View, int], list[Scored]]]] = {
    Phase.EVENING: _evening,
    Phase.NIGHT: _night,
    Phase.POLICE: _police,
    Phase.WAGES: _wages,
}
