"""A configuration written for a new host, with a secret of its own."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from pbem.errors import ConfigurationTrouble
from pbem.files import resource
from pbem.misconfigured import EXAMPLE


def example() -> str:
    """A whole configuration with every setting, its default and what it is for."""
    return resource(EXAMPLE).read_text("utf-8")


def create(path: Path) -> tuple[Path, bool]:
    """Write a commented configuration to `path` and a fresh secret beside it, both readable by their owner alone.

    Gives the path of the secret, and whether it is fresh: one that is there already is kept, since the reply
    addresses of a host are made with it. A configuration is not overwritten: `ConfigurationTrouble`.
    """
    secret = path.parent / "pbem.secret"
    if path.exists():
        raise ConfigurationTrouble(f"{path} exists already", "Edit it; for another host name a file in another folder")
    fresh = not secret.exists()
    if fresh:
        _write_private(secret, secrets.token_hex(32) + "\n")
    _write_private(path, example())
    return secret, fresh


def _write_private(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ConfigurationTrouble(f"{path} cannot be written: {error.strerror}", "Choose another folder") from None
