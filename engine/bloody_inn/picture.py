"""The inn as a picture: which piece lies where, from the public view alone. How each looks stands in
``templates/pieces.svg.j2``.

Numbers are pieces of their own, so that a new amount of money draws a few pixels and nothing else anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from engine.bloody_inn.cards import CAPACITY, FACES, Card
from engine.bloody_inn.show import police_in
from engine.bloody_inn.state import Phase, Room, Shown, View
from engine.drawing import Drawing, Piece, Placed

WIDTH: Final = 640
"""Pixels: as wide as the sheet of a mail, and still legible at half of that on a phone."""
SKY: Final = 56
ROOM: Final = 160
PLATE: Final = 36
"""The height of a room's upper part, with number and key."""
BODY: Final = 84
"""The height of its lower part, with the guest."""
HALL: Final = 84
SEAT: Final = 92
NUMBER: Final = (42, 26)
MANY: Final = 4
"""Peasants that the bistro shows; beyond, the number tells."""

_HOURS: Final = {Phase.EVENING: "evening", Phase.NIGHT: "night"}
"""What the sky is like; in all other phases it is morning."""

_INK: Final = "#2b1d12"
_PAPER: Final = "#fdf8ec"
_WALL: Final = "#ecdcb6"
_GROUND: Final = "#8aa868"
_SIX: Final = ("#b0432d", "#2f628f", "#70498a", "#4c7436", "#5f6266", "#856010")
_SEATS: Final = ("#1f7a7a", "#b35415", "#a63c6e", "#3b4a9a")
_OTHERS: Final = ("#d9c493", "#8a5a34", "#5f3b20", "#ffffff", "#f1b274", "#26304f", "#bfd9ea", "#7d2e22", "#f1c9a5")
_BASE: Final = (_INK, _PAPER, _WALL, _GROUND, *_SIX, *_SEATS, *_OTHERS, "#f2cf5b", "#6a8a4c")
_MIXED: Final = (
    *((color, other) for color in (*_SIX, *_SEATS) for other in (_WALL, "#ffffff")),
    *((_INK, other) for other in (_PAPER, _WALL, "#ffffff", _GROUND, "#f1c9a5", "#7d2e22")),
    *(("#ffffff", other) for other in ("#7d2e22", "#26304f")),
    *(("#7d2e22", sky) for sky in ("#f1b274", "#26304f", "#bfd9ea")),
    *(("#8a5a34", other) for other in (_WALL, _PAPER)),
)
"""Edges: what lies half way between two colors that meet."""


def _between(one: str, other: str) -> str:
    pairs = ((int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{(a + b) // 2:02x}" for a, b in pairs)


PALETTE: Final = (*_BASE, *(_between(*pair) for pair in _MIXED))


class InnPicture:
    """The capability ``picture``; see `engine.drawing.Picture`."""

    palette: tuple[str, ...] = PALETTE

    def draw(self, view: View) -> Drawing:
        columns = 3 if len(view.rooms) in (5, 6) else 4
        rows = -(-len(view.rooms) // columns)
        hall = SKY + rows * (PLATE + BODY)
        pieces = chain(
            _sky(view, columns),
            _rooms(view.rooms, columns, rows),
            _moved(_hall(view), hall),
            _moved(_seats(view), hall + HALL),
        )
        return Drawing(WIDTH, hall + HALL + SEAT, _GROUND, tuple(pieces))


PICTURE: Final = InnPicture()


def _moved(pieces: Iterable[Placed], down: int) -> Iterator[Placed]:
    return (Placed(each.x, each.y + down, each.piece) for each in pieces)


def _sky(view: View, columns: int) -> Iterator[Placed]:
    hour, police = _HOURS.get(view.phase, "morning"), int(police_in(view))
    yield Placed(0, 0, Piece("sky", (hour, columns * ROOM, police), WIDTH, SKY))
    if view.round:
        yield Placed((WIDTH - NUMBER[0]) // 2, SKY - NUMBER[1] - 4, _number(view.round, "roof"))


def _rooms(rooms: tuple[Room, ...], columns: int, rows: int) -> Iterator[Placed]:
    left = (WIDTH - columns * ROOM) // 2
    for row in range(rows if left else 0):
        top = SKY + row * (PLATE + BODY)
        yield Placed(0, top, Piece("garden", (row,), left, PLATE + BODY))
        yield Placed(WIDTH - left, top, Piece("garden", (row,), left, PLATE + BODY))
    for place in range(columns * rows):
        x, y = left + place % columns * ROOM, SKY + place // columns * (PLATE + BODY)
        yield from _room(rooms[place], x, y) if place < len(rooms) else _wall(x, y)


def _wall(x: int, y: int) -> Iterator[Placed]:
    yield Placed(x, y, Piece("wall", (), ROOM, PLATE + BODY))


def _room(room: Room, x: int, y: int) -> Iterator[Placed]:
    yield Placed(x, y, Piece("plate", (room.number, room.key, room.token), ROOM, PLATE))
    guest = Piece("guest", _looks(room.guest), ROOM, BODY) if room.guest else Piece("bed", (), ROOM, BODY)
    yield Placed(x, y + PLATE, guest)


def _looks(card: Card) -> tuple[str | int, ...]:
    """What tells a card: its type, rank and aptitude."""
    face = FACES[card]
    return face.type, face.rank, face.aptitude or ""


def _hall(view: View) -> Iterator[Placed]:
    """The ground floor: the bistro, the door with who comes next, and the way out."""
    third = WIDTH // 3
    yield Placed(0, 0, Piece("bistro", (min(view.bistro, MANY),), third, HALL))
    yield Placed(third - 58, 29, _number(view.bistro, "wall"))
    yield Placed(third, 0, Piece("entrance", (), WIDTH - 2 * third, HALL))
    yield Placed(2 * third - 50, 29, _number(view.entrance_size, "wall"))
    for at, card in ((60, view.guest), (112, view.top)):
        if card:
            yield Placed(third + at, 12, Piece("card", _looks(card), 44, 60))
    yield Placed(WIDTH - third, 0, Piece("exit", (), third, HALL))
    yield Placed(WIDTH - 58, 29, _number(len(view.exit), "wall"))


def _seats(view: View) -> Iterator[Placed]:
    """What lies before each player, side by side."""
    left = (WIDTH - len(view.players) * ROOM) // 2
    awaited = {decision.seat for decision in view.waiting}
    for player in view.players:
        x = left + (player.seat - 1) * ROOM
        yield Placed(x, 0, Piece("seat", (player.seat, int(player.seat in awaited)), ROOM, SEAT))
        for place, (text, ground) in enumerate(_amounts(player)):
            yield Placed(x + 54 + place % 2 * 62, 6 + place // 2 * 28, _number(text, ground))


def _amounts(player: Shown) -> tuple[tuple[str | int, str], ...]:
    places = sum(CAPACITY[annex.card] for annex in player.annexes)
    graves = sum(len(annex.graves) for annex in player.annexes)
    return (
        (player.cash, "paper"),
        (player.checks, "paper"),
        (player.hand_size, "paper"),
        (len(player.annexes), "paper"),
        (f"{graves}/{places}", "paper"),
        (len(player.corpses), "blood" if player.corpses else "paper"),
    )


def _number(text: str | int, ground: str) -> Piece:
    """A number on what lies below it: `ground` is a name that the template knows."""
    return Piece("number", (str(text), ground), *NUMBER)
