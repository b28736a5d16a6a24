"""From a telling to a mail's subject, text and HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from markupsafe import Markup

from engine.game import AnyGame, Decision
from engine.record import By, Move, Override
from pbem.archive import taken_back
from pbem.bundling import Part
from pbem.commands.questions import HELP_TOPICS
from pbem.commands.timing import kinds
from pbem.parties import Notice, Role, moderator_party
from pbem.plans.standing import offers
from pbem.press import KIND as PRESS
from pbem.render import catalogue
from pbem.render.blocks import Block, blocks, laid_out
from pbem.render.pictures import Gallery, Picture
from pbem.render.receipts import Receipt, Teller
from pbem.render.recent import Recent
from pbem.render.scene import AnnouncedScene, MailFacts, Scene, scene
from pbem.render.voice import Folders, Voice, printable
from pbem.settle import Announced, Logged, Telling, news, without_undone
from pbem.table import Status, Table, table_name, whats
from pbem.verdicts import Verdict
from pbem.wording import topic_word

SUGGESTIONS: Final = 6
"""Orders to copy that a state mail shows."""
_KEPT: Final = 256
"""Boards that are kept: a position's is needed until its mails are written, a few times over."""
_LONGEST_SUBJECT: Final = 150
_IN_SUBJECT: Final = ("scene", "kind", "phase", "notice_kinds", "infos")
"""What a subject is made of, out of all that the templates of a mail know."""
_EMPTY_LINES: Final = re.compile(r"\n{3,}")

Pair = tuple[str, Markup]
NOTHING: Final[Pair] = ("", Markup())


@dataclass(frozen=True, slots=True)
class Rendered:
    """A mail as it is read."""

    subject: str
    text: str
    html: str
    picture: Picture | None = None
    """What the HTML shows by its Content-ID."""


class Renderer:
    """Renders the mails of a host with `games`, by name; `templates` is where the host's own are."""

    def __init__(self, games: Mapping[str, AnyGame], templates: Folders) -> None:
        self._games = games
        self.kinds: Final = tuple(games)
        self.decisions: Final = tuple(dict.fromkeys(kind for game in games.values() for kind in kinds(game)))
        self.look_up: Final = any("lookup" in game.capabilities for game in games.values())
        """Whether any of the games has something to look up."""
        self.example: Final = table_name(next(iter(games), "game"), 7)
        """A table for examples, where there is none."""
        self._folder = templates
        self._voices: dict[tuple[str, str], Voice] = {}
        self._boards: Recent[Pair] = Recent(_KEPT)
        self._views: Recent[Any] = Recent(_KEPT)
        self._gallery = Gallery()
        self._pictures: Recent[Picture] = Recent(_KEPT)

    def forget(self) -> None:
        """Read all templates and translations anew when they are needed next: for whoever is working on one."""
        catalogue.forget()
        self._gallery = Gallery()
        for made in (self._voices, self._boards, self._views, self._pictures):
            made.clear()

    def mail(self, telling: Telling, table: Table | None, facts: MailFacts, history: Sequence[Logged] = ()) -> Rendered:
        """The mail that `telling` asks for.

        `table` is the one that it is about, if it is about one; `history` the whole log, needed where a
        line is answered by ``history``.
        """
        voice = self._voice(table.game if table else None, facts.language)
        context = _page(self, voice, telling, table, facts, history).context()
        return Rendered(
            subject=_subject(voice.say("subject.txt.j2", "subject", *map(context.__getitem__, _IN_SUBJECT))),
            text=_tidy(printable(voice.text("mail.txt.j2", context))),
            html=printable(voice.text("mail.html.j2", context)) + "\n" if facts.html else "",
            picture=context["picture"],
        )

    def digest(self, parts: Sequence[Part], host: str, mark: str, language: str) -> Rendered:
        """One mail for several games, made of what their own mails say."""
        voice = self._voice(None, language)
        context = {"parts": parts, "host": host, "mark": mark}
        return Rendered(
            subject=_subject(voice.text("digest_subject.txt.j2", context)),
            text=_tidy(printable(voice.text("digest.txt.j2", context))),
            html=printable(voice.text("digest.html.j2", context)) + "\n",
        )

    def answer(self, verdict: Verdict, table: Table, now: datetime) -> str:
        """What became of a moderator's lines, in text, for a terminal: a mail of which only the answer is read."""
        telling = Telling(to=moderator_party(table), verdicts=(verdict,))
        facts = MailFacts(now=now, host="", address="", mark="", zone=table.moderator.zone)
        voice = self._voice(table.game, facts.language)
        context = _page(self, voice, telling, table, facts, ()).context()
        return _tidy(printable(voice.text("answer.txt.j2", context)))

    def page(self, name: str, context: Mapping[str, Any], game: AnyGame | None = None, language: str = "en") -> str:
        """A page that is no mail: the template `name` filled in, with the parts of `game` if it is about one."""
        return printable(self._voice(game, language).text(name, context)) + "\n"

    def sender(self, table: Table, host: str, language: str) -> str:
        """Who a mail about a table is from."""
        return self._voice(table.game, language).say("envelope.txt.j2", "sender", table.name, host)

    def deadline(self, table: Table, language: str) -> str:
        """What a calendar says of the deadline of its owner's turn."""
        return self._voice(table.game, language).say("envelope.txt.j2", "deadline", table.game.title, table.name)

    def drawn(self, template: str, macro: str, facts: Sequence[object], game: AnyGame | None, language: str) -> Markup:
        """What a macro of a template in HTML makes of `facts`, on one line."""
        return Markup(printable(self._voice(game, language).say(template, macro, *facts)))

    def _voice(self, game: AnyGame | None, language: str) -> Voice:
        key = (game.name if game else "", language)
        if key not in self._voices:
            self._voices[key] = Voice(self._folder, game, language)
        return self._voices[key]

    def board(self, voice: Voice, table: Table, language: str, *, brief: bool = False) -> Pair:
        """What all may see, made once for each position: the head of a record knows all that led to it."""
        ended = table.status is Status.ENDED
        key = (table.head, table.names, language, ended, brief)
        context = {"names": table.names, "ended": ended}
        return self._boards.get_or_make(
            key, lambda: voice.pair(_form(voice, "game/board", brief), {"view": self._public(table), **context})
        )

    def picture(self, voice: Voice, table: Table, language: str) -> Picture | None:
        """What all may see as a picture; ``None`` where the game or the host has none."""
        if not self._gallery.has(table.game):
            return None
        key = (table.head, table.names, language)
        return self._pictures.get_or_make(
            key, lambda: self._gallery.picture(table.game, voice, self._public(table), table.head)
        )

    def _public(self, table: Table) -> Any:
        """What all may see, looked at once for each position."""
        return self._views.get_or_make((table.head, table.names), lambda: table.view(None))

    def looked_up(self, facts: Mapping[str, Any], language: str) -> str:
        """A card or a rule, in the words of the game that has it."""
        game = self._games[facts["kind"]]
        context = game.capabilities["lookup"].facts(facts["what"], facts["key"])
        return self._voice(game, language).text(f"game/lookup_{facts['what']}.txt.j2", context)


def _page(
    renderer: Renderer,
    voice: Voice,
    telling: Telling,
    table: Table | None,
    facts: MailFacts,
    history: Sequence[Logged],
) -> _Page:
    view = table.view(_reader(telling)) if table and table.position else None
    return _Page(renderer, voice, telling, table, facts, scene(telling, table, facts), view, history)


@dataclass(frozen=True, slots=True)
class _Page:
    """All that one mail is made of while its parts are put into words."""

    renderer: Renderer
    voice: Voice
    telling: Telling
    table: Table | None
    facts: MailFacts
    scene: Scene
    view: Any
    """The reader's, or the public one; ``None`` before the start."""
    history: Sequence[Logged]

    def context(self) -> dict[str, Any]:
        """What the templates of the mail lay out: the scene, and texts in pairs of text and HTML."""
        phase = self._phase()
        return {
            "scene": self.scene,
            "view": self.view,
            "phase": phase,
            "kind": self._kind,
            "title": self.voice.say("heading.txt.j2", "title", self.scene, phase),
            "status": self.voice.say("heading.txt.j2", "status", self.scene, self._kind),
            "notices": tuple(map(self._notice, self.telling.notices)),
            "notice_kinds": tuple(notice.kind for notice in self.telling.notices),
            "infos": self._infos(),
            "press_hint": self._press_hint(),
            "receipts": self._receipts(),
            "news": tuple(self._news(self.telling.news)),
            "lesson": self._lesson(),
            "board": self._board(),
            "picture": self._picture(),
            "hand": self._hand(),
            "orders": self._orders(),
            "account": self._account(),
            "proof": self._foot("proof") if self.scene.final else (),
            "footer": self._foot("footer"),
            "laid_out": laid_out,
        }

    def _phase(self) -> str:
        return self.voice.say("game/decision.txt.j2", "phase", self.view) if self.view is not None else ""

    def _kind(self, decision: Decision) -> str:
        return self.voice.say("game/decision.txt.j2", "name", decision)

    def _foot(self, name: str) -> tuple[Block, ...]:
        return blocks(self.voice.text(f"{name}.txt.j2", {"scene": self.scene, "infos": self._infos()}))

    def _infos(self) -> tuple[str, ...]:
        """What the lines of the mail were answered with, by name."""
        return tuple(line.info for verdict in self.telling.verdicts for line in verdict.lines if line.info)

    def _notice(self, notice: Notice) -> tuple[Block, ...]:
        return blocks(self.voice.text(f"notices/{notice.kind}.txt.j2", self._with_scene(notice.facts)))

    def _press_hint(self) -> str:
        """How to answer words of others, where the mail brings any and its reader may."""
        brings = any(notice.kind == PRESS for notice in self.telling.notices)
        return self.voice.say("receipt.txt.j2", "press_hint", self.scene.seat) if brings else ""

    def _looked_up(self, **facts: str) -> str:
        return self.renderer.looked_up(facts, self.facts.language)

    def _offers(self) -> tuple[str, ...]:
        """Lines that settle a choice beforehand, to copy."""
        return offers(self.table.game, self.facts.language) if self.table else ()

    def _topic_word(self, topic: str) -> str:
        return topic_word(topic, self.facts.language)

    def _info(self, name: str, facts: Mapping[str, Any]) -> str:
        if name == "lookup":
            return self.renderer.looked_up(facts, self.facts.language)
        return self.voice.text(f"info/{name}.txt.j2", self._with_scene(facts))

    def _with_scene(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "scene": self.scene,
            "when": self.facts.when,
            "now": self.facts.now,
            "topics": HELP_TOPICS,
            "topic_word": self._topic_word,
            "offers": self._offers,
            "kinds": self.renderer.kinds,
            "decisions": self.renderer.decisions,
            "example": self.scene.table.name if self.scene.table else self.renderer.example,
            "look_up": self.scene.table.look_up if self.scene.table else self.renderer.look_up,
            "log": self._log,
            "looked_up": self._looked_up,
            "facts": facts,
            **facts,
        }

    def _log(self) -> Iterator[tuple[str, bool]]:
        """The whole history as the reader may know it: sentences, and whether what they tell was rolled back.

        What a seat took back itself was told to nobody else.
        """
        gone = taken_back(whats([logged.entry for logged in self.history]))
        for undone, group in groupby(without_undone(self.history), lambda logged: logged.entry.n in gone):
            for line in self._news(news(group, self.scene.seat or None)):
                yield line, undone

    def _receipts(self) -> tuple[Receipt, ...]:
        if not self.telling.verdicts:
            return ()
        teller = Teller(
            voice=self.voice,
            facts=self.facts,
            view=self.view,
            done=self.telling.done,
            kinds={decision.key: self._kind(decision) for decision in self.scene.ahead},
            info=self._info,
            orders=self.scene.decision is not None,
            event=self.table.game.decode_event if self.table else bytes,
        )
        return teller.receipts(self.telling.verdicts)

    def _news(self, items: Sequence[Any]) -> Iterator[str]:
        """News as sentences: the game tells its events, the host what a moderator or a deadline did."""
        shown = (item for item in items if not self._is_own(item))
        for by_host, group in groupby(shown, lambda item: isinstance(item, Announced)):
            if by_host:
                yield from map(self._announced, group)
            else:
                yield from self.voice.lines("game/news.txt.j2", "story", tuple(group), self.view)

    def _is_own(self, item: Any) -> bool:
        """Whether it announces no more than that a bot moved at a seat that is nobody else's."""
        if self.table is None or not isinstance(item, Announced) or not isinstance(item.what, Move):
            return False
        return item.what.by is By.BOT and self.table.chair(item.what.seat).person is None

    def _announced(self, item: Announced) -> str:
        what, names = item.what, self.scene.table.names if self.scene.table else ()
        voted = isinstance(what, Override) and isinstance(what.votes, int)
        told = AnnouncedScene(
            what=what,
            name=names[what.seat - 1] if names and what.seat else "",
            names=names,
            who=item.remark.name if item.remark else "",
            keeper=item.remark is not None and not item.remark.by and not voted,
            voted=voted,
            why=item.remark.why if item.remark else "",
            facts=item.remark.facts if item.remark else {},
        )
        if isinstance(what, Move):
            return self.voice.say("overrides.txt.j2", "moved", what.by.value, told)
        return self.voice.say("overrides.txt.j2", "tell", what.verb.value, told, self.facts.when)

    def _lesson(self) -> tuple[Block, ...]:
        """What the game tells a newcomer with this position."""
        if not self.telling.lesson:
            return ()
        return blocks(self.voice.text("game/guide.txt.j2", {"lesson": self.telling.lesson, "view": self.view}))

    def _board(self) -> Pair:
        if self.view is None or self.table is None or not self.scene.state:
            return NOTHING
        return self.renderer.board(self.voice, self.table, self.facts.language, brief=self.facts.brief)

    def _picture(self) -> Picture | None:
        """That of the position, where the board stands too and the reader wants it."""
        if self.view is None or self.table is None or not self.scene.state:
            return None
        if not (self.facts.html and self.facts.pictures):
            return None
        return self.renderer.picture(self.voice, self.table, self.facts.language)

    def _hand(self) -> Pair:
        if self.table is None or self.view is None or not self.scene.state or self.scene.final:
            return NOTHING
        if self.scene.seat:
            return self.voice.pair(_form(self.voice, "game/hand", self.facts.brief), {"view": self.view})
        to = self.telling.to
        sees_all = to.role is Role.MODERATOR and to.person is not None and self.table.seen_by(to.person)
        return self._hands(self.table) if sees_all else NOTHING

    def _hands(self, table: Table) -> Pair:
        """Those of all seats, for who moderates with every hand open."""
        pairs = [
            self.voice.pair("game/hand", {"view": table.view(seat), "whose": name})
            for seat, name in enumerate(table.names, 1)
        ]
        return "\n\n".join(text for text, _ in pairs), Markup().join(sheet for _, sheet in pairs)

    def _orders(self) -> Pair:
        """Orders to copy: for who is awaited now, and in a whole state for who may plan."""
        decision = self.scene.decision or self._to_plan()
        if self.table is None or decision is None:
            return NOTHING
        game, view = self.table.game, self.view
        lines = [(game.write(action, view, self.facts.language), action) for action in game.suggest(view, SUGGESTIONS)]
        return self.voice.pair("game/orders", {"view": view, "decision": decision, "lines": lines})

    def _to_plan(self) -> Decision | None:
        """The reader's next decision of the phase that the table is in."""
        return self.scene.ahead[0] if self.scene.state and self.scene.soon else None

    def _account(self) -> Pair:
        table = self.scene.table
        if table is None or table.outcome is None or not self.scene.final:
            return NOTHING
        return self.voice.pair("game/account", {"view": self.view, "outcome": table.outcome, "names": table.names})


def _form(voice: Voice, name: str, brief: bool) -> str:
    """The template `name`, or the one in few lines, where the reader wants it and the game has it."""
    short = f"{name}_short"
    return short if brief and voice.knows(f"{short}.txt.j2") else name


def _reader(telling: Telling) -> int | None:
    """Whose view the mail may show; somebody who is offered a seat does not have it yet."""
    return telling.to.seat if telling.to.role is Role.SEAT else None


def _subject(text: str) -> str:
    plain = " ".join(printable(text.replace("\n", " ")).split())
    return plain if len(plain) <= _LONGEST_SUBJECT else plain[: _LONGEST_SUBJECT - 1] + "…"


def _tidy(text: str) -> str:
    """`text` without spaces at the ends of lines and with single blank lines, ending in one line end."""
    lines = "\n".join([line.rstrip(" \t") for line in text.split("\n")])
    return _EMPTY_LINES.sub("\n\n", lines).strip("\n") + "\n"
