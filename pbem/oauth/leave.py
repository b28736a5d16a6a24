"""Access tokens of a mail provider: leave to act for a mailbox, granted once in a browser, then renewed.

Here by a code that is entered on any machine (RFC 8628); `pbem.oauth.browser` has the other way.

What is granted lies in a file for its owner alone: whoever has it can read the mailbox until the grant is withdrawn.
It is used and renewed by one process at a time: with many providers each use makes it void and gives another one, and a
second use of the same is taken for a theft.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from pbem.errors import Trouble
from pbem.files import write_whole
from pbem.oauth.asking import posted
from pbem.oauth.reasons import ASK_AGAIN, refusal

_LONGEST_PAUSE: Final = 60
"""Seconds between two questions, whatever the provider asks for."""
_LONGEST_WAIT: Final = 3600
_GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
_MICROSOFT: Final = "https://login.microsoftonline.com/common/oauth2/v2.0"


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Where a provider is asked for leave, where for tokens, and what the leave is for."""

    device: str
    token: str
    scope: str


MICROSOFT: Final = Endpoints(
    f"{_MICROSOFT}/devicecode",
    f"{_MICROSOFT}/token",
    "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access",
)


@dataclass(frozen=True, slots=True)
class Leave:
    """What was granted, as it is kept in a file."""

    client_id: str
    token_url: str
    refresh_token: str = field(repr=False)
    client_secret: str = field(default="", repr=False)
    """What Google gives a program beside its id; empty where there is none."""

    @property
    def client(self) -> dict[str, str]:
        """How the program names itself where it asks for tokens."""
        secret = {"client_secret": self.client_secret} if self.client_secret else {}
        return {"client_id": self.client_id, **secret}


def ask_leave(
    endpoints: Endpoints, client_id: str, tell: Callable[[str], None], wait: Callable[[float], None]
) -> Leave:
    """Ask the provider for leave, `tell` its owner where to grant it, and `wait` for that, some seconds at a time.

    `Trouble` when it is refused, or nobody grants it in time.
    """
    asked = posted(endpoints.device, {"client_id": client_id, "scope": endpoints.scope})
    page, code = asked.get("verification_uri"), asked.get("user_code")
    if not (page and code and "device_code" in asked):
        raise refusal("grants no leave", asked)
    tell(_printable(f"Open {page} in a browser, log in as the host's mailbox, and enter {code}"))
    return _granted(endpoints, client_id, asked, wait)


def _granted(endpoints: Endpoints, client_id: str, asked: Mapping[str, str], wait: Callable[[float], None]) -> Leave:
    pause = min(_seconds(asked, "interval", 5), _LONGEST_PAUSE)
    left = min(_seconds(asked, "expires_in", 900), _LONGEST_WAIT)
    question = {"grant_type": _GRANT, "client_id": client_id, "device_code": asked["device_code"]}
    while left > 0:
        wait(pause)
        left -= pause
        answer = posted(endpoints.token, question)
        if refresh := answer.get("refresh_token"):
            return Leave(client_id, endpoints.token, refresh)
        if answer.get("error") == "slow_down":
            pause += 5
        elif answer.get("error") != "authorization_pending":
            raise refusal("grants no leave", answer)
    raise Trouble("Nobody has granted leave in time", ASK_AGAIN)


def access_token(path: Path) -> str:
    """A fresh access token by the leave in the file `path`, written anew when the provider renews that.

    `Trouble` says why there is none. Processes that ask at once do so one after the other, each by the newest leave.
    """
    with _alone_with(path):
        leave = _kept(path)
        question = {"grant_type": "refresh_token", **leave.client, "refresh_token": leave.refresh_token}
        answer = posted(leave.token_url, question)
        if not (token := answer.get("access_token")):
            raise refusal("gives no token", answer)
        if (renewed := answer.get("refresh_token", leave.refresh_token)) != leave.refresh_token:
            _write(path, replace(leave, refresh_token=renewed))
        return token


def keep(path: Path, leave: Leave) -> None:
    """Write `leave` to `path`, whole or not at all, readable by its owner alone. `Trouble`.

    A process that is just renewing an older one there is waited for, or it would write that over this.
    """
    if path.exists():
        with _alone_with(path):
            _write(path, leave)
    else:
        _write(path, leave)


def _write(path: Path, leave: Leave) -> None:
    try:
        write_whole(path, json.dumps(asdict(leave)).encode(), 0o600, exactly=True)
    except OSError as error:
        raise Trouble(f"{path} cannot be written: {error.strerror}", "Name a file in another folder") from None


@contextmanager
def _alone_with(path: Path) -> Iterator[None]:
    """Keep every other process from using what is in the file `path`. A lock holds the file, not its name: when another
    has laid a new file there meanwhile, that one is locked instead."""
    try:
        file = _locked(path)
    except OSError as error:
        raise _unreadable(path, error) from None
    with os.fdopen(file, "rb"):
        yield


def _locked(path: Path) -> int:
    while True:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            if os.path.samestat(os.fstat(file), path.stat()):
                return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def _kept(path: Path) -> Leave:
    try:
        leave = Leave(**json.loads(path.read_text("utf-8")))
    except OSError as error:
        raise _unreadable(path, error) from None
    except (ValueError, TypeError, RecursionError):
        leave = None
    if leave is None or not all(isinstance(value, str) for value in asdict(leave).values()):
        raise Trouble(f"{path} holds no leave", ASK_AGAIN)
    return leave


def _unreadable(path: Path, error: OSError) -> Trouble:
    return Trouble(f"{path} cannot be read: {error.strerror}", ASK_AGAIN)


def _printable(text: str) -> str:
    """What a provider says, on one line and without what a terminal would obey."""
    return "".join(each if each.isprintable() else " " for each in text)


def _seconds(answer: Mapping[str, str], name: str, usual: int) -> int:
    said = answer.get(name, "")
    return int(said) if said.isdecimal() and int(said) else usual
