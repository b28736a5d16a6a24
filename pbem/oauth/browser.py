"""Leave that a browser brings back to this machine: an authorisation code (RFC 8252), good for this program (RFC 7636).

Whoever sees the code cannot use it without the verifier, which never leaves the process but to the provider.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Final

from pbem.errors import Trouble
from pbem.oauth.asking import check_private, posted
from pbem.oauth.leave import Leave
from pbem.oauth.reasons import ASK_AGAIN, refusal

PATIENCE: Final = 600.0
"""Seconds that somebody has to grant leave in the browser."""
_HERE: Final = "127.0.0.1"
_GOOGLE: Final = "https://mail.google.com/"
_THANKS: Final = b"You can close this page and go back to the terminal.\n"
_HEADERS: Final = {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_MEND_CLIENT: Final = "Download it again at the provider, as the client of a desktop program"


@dataclass(frozen=True, slots=True)
class Client:
    """A program as it was registered at a provider, and where that is asked."""

    client_id: str
    authorize: str
    token: str
    scope: str
    client_secret: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class _Request:
    """One request for leave; what comes back has to fit it."""

    client: Client
    redirect: str
    state: str = field(repr=False)
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(64), repr=False)

    @property
    def url(self) -> str:
        digest = hashlib.sha256(self.verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": self.client.client_id,
            "redirect_uri": self.redirect,
            "scope": self.client.scope,
            "state": self.state,
            "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
            # Google gives a refresh token on these two alone; others pass over what they do not know.
            "access_type": "offline",
            "prompt": "consent",
        }
        mark = "&" if urllib.parse.urlsplit(self.client.authorize).query else "?"
        return f"{self.client.authorize}{mark}{urllib.parse.urlencode(asked)}"


def client_of(file: Path) -> Client:
    """The client that a provider gives for download as JSON (Google does), for its desktop programs.

    `scope` may stand beside it, for a provider other than Google. `Trouble` if it is none, or would ask in the clear.
    """
    try:
        written: dict[str, Any] = json.loads(file.read_text("utf-8"))
        told = written.get("installed", written)
        named, authorize, token = (str(told[name]) for name in ("client_id", "auth_uri", "token_uri"))
        client = Client(named, authorize, token, str(told.get("scope", _GOOGLE)), str(told.get("client_secret", "")))
    except OSError as error:
        raise Trouble(f"{file} cannot be read: {error.strerror}", _MEND_CLIENT) from None
    except (ValueError, KeyError, AttributeError, TypeError):
        raise Trouble(f"{file} is no client of a desktop program", _MEND_CLIENT) from None
    check_private(client.authorize)
    check_private(client.token)
    return client


def ask_leave_here(client: Client, open_page: Callable[[str], None], patience: float = PATIENCE) -> Leave:
    """Ask for leave in a browser on this machine: `open_page` gets the address to open.

    The answer is awaited on a free port of the loopback address, for `patience` seconds, and once: the first one that
    fits the request counts. Whatever else comes, as from another page of that browser that looks for open ports, is
    passed over. `Trouble` when it says no, or does not come.
    """
    with _Listener() as listener:
        request = _Request(client, f"http://{_HERE}:{listener.server_port}", listener.state)
        open_page(request.url)
        answer = listener.answer(patience)
    return _exchanged(request, answer)


def pasted(client: Client, ask: Callable[[str], str]) -> Leave:
    """Ask for leave in a browser elsewhere: `ask` shows the address to open, and gives the one that it ended at.

    The port is held meanwhile, so that nobody else on this machine gets what a browser here would bring. `Trouble`.
    """
    with _Listener() as listener:
        request = _Request(client, f"http://{_HERE}:{listener.server_port}", listener.state)
        address = ask(request.url).strip()
    return _exchanged(request, _fields(address.partition("?")[2].partition("#")[0]))


def _exchanged(request: _Request, answer: Mapping[str, str]) -> Leave:
    if not _fits(answer, request.state):
        raise Trouble("What came back does not belong to this request for leave", ASK_AGAIN)
    if not (code := answer.get("code")):
        raise refusal("grants no leave", answer)
    leave = Leave(request.client.client_id, request.client.token, "", request.client.client_secret)
    question = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": request.redirect,
        "code_verifier": request.verifier,
    }
    granted = posted(leave.token_url, {**question, **leave.client})
    if not (refresh := granted.get("refresh_token")):
        raise refusal("grants no leave", granted)
    return Leave(leave.client_id, leave.token_url, refresh, leave.client_secret)


def _fits(answer: Mapping[str, str], state: str) -> bool:
    return hmac.compare_digest(answer.get("state", "").encode(), state.encode())


def _fields(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in urllib.parse.parse_qs(query).items()}


class _Listener(HTTPServer):
    """Takes one answer of a browser, at the loopback address alone."""

    def __init__(self) -> None:
        super().__init__((_HERE, 0), _Page)
        self.state = secrets.token_urlsafe(32)
        self.came: dict[str, str] | None = None

    def answer(self, patience: float) -> dict[str, str]:
        end = time.monotonic() + patience
        while self.came is None and (left := end - time.monotonic()) > 0:
            self.timeout = left
            self.handle_request()
        if self.came is None:
            raise Trouble("Nobody has granted leave in time", ASK_AGAIN)
        return self.came

    def server_bind(self) -> None:
        """As `HTTPServer` does it, without asking a name server for the name of this machine."""
        self.socket.bind(self.server_address)
        self.server_name, self.server_port = self.socket.getsockname()[:2]

    def handle_error(self, *_: object) -> None:
        """A browser that hangs up is no answer; what it sent stands in no log."""


class _Page(BaseHTTPRequestHandler):
    server: _Listener
    timeout = 5
    """Seconds: browsers open connections that they do not use."""

    def do_GET(self) -> None:
        parts = urllib.parse.urlsplit(self.path)
        fields = _fields(parts.query)
        is_answer = parts.path == "/" and _fits(fields, self.server.state)
        if is_answer:
            self.server.came = fields
        self.send_response_only(200 if is_answer else 404)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(_THANKS if is_answer else b"")

    def log_message(self, *_: object) -> None:
        """The address of the request holds the code."""
