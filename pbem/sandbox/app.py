"""The addresses of a sandbox: what each shows and does. All they do goes by mail (`pbem.sandbox.playroom`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from pbem.errors import Trouble
from pbem.sandbox.client import Client
from pbem.sandbox.guard import POLICY_WITH_A_MAIL, Door, Guard, Refusal
from pbem.sandbox.hitch import Hitch, Why
from pbem.sandbox.mail import Mail, Quoting
from pbem.sandbox.pages import Draft, Pages, Shape
from pbem.sandbox.playroom import NAMES, Playroom
from pbem.tongues import LANGUAGES, language_preferred

STATIC: Final = Path(__file__).with_name("static")
LONGEST_FORM: Final = 200_000
"""In bytes: it holds a mail, not a book."""
PUSHES: Final = {"hour": timedelta(hours=1), "day": timedelta(days=1)}
LANGUAGE_COOKIE: Final = "pbem-sandbox-language"
"""One for all sandboxes of this machine: the next one has another port."""
A_YEAR: Final = 365 * 24 * 3600
_PLACE: Final = re.compile(r"/(?:box/[\w-]+(?:/new|/\d+(?:\?as=[a-z]+)?)?)?")
"""Pages that can be asked for again, in another language."""
A_MOMENT: Final = timedelta(seconds=1)

Fields = Mapping[str, str]
"""What was filled into a form."""


def app(room: Playroom, door: Door) -> ASGIApp:
    """All pages, behind their door."""
    sandbox = _Sandbox(room)
    handlers = {Hitch: sandbox.hitch, Trouble: sandbox.trouble, 404: sandbox.missing}
    return Guard(Starlette(routes=sandbox.routes, exception_handlers=handlers), door, sandbox.refused)


class _Sandbox:
    """The addresses of one playroom."""

    def __init__(self, room: Playroom) -> None:
        self._room = room
        self._pages = Pages(room)

    @property
    def routes(self) -> list[Route | Mount]:
        return [
            Route("/", self.start),
            Route("/begin", self.begin, methods=["POST"]),
            Route("/language", self.language, methods=["POST"]),
            Route("/clock", self.clock, methods=["POST"]),
            Route("/box/{who}", self.box),
            Route("/box/{who}/new", self.blank),
            Route("/box/{who}/new", self.write, methods=["POST"]),
            Route("/box/{who}/say", self.say, methods=["POST"]),
            Route("/box/{who}/{number:int}", self.box),
            Route("/box/{who}/{number:int}", self.answer, methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]

    # Looking

    async def start(self, request: Request) -> Response:
        return await _page(lambda: self._pages.start(_language(request)))

    async def box(self, request: Request) -> Response:
        """A mailbox with one of its mails, the newest that came where none is named."""
        client = self._client(request)
        mail = self._mail(request, client) if "number" in request.path_params else client.newest()
        shape = Shape.of(request.query_params.get("as", ""))
        client.seen = len(client.mails)
        return await _page(lambda: self._pages.box(_language(request), client, mail, shape), with_a_mail=True)

    async def blank(self, request: Request) -> Response:
        client = self._client(request)
        return await _page(lambda: self._pages.new(_language(request), client))

    async def hitch(self, request: Request, hitch: Exception) -> Response:
        assert isinstance(hitch, Hitch)
        return await _page(lambda: self._pages.trouble(_language(request), hitch), status=hitch.status)

    async def trouble(self, request: Request, error: Exception) -> Response:
        return await self.hitch(request, Hitch(Why.HOST, said=str(error)))

    async def missing(self, request: Request, _error: Exception) -> Response:
        return await self.hitch(request, Hitch(Why.NO_SUCH_PAGE, 404))

    def refused(self, why: Refusal, request: Request) -> str:
        """What somebody reads who may not come in."""
        return self._pages.refused(_language(request), why)

    # Doing

    async def begin(self, request: Request) -> Response:
        fields = await _fields(request)
        players, mine = _number(fields, "players"), _number(fields, "mine")
        if not 1 <= mine <= players <= len(NAMES):
            raise Hitch(Why.SEATS, 400)
        first = await run_in_threadpool(self._room.begin, fields.get("game", ""), players, mine)
        return _to(first)

    async def answer(self, request: Request) -> Response:
        """Send an answer, or without scripts put one more line into it."""
        client, fields = self._client(request), await _fields(request)
        mail, text = self._mail(request, client), fields.get("text", "")
        quoting = _quoting(fields)
        if "add" in fields:
            lines = (*text.splitlines(), fields["add"], "")
            draft = Draft("\n".join(lines), quoting)
            shape = Shape.of(fields.get("as", ""))
            return await _page(
                lambda: self._pages.box(_language(request), client, mail, shape, draft), with_a_mail=True
            )
        await run_in_threadpool(self._room.answer, client, mail, text, quoting)
        return _to(client)

    async def write(self, request: Request) -> Response:
        client, fields = self._client(request), await _fields(request)
        subject = " ".join(fields.get("subject", "").split()) or "Hello"
        await run_in_threadpool(self._room.write, client, subject, fields.get("text", ""))
        return _to(client)

    async def say(self, request: Request) -> Response:
        """Answer the newest mail with one line, and go back to whoever pressed the button."""
        client, fields = self._client(request), await _fields(request)
        line = " ".join(fields.get("line", "").split())
        await run_in_threadpool(self._room.say, client, line, fields.get("table", ""))
        return self._back(fields)

    async def language(self, request: Request) -> Response:
        """Show the pages in another language from now on, the one where it was chosen first."""
        fields = await _fields(request)
        back = fields.get("back", "")
        shown = RedirectResponse(back if _PLACE.fullmatch(back) else "/", status_code=303)
        chosen = fields.get("language", "")
        if chosen in LANGUAGES:
            shown.set_cookie(LANGUAGE_COOKIE, chosen, max_age=A_YEAR, httponly=True, samesite="strict", path="/")
        return shown

    async def clock(self, request: Request) -> Response:
        fields = await _fields(request)
        span = PUSHES.get(fields.get("by", ""))
        until = self._room.now + span if span else await run_in_threadpool(self._next_deadline)
        await run_in_threadpool(self._room.push, until)
        return self._back(fields)

    def _next_deadline(self) -> datetime:
        due = [each.lapses_at for each in self._room.standings() if each.lapses_at is not None]
        if not due:
            raise Hitch(Why.NO_DEADLINE)
        return min(due) + A_MOMENT

    def _back(self, fields: Fields) -> Response:
        client = self._room.clients.get(fields.get("back", ""))
        return _to(client) if client else RedirectResponse("/", status_code=303)

    def _client(self, request: Request) -> Client:
        client = self._room.clients.get(request.path_params["who"])
        if client is None:
            raise Hitch(Why.NOBODY, 404)
        return client

    def _mail(self, request: Request, client: Client) -> Mail:
        mail = client.mail(request.path_params["number"])
        if mail is None:
            raise Hitch(Why.NO_SUCH_MAIL, 404)
        return mail


async def _page(make: Callable[[], str], *, with_a_mail: bool = False, status: int = 200) -> Response:
    page = HTMLResponse(await run_in_threadpool(make), status_code=status)
    if with_a_mail:
        page.headers["Content-Security-Policy"] = POLICY_WITH_A_MAIL
    return page


def _language(request: Request) -> str:
    """Of the pages: as chosen on one of them, or else as the browser asks for."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    return chosen if chosen in LANGUAGES else language_preferred(request.headers.get("accept-language", ""))


def _to(client: Client) -> Response:
    """To somebody's newest mail."""
    return RedirectResponse(f"/box/{client.key}", status_code=303)


async def _fields(request: Request) -> Fields:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_FORM:
            raise Hitch(Why.TOO_LONG, 413)
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


def _number(fields: Fields, name: str) -> int:
    text = fields.get(name, "")
    if not (text.isascii() and text.isdigit()):
        raise Hitch(Why.SEATS, 400)
    return int(text[:3])


def _quoting(fields: Fields) -> Quoting:
    chosen = fields.get("quoting", "")
    return Quoting(chosen) if chosen in set(Quoting) else Quoting.BELOW
