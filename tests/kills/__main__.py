"""``python -m tests.kills [SHARE]``: kill a host 2,000 times while people play, and judge what is left of it.

The last line is one JSON object; the exit status is 1 when anything was lost, done twice, changed or put aside.
SHARE, as 0.05, kills less often. A number behind it is the seed that everything is chosen by.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.kills.house import Street
from tests.kills.points import EVERY
from tests.kills.season import Found, Season

KILLS: Final = 2000
ENOUGH: Final = 1000
"""With so many kills there has to be one at every point."""
SEASON: Final = 100
"""Kills of one host; then its games are ended, and all is judged."""


def killed(kills: int, seed: int) -> Found:
    """Seasons with so many kills in all."""
    chance, whole = random.Random(seed), Found()
    with Street() as street:
        while whole.kills.total() < kills:
            with tempfile.TemporaryDirectory() as folder:
                found = Season(street, Path(folder), min(SEASON, kills), chance).played()
            whole.kills.update(found.kills)
            whole.counts.update(found.counts)
            whole.faults += found.faults
            print(f"{whole.kills.total()} of {kills} kills, {len(whole.faults)} faults", file=sys.stderr, flush=True)
            for fault in found.faults:
                print(f"  {fault}", file=sys.stderr, flush=True)
    return whole


def main(words: list[str]) -> int:
    """Kill, and say what came of it."""
    share = float(words[0]) if words else 1.0
    seed = int(words[1]) if len(words) > 1 else random.randrange(2**32)
    begun = time.monotonic()
    found = killed(max(1, round(KILLS * share)), seed)
    missing = sorted(EVERY - found.kills.keys())
    if missing and found.kills.total() >= ENOUGH:
        found.faults.append(f"nobody died {', nor '.join(missing)}")
    said = {
        "kills": found.kills.total(),
        **found.counts,
        "seconds": round(time.monotonic() - begun),
        "seed": seed,
        "points": dict(sorted(found.kills.items())),
        "without": missing,
        "short": found.faults,
    }
    print(json.dumps(said))
    return bool(found.faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
