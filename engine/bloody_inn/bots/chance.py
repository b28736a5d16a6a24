"""A player that takes any legal action."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from engine.bloody_inn.actions import Action
from engine.bloody_inn.rules import legal
from engine.bloody_inn.state import View
from engine.game import Stream

MOST: Final = 1000
"""So many legal actions are listed at most."""


class RandomBot:
    """Each of the first legal actions is equally likely; `iterations` bounds how many are listed."""

    def choose(self, view: View, events: Sequence[Any], iterations: int, stream: Stream) -> Action:  # noqa: ARG002
        listed = tuple(islice(legal(view, view.seat), max(1, min(iterations, MOST))))
        return listed[stream.below(len(listed))]
