"""Secrets have one door: what a reader cannot know changes nothing that he is told, byte for byte (law 3).

The part of it that goes through mails is in ``tests/test_leaks_mail.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.bloody_inn import GAME as BLOODY_INN
from engine.bloody_inn.state import Phase, State, View
from engine.game import DEALER, Ambiguous, AnyGame, Illegal, Unreadable, told
from engine.shuffle import Stream
from tests.engine.contract import Course, Moment, Played, every, near_misses, played, words_of
from tests.engine.unknown import PUBLIC, UNKNOWN

pytestmark = pytest.mark.slow

POSITIONS: Final = 20
"""Of each game."""
LISTED: Final = 40
"""Legal actions of each list."""
ALL: Final = 1000
"""Words: more than there are."""
Sight = Callable[[Any, int | None], Any]
"""What gives a view of a state to a reader."""


@dataclass(frozen=True, slots=True)
class Tries:
    """What readers try: lines, and actions of all kinds, legal or not."""

    lines: tuple[str, ...]
    actions: tuple[Any, ...]


def tries(game: Played) -> Tries:
    """Made from what was played: as it was, with something missing, and with any other word in its place."""
    rules, players = game.course.game, tuple(moment for moment in game.moments if moment.seat != DEALER)
    words = words_of(rules, tuple(moment.action for moment in players), ALL)
    lines = [
        line
        for moment in every(players, 8)
        for whole in (rules.write(moment.action, rules.view(moment.state, moment.seat, game.course.names)),)
        for line in (whole, " ".join(whole.split()[:-1]), whole[:-1], f"{whole} {whole}")
    ]
    of_each_type = {type(moment.action): moment.action for moment in players}
    near = (miss for action in of_each_type.values() for miss in islice(near_misses(rules, action, words), 150))
    return Tries(tuple(lines), (*of_each_type.values(), *near))


def heard(game: AnyGame, state: Any, reader: int, tried: Tries, sight: Sight) -> Iterator[bytes]:
    """Everything that the rules say to `reader` (0: the public) in `state`, as bytes."""
    view = sight(state, reader or None)
    yield game.encode(view)
    yield from (game.encode(action) for action in islice(game.legal(view, reader), LISTED))
    yield from (game.encode(action) for action in game.suggest(view, 6))
    yield from (game.encode(_reading(game, line, view)) for line in tried.lines)
    if reader != PUBLIC:
        yield game.encode(game.ahead(state, reader))
        yield from (game.encode(action) for action in islice(game.legal(state, reader), LISTED))
        yield game.encode(_answer(game.fallback, state, reader))
        actions = tried.actions if any(game.legal(view, reader)) else tried.actions[:5]
        yield from (game.encode(_answer(_applies, game, state, reader, action)) for action in actions)


def _reading(game: AnyGame, line: str, view: Any) -> Any:
    try:
        return game.read(line, view)
    except Unreadable as unreadable:
        return unreadable.reason, unreadable.facts
    except Ambiguous as ambiguous:
        return ambiguous.text, ambiguous.readings


def _answer(asked: Callable[..., Any], *about: Any) -> Any:
    """What an answer says, or why there is none."""
    try:
        return asked(*about)
    except Illegal as illegal:
        return illegal.reason, illegal.facts


def _applies(game: AnyGame, state: Any, seat: int, action: Any) -> bool:
    """What happens then may turn something up, and is told to all who may know it; that it may happen is told now."""
    game.apply(state, seat, action)
    return True


def differences(game: Played, sight: Sight) -> tuple[int, int]:
    """How many positions look different to somebody once his unknowns are changed, and how many were changed."""
    rules, tried = game.course.game, tries(game)
    stream, different, changed = Stream(bytes.fromhex(game.secret)), 0, 0
    for state in every(game.states, POSITIONS):
        for reader in range(PUBLIC, game.course.seats + 1):
            other = UNKNOWN[rules.name](state, reader, stream)
            changed += other != state
            mine = list(heard(rules, state, reader, tried, sight))
            different += mine != list(heard(rules, other, reader, tried, sight))
    return different, changed


def test_what_a_reader_cannot_know_changes_nothing_that_he_is_told(game: Played) -> None:
    rules, names = game.course.game, game.course.names
    different, changed = differences(game, lambda state, reader: rules.view(state, reader, names))
    assert different == 0
    assert changed > 0


def test_what_an_own_action_tells_does_not_depend_on_what_is_unknown(game: Played) -> None:
    """As long as nothing new is turned up by it: no traveler, and no sealed answer."""
    rules, stream = game.course.game, Stream(bytes.fromhex(game.secret))
    for moment in game.moments:
        if turns_nothing_up(game, moment):
            other = UNKNOWN[rules.name](moment.state, moment.seat, stream)
            step = rules.apply(other, moment.seat, moment.action)
            for reader in (None, moment.seat):
                assert rules.encode(told(step.events, reader)) == rules.encode(told(moment.events, reader))
                assert rules.encode(rules.view(step.state, reader)) == rules.encode(rules.view(moment.after, reader))


def turns_nothing_up(game: Played, moment: Moment) -> bool:
    """Whether the next decision is one of the same round and phase, but for evenings, when travelers come up."""
    following = game.course.game.waiting(moment.after)
    same = [(each.round, each.phase) == (moment.decision.round, moment.decision.phase) for each in following]
    return any(same) and moment.decision.phase != Phase.EVENING


# What a careless view would be like: each of these has to be noticed.


def shows_hands(view: View, state: State) -> View:
    hands = (replace(shown, hand=state.players[shown.seat - 1].hand) for shown in view.players)
    return replace(view, players=tuple(hands))


def shows_removed(view: View, state: State) -> View:
    return replace(view, removed=state.removed)


def shows_the_card_after_the_next(view: View, state: State) -> View:
    return replace(view, top=(*state.entrance[2:3], "")[0])


def shows_who_has_a_choice(view: View, state: State) -> View:
    return replace(view, waiting=BLOODY_INN.waiting(state))


CARELESS: Final[Mapping[str, Callable[[View, State], View]]] = {
    each.__name__: each for each in (shows_hands, shows_removed, shows_the_card_after_the_next, shows_who_has_a_choice)
}


@pytest.mark.parametrize("careless", CARELESS)
def test_a_careless_view_would_be_noticed(careless: str) -> None:
    course = Course(BLOODY_INN, 3)
    sight = _sight(course, CARELESS[careless])
    assert any(differences(played(course, seed), sight)[0] for seed in range(1, 8))


def _sight(course: Course, careless: Callable[[View, State], View]) -> Sight:
    return lambda state, reader: careless(course.game.view(state, reader, course.names), state)
