"""The second game as somebody might break it, so that it can be seen that the leak test would notice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from engine.game import AnyGame
from tests.games.choices import Choices, State, View


class CarelessChoices(Choices):
    """Who has not picked yet sees the highest number that anybody has as his own."""

    def view(self, state: State, seat: int | None, names: Sequence[str] = ()) -> View:
        view = super().view(state, seat, names)
        return msgspec.structs.replace(view, pick=view.pick or max(state.picks))


GAME: Final[AnyGame] = CarelessChoices()
