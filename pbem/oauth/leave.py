"""Access tokens of a mail provider: leave to act for a mailbox, granted once in a browser, then renewed.

Here by a code that is entered on any machine (RFC 8628); `pbem.oauth.browser` has the other way.

What is granted lies in a file for its owner alone: whoever has it can read the mailbox until the grant is withdrawn.
"""

from __future__ import annotations

import ipaddress
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from http.client import HTTPException
from pathlib import Path
from typing import Final

from pbem.errors import Trouble
from pbem.files import write_whole

_PATIENCE: Final = 30.0
"""Seconds that one answer may take."""
_LONGEST_ANSWER: Final = 100_000
_GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
_MICROSOFT: Final = "https://login.microsoftonline.com/common/oauth2/v2.0"
ASK_AGAIN: Final = "Ask for leave again with pbem login"


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


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """A secret is posted to where it belongs, and nowhere else."""


_OPENER: Final = urllib.request.build_opener(_NoRedirect)


def ask_leave(
    endpoints: Endpoints, client_id: str, tell: Callable[[str], None], wait: Callable[[float], None]
) -> Leave:
    """Ask the provider for leave, `tell` its owner where to grant it, and `wait` for that, some seconds at a time.

    `Trouble` when it is refused, or nobody grants it in time.
    """
    asked = posted(endpoints.device, {"client_id": client_id, "scope": endpoints.scope})
    page, code = asked.get("verification_uri"), asked.get("user_code")
    if not (page and code and "device_code" in asked):
        raise Trouble(f"The provider grants no leave ({reason(asked)})", "Check the client id")
    tell(f"Open {page} in a browser, log in as the host's mailbox, and enter {code}")
    return _granted(endpoints, client_id, asked, wait)


def _granted(endpoints: Endpoints, client_id: str, asked: Mapping[str, str], wait: Callable[[float], None]) -> Leave:
    pause, left = _seconds(asked, "interval", 5), _seconds(asked, "expires_in", 900)
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
            raise Trouble(f"The provider grants no leave ({reason(answer)})", ASK_AGAIN)
    raise Trouble("Nobody has granted leave in time", ASK_AGAIN)


def access_token(path: Path) -> str:
    """A fresh access token by the leave in the file `path`, written anew when the provider renews that."""
    leave = _kept(path)
    question = {"grant_type": "refresh_token", **leave.client, "refresh_token": leave.refresh_token}
    answer = posted(leave.token_url, question)
    if not (token := answer.get("access_token")):
        raise Trouble(f"The provider gives no token ({reason(answer)})", ASK_AGAIN)
    if renewed := answer.get("refresh_token"):
        keep(path, replace(leave, refresh_token=renewed))
    return token


def keep(path: Path, leave: Leave) -> None:
    """Write `leave` to `path`, whole or not at all, readable by its owner alone."""
    try:
        write_whole(path, json.dumps(asdict(leave)).encode(), 0o600)
    except OSError as error:
        raise Trouble(f"{path} cannot be written: {error.strerror}", "Name a file in another folder") from None


def _kept(path: Path) -> Leave:
    try:
        return Leave(**json.loads(path.read_text("utf-8")))
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror}", ASK_AGAIN) from None
    except (ValueError, TypeError):
        raise Trouble(f"{path} holds no leave", ASK_AGAIN) from None


def posted(url: str, form: Mapping[str, str]) -> dict[str, str]:
    """What a provider answers to a form, a refusal too; `Trouble` for what is no answer. Names nothing of the form."""
    check_private(url)
    request = urllib.request.Request(url, urllib.parse.urlencode(form).encode())
    try:
        with _OPENER.open(request, timeout=_PATIENCE) as answer:
            return _read(answer.read(_LONGEST_ANSWER))
    except urllib.error.HTTPError as refused:
        return _read(refused.read(_LONGEST_ANSWER))
    except (OSError, HTTPException) as error:
        raise Trouble(f"{url} cannot be reached ({type(error).__name__})", "Check the network, or wait") from None


def _read(answer: bytes) -> dict[str, str]:
    try:
        return {str(name): str(value) for name, value in json.loads(answer).items()}
    except (ValueError, AttributeError):
        return {}


def check_private(url: str) -> None:
    """`Trouble` for an address to which a token would travel in the clear: tokens go by TLS, or within this machine."""
    parts = urllib.parse.urlsplit(url)
    try:
        at_home = ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        at_home = False
    if parts.scheme != "https" and not (parts.scheme == "http" and at_home):
        raise Trouble(f"{url} would get a token in the clear", "Write an address that begins with https")


def _seconds(answer: Mapping[str, str], name: str, usual: int) -> int:
    said = answer.get(name, "")
    return int(said) if said.isdecimal() and int(said) else usual


def reason(answer: Mapping[str, str]) -> str:
    """The provider's word for a refusal, or that there is none; its sentences may hold anything."""
    word = answer.get("error", "no answer")
    return word[:40] if word.replace("_", "").isalpha() or word == "no answer" else "no reason"
