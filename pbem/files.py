"""Where the files are that are not code: templates, migrations, the example configuration; and writing one whole."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from pbem.errors import Trouble

_PACKAGE: Final = Path(__file__).resolve().parent
_DRAFT: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
"""How a draft is opened: in a folder that others may write to, a link of theirs leads nowhere."""


def resource(name: str) -> Path:
    """The file or folder called `name`, inside the installed package or beside it in a checkout.

    `Trouble` when it is in neither place, which means that the installation is not whole.
    """
    for home in (_PACKAGE, _PACKAGE.parent):
        if (home / name).exists():
            return home / name
    raise Trouble(f"This installation of pbem is not whole: {name} is missing", "Install pbem again")


def write_whole(path: Path, data: bytes, mode: int = 0o666, *, exactly: bool = False) -> None:
    """Let the file `path` hold `data`, on disk, at once or not at all; it has `mode` at most, or, `exactly`, whatever
    the process leaves to others. `OSError`."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, _DRAFT, mode), "wb") as file:
            file.write(data)
            if exactly:
                os.fchmod(file.fileno(), mode)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
