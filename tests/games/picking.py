"""What tests share that play the second game by mail."""

from __future__ import annotations

import re
from typing import Final

from engine.record import By, Move
from tests.conversations.world import Mail, World

TABLE: Final = "choices-1"


def picks(world: World) -> list[tuple[int, int, By]]:
    """All picks, those that were taken back too: seat, number, and why."""
    whats = [entry.what for entry in world.entries(TABLE)]
    return [(what.seat, what.action["number"], what.by) for what in whats if isinstance(what, Move)]


def ended(world: World) -> dict[str, Mail]:
    """Modi ends the game, with the code if he is asked for one; the mails that follow, by who gets them."""
    world.answer("modi", "END")
    sent = world.tick()
    if code := re.search(r"^  (END \S+)\s*$", sent[-1].lines, re.MULTILINE):
        world.answer("modi", code[1])
        sent = world.tick()
    return {mail.to: mail for mail in sent}
