"""Pictures of positions, from what a game says lies where: each piece drawn once, and pasted ever after.

Drawing a whole position anew takes ten times as long as pasting it, and reducing its colors longer than that: so every
piece is brought to the game's palette when it is drawn, and the picture is made of its numbers. Needs the extra
``pictures``; without it there are none.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from engine.game import AnyGame, Drawing, Piece
from pbem.files import resource
from pbem.render.recent import Recent
from pbem.render.voice import Voice

if TYPE_CHECKING:
    from PIL.Image import Image

_PIECES: Final = 4096
"""Pieces that are kept: a game has some hundreds, of a few kilobytes each."""
_ID_SIZE: Final = 24
_KEPT: Final = 256
"""Pictures that are kept, of some ten kilobytes each."""
_COMPRESSION: Final = 3
"""Of zlib: half the time of its usual 6 for a fifth more bytes, of which a mail has few beside its words."""


def available() -> bool:
    """Whether what draws them is installed."""
    try:
        import PIL.Image
        import resvg_py  # noqa: F401
    except ImportError:
        return False
    return bool(PIL.Image)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as mails show it."""

    png: bytes
    width: int
    height: int
    alt: str
    """The same in words, in the language of its readers."""
    id: str
    """Its Content-ID, without brackets: the same for the same picture, whatever mail it stands in."""


class Gallery:
    """The pictures of all games of a host; the same one for all languages and seats."""

    def __init__(self) -> None:
        self._open = available()
        self._painters: dict[str, Painter] = {}
        self._paintings: Recent[bytes] = Recent(_KEPT)

    def has(self, game: AnyGame) -> bool:
        """Whether positions of `game` can be painted here."""
        return self._open and "picture" in game.capabilities

    def picture(self, game: AnyGame, voice: Voice, view: Any, head: str) -> Picture:
        """The position of the public `view`, whose record has `head`, put into words by `voice`."""
        drawing: Drawing = game.capabilities["picture"].draw(view)
        png = self._paintings.get_or_make(head, lambda: self._painter(game, voice).paint(drawing))
        alt = voice.say("game/picture.txt.j2", "alt", view)
        return Picture(png, drawing.width, drawing.height, alt, f"{hashlib.sha256(png).hexdigest()[:_ID_SIZE]}@pbem")

    def _painter(self, game: AnyGame, voice: Voice) -> Painter:
        """Pieces hold no words, so that it does not matter whose voice they are drawn by."""
        if game.name not in self._painters:
            self._painters[game.name] = Painter(
                game.capabilities["picture"].palette,
                lambda piece: voice.say("game/pieces.svg.j2", piece.name, *piece.facts),
            )
        return self._painters[game.name]


class Painter:
    """Paints the positions of one game. `svg` gives the inside of a piece's SVG."""

    def __init__(self, palette: tuple[str, ...], svg: Callable[[Piece], str]) -> None:
        self._palette = palette
        self._svg = svg
        self._flat = _flat(palette)
        self._drawn = lru_cache(maxsize=_PIECES)(self._draw)

    def paint(self, drawing: Drawing) -> bytes:
        """`drawing` as PNG; the same bytes for the same drawing."""
        from PIL import Image

        sheet = Image.new("P", (drawing.width, drawing.height), self._palette.index(drawing.background))
        for placed in drawing.pieces:
            sheet.paste(self._drawn(placed.piece), (placed.x, placed.y))
        sheet.putpalette(self._flat)
        file = io.BytesIO()
        sheet.save(file, "PNG", compress_level=_COMPRESSION)
        return file.getvalue()

    def _draw(self, piece: Piece) -> Image:
        size = f'width="{piece.width}" height="{piece.height}"'
        return _rasterised(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{self._svg(piece)}</svg>', self._palette)


@lru_cache(maxsize=_PIECES)
def _rasterised(svg: str, palette: tuple[str, ...]) -> Image:
    """`svg` in the numbers of `palette`."""
    import resvg_py
    from PIL import Image

    font = str(resource("fonts") / "labels.ttf")
    png = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=[font])
    colors = Image.new("P", (1, 1))
    colors.putpalette(_flat(palette))
    return Image.open(io.BytesIO(png)).convert("RGB").quantize(palette=colors, dither=Image.Dither.NONE)


def _flat(palette: tuple[str, ...]) -> list[int]:
    """`palette` as Pillow takes it: three numbers a color."""
    return [int(color[at : at + 2], 16) for color in palette for at in (1, 3, 5)]
