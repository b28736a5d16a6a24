"""``python -m benchmarks [NAME ...]``: one JSON object of ratios on standard output, progress on standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Final

from benchmarks import archive, engine, growth, host, pictures, polling
from benchmarks.rounds import say
from tests.servers.dovecot import version

SUITES: Final[Mapping[str, Callable[[], dict[str, float]]]] = {
    "engine": engine.measured,
    "host": host.measured,
    "growth": growth.measured,
    "polling": polling.measured,
    "pictures": pictures.measured,
    "archive": archive.measured,
}
GOALS: Final = {
    "engine": ">= 2",
    "replay": ">= 0.7",
    "host_rate": ">= 0.25",
    "host_cpu": "<= 7",
    "many_games": "<= 1.3",
    "long_game": "<= 1.2",
    "full_folder": "<= 1.25",
    "empty_poll": "<= 1.25",
    "empty_poll_cpu": "<= 1.25",
    "memory": "<= 2",
    "picture": "<= 10",
    "archive": "<= 1.2",
    "archive_same": "<= 0.5",
}
"""What each ratio should be; see the module that measures it for what is divided by what."""


def main(names: list[str]) -> None:
    """Measure the named suites, or all of them."""
    if version() is None:
        sys.exit("There is no Dovecot on this machine: install dovecot-imapd and dovecot-lmtpd")
    ratios: dict[str, float] = {}
    for name in names or SUITES:
        ratios |= SUITES[name]()
    for name, ratio in ratios.items():
        say(f"{name:12} {ratio:6.2f}   goal {GOALS[name]}")
    say(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(json.dumps({name: round(ratio, 2) for name, ratio in ratios.items()}))


if __name__ == "__main__":
    main(sys.argv[1:])
