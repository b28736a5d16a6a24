"""``python -m benchmarks.arena [SHARE]``: how well the steady bot plays, against random ones and alone.

Whole short games on the engine itself, with as much thought as a host gives a bot. The one steady player of a game
sits on each seat in turn, and all chance follows from the number of the game, so that the table is the same each time.

The last line is one JSON object; the exit status is 1 when it falls short. SHARE, as 0.1, plays fewer games.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Final

from benchmarks.rounds import say
from engine.bloody_inn import GAME
from engine.bloody_inn.state import State
from engine.game import DEALER, Bot, Deal, Outcome
from engine.shuffle import Stream, permutation, seed
from pbem.levels import ITERATIONS

BOTS: Final = GAME.capabilities["bots"]
STEADY, RANDOM = "steady", "random"
GAMES: Final = 300
"""How many, for each number of players."""
GOALS: Final = {1: 0.9, 2: 0.9, 3: 0.9, 4: 0.9}
"""The least share of games that the steady player wins; alone, that it does not lose."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one game ended for the one player that is looked at."""

    won: bool
    """A shared first place is none; alone: it was not lost."""
    wealth: int
    """Francs; 0 for a game that was lost."""
    others: float
    """The mean wealth of the others; 0 where there are none."""
    rounds: int


@dataclass(frozen=True, slots=True)
class Row:
    """What some games of as many players come to: means, each with its standard error."""

    players: int
    games: int
    won: tuple[float, float]
    wealth: tuple[float, float]
    others: tuple[float, float]
    rounds: tuple[float, float]

    @property
    def holds(self) -> bool:
        return self.won[0] >= GOALS[self.players]


def game(bots: Sequence[Bot], number: int) -> State:
    """The end of game `number` (from 1), with a bot on each seat; each sees what its seat may see."""
    name = f"arena {len(bots)} {number}"
    state, deals, choices = GAME.start(len(bots), {}), 0, Stream(seed(name, "bots", 0))
    while waiting := GAME.waiting(state):
        decision = waiting[0]
        if decision.seat == DEALER:
            deals += 1
            answer = Deal(permutation(seed(name, "cards", deals), decision.size))
        else:
            view = GAME.view(state, decision.seat)
            answer = bots[decision.seat - 1].choose(view, (), ITERATIONS, choices)
        state = GAME.apply(state, decision.seat, answer).state
    return state


def result(players: int, number: int) -> Result:
    """Game `number` of one steady player; its seat is the next one in each game."""
    place = number % players
    state = game([BOTS[STEADY if each == place else RANDOM] for each in range(players)], number)
    outcome = GAME.outcome(state)
    assert outcome is not None
    return _result(outcome, place, state.round)


def _result(outcome: Outcome, place: int, rounds: int) -> Result:
    wealth = [score or 0 for score in outcome.scores]
    others = wealth[:place] + wealth[place + 1 :]
    won = outcome.places[place] == 1 and outcome.places.count(1) == 1
    return Result(won, wealth[place], fmean(others or [0]), rounds)


def row(players: int, share: float = 1.0) -> Row:
    """All games of so many players, or a share of them."""
    results = [result(players, number) for number in range(1, max(2, round(GAMES * share)) + 1)]
    return Row(
        players,
        len(results),
        _mean(each.won for each in results),
        _mean(each.wealth for each in results),
        _mean(each.others for each in results),
        _mean(each.rounds for each in results),
    )


def _mean(values: Iterable[float]) -> tuple[float, float]:
    """The mean, and its standard error."""
    listed = list(values)
    return fmean(listed), stdev(listed) / sqrt(len(listed))


def _shown(row: Row) -> str:
    means = (row.wealth, row.others, row.rounds)
    figures = "".join(f"{mean:11.1f} +- {error:3.1f}" for mean, error in means)
    return f"{row.players:7} {row.games:6} {row.won[0]:8.1%} +- {row.won[1]:.1%} {figures}"


def main(words: list[str]) -> int:
    """Print the table, and say whether it is enough."""
    rows = [row(players, float(words[0]) if words else 1.0) for players in GOALS]
    say("players  games  steady wins        its wealth   others' wealth           rounds")
    for each in rows:
        say(_shown(each))
    short = [each.players for each in rows if not each.holds]
    for players in short:
        say(f"With {players} players the steady one should win {GOALS[players]:.0%}")
    table = {f"{each.players}_players": _figures(each) for each in rows}
    print(json.dumps(table | {"short": short}))
    return bool(short)


def _figures(row: Row) -> dict[str, object]:
    pairs = {"won": row.won, "wealth": row.wealth, "others": row.others, "rounds": row.rounds}
    return {"games": row.games} | {name: [round(figure, 3) for figure in pair] for name, pair in pairs.items()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
