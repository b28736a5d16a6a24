"""Where the files are that are not code: templates, migrations, the example configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pbem.errors import Trouble

_PACKAGE: Final = Path(__file__).resolve().parent


def resource(name: str) -> Path:
    """The file or folder called `name`, inside the installed package or beside it in a checkout.

    `Trouble` when it is in neither place, which means that the installation is not whole.
    """
    for home in (_PACKAGE, _PACKAGE.parent):
        if (home / name).exists():
            return home / name
    raise Trouble(f"This installation of pbem is not whole: {name} is missing", "Install pbem again")
