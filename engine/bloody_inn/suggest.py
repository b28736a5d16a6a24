"""A few actions worth showing to a person: of different kinds, what looks best first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Final

from msgspec import structs

from engine.bloody_inn.actions import Action, Bribe, Build, Bury, Kill, Lodge, Pass
from engine.bloody_inn.ahead import next_action
from engine.bloody_inn.bots.steady import ranked
from engine.bloody_inn.lodge import empty
from engine.bloody_inn.night import ACTIONS
from engine.bloody_inn.rules import awaited, legal
from engine.bloody_inn.state import Phase, View

ALIKE: Final = 2
"""At most so many of one kind."""
NEWCOMERS: Final = 1
"""The round up to which a bribe that costs nothing is always shown: who does not know the game looks for it."""
WORSE: Final = 8.0
"""What looks so many francs worse than doing nothing is not worth showing."""


def suggest(view: View, count: int) -> tuple[Action, ...]:
    """At most `count` legal actions for the open decision of ``view.seat``, best first.

    At night, while others act, those that would be legal if it were its turn now: for a plan.
    """
    view = _in_turn(view)
    if not view.seat or not awaited(view, view.seat):
        return ()
    return tuple(islice(dict.fromkeys(_SUGGESTED[view.phase](view, count)), count))


def _in_turn(view: View) -> View:
    """At night the view as it would be if the seat had its next action now, if it still has one."""
    if view.phase != Phase.NIGHT or not view.seat or view.turn == view.seat:
        return view
    action = next_action(view, view.seat)
    return structs.replace(view, turn=view.seat, action=action) if action <= ACTIONS else view


def _night(view: View, count: int) -> Iterator[Action]:
    """The best of all kinds; one of them is a pass, so that nobody believes that he must act."""
    ranking = ranked(view, 0)
    least, best_pass = next((score - WORSE, action) for score, action in ranking if isinstance(action, Pass))
    free = islice((action for _, action in ranking if view.round <= NEWCOMERS and _is_free_bribe(action)), 1)
    good = (action for score, action in ranking if score >= least and not isinstance(action, Pass))
    chosen = (best_pass, *islice(_mixed(chain(free, good), view), count - 1))
    return (action for _, action in ranking if action in chosen)


def _is_free_bribe(action: Action) -> bool:
    return isinstance(action, Bribe) and bool(action.rooms) and not action.pay


def _mixed(ranking: Iterable[Action], view: View) -> Iterator[Action]:
    """Not more than `ALIKE` of one kind, and nothing that does the same in another place."""
    shown: list[tuple[type, tuple[str, ...]]] = []
    kinds: list[type] = []
    for action in ranking:
        kind = type(action)
        if kinds.count(kind) < ALIKE and (subject := (kind, _subject(action, view))) not in shown:
            kinds.append(kind)
            shown.append(subject)
            yield action


def _subject(action: Action, view: View) -> tuple[str, ...]:
    """The cards that an action is about, wherever they lie."""
    match action:
        case Bribe(rooms=rooms) | Kill(rooms=rooms):
            return tuple(sorted(view.rooms[room - 1].guest for room in rooms))
        case Bury(graves=graves):
            return tuple(grave.corpse for grave in graves)
        case Build(card=card):
            return (card,)
    return ()


def _evening(view: View, count: int) -> Iterator[Action]:
    """Rooms for the traveler who is up, and one line that lodges everybody."""
    single = [action for _, action in ranked(view, 0)]
    everybody = Lodge(empty(view.rooms))
    return chain(single[: max(1, count - 1)], (everybody,), single)


def _best_then_any(view: View, count: int) -> Iterator[Action]:  # noqa: ARG001
    return chain((action for _, action in ranked(view, 0)), legal(view, view.seat))


_SUGGESTED: Final[dict[Phase, Callable[[View, int], Iterator[Action]]]] = {
    Phase.EVENING: _evening,
    Phase.NIGHT: _night,
    Phase.POLICE: _best_then_any,
    Phase.WAGES: _best_then_any,
}
