"""Mails made anew with the templates as they are now, so that whoever works on one sees it at each reload.

What a mail was made of is remembered under its mark, the way proofs are pulled from type that stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from engine.game import AnyGame
from pbem.bundling import Part
from pbem.render import MailFacts, Rendered, Renderer
from pbem.settle import Logged, Telling
from pbem.table import Table

_KEPT: Final = 500
"""Mails that can be made anew, the newest of them."""
_SUFFIXES: Final = frozenset({".j2", ".po"})

Print = frozenset[tuple[str, int]]
"""All files that mails are made with, and when each was written."""


class Proofs(Renderer):
    """A renderer that sees when a template, in `folders` or of a game, or a translation was edited."""

    def __init__(self, games: Mapping[str, AnyGame], folders: Sequence[Path]) -> None:
        super().__init__(games, folders)
        packages = ("pbem", *(game.package for game in games.values()))
        self._watched = (*folders, *(Path(str(files(package))) for package in packages))
        self._print = self._look()
        self._pulled: dict[str, tuple[Print, Callable[[], Rendered]]] = {}

    def refresh(self) -> None:
        """Use what was edited since the last call."""
        if (now := self._look()) != self._print:
            self._print = now
            self.forget()

    def mail(self, telling: Telling, table: Table | None, facts: MailFacts, history: Sequence[Logged] = ()) -> Rendered:
        """As a renderer makes it."""
        make = super().mail
        return self._remembered(facts.mark, lambda: make(telling, table, facts, history))

    def digest(self, parts: Sequence[Part], host: str, mark: str, language: str) -> Rendered:
        """As a renderer makes it."""
        make = super().digest
        return self._remembered(mark, lambda: make(parts, host, mark, language))

    def anew(self, mark: str) -> Rendered | None:
        """The mail of that mark as it would be made now; ``None`` if that is how it was made, or nobody knows any more.

        Whatever is wrong with a template that was edited is raised.
        """
        made_with, make = self._pulled.get(mark, (self._print, None))
        return make() if make is not None and made_with != self._print else None

    def _remembered(self, mark: str, make: Callable[[], Rendered]) -> Rendered:
        while len(self._pulled) >= _KEPT:
            del self._pulled[next(iter(self._pulled))]
        self._pulled[mark] = self._print, make
        return make()

    def _look(self) -> Print:
        return frozenset((str(path), path.stat().st_mtime_ns) for path in self._files())

    def _files(self) -> Iterator[Path]:
        return (path for folder in self._watched for path in folder.rglob("*") if path.suffix in _SUFFIXES)
