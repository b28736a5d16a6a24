"""The picture of a position: milliseconds for each of a game as it goes on, with all that is new in it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks.engine import recorded
from benchmarks.rounds import ROUNDS, say
from engine import record
from engine.bloody_inn import GAME
from engine.bloody_inn.state import View
from pbem.files import resource
from pbem.render.pictures import Painter
from pbem.render.voice import Voice

POSITIONS: Final = 60
"""Of a game."""


def measured() -> dict[str, float]:
    """The middle of some games, in each of which every number and guest is drawn anew when it first comes up."""
    times = [_milliseconds(_game(random.Random(seed))) for seed in range(ROUNDS)]
    say(f"picture: {median(times):.1f} ms a position")
    return {"picture": median(times)}


def _milliseconds(views: list[View]) -> float:
    picture, voice = GAME.capabilities["picture"], Voice(resource("templates"), GAME)
    painter = Painter(picture.palette, lambda piece: voice.say("game/pieces.svg.j2", piece.name, *piece.facts))
    began = perf_counter()
    for view in views:
        painter.paint(picture.draw(view))
    return (perf_counter() - began) * 1000 / len(views)


def _game(rng: random.Random) -> list[View]:
    """What everybody sees of the first positions of a random game."""
    return [GAME.view(position.state, None) for position in islice(_positions(rng), POSITIONS)]


def _positions(rng: random.Random) -> Iterator[record.Position]:
    made = recorded(rng)
    position = record.opening(GAME, made.header)
    for entry in made.entries:
        assert not isinstance(entry.what, record.Override)
        position, _ = record.follow(GAME, position, entry.what)
        yield position
