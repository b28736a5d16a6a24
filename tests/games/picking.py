"""What a record of the second game says, for tests that play it by mail."""

from __future__ import annotations

from typing import Final

from engine.record import By, Move
from tests.conversations.world import World

TABLE: Final = "choices-1"


def picks(world: World) -> list[tuple[int, int, By]]:
    """All picks, those that were taken back too: seat, number, and why."""
    whats = [entry.what for entry in world.entries(TABLE)]
    return [(what.seat, what.action["number"], what.by) for what in whats if isinstance(what, Move)]
