"""What the pages of a sandbox show, as values for their templates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from pbem.files import resource
from pbem.games import games
from pbem.render import Renderer
from pbem.sandbox.client import Client
from pbem.sandbox.guard import Refusal
from pbem.sandbox.hitch import Hitch
from pbem.sandbox.mail import Mail, Quoting
from pbem.sandbox.playroom import HOST, MODERATOR, NAMES, Playroom
from pbem.sandbox.standing import Standing
from pbem.table import Status
from pbem.times import When
from pbem.tongues import LANGUAGES, own_name

FIRST_GAME: Final = 3
"""The players of the game that the first page offers."""


class Shape(StrEnum):
    """How a mail is looked at."""

    HTML = "html"
    TEXT = "text"
    SOURCE = "source"

    @classmethod
    def of(cls, name: str) -> Shape:
        return cls(name) if name in set(cls) else cls.HTML


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer as far as it is written."""

    text: str = ""
    quoting: Quoting = Quoting.BELOW


@dataclass(frozen=True, slots=True)
class Shown:
    """A mail as it is shown."""

    subject: str
    text: str
    html: str
    anew: bool = False
    """With templates that were edited since it was sent."""
    broken: str = ""
    """What is wrong with them."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in the row of mailboxes."""

    client: Client
    awaited: bool
    bot: bool
    """A bot plays for him."""


class Pages:
    """Makes the pages of `room`. Their own templates are not read anew: a broken one would leave nothing to look at."""

    def __init__(self, room: Playroom) -> None:
        self._room = room
        self._languages = {language: own_name(language) for language in LANGUAGES}
        self._renderer = Renderer({}, resource("templates"))

    def start(self, language: str) -> str:
        """The first page: what this is, and how to begin."""
        return self._page("start", language, games=tuple(games().values()), names=NAMES, players=FIRST_GAME)

    def box(self, language: str, client: Client, mail: Mail | None, shape: Shape, draft: Draft | None = None) -> str:
        """A mailbox with one mail of it, and an answer."""
        shown = self._shown(mail) if mail else None
        if shown and shape is Shape.HTML and not shown.html:
            shape = Shape.TEXT
        standings = self._room.standings()
        standing = next((each for each in standings if mail and each.name == mail.table), None)
        lines = tuple(desk(standing)) if standing and client.name == MODERATOR else ()
        return self._page(
            "box",
            language,
            client,
            here=f"/box/{client.key}/{mail.number}?as={shape}" if mail else f"/box/{client.key}",
            mail=mail,
            shown=shown,
            shape=shape,
            shapes=tuple(Shape),
            draft=draft or Draft(),
            quotings=tuple(Quoting),
            desk=lines,
            suggestions=tuple(line for line in mail.suggestions if line not in lines) if mail else (),
            speaks=self._room.language(client),
            standing=standing,
            moderator=self._room.clients[MODERATOR.lower()],
            standings=standings,
        )

    def new(self, language: str, client: Client) -> str:
        """A mail to be written."""
        return self._page("new", language, client, here=f"/box/{client.key}/new", host=HOST)

    def trouble(self, language: str, hitch: Hitch) -> str:
        """Something that could not be done."""
        return self._page("trouble", language, hitch=hitch, most=len(NAMES))

    def refused(self, language: str, why: Refusal) -> str:
        """Why somebody stays outside, as text. It tells nothing of the room."""
        return self._renderer.page("sandbox/refused.txt.j2", {"why": why}, language=language)

    def _page(
        self,
        name: str,
        language: str,
        client: Client | None = None,
        here: str = "/",
        standings: Sequence[Standing] | None = None,
        **context: Any,
    ) -> str:
        """A page in `language`; `here` is the address at which it is to be had in another one."""
        standings = self._room.standings() if standings is None else standings
        common = {
            "client": client,
            "here": here,
            "languages": self._languages,
            "people": tuple(_people(self._room, standings)),
            "standings": standings,
            "now": When(self._room.now, "UTC", self._room.now, language),
            "due": any(each.lapses_at for each in standings),
            "failures": self._room.failures,
        }
        return self._renderer.page(f"sandbox/{name}.html.j2", {**common, **context}, language=language)

    def _shown(self, mail: Mail) -> Shown:
        """`mail`, with templates that were edited since; if one of them is broken, as it was sent."""
        try:
            found = self._room.shown(mail)
        except Exception as error:  # whatever somebody wrote into a template
            return Shown(mail.subject, mail.text, mail.html, broken=_told(error))
        return Shown(*found, anew=True) if found else Shown(mail.subject, mail.text, mail.html)


def desk(standing: Standing) -> Iterator[str]:
    """Lines that a moderator may want to send."""
    if standing.status is Status.OPEN:
        yield f"START {standing.name}"
    if standing.status is not Status.RUNNING:
        return
    yield "RESUME" if standing.paused else "PAUSE"
    yield from (f"SKIP {name}" for name in standing.awaited)
    yield "EXTEND ALL BY 24h"
    yield "ROLLBACK 1"
    yield from (f"BOT {name} OFF" if name in standing.bots else f"BOT {name}" for name in standing.names)
    yield from ("ANNOUNCE Good evening!", "WHO", "HISTORY", "NOTES", "CLONE", "END")


def _people(room: Playroom, standings: Sequence[Standing]) -> Iterator[Person]:
    awaited = {name for each in standings for name in each.awaited}
    bots = {name for each in standings for name in each.bots}
    for client in room.clients.values():
        yield Person(client, client.name in awaited, client.name in bots)


def _told(error: Exception) -> str:
    """A fault in a template: where, and what."""
    where = f"{getattr(error, 'filename', None) or ''}:{getattr(error, 'lineno', None) or ''}".strip(":")
    return f"{where}{': ' if where else ''}{type(error).__name__}: {error}"
