"""``python -m benchmarks.pace [SHARE]``: how much faster a table is whose players plan, counted and not timed.

Whole short games through the desk, by a mailbox of its own: every mail is decided, released and told as the host does
it, and a player knows nothing but what the mail to his seat shows. A mail is written some time after the one that
asks for it; a wait of the table is a moment at which mails that came moved the game on. Plain play, one decision a
mail, takes 2.33 mails of each of three players a round, and makes the table wait 7 times.

The last line is one JSON object; the exit status is 1 when it falls short. SHARE, as 0.1, plays fewer games.
"""

from __future__ import annotations

import heapq
import json
import random
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from statistics import fmean, stdev
from typing import Final

from benchmarks.planner import ahead, plainly, settled
from benchmarks.rounds import say
from engine.bloody_inn.state import View
from pbem.settle import Telling
from pbem.table import Person
from pbem.verdicts import Line, Said
from tests.desk.sitting import Sitting, open_table

Planner = Callable[[View], tuple[str, ...]]
GAMES: Final = {3: 400, 4: 200}
"""How many, by number of players."""
NAMES: Final = ("Anna", "Bob", "Chen", "Dora")
LIMITS: Final = {"mails": 1.15, "waits_in_step": 1.4, "waits_random": 2.3, "wealth_lost": 0.03}
"""The most of each, for three players."""
MOST_MAILS: Final = 1000
"""Of one game; more would be a loop."""


@dataclass(slots=True)
class Count:
    """What was counted in some games."""

    mails: int = 0
    player_rounds: int = 0
    waits: int = 0
    rounds: int = 0
    released: int = 0
    illegal: int = 0
    wealth: list[tuple[float, float]] = field(default_factory=list)
    """Game by game: of the one planner, and the mean of the others."""

    def ratios(self) -> dict[str, float]:
        """Mails a player and round, waits a round, and the share of released lines that were not possible."""
        return {
            "mails": self.mails / self.player_rounds,
            "waits": self.waits / self.rounds,
            "illegal": self.illegal / max(1, self.released),
        }

    def wealth_lost(self) -> tuple[float, float]:
        """By how much of the others' wealth the planner is poorer, and the standard error of that."""
        plain = fmean(other for _, other in self.wealth)
        lost = [(other - mine) / plain for mine, other in self.wealth]
        return fmean(lost), stdev(lost) / sqrt(len(lost))


class Correspondence:
    """One game by mail: who has something to answer, and when his answer comes."""

    def __init__(self, players: Mapping[int, Planner], seed: str, *, in_step: bool) -> None:
        self.players, self.in_step = players, in_step
        self.random = random.Random(seed)
        people = [Person(seat, NAMES[seat - 1], f"{NAMES[seat - 1].lower()}@example.org") for seat in players]
        table = open_table(*people)
        table.options["first"] = "drawn"
        self.sitting = Sitting(table)
        object.__setattr__(self.sitting.table, "secret", f"{self.random.getrandbits(256):064x}")
        self.letters: list[tuple[float, int]] = []
        """When the next mail of a seat comes."""
        self.mails = self.waits = 0
        self.lines: list[Line] = []

    def played(self) -> None:
        """Play the game to its end."""
        for seat, player in self.players.items():
            if player is ahead:
                self.sitting.seat(seat, *settled())
        self.sitting.moderator("START")
        self._told(0.0)
        while self.letters:
            now = self.letters[0][0]
            moved = self.sitting.table.running.n
            while self.letters and self.letters[0][0] == now:
                self._write(heapq.heappop(self.letters)[1])
            self._told(now)
            self.waits += self.sitting.table.running.n > moved
            assert self.mails < MOST_MAILS, "the game does not end"
        assert self.sitting.table.running.state.accounts, "somebody was not asked"

    def _write(self, seat: int) -> None:
        """The mail of a seat, from what it sees now; none if there is nothing left for it to say."""
        table = self.sitting.table
        mine = table.open_decision(seat)
        if mine is None and not (self.players[seat] is ahead and self._may_plan(seat)):
            return
        self.mails += 1
        self.lines += self.sitting.seat(seat, *self.players[seat](table.view(seat))).lines

    def _may_plan(self, seat: int) -> bool:
        table = self.sitting.table
        planned = any(plan.seat == seat and plan.decision[0].isdigit() for plan in table.plans)
        return not planned and any(decision.phase == "night" for decision in table.ahead(seat))

    def _told(self, now: float) -> None:
        """The host is at rest: its mails go out, and whoever has to say something will."""
        self.lines += self.sitting.release()
        writing = {seat for _, seat in self.letters}
        for telling in self.sitting.settle():
            seat = telling.to.seat
            if seat and seat not in writing and self._wants_to_write(telling):
                delay = 1.0 if self.in_step else self.random.expovariate(1.0)
                heapq.heappush(self.letters, (now + delay, seat))

    def _wants_to_write(self, telling: Telling) -> bool:
        return bool(telling.asks) or (self.players[telling.to.seat] is ahead and telling.state)


def counted(plans: Iterable[Mapping[int, Planner]], *, in_step: bool) -> Count:
    """All games that `plans` gives the players of."""
    count = Count()
    for number, players in enumerate(plans):
        game = Correspondence(players, f"pace {number}", in_step=in_step)
        game.played()
        state = game.sitting.table.running.state
        count.mails += game.mails
        count.player_rounds += state.round * len(players)
        count.waits += game.waits
        count.rounds += state.round
        released = [line for line in game.lines if line.said in (Said.DONE, Said.REFUSED, Said.UNREAD)]
        count.released += len(released)
        count.illegal += sum(line.said is not Said.DONE for line in released)
        _add_wealth(count, players, [account.wealth for account in state.accounts])
        if not (number + 1) % 50:
            say(f"{number + 1} games of {len(players)}")
    return count


def _add_wealth(count: Count, players: Mapping[int, Planner], wealth: list[int]) -> None:
    mine = [francs for francs, player in zip(wealth, players.values(), strict=True) if player is ahead]
    others = [francs for francs, player in zip(wealth, players.values(), strict=True) if player is plainly]
    if len(mine) == 1 and others:
        count.wealth.append((mine[0], fmean(others)))


def everybody(seats: int, player: Planner, games: int) -> list[dict[int, Planner]]:
    """Games in which all play alike."""
    return [dict.fromkeys(range(1, seats + 1), player)] * games


def one_planner(seats: int, games: int) -> list[dict[int, Planner]]:
    """Games in which one of the players plans, each seat in turn."""
    return [
        {seat: ahead if seat == game % seats + 1 else plainly for seat in range(1, seats + 1)} for game in range(games)
    ]


def measured(share: float) -> dict[str, float]:
    """Everything that the issue asks for, from `share` of the games."""
    found: dict[str, float] = {}
    for seats, games in GAMES.items():
        number = max(2, round(games * share))
        step = counted(everybody(seats, ahead, number), in_step=True).ratios()
        chance = counted(everybody(seats, ahead, number), in_step=False).ratios()
        plain = counted(everybody(seats, plainly, max(2, number // 10)), in_step=True).ratios()
        ratios = {
            "mails": step["mails"],
            "mails_random": chance["mails"],
            "waits_in_step": step["waits"],
            "waits_random": chance["waits"],
            "illegal": step["illegal"],
            "plain_mails": plain["mails"],
            "plain_waits": plain["waits"],
        }
        lost, error = counted(one_planner(seats, number), in_step=True).wealth_lost()
        ratios |= {"wealth_lost": lost, "wealth_error": error}
        found |= {name if seats == 3 else f"{name}_{seats}": ratio for name, ratio in ratios.items()}
    return found


def main(words: list[str]) -> int:
    """Measure, and say whether it is enough."""
    found = measured(float(words[0]) if words else 1.0)
    short = [name for name, limit in LIMITS.items() if found[name] > limit]
    for name in short:
        say(f"{name} is {found[name]:.3f}, and should be at most {LIMITS[name]}")
    print(json.dumps({name: round(ratio, 4) for name, ratio in found.items()} | {"short": short}))
    return bool(short)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
