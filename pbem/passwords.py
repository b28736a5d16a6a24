"""Where a secret comes from that does not stand in the configuration: a file, a command, or the keyring of the user.

What a command or a file says is never repeated in a trouble, and a command runs without a shell.
"""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path
from typing import Final

from pbem.errors import ConfigurationTrouble

PATIENCE: Final = 60.0
"""Seconds that a command may take: it may have to ask a person to open a store."""


def from_file(path: Path, mend: str) -> str:
    """The secret that a file holds, without white space around it. `ConfigurationTrouble` ends with `mend`."""
    try:
        return path.read_text("utf-8").strip()
    except OSError as error:
        raise ConfigurationTrouble(f"The secret file {path} cannot be read: {error.strerror}", mend) from None
    except UnicodeDecodeError:
        raise ConfigurationTrouble(f"The secret file {path} is not text", mend) from None


def from_command(setting: str, command: str, folder: Path, patience: float = PATIENCE) -> str:
    """The first line that a command prints, as pass and other stores print a password; it runs in `folder`.

    `setting` names where the command is written, for `ConfigurationTrouble`: when it cannot be started, fails, takes
    longer than `patience` seconds, or prints nothing.
    """
    try:
        done = subprocess.run(
            shlex.split(command),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=patience,
            check=True,
        )
        line = done.stdout.decode("utf-8").split("\n", 1)[0].removesuffix("\r")
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        mend = "Run it by hand in the folder of the configuration; for pipes and variables write sh -c '...'"
        raise ConfigurationTrouble(f"{setting} gives nothing: {_why(error)}", mend) from None
    if not line:
        raise ConfigurationTrouble(f"{setting} gives nothing: its first line is empty", "Let it print the secret first")
    return line


def from_keyring(setting: str, service: str, user: str) -> str:
    """What the keyring of this user keeps for `user` at `service`. `ConfigurationTrouble` names `setting`."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ModuleNotFoundError:
        mend = "Install it with pip install 'pbem[keyring]', or use password_command"
        raise ConfigurationTrouble(f"{setting} needs the keyring package", mend) from None
    try:
        found = keyring.get_password(service, user)
    except KeyringError as error:
        mend = "A service has no desktop to unlock one: use password_file or password_command there"
        raise ConfigurationTrouble(f"{setting}: no keyring can be opened ({type(error).__name__})", mend) from None
    if not found:
        mend = f"Put it there with: keyring set {shlex.quote(service)} {shlex.quote(user)}"
        raise ConfigurationTrouble(f"{setting}: the keyring has no password of {user}", mend)
    return found


def _why(error: Exception) -> str:
    """What kept a command from giving a secret, without a word of what it printed."""
    match error:
        case subprocess.CalledProcessError():
            return f"the command ends with {error.returncode}"
        case subprocess.TimeoutExpired():
            return f"the command takes more than {error.timeout:g} seconds"
        case OSError():
            return f"the command cannot be started ({error.strerror})"
        case UnicodeDecodeError():
            return "what it prints is not text"
    return "it is no command"
