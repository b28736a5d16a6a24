"""How much memory a thousand mails take, in a process of its own: prints the peak over that of the imports alone."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from benchmarks.house import in_memory
from benchmarks.tables import NOW, letter, opened, the_table

TABLES: Final = 125
ORDERS: Final = 8
"""Of each table: all that its four players do in one night."""


def _peak() -> int:
    """In kilobytes. What the resource module tells begins with the peak of the parent process."""
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


if __name__ == "__main__":
    imported = _peak()
    with tempfile.TemporaryDirectory() as folder, in_memory(Path(folder)) as (host, store, pile):
        names = opened(store, TABLES, {"first": "1"}, entries=1)
        night = [1, 2, 3, 4] * (ORDERS // 4)
        pile.put(letter(the_table(store, name), seat, "PASS") for seat in night for name in names)
        done = host.tick(NOW)
        assert done.handled == TABLES * ORDERS, done
    print(_peak() / imported)
