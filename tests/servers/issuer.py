"""A provider at work: it grants leave to users, gives tokens by it, and tells a mail server whose token is good.

It is as strict as the strictest: leave is good for one token, with which another leave comes; used twice it is taken
for stolen, and all leave of that user ends.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import parse_qsl

import pytest

from pbem.oauth import Leave

CLIENT: Final = "pbem-in-tests"
Answer = tuple[int, dict[str, object]]


class Issuer(ThreadingHTTPServer):
    """Listens at a free port of 127.0.0.1 while it is open."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.given: list[str] = []
        """Every secret that it gave away: none of them may be seen anywhere."""
        self.pause = 0.01
        """Seconds until it makes up its mind: two who ask at once would both read the same leave."""
        self.asked = threading.Event()
        """Somebody wants a token, and may not have got it yet."""
        self.away = False
        """It answers as a server does that has broken down."""
        self._leaves: dict[str, str] = {}
        self._used: set[str] = set()
        self._tokens: dict[str, str] = {}
        self._turn = threading.Lock()

    def grant(self, user: str) -> Leave:
        """Leave to act for the mailbox of `user`, as `pbem login` keeps it."""
        with self._turn:
            return Leave(CLIENT, f"{self.url}/token", self._leave(user))

    def expire(self) -> None:
        """Every access token is over."""
        self._tokens.clear()

    def withdraw(self) -> None:
        """Nobody has leave any more, and no token is good."""
        self._leaves.clear()
        self.expire()

    def knows(self, user: str, token: str) -> bool:
        """Whether this token lets a program in to the mailbox of `user` now."""
        return not self.away and self._tokens.get(token) == user

    def token(self, form: dict[str, str]) -> Answer:
        """An access token, and the leave for the next one."""
        if form.get("grant_type") != "refresh_token" or form.get("client_id") != CLIENT:
            return 401, {"error": "invalid_client"}
        self.asked.set()
        time.sleep(self.pause)
        with self._turn:
            old = form["refresh_token"]
            if old in self._used:
                self.withdraw()
            if (user := self._leaves.pop(old, None)) is None:
                return 400, {"error": "invalid_grant", "error_description": f"{old} is over"}
            self._used.add(old)
            token = self._secret("ya29.")
            self._tokens[token] = user
            return 200, {"access_token": token, "refresh_token": self._leave(user), "expires_in": 3600}

    def introspect(self, form: dict[str, str]) -> Answer:
        """What a mail server asks (RFC 7662)."""
        user = self._tokens.get(form.get("token", ""))
        return 200, {"active": True, "username": user} if user else {"active": False}

    def _leave(self, user: str) -> str:
        leave = self._secret("1//")
        self._leaves[leave] = user
        return leave

    def _secret(self, begins: str) -> str:
        self.given.append(f"{begins}{secrets.token_urlsafe(24)}")
        return self.given[-1]


class _Handler(BaseHTTPRequestHandler):
    server: Issuer

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        status, answer = self._answer(dict(parse_qsl(text)))
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _answer(self, form: dict[str, str]) -> Answer:
        if self.server.away:
            return 503, {}
        return {"/token": self.server.token, "/introspect": self.server.introspect}[self.path](form)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    """A provider that a module's tests share."""
    with Issuer() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()
