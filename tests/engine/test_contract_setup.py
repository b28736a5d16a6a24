"""What `engine.game` promises of set-up: what is offered begins a game, all else is named."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from engine.game import BadOption
from tests.engine.contract import COURSES, Course


def test_what_a_game_does_not_offer_is_named(course: Course) -> None:
    rules = course.game
    wrong: list[tuple[int, dict[str, str]]] = [(max(rules.seats) + 1, {}), (0, {}), (course.seats, {"colour": "red"})]
    wrong += [(course.seats, {option.name: "nonsense"}) for option in rules.options]
    for count, options in wrong:
        with pytest.raises(BadOption) as caught:
            rules.start(count, options)
        assert caught.value.allowed


def test_every_default_is_offered_and_the_same_as_none(course: Course) -> None:
    rules = course.game
    defaults = {option.name: option.default for option in rules.options}
    assert all(option.default in option.values for option in rules.options)
    assert rules.encode(rules.start(course.seats, defaults)) == rules.encode(rules.start(course.seats, {}))


def test_every_value_of_every_option_begins_a_game_with_the_most_seats(course: Course) -> None:
    """With fewer, a value may be one that the game does not offer to so few."""
    rules = course.game
    refused = [pair for pair in values(course) if not begins(course, *pair)]
    assert not refused or course.seats < max(rules.seats)
    assert len(refused) < len(values(course))


def values(course: Course) -> list[tuple[str, str]]:
    return [(option.name, value) for option in course.game.options for value in option.values]


def begins(course: Course, option: str, value: str) -> bool:
    try:
        state = course.game.start(course.seats, {option: value})
    except BadOption:
        return False
    return bool(course.game.waiting(state))


def test_the_courses_touch_every_value_of_every_option() -> None:
    """But for the first player, who may be any seat."""
    touched: dict[str, set[tuple[str, str]]] = defaultdict(set)
    offered: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for course in COURSES:
        options: Any = [option for option in course.game.options if option.name != "first"]
        offered[course.game.name] |= {(option.name, value) for option in options for value in option.values}
        touched[course.game.name] |= {(name, value) for name, value in course.options if name != "first"}
        touched[course.game.name] |= {(option.name, option.default) for option in options}
    assert touched == offered
    assert {(course.game.name, course.seats) for course in COURSES} == {
        (course.game.name, count) for course in COURSES for count in course.game.seats
    }
