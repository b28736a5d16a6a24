"""The walk-through of a first game: what it says fits the position, and each lesson comes up in some game."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from msgspec import structs

from engine.bloody_inn import GAME
from engine.bloody_inn.guide import GUIDE
from engine.bloody_inn.state import State, View
from pbem.files import resource
from pbem.render.voice import Voice
from tests.engine.bloody_inn.random_games import positions_of_a_game


def test_each_lesson_has_its_moment_in_some_game_and_only_what_is_left_is_told() -> None:
    seen: set[str] = set()
    for seed in range(8):
        for state in positions_of_a_game(random.Random(seed), 3, every=3):
            for decision in GAME.waiting(state):
                if not decision.seat:
                    continue
                for view in _views(state):
                    seen.update(each for each in GUIDE.lessons if GUIDE.lesson(view, [each]) == each)
                    assert GUIDE.lesson(view, []) == ""
    assert seen == set(GUIDE.lessons)


def _views(state: State) -> Iterator[View]:
    """What each seat sees, and what it would see had everybody much cash, which random players have not."""
    for seat in range(1, len(state.players) + 1):
        view = GAME.view(state, seat)
        yield view
        yield structs.replace(view, players=tuple(structs.replace(player, cash=40) for player in view.players))


@pytest.mark.parametrize("lesson", GUIDE.lessons)
def test_each_lesson_has_its_own_words_and_they_are_few(lesson: str) -> None:
    words = Voice(resource("templates"), GAME).text("game/guide.txt.j2", {"lesson": lesson, "view": None})
    assert 80 < len(words) < 300
