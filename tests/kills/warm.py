"""Imported once, for all processes of the host that are forked: what they would import each."""

from __future__ import annotations

from importlib import import_module

from pbem.games import games

for name in ("pbem.cli", "pbem.bootstrap", "pbem.player", "tests.kills.points", "pbem.jobs"):
    import_module(name)
games()
