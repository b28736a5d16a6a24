"""The door of the sandbox's pages: who has no key, comes by another name, or from another page, stays outside.

The pages are served on this machine alone, but every page of a browser, and every user of the machine, can reach that.
So the key stands in the address that is printed at the start; a cookie takes its place after that. The Host header is
compared, since a stranger's name can be made to lead here; so is Origin, since a cookie knows no port.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.tokens import same

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
POLICY_WITH_A_MAIL: Final = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
"""A mail in a frame goes by the policy of the page around it, and mails bring their styles along."""
_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with none at all browsers hide the Origin of a form as well
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
_SAFE: Final = frozenset({"GET", "HEAD"})


class Refusal(StrEnum):
    """Why somebody stays outside."""

    ANOTHER_NAME = "another-name"
    ANOTHER_PAGE = "another-page"
    NO_KEY = "no-key"
    WRONG_KEY = "wrong-key"


Tell = Callable[[Refusal, Request], str]
"""Says it to whoever asked."""


@dataclass(frozen=True, slots=True)
class Door:
    """What opens the pages at a port."""

    port: int
    key: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    pass_: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    """What the cookie holds: not the key, which may lie in a history or a log."""

    @property
    def hosts(self) -> tuple[str, ...]:
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    @property
    def address(self) -> str:
        """Where to go, with the key."""
        return f"http://{self.hosts[0]}/?key={self.key}"

    @property
    def cookie(self) -> str:
        """Its name: sandboxes on two ports share their cookies."""
        return f"pbem-sandbox-{self.port}"


class Guard:
    """`app` behind a door, with the headers that each of its pages bears."""

    def __init__(self, app: ASGIApp, door: Door, tell: Tell) -> None:
        self._app = app
        self._door = door
        self._tell = tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(Request(scope))(scope, receive, _with_headers(send))

    def _answer(self, request: Request) -> ASGIApp:
        why = self._refusal(request)
        if why is not None:
            return PlainTextResponse(self._tell(why, request), status_code=403)
        return self._entering() if "key" in request.query_params else self._app

    def _refusal(self, request: Request) -> Refusal | None:
        """What stops a request; ``None`` for one that may go on."""
        if request.headers.get("host", "").lower() not in self._door.hosts:
            return Refusal.ANOTHER_NAME
        if request.method not in _SAFE and not self._is_from_here(request):
            return Refusal.ANOTHER_PAGE
        if "key" in request.query_params:
            return None if same(request.query_params["key"], self._door.key) else Refusal.WRONG_KEY
        if not same(request.cookies.get(self._door.cookie, ""), self._door.pass_):
            return Refusal.NO_KEY
        return None

    def _entering(self) -> Response:
        entered = RedirectResponse("/", status_code=303)
        entered.set_cookie(self._door.cookie, self._door.pass_, httponly=True, samesite="strict", path="/")
        return entered

    def _is_from_here(self, request: Request) -> bool:
        return request.headers.get("origin") in {f"http://{host}" for host in self._door.hosts}


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
