"""Packages of games that a test installs: what `pip` leaves behind of one, so that the host finds it as any other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.game import ENTRY_POINT_GROUP
from pbem.games import games

CHOICES = "tests.games.choices:GAME"


@contextmanager
def installed(folder: Path, **entry_points: str) -> Iterator[None]:
    """Games by name and where their code is, each in a package of its own below `folder`, while the context lasts."""
    for name, value in entry_points.items():
        home = folder / f"{name}-1.0.dist-info"
        home.mkdir(parents=True)
        (home / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (home / "entry_points.txt").write_text(f"[{ENTRY_POINT_GROUP}]\n{name} = {value}\n")
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(folder)
        games.cache_clear()
        try:
            yield
        finally:
            games.cache_clear()
