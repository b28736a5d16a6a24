"""``python -m benchmarks.year [SHARE]``: a year of 200 games by mail, and whether it was fair.

A real host in memory, with its database on disk, is driven by a clock that is moved by hand, an hour a pass. People in
several zones answer late, go away, fall silent, and moderators pause, extend, roll back, replace and eject; the host
goes down, loses its mail servers, and is told a wrong time. What became of it is counted by `judge`.

The last line is one JSON object; the exit status is 1 when something was unfair. SHARE, as 0.1, plays fewer games.
"""

from __future__ import annotations

import json
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import structlog

from benchmarks.rounds import say
from benchmarks.year.judge import Verdict
from benchmarks.year.life import Year

SEED: Final = "the year of the inn"
SHOWN: Final = 20
"""Faults that are shown."""


def lived(share: float, folder: Path, seed: str = SEED) -> tuple[Verdict, Mapping[str, int]]:
    """A year in a new database in `folder`: what the judge says, and what there was."""
    year = Year(folder, seed, share)
    year.live()
    return year.judged(), Counter(trouble.kind.value for trouble in year.fate.troubles)


def main(words: list[str]) -> int:
    """Live through it, and say whether it was fair."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        verdict, troubles = lived(float(words[0]) if words else 1.0, Path(folder))
    for fault in verdict.faults[:SHOWN]:
        say(fault)
    counts = {**verdict.counts, **troubles, "faults": len(verdict.faults), "seconds": round(time.monotonic() - began)}
    print(json.dumps(counts))
    return bool(verdict.faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
