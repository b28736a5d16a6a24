"""One whole game by mail, without a mail server: every mail is decided, released and told as the host does it.

A player knows nothing but what the mail to his seat shows. A mail is written some time after the one that asks for
it; a wait of the table is a moment at which mails that came moved the game on.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from benchmarks.planner import ahead, settled
from engine.bloody_inn.state import Phase, View
from pbem.plans.moments import is_exact
from pbem.settle import Telling
from pbem.table import Person
from pbem.verdicts import Line, Said
from tests.desk.sitting import Sitting, open_table

Planner = Callable[[View], tuple[str, ...]]
NAMES: Final = ("Anna", "Bob", "Chen", "Dora")
MOST_MAILS: Final = 1000
"""Of one game; more would be a loop."""
NOT_DONE: Final = (Said.REFUSED, Said.UNREAD)


@dataclass(frozen=True, slots=True)
class Setting:
    """A game to be played: its deal, who sits there, and whether all mails take equally long."""

    deal: str
    players: Mapping[int, Planner]
    """By seat."""
    in_step: bool


@dataclass(frozen=True, slots=True)
class Score:
    """What was counted in one game."""

    mails: int
    """Sent by the players, from the first night on."""
    waits: int
    rounds: int
    released: tuple[Line, ...]
    """Lines of plans, as they ended when their turn came."""
    sent: tuple[Line, ...]
    """Lines of the planners' mails, as they were answered at once."""
    wealth: tuple[int, ...]
    """By seat."""


def played(setting: Setting) -> Score:
    """Play a game to its end."""
    game = _Correspondence(setting)
    game.run()
    state = game.sitting.table.running.state
    assert state.accounts, "somebody was not asked"
    wealth = tuple(account.wealth for account in state.accounts)
    return Score(game.mails, game.waits, state.round, tuple(game.released), tuple(game.sent), wealth)


class _Correspondence:
    """Who has something to answer, and when his answer comes."""

    def __init__(self, setting: Setting) -> None:
        self._players, self._in_step = setting.players, setting.in_step
        self._random = random.Random(setting.deal)
        people = [Person(seat, NAMES[seat - 1], f"{NAMES[seat - 1].lower()}@example.org") for seat in self._players]
        secret = f"{self._random.getrandbits(256):064x}"
        self.sitting = Sitting(replace(open_table(*people, first="drawn"), secret=secret))
        self._letters: list[tuple[float, int]] = []
        """When the next mail of a seat comes."""
        self.mails = self.waits = 0
        self.released: list[Line] = []
        self.sent: list[Line] = []

    def run(self) -> None:
        for seat in self._players:
            if self._plans(seat):
                self.sitting.seat(seat, *settled())
        self.sitting.moderator("START")
        self._told(0.0)
        while self._letters:
            now = self._letters[0][0]
            moved = self.sitting.table.running.n
            while self._letters and self._letters[0][0] == now:
                self._write(heapq.heappop(self._letters)[1])
            self._told(now)
            self.waits += self.sitting.table.running.n > moved
            assert self.mails < MOST_MAILS, "the game does not end"

    def _plans(self, seat: int) -> bool:
        return self._players[seat] is ahead

    def _write(self, seat: int) -> None:
        """The mail of a seat, from what it sees now; none if there is nothing left for it to say."""
        table = self.sitting.table
        if table.open_decision(seat) is None and not self._may_plan(seat):
            return
        self.mails += 1
        verdict = self.sitting.seat(seat, *self._players[seat](table.view(seat)))
        if self._plans(seat):
            self.sent += verdict.lines

    def _may_plan(self, seat: int) -> bool:
        """At night a planner writes once ahead of his turn."""
        table = self.sitting.table
        if not self._plans(seat) or table.running.state.phase is not Phase.NIGHT:
            return False
        planned = any(plan.seat == seat and is_exact(plan.decision) for plan in table.plans)
        return not planned and any(decision.phase == Phase.NIGHT for decision in table.ahead(seat))

    def _told(self, now: float) -> None:
        """The host is at rest: its mails go out, and whoever has to say something will."""
        self.released += self.sitting.release()
        writing = {seat for _, seat in self._letters}
        for telling in self.sitting.settle():
            seat = telling.to.seat
            if seat and seat not in writing and self._wants_to_write(telling):
                delay = 1.0 if self._in_step else self._random.expovariate(1.0)
                heapq.heappush(self._letters, (now + delay, seat))

    def _wants_to_write(self, telling: Telling) -> bool:
        return bool(telling.asks) or (self._plans(telling.to.seat) and telling.state)
