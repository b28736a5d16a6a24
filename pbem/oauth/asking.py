"""Asking a provider: a form posted to where it belongs, by TLS, and to nowhere else."""

from __future__ import annotations

import ipaddress
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import Final

from pbem.errors import Trouble
from pbem.oauth.reasons import BUSY

_PATIENCE: Final = 30.0
"""Seconds that one answer may take."""
_LONGEST_ANSWER: Final = 100_000
_TOO_MANY: Final = 429


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """A secret is posted to where it belongs, and nowhere else."""


def posted(url: str, form: Mapping[str, str]) -> dict[str, str]:
    """What a provider answers to a form, a refusal too; `Trouble` for what is no answer. Names nothing of the form."""
    check_private(url)
    try:
        request = urllib.request.Request(url, urllib.parse.urlencode(form).encode())
        status, body = _answer(request)
    except (OSError, HTTPException, ValueError) as error:
        raise Trouble(
            f"{urllib.parse.urlsplit(url).hostname} cannot be reached ({_why(error)})", "Check the network, or wait"
        ) from None
    return _read(status, body)


def _answer(request: urllib.request.Request) -> tuple[int, bytes]:
    """Status and body, of a refusal as well."""
    try:
        with _opener().open(request, timeout=_PATIENCE) as answer:
            return answer.status, answer.read(_LONGEST_ANSWER)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read(_LONGEST_ANSWER)


def _why(error: Exception) -> str:
    """What the system says, without what a certificate or an address may hold."""
    reason = getattr(error, "reason", error)
    return getattr(reason, "strerror", None) or type(reason).__name__


def _opener() -> urllib.request.OpenerDirector:
    """Without redirects. A proxy is for what goes by TLS, which it cannot read."""
    proxies = {kind: proxy for kind, proxy in urllib.request.getproxies().items() if kind == "https"}
    return urllib.request.build_opener(_NoRedirect, urllib.request.ProxyHandler(proxies))


def _read(status: int, body: bytes) -> dict[str, str]:
    """The answer as names and values. A server that breaks down, or is asked too often, seldom says so in JSON."""
    broken = {"error": BUSY} if status >= 500 or status == _TOO_MANY else {}
    try:
        return {**broken, **{str(name): str(value) for name, value in json.loads(body).items()}}
    except (ValueError, AttributeError, RecursionError):
        return broken


def check_private(url: str) -> None:
    """`Trouble` for an address to which a token would travel in the clear, or that is none: tokens go by TLS, or within
    this machine."""
    try:
        parts = urllib.parse.urlsplit(url)
    except ValueError:
        raise Trouble(f"{url} is no address", "Write an address that begins with https") from None
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_at_home(parts.hostname or "")):
        raise Trouble(f"{url} would get a token in the clear", "Write an address that begins with https")


def _is_at_home(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
