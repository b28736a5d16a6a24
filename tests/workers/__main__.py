"""``python -m tests.workers [SHARE [SEED]]``: how fast several workers are, and what is left when they are killed.

The last line is one JSON object; the exit status is 1 when anything was lost, done twice, changed or put aside, or when
more workers were slower. Speeds are ratios within this run: the machine has other things to do as well.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pbem.keeping import moderate_all
from tests.kills.house import House, Street
from tests.kills.judge import judged
from tests.servers.postgresql import server
from tests.workers.crew import Crew
from tests.workers.load import PATIENCE, best, waves

SIZES: Final = (1, 2, 4)
GAMES: Final = 12
REPEATS: Final = 3
KILLS: Final = 100
PAUSE: Final = (0.1, 1.5)
"""Seconds between two kills."""
SLOWEST: Final = 0.8
"""Of the speed of one worker, that several must have on any machine."""


@dataclass(slots=True)
class Found:
    """What a run came to."""

    speeds: dict[int, float] = field(default_factory=dict)
    """Mails a second, by the number of workers."""
    mails: int = 0
    """In each wave."""
    kills: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def tried(games: int, repeats: int, kills: int, chance: random.Random) -> Found:
    """Let a crew play so many games, measure it, kill of it so many, end the games, and judge."""
    found, url = Found(), server().create()
    with tempfile.TemporaryDirectory() as folder, Street() as street:
        house = House(street, Path(folder), url)
        with Crew(house, max(SIZES)) as crew:
            for _ in range(games):
                house.seat(2)
            if not crew.until(lambda: all(guest.seat for guest in house.guests), PATIENCE, house.turn):
                return Found(faults=[f"the games have not begun: {house.waiting()}"])
            _measure(crew, repeats, found)
            _kill(crew, kills, chance, found)
            _end(crew, found)
        found.faults += judged(house, found.counts)
        if found.faults:
            print((house.folder / "host.log").read_text(), file=sys.stderr)
    server().drop(url)
    return found


def _measure(crew: Crew, repeats: int, found: Found) -> None:
    done = list(waves(crew, SIZES, repeats))
    if done:
        found.speeds = {size: best(done, size) for size in SIZES}
        found.mails = done[0].mails
    slow = [size for size, speed in found.speeds.items() if speed < SLOWEST * found.speeds[SIZES[0]]]
    found.faults += [f"{size} workers are slower than one" for size in slow]


def _kill(crew: Crew, kills: int, chance: random.Random, found: Found) -> None:
    """Kill one after the other while people play on."""
    for _ in range(kills):
        crew.until(lambda: False, chance.uniform(*PAUSE), crew.house.turn)
        found.kills[crew.kill(chance)] += 1


def _end(crew: Crew, found: Found) -> None:
    """Let the rest be done in peace, end all games, and ask everybody to stop."""
    for ending in (False, True):
        if ending:
            for _ in moderate_all(crew.house.config, "END WITH RESULT"):
                pass
        if not crew.until(crew.house.is_quiet, PATIENCE):
            found.faults.append(f"not done after {PATIENCE} s: {crew.house.waiting()}")
    found.faults += crew.stop()


def said(found: Found, seconds: float, seed: int) -> dict[str, Any]:
    """What is printed."""
    one = found.speeds.get(SIZES[0], 0.0)
    return {
        "throughput": {str(size): round(speed / one, 2) for size, speed in found.speeds.items()},
        "mails_a_second": {str(size): round(speed, 1) for size, speed in found.speeds.items()},
        "mails_a_wave": found.mails,
        "kills": found.kills.total(),
        "killed": dict(sorted(found.kills.items())),
        **found.counts,
        "seconds": round(seconds),
        "seed": seed,
        "short": found.faults,
    }


def main(words: list[str]) -> int:
    """Try it, and say what came of it."""
    share = float(words[0]) if words else 1.0
    seed = int(words[1]) if len(words) > 1 else random.randrange(2**32)
    begun = time.monotonic()
    found = tried(max(2, round(GAMES * share)), REPEATS, max(1, round(KILLS * share)), random.Random(seed))
    print(json.dumps(said(found, time.monotonic() - begun, seed)))
    return bool(found.faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
