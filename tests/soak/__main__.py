"""``python -m tests.soak [SHARE]``: 500 games of programs through Dovecot to their ends, by one process of the host.

The last line is one JSON object; the exit status is 1 when the process has grown since it was warm, when a game did
not end, or when anything was lost or done twice. SHARE, as 0.02, plays fewer games.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from tests.kills.house import House, Street
from tests.kills.judge import judged
from tests.kills.life import Life

GAMES: Final = 500
AT_ONCE: Final = 20
"""Games that are played at the same time."""
WARM: Final = 0.2
"""After this share of the games the process has seen everything once."""
GROWTH: Final = 1.15
"""Times as much memory as when it was warm is still flat."""
MORE_HANDLES: Final = 3
"""Open files that come and go: connections to the servers and to the database."""
STANDSTILL: Final = 300.0
"""Seconds without a mail after which nobody waits any more."""
GLANCE: Final = 0.01


@dataclass(frozen=True, slots=True)
class Size:
    """What a process holds."""

    megabytes: float
    """Of memory that is its own and in use (RSS)."""
    handles: int

    @classmethod
    def of(cls, pid: int) -> Size:
        status = Path(f"/proc/{pid}/status").read_text()
        kilobytes = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        return cls(round(kilobytes / 1024, 1), len(list(Path(f"/proc/{pid}/fd").iterdir())))


class Soak:
    """So many games at one host, and what its process holds meanwhile."""

    def __init__(self, street: Street, folder: Path, games: int) -> None:
        self._street = street
        self._house = House(street, folder)
        self._games = games
        self.faults: list[str] = []
        self.counts: Counter[str] = Counter()
        self.sizes: list[Size] = []
        """When it was warm, and in the end."""

    def played(self) -> None:
        """Play all games, and judge."""
        life = Life(self._house.folder)
        for wanted in (max(1, round(self._games * WARM)), self._games):
            if self._played_until(wanted, life):
                self.sizes.append(Size.of(life.pid))
        if life.stop() != 0:
            self.faults.append("the host did not end well")
        self.faults += [] if self.faults else judged(self._house, self.counts)
        self.faults += self._grown()

    def _played_until(self, wanted: int, life: Life) -> bool:
        """Play until so many games are over; False if it comes to a standstill."""
        last = time.monotonic()
        while (over := self._over()) < wanted or not (wanted < self._games or self._house.is_quiet()):
            while len(self._house.guests) // 2 < min(self._games, over + AT_ONCE):
                self._house.seat(2)
            self._street.sink.received.clear()
            if self._house.turn():
                last = time.monotonic()
            elif life.is_over() or time.monotonic() - last > STANDSTILL:
                self.faults.append(f"{over} of {self._games} games are over; waiting: {self._house.waiting()}")
                return False
            else:
                time.sleep(GLANCE)
        print(f"{over} of {self._games} games, {Size.of(life.pid)}", file=sys.stderr, flush=True)
        return True

    def _over(self) -> int:
        return sum(guest.over for guest in self._house.guests) // 2

    def _grown(self) -> list[str]:
        if len(self.sizes) < 2:
            return ["it was not measured to the end"]
        warm, end = self.sizes
        grown = [f"memory grew from {warm.megabytes} MB to {end.megabytes} MB"] * (
            end.megabytes > warm.megabytes * GROWTH
        )
        return grown + [f"open files grew from {warm.handles} to {end.handles}"] * (
            end.handles > warm.handles + MORE_HANDLES
        )


def main(words: list[str]) -> int:
    """Play, and say what came of it."""
    games, begun = max(2, round(GAMES * (float(words[0]) if words else 1.0))), time.monotonic()
    with Street() as street, tempfile.TemporaryDirectory() as folder:
        soak = Soak(street, Path(folder), games)
        soak.played()
    sizes = {name: asdict(size) for name, size in zip(("warm", "end"), soak.sizes, strict=False)}
    said = {"games": games, **soak.counts, **sizes, "seconds": round(time.monotonic() - begun), "short": soak.faults}
    print(json.dumps(said))
    return bool(soak.faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
