"""A season: a host that is killed again and again while people play, and what is left of it in the end."""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from alembic import command

from pbem.keeping import moderate_all
from pbem.store import migrate
from pbem.store.database import connect, writing
from tests.kills.house import House, Street
from tests.kills.judge import judged
from tests.kills.life import Life
from tests.kills.points import AT_REST, COMMON, MIGRATION, RARE

AT_RANDOM: Final = "at a random moment"
SHARE_AT_RANDOM: Final = 0.1
"""Of the kills; the others are at points, where one is reached."""
PASSES: Final = 2
"""After so many a process dies that does not come by its points."""
LONGEST_LIFE: Final = 60.0
"""Seconds after which a process is killed in any case."""
LONGEST_PEACE: Final = 300.0
"""Seconds until everything that waits has to be done by a host that is left alone."""
ENDS_WELL: Final = (0, -signal.SIGTERM)
"""How a process ends that is asked to: after its pass, or before it has begun one."""
GLANCE: Final = 0.003
FIRST: Final = 3
"""Tables that are open when the killing begins."""
TABLES: Final = 5
"""At which people play at the same time."""
AT_THE_END: Final = tuple(point for point in (*COMMON, *RARE) if "file" in point or "settling" in point)
"""The points that there are when games end."""
SHARE_AT_THE_END: Final = 0.5
"""Of them is armed in each process."""
SLEEPING: Final = 2
"""Tables at which nobody moves but the clock."""
SPARED: Final = 12
"""Kills that are kept for the end of the games."""


@dataclass(slots=True)
class Found:
    """What a season came to."""

    kills: Counter[str] = field(default_factory=Counter)
    """By point."""
    counts: Counter[str] = field(default_factory=Counter)
    """What was looked at: mails, orders, records."""
    faults: list[str] = field(default_factory=list)
    """What should not be."""


class Season:
    """So many kills of one host, chosen by `chance`."""

    def __init__(self, street: Street, folder: Path, kills: int, chance: random.Random) -> None:
        self._house = House(street, folder)
        self._left = kills
        self._chance = chance
        self._found = Found()
        self._usual = 0.5
        """Seconds that a process lived lately."""

    def played(self) -> Found:
        """Play, kill, let the rest be done in peace, and judge."""
        self._migrate()
        for at in range(SLEEPING + FIRST):
            self._house.seat(2, asleep=at < SLEEPING)
        self._in_peace(self._is_begun, self._house.turn)
        while self._left > SPARED:
            self._seat_newcomers()
            self._life(self._armed(), self._house.turn)
        self._in_peace(self._house.is_quiet)
        for _ in moderate_all(self._house.config, "END WITH RESULT"):
            pass
        while self._left > 0:
            self._life(self._armed_at_the_end(), lambda: 0)
        self._in_peace(self._house.is_quiet)
        self._found.faults += judged(self._house, self._found.counts)
        return self._found

    def _migrate(self) -> None:
        """Begin with a database of some earlier schema, and be killed within its migration."""
        folder = self._house.folder
        engine = connect(f"sqlite:///{folder / 'pbem.db'}", foreign_keys=False)
        with writing(engine) as connection:
            command.upgrade(migrate._config(connection), f"{self._chance.randrange(1, 20):04}")
        engine.dispose()
        self._life({MIGRATION: self._chance.randrange(1, 20)}, lambda: 0)

    def _life(self, armed: dict[str, int], meanwhile: Callable[[], int]) -> None:
        """One process, from its start to its violent end, while `meanwhile` goes on."""
        begun = time.monotonic()
        life = Life(self._house.folder, armed | {AT_REST: PASSES} if armed else {})
        end = begun + (LONGEST_LIFE if armed else self._chance.uniform(0.0, 2 * self._usual))
        while not life.is_over() and time.monotonic() < end:
            if not meanwhile():
                time.sleep(GLANCE)
        life.kill()
        point, status = life.ended()
        if status != -signal.SIGKILL:
            self._found.faults.append(f"the process ended by itself, with status {status}")
        self._usual = (self._usual + time.monotonic() - begun) / 2
        self._found.kills[point or AT_RANDOM] += 1
        self._left -= 1

    def _armed(self) -> dict[str, int]:
        if self._chance.random() < SHARE_AT_RANDOM:
            return {}
        rare = {point: 1 for point, share in RARE.items() if self._chance.random() < share}
        return rare | {self._chance.choice(COMMON): self._chance.choice((1, 1, 1, 2))}

    def _armed_at_the_end(self) -> dict[str, int]:
        return {point: self._chance.randrange(1, 9) for point in AT_THE_END if self._chance.random() < SHARE_AT_THE_END}

    def _seat_newcomers(self) -> None:
        if sum(not guest.over for guest in self._house.guests) < 2 * TABLES:
            self._house.seat(self._chance.randrange(2, 4))

    def _is_begun(self) -> bool:
        return all(guest.orders for guest in self._house.guests[-2 * FIRST : -1 : 2])

    def _in_peace(self, done: Callable[[], bool], meanwhile: Callable[[], int] = lambda: 0) -> None:
        """Let a host do what waits, undisturbed, until it is `done`, and ask it to stop."""
        life = Life(self._house.folder)
        end = time.monotonic() + LONGEST_PEACE
        while not done():
            if time.monotonic() > end:
                self._found.faults.append(f"not done after {LONGEST_PEACE} s: {self._house.waiting() or 'signing up'}")
                break
            if not meanwhile():
                time.sleep(10 * GLANCE)
        status = life.stop()
        if status not in ENDS_WELL:
            self._found.faults.append(f"the process was asked to stop, and its status is {status}")
