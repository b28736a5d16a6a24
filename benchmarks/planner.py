"""Two ways to play by mail: one decision a mail, or a night ahead. Both see what the mails to their seat show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final

from msgspec.structs import replace

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Action, Lodge, Pass
from engine.bloody_inn.ahead import next_action
from engine.bloody_inn.bots.steady import ranked
from engine.bloody_inn.candidates import worth
from engine.bloody_inn.cards import FACES
from engine.bloody_inn.forecast import foresee
from engine.bloody_inn.lodge import empty
from engine.bloody_inn.night import ACTIONS
from engine.bloody_inn.state import Phase, View
from engine.bloody_inn.words import words
from engine.game import Illegal
from pbem.planning import MOST_WAYS

THOUGHT: Final = 300
"""Positions that are looked at for one decision, by both."""
PASS: Final = "PASS"
LIKELY: Final = 5
"""First actions that its second line looks behind."""
WAYS: Final = MOST_WAYS
"""How many alternatives a line of the planner has; behind them it is asked."""


def plainly(view: View) -> tuple[str, ...]:
    """The best action for the open decision, alone; all travelers are lodged at once, as people do."""
    best = ranked(view, THOUGHT)[0][1]
    if isinstance(best, Lodge):
        best = Lodge((*best.rooms, *(room for room in empty(view.rooms) if room not in best.rooms)))
    return (GAME.write(best, view),)


def ahead(view: View) -> tuple[str, ...]:
    """All that is left of the night, one line an action, and which rooms to fill first; or another open decision."""
    if view.phase is not Phase.NIGHT:
        return plainly(view)
    return (_lodging(view), *(_line(action, view) for action in range(next_action(view, view.seat), ACTIONS + 1)))


def settled() -> tuple[str, ...]:
    """What the planner settles before the game begins."""
    names = ", ".join(words().card(card) for card in sorted(FACES, key=lambda card: (worth(card), card)))
    return ("ALWAYS LODGE ANY", "ALWAYS PAY CASH", f"ALWAYS DISMISS {names}")


def _lodging(view: View) -> str:
    """One's own rooms first, those of others last."""
    mine = {view.seat: 2, 0: 1}
    order = sorted(view.rooms, key=lambda room: -(mine.get(room.key, 0) + 2 * mine.get(room.token, 0)))
    return f"ALWAYS LODGE {' '.join(str(room.number) for room in order)}"


def _line(action: int, view: View) -> str:
    """Alternatives for one action: those for a night with police, if there are any, and those for one without."""
    police = tuple(room.number for room in view.rooms if room.guest and FACES[room.guest].police)
    rooms = (replace(room, guest="") if room.number in police else room for room in view.rooms)
    quiet = replace(view, rooms=tuple(rooms))
    anyhow = _ways(action, quiet)
    if not police:
        return " ELSE ".join(_with_a_pass(list(_written(anyhow, view)), action))
    awake = [f"IF POLICE {order}" for order in _written(_ways(action, view)[: WAYS // 2], view)]
    return " ELSE ".join(_with_a_pass([*awake, *_written(anyhow[: WAYS // 2], view)], action))


def _written(actions: Iterable[Action], view: View) -> Iterator[str]:
    """Orders up to a pass, which is always possible."""
    for action in actions:
        yield GAME.write(action, view)
        if action == Pass():
            return


def _with_a_pass(orders: list[str], action: int) -> list[str]:
    """Behind the alternatives of a second action stands a pass: whoever is asked for it has kept the others waiting."""
    return orders if action < ACTIONS or PASS in orders else [*orders[: WAYS - 1], PASS]


def _ways(action: int, view: View) -> list[Action]:
    """The best actions: the next one as it looks now, the one behind it as it will look then."""
    following = next_action(view, view.seat)
    best = _best(_in_turn(view, following))
    return (best if action == following else _seconds(_in_turn(view, following), best))[:WAYS]


def _in_turn(view: View, action: int) -> View:
    return replace(view, turn=view.seat, action=action)


def _best(view: View) -> list[Action]:
    return [action for _, action in ranked(view, THOUGHT)]


def _seconds(view: View, first: Sequence[Action]) -> list[Action]:
    """The second actions behind the best first one; before them those that are best behind another and only there."""
    lists = [_best(_in_turn(seen, ACTIONS)) for action in first[:LIKELY] if (seen := _behind(view, action)) is not None]
    if not lists:
        return [Pass()]
    known = set(lists[0])
    only = (action for ranking in lists[1:] for action in takewhile(lambda each: each not in known, ranking[:2]))
    return list(dict.fromkeys((*lists[0][:1], *only, *lists[0])))


def _behind(view: View, action: Action) -> View | None:
    try:
        seen = foresee(view, action)
    except Illegal:
        return None
    return seen.view if seen else None
