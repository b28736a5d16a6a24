"""``python -m benchmarks.pace [SHARE]``: how much faster a table is whose players plan, counted and not timed.

Whole short games through the desk (see `correspondence`), of players who plan or who answer one decision a mail.
Plain play takes 2.33 mails of each of three players a round, and makes the table wait 7 times.

What planning costs is measured at tables with one planner. Each deal is played with him at each seat: the luck of the
seats, by which the same deal played plainly by all would be corrected, then falls out of the mean of a deal.

The last line is one JSON object; the exit status is 1 when it falls short. SHARE, as 0.1, plays fewer games: the
error of the wealth is larger then, and may alone be too large.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from math import sqrt
from statistics import fmean, stdev
from time import monotonic
from typing import Final

from benchmarks.correspondence import NOT_DONE, Planner, Score, Setting, played
from benchmarks.planner import ahead, plainly
from benchmarks.rounds import say
from pbem.verdicts import Line, Reason

GAMES: Final = {3: 400, 4: 200}
"""How many, by number of players."""
ALONE: Final = {3: 900, 4: 200}
"""How many with one planner: wealth depends on luck far more than the number of mails does."""
LIMITS: Final = {
    "mails": 1.15,
    "waits_in_step": 1.4,
    "waits_random": 2.3,
    "wealth_lost": 0.03,
    "wealth_lost_most": 0.03,
}
"""The most of each, for three players."""
ERRORS: Final = 2
"""So many standard errors are added to the wealth that was lost to get the most that it may really be."""
PROCESSES: Final = 2
TOLD: Final = 50
"""Progress is told every so many games."""


def everybody(seats: int, player: Planner, games: int, *, in_step: bool) -> list[Setting]:
    """Games in which all play alike."""
    return [Setting(f"pace {number}", dict.fromkeys(range(1, seats + 1), player), in_step) for number in range(games)]


def one_planner(seats: int, games: int) -> list[Setting]:
    """Games in which one of the players plans, at each seat in turn, by the same deal."""
    return [_with_planner(seats, game % seats + 1, game // seats) for game in range(games - games % seats)]


def pace(scores: Sequence[Score], seats: int) -> tuple[float, float]:
    """Mails a player and round, and waits a round."""
    rounds = sum(score.rounds for score in scores)
    return sum(score.mails for score in scores) / (rounds * seats), sum(score.waits for score in scores) / rounds


def illegal(scores: Iterable[Score]) -> dict[str, float]:
    """Shares of the lines of plans: those of which nothing was possible, those of which something was not, and those
    that were not even taken when they came."""
    released = [line for score in scores for line in score.released]
    sent = [line for score in scores for line in score.sent]
    return {
        "illegal": _share(line.said in NOT_DONE for line in released),
        "illegal_in_part": _share(_fell_back(line) for line in released),
        "misread": _share(line.said in NOT_DONE for line in sent),
    }


def wealth_lost(scores: Sequence[Score], seats: int) -> tuple[float, float]:
    """By how much of the others' wealth the planner is poorer, and the standard error of that.

    `scores` are those of `one_planner`; what is compared are deals, each with the planner at every seat.
    """
    pairs = [_of_the_planner(score.wealth, game % seats) for game, score in enumerate(scores)]
    plain = fmean(others for _, others in pairs)
    deals = [pairs[at : at + seats] for at in range(0, len(pairs), seats)]
    lost = [fmean(others - mine for mine, others in deal) / plain for deal in deals]
    return fmean(lost), stdev(lost) / sqrt(len(lost))


def measured(seats: int, share: float, playing: ProcessPoolExecutor) -> dict[str, float]:
    """Everything that is asked for, at tables of `seats`, in a share of the games."""
    games, alone = max(2, round(GAMES[seats] * share)), max(2 * seats, round(ALONE[seats] * share))
    step = _played(playing, f"{seats} planners in step", everybody(seats, ahead, games, in_step=True))
    delayed = _played(playing, f"{seats} planners at random", everybody(seats, ahead, games, in_step=False))
    among = _played(playing, f"one planner among {seats}", one_planner(seats, alone))
    plain = _played(playing, f"{seats} plain players", everybody(seats, plainly, max(1, games // 10), in_step=True))
    lost, error = wealth_lost(among, seats)
    mails, waits = pace(step, seats)
    mails_random, waits_random = pace(delayed, seats)
    plain_mails, plain_waits = pace(plain, seats)
    return {
        "mails": mails,
        "mails_random": mails_random,
        "waits_in_step": waits,
        "waits_random": waits_random,
        **illegal(step),
        "plain_mails": plain_mails,
        "plain_waits": plain_waits,
        "wealth_lost": lost,
        "wealth_error": error,
        "wealth_lost_most": lost + ERRORS * error,
    }


def main(words: list[str]) -> int:
    """Measure, and say whether it is enough."""
    share = float(words[0]) if words else 1.0
    begun = monotonic()
    found: dict[str, float] = {}
    with ProcessPoolExecutor(PROCESSES) as playing:
        for seats in GAMES:
            ratios = measured(seats, share, playing)
            found |= {name if seats == 3 else f"{name}_{seats}": ratio for name, ratio in ratios.items()}
    short = [name for name, limit in LIMITS.items() if found[name] > limit]
    for name in short:
        say(f"{name} is {found[name]:.3f}, and should be at most {LIMITS[name]}")
    say(f"{monotonic() - begun:.0f} seconds")
    print(json.dumps({name: round(ratio, 4) for name, ratio in found.items()} | {"short": short}))
    return bool(short)


def _played(playing: ProcessPoolExecutor, what: str, settings: Sequence[Setting]) -> list[Score]:
    scores = []
    for number, score in enumerate(playing.map(played, settings), start=1):
        scores.append(score)
        if not number % TOLD or number == len(settings):
            say(f"{what}: {number} of {len(settings)} games")
    return scores


def _with_planner(seats: int, planner: int, deal: int) -> Setting:
    players = {seat: ahead if seat == planner else plainly for seat in range(1, seats + 1)}
    return Setting(f"pace {deal}", players, in_step=True)


def _of_the_planner(wealth: Sequence[int], at: int) -> tuple[int, float]:
    return wealth[at], fmean(chain(wealth[:at], wealth[at + 1 :]))


def _fell_back(line: Line) -> bool:
    return line.said in NOT_DONE or any(each.reason != Reason.NOT_SO for each in line.tried)


def _share(found: Iterator[bool]) -> float:
    each = list(found)
    return sum(each) / max(1, len(each))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
