"""Positions as HTML: each fragment is drawn once for a page, however often it is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from markupsafe import Markup

from engine.game import AnyGame, Fragment
from pbem.archive.stills import REPLAY, WHOLE
from pbem.archive.values import Chapter, Still
from pbem.publish.site import Site

_UNSEEN: Final = re.compile(r"[\x7f-\x9f\u2000-\u206f]")
"""What a page is freed of: within JSON it is written in another way."""

Change = tuple[int, ...]
"""Places and the fragments that stand there from now on, by turns, both by number."""


@dataclass(frozen=True, slots=True)
class Film:
    """What the replay steps through, as docs/record.md does not promise: its script alone reads it."""

    slots: tuple[str, ...]
    fragments: tuple[str, ...]
    steps: tuple[tuple[int, Change], ...]
    """The entry of each step, and what is new in it."""
    rounds: tuple[int, ...]
    """The steps with which rounds begin, in order."""

    @property
    def json(self) -> Markup:
        """As it stands in a page."""
        return embedded(msgspec.json.encode(self))


def embedded(data: bytes) -> Markup:
    """JSON as an element of a page may hold it: nothing in it ends that element, or begins a remark."""
    text = data.decode().replace("</", r"<\/").replace("<!", r"\u003c!")
    return Markup(_UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


class Drawing:
    """The positions of one game, in the language of its archive."""

    def __init__(self, site: Site, game: AnyGame) -> None:
        self._site = site
        self._game = game
        self._drawn: dict[Fragment, Markup] = {}

    def board(self, still: Still) -> Markup:
        """A whole position."""
        drawn = {place: self._fragment(fragment) for place, fragment in still.fragments.items()}
        if REPLAY not in self._game.capabilities:
            return Markup('<pre data-slot="{}">{}</pre>').format(WHOLE, drawn[WHOLE])
        return self._said("frame", drawn, still.view)

    def film(self, stills: Sequence[Still], chapters: Sequence[Chapter]) -> Film:
        """All positions, each as what is new in it."""
        slots = tuple(stills[0].fragments)
        numbers: dict[Markup, int] = {}
        steps = tuple(self._steps(stills, slots, numbers))
        at = {n: index for index, (n, _) in enumerate(steps)}
        begins = sorted(at[next(chapter.steps).n] for chapter in chapters)
        return Film(slots, tuple(map(str, numbers)), steps, tuple(begins))

    def _steps(
        self, stills: Sequence[Still], slots: Sequence[str], numbers: dict[Markup, int]
    ) -> Iterator[tuple[int, Change]]:
        before: Mapping[str, Fragment] = {}
        for still in stills:
            change: list[int] = []
            for index, slot in enumerate(slots):
                fragment = still.fragments[slot]
                if fragment != before.get(slot):
                    change += (index, numbers.setdefault(self._fragment(fragment), len(numbers)))
            yield still.n, tuple(change)
            before = still.fragments

    def _fragment(self, fragment: Fragment) -> Markup:
        if fragment not in self._drawn:
            self._drawn[fragment] = self._draw(fragment)
        return self._drawn[fragment]

    def _draw(self, fragment: Fragment) -> Markup:
        if fragment.macro != WHOLE:
            return self._said(fragment.macro, *fragment.facts)
        view, ended = fragment.facts
        context = {"view": view, "ended": ended, "names": ()}
        return Markup.escape(self._site.renderer.page("game/board.txt.j2", context, self._game, self._site.language))

    def _said(self, macro: str, *facts: object) -> Markup:
        return self._site.renderer.drawn("game/replay.html.j2", macro, facts, self._game, self._site.language)
