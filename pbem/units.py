"""`pbem units`: the files that let a machine run a host by itself, for systemd or as a container."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from pbem.errors import Trouble
from pbem.files import resource

_PROGRAM: Final = "@PBEM@"
"""Stands in the files where the path of the program is to stand."""


def write_units(folder: Path) -> tuple[Path, ...]:
    """Write the files into `folder`; where they are. `Trouble` if one is there already, and then none is written."""
    texts = {folder / file.name: _filled(file) for file in sorted(resource("deploy").iterdir()) if file.is_file()}
    there = [path for path in texts if path.exists()]
    if there:
        raise Trouble(f"{there[0]} is there already", "Name another folder; what you changed there is kept")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            path.write_text(text, "utf-8")
    except OSError as error:
        raise Trouble(f"{folder} cannot be written: {error.strerror}", "Name another folder") from None
    return tuple(texts)


def _filled(file: Path) -> str:
    return file.read_text("utf-8").replace(_PROGRAM, str(Path(sys.executable).with_name("pbem")))
