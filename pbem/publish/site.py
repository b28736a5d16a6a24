"""An archive that is written to: its folder, its language, and what its pages look like."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from engine.game import AnyGame
from pbem.archive import About
from pbem.files import resource
from pbem.render import Renderer
from pbem.times import clock, day

FORMAT: Final = 1
"""Of what is written. It rises with a change of the code, so that all is made anew; templates tell of theirs."""


@dataclass(frozen=True, kw_only=True)
class Site:
    """Where games are shown. It has no slots, so that what its pages look like is read once."""

    folder: Path
    renderer: Renderer
    language: str = "en"
    """Of all pages: the host's."""
    host: str = "pbem"
    """The name that the feed goes by."""
    url: str = ""
    """Where the folder can be read on the web, without a slash at its end; or nowhere."""
    _looks: dict[str, str] = field(default_factory=dict, init=False)
    _items: dict[About, Markup] = field(default_factory=dict, init=False)

    def page(self, template: str, game: AnyGame | None = None, **context: Any) -> bytes:
        """A file: `template` filled in."""
        language = self.language
        given = {
            "day": self._day,
            "clock": lambda moment: clock(moment, language),
            "sealed": sealed,
            **context,
        }
        return self.renderer.page(template, given, game, self.language).encode()

    def item(self, game: About) -> Markup:
        """What every list says of a game; it is put into words once."""
        if game not in self._items:
            facts = (game, self._day)
            self._items[game] = self.renderer.drawn("archive/item.html.j2", "item", facts, None, self.language)
        return self._items[game]

    def forget_items(self, but: Iterable[About]) -> None:
        """Keep of what was put into words only what is still said."""
        for game in self._items.keys() - set(but):
            del self._items[game]

    def _day(self, moment: datetime) -> str:
        return day(moment, self.language)

    def look(self, game: AnyGame) -> str:
        """A hash of all that pages of `game` are laid out by: templates and words, of the host and of the game."""
        if game.name not in self._looks:
            own = files(game.package)
            digest = hashlib.sha256(self._own_look)
            for name in ("templates", "locale", "words"):
                digest.update(_hashed(Path(str(own.joinpath(name)))))
            self._looks[game.name] = digest.hexdigest()
        return self._looks[game.name]

    @cached_property
    def _own_look(self) -> bytes:
        digest = hashlib.sha256(f"{FORMAT} {self.language}".encode())
        digest.update(_hashed(resource("templates") / "archive"))
        digest.update(_hashed(Path(str(files("pbem").joinpath("locale")))))
        return digest.digest()


def sealed(text: str) -> str:
    """What a content security policy calls an inline style or script by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _hashed(folder: Path) -> bytes:
    """A hash of the files below `folder`, by name and content."""
    digest = hashlib.sha256()
    for path in sorted(_files(folder)):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    return digest.digest()


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
