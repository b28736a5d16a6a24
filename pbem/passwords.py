"""Where a secret comes from that does not stand in the configuration: a file, a command, or the keyring of the user.

What a command or a file says is never repeated in a trouble, but for why there is no token. A command runs without a
shell.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from pbem.errors import ConfigurationTrouble, TokenTrouble
from pbem.hushing import hushed

PATIENCE: Final = 60.0
"""Seconds that a command may take: it may have to ask a person to open a store."""
_TOKEN: Final = re.compile(r"[\x21-\x7e]+")
"""What can be sent as one: RFC 6750 has fewer characters, but not every provider keeps to it."""
_FAILURES: Final = (OSError, ValueError, IndexError, subprocess.SubprocessError)
_BY_HAND: Final = "Run it by hand in the folder of the configuration; for pipes and variables write sh -c '...'"


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
        line = _first_line(command, folder, patience)
    except _FAILURES as error:
        raise ConfigurationTrouble(f"{setting} gives nothing: {_why(error)}", _BY_HAND) from None
    if not line:
        raise ConfigurationTrouble(f"{setting} gives nothing: its first line is empty", "Let it print the secret first")
    return line


def token_from_command(setting: str, command: str, folder: Path, patience: float = PATIENCE) -> str:
    """The access token that a command prints as its first line; it runs in `folder`, and all that it started ends when
    it takes longer than `patience` seconds.

    `setting` names where the command is written, for `TokenTrouble`, which also has the last line of what the command
    says on standard error: only the command knows whether leave was withdrawn or the network is away.
    """
    try:
        line = _first_line(command, folder, patience, alone=True).strip()
    except _FAILURES as error:
        raise TokenTrouble(f"{setting} gives no token: {_why(error)}", _heard(error) or _BY_HAND) from None
    if not _TOKEN.fullmatch(line):
        raise TokenTrouble(f"{setting} gives no token: its first line is none", "Let it print the token first")
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


def _first_line(command: str, folder: Path, patience: float, *, alone: bool = False) -> str:
    """What a command prints first. It is looked for beside this Python too, where pbem itself is. Raises what
    `_FAILURES` lists.

    One that runs `alone` is the head of a group of processes, which ends with it when it takes too long; another may
    ask at the terminal.
    """
    with subprocess.Popen(
        words := shlex.split(command),
        cwd=folder,
        env={**os.environ, "PATH": f"{os.environ.get('PATH', os.defpath)}{os.pathsep}{Path(sys.executable).parent}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        process_group=0 if alone else None,
    ) as process:
        try:
            printed, said = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            # Not waited for until its pipes are closed: what it has started may hold them open for ever.
            os.killpg(process.pid, signal.SIGKILL) if alone else process.kill()
            raise
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words, printed, said)
    return printed.decode("utf-8").split("\n", 1)[0].removesuffix("\r")


def _heard(error: Exception) -> str:
    """What a command says on standard error, as advice; nothing if it is silent or was not heard to its end."""
    said = getattr(error, "stderr", None) or b""
    line = hushed(said.decode("utf-8", "replace"))
    return f"It says: {line}" if line else ""


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
