"""Two ways to play by mail: one decision a mail, or a night ahead. Both see what the mails to their seat show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
from pbem.planning import WAIT

THOUGHT: Final = 300
"""Positions that are looked at for one decision, by both."""
LIKELY: Final = 5
"""First actions that its second line looks behind."""
FIRST_WAYS: Final = 4
SECOND_WAYS: Final = 2
"""How many alternatives the lines of the planner have; behind them it wants to be asked."""


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
    left = ACTIONS + 1 - next_action(view, view.seat)
    first = _best(_in_turn(view, ACTIONS + 1 - left))
    lines = [_lodging(view), _line(first[:FIRST_WAYS], view)]
    if left == ACTIONS:
        lines.append(_line(_seconds(view, first), view))
    return tuple(lines)


def settled() -> tuple[str, ...]:
    """What the planner settles before the game begins."""
    names = ", ".join(words().card(card) for card in sorted(FACES, key=lambda card: (worth(card), card)))
    return ("ALWAYS LODGE ANY", "ALWAYS PAY CASH", f"ALWAYS DISMISS {names}")


def _lodging(view: View) -> str:
    """One's own rooms first, those of others last."""
    mine = {view.seat: 2, 0: 1}
    order = sorted(view.rooms, key=lambda room: -(mine.get(room.key, 0) + 2 * mine.get(room.token, 0)))
    return f"ALWAYS LODGE {' '.join(str(room.number) for room in order)}"


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
    return list(dict.fromkeys((*lists[0][:1], *only, *lists[0][:SECOND_WAYS])))


def _behind(view: View, action: Action) -> View | None:
    try:
        seen = foresee(view, action)
    except Illegal:
        return None
    return seen.view if seen else None


def _line(actions: Iterable[Action], view: View) -> str:
    """Alternatives up to a pass, which is always possible; else the last is to be asked."""
    ways: list[str] = []
    for action in actions:
        ways.append(GAME.write(action, view))
        if action == Pass():
            return " ELSE ".join(ways)
    return " ELSE ".join((*ways, WAIT))
