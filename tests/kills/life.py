"""A process of the host, as cheap as can be: forked from one that has imported everything and opened nothing.

What runs in it is ``pbem run``, or ``pbem work``, from its command line on.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Final

PATIENCE: Final = 30.0
"""Seconds that a process may take to end when it is asked to."""


@cache
def _forks() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.kills.warm"])
    return context


class Life:
    """One process of the host, from its start to its end."""

    def __init__(self, folder: Path, armed: Mapping[str, int] | None = None, command: str = "run") -> None:
        self._told = folder / "died.txt"
        self._told.unlink(missing_ok=True)
        words = ("pbem", command, "--config", str(folder / "pbem.toml"))
        self._process = _forks().Process(
            target=_live, args=(words, str(folder / "host.log"), dict(armed or {}), str(self._told)), daemon=True
        )
        self._process.start()

    def pause(self) -> None:
        """Let it stand still until `resume`."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def is_over(self) -> bool:
        return not self._process.is_alive()

    def kill(self) -> None:
        """End it at once, wherever it is."""
        self._process.kill()
        self._process.join()

    def stop(self) -> int | None:
        """Ask it to end; its exit status, or nothing if it does not."""
        self._process.terminate()
        self._process.join(PATIENCE)
        return self._process.exitcode

    def ended(self) -> tuple[str, int | None]:
        """At which point it died, if at one of its own, and its exit status."""
        self._process.join()
        point = self._told.read_text() if self._told.exists() else ""
        return point, self._process.exitcode


def _live(words: Sequence[str], log: str, armed: Mapping[str, int], told: str) -> None:
    """Be the command `words`, whose end is armed at some points."""
    from pbem.cli import main
    from tests.kills.points import arm

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may be deaf to it, and would hand that down
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for output in (1, 2):
        os.dup2(file, output)
    if armed:
        arm(armed, Path(told))
    sys.argv = list(words)
    main()
