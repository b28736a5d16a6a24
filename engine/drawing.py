"""A picture as a game describes it: which pieces lie where. Whoever hosts the game draws and pastes them."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec


class Piece(msgspec.Struct, frozen=True):
    """Something that is drawn once and pasted ever after: a full rectangle, so that none shines through another."""

    name: str
    """The macro of the game's template ``pieces.svg.j2`` that gives its SVG, without the element around it."""
    facts: tuple[str | int, ...]
    """The arguments of the macro: the game's own words and numbers, never anything that a person wrote."""
    width: int
    """In pixels, as the height."""
    height: int


class Placed(msgspec.Struct, frozen=True):
    """A piece, and its left upper corner."""

    x: int
    y: int
    piece: Piece


class Drawing(msgspec.Struct, frozen=True):
    """A whole picture; later pieces lie over earlier ones."""

    width: int
    height: int
    background: str
    """A color of the palette, where no piece lies."""
    pieces: tuple[Placed, ...]


class Picture(Protocol):
    """Capability ``picture``: what everybody may see, drawn. The game's template ``picture.txt.j2`` says the same in
    words, by a macro ``alt`` of the view."""

    @property
    def palette(self) -> tuple[str, ...]:
        """All colors, as ``#rrggbb``: at most 64."""

    def draw(self, view: Any) -> Drawing:
        """The picture of a position; `view` is the public one."""
