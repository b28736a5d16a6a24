"""The keeper of a host: he writes its configuration, and starts and ends its process, from a shell as it were."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

PATIENCE: Final = 20.0
"""Seconds that a process may take to start or to end."""


def edited(text: str, wanted: Mapping[tuple[str, str], str]) -> str:
    """A configuration with the values of `wanted`, by section and setting, written in place of those that stand there.

    `KeyError` for a setting that has no line: everything has to be in the file that is edited.
    """
    section, left, lines = "", dict(wanted), []
    for line in text.splitlines():
        if heading := re.fullmatch(r"\[(\w+)\]", line):
            section = heading[1]
        if setting := re.match(r"(\w+) = ", line):
            value = left.pop((section, setting[1]), None)
            line = line if value is None else f"{setting[1]} = {value}"
        lines.append(line)
    if left:
        raise KeyError(*left)
    return "\n".join((*lines, ""))


class Keeper:
    """Whoever runs a host from `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "pbem.toml"
        self.log = folder / "host.log"
        self._host: subprocess.Popen[bytes] | None = None

    def pbem(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, with all that it prints."""
        command = [sys.executable, "-m", "pbem", *words]
        return subprocess.run(command, cwd=self.folder, env=_clean(), capture_output=True, text=True, timeout=60)

    def configure(self, wanted: Mapping[tuple[str, str], str]) -> None:
        """Write a configuration with `pbem init`, and fill in what is asked for."""
        written = self.pbem("init", str(self.config))
        assert written.returncode == 0, written.stderr
        self.config.write_text(edited(self.config.read_text(), wanted))

    def start(self) -> None:
        """Let the host run, as a process of its own."""
        command = [sys.executable, "-m", "pbem", "run", "--config", str(self.config)]
        with self.log.open("ab") as log:
            self._host = subprocess.Popen(
                command, cwd=self.folder, env=_clean(), stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def kill(self) -> int:
        """End the host at once, wherever it is; its exit status."""
        return self._signal(signal.SIGKILL)

    def stop(self) -> int:
        """Ask the host to end; its exit status."""
        return self._signal(signal.SIGTERM)

    def is_running(self) -> bool:
        return self._host is not None and self._host.poll() is None

    def _signal(self, number: signal.Signals) -> int:
        assert self._host is not None
        self._host.send_signal(number)
        return self._host.wait(PATIENCE)


def _clean() -> dict[str, str]:
    """The environment without settings of a host that somebody may run on this machine."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
