"""Every game there is, each in all its set-ups."""

from __future__ import annotations

import pytest

from tests.engine.contract import COURSES, Course, Played, played


@pytest.fixture(params=COURSES, ids=str)
def course(request: pytest.FixtureRequest) -> Course:
    found: Course = request.param
    return found


@pytest.fixture
def game(course: Course) -> Played:
    """The game of that course, played to its end."""
    return played(course, 1)
