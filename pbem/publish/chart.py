"""What each seat had won after each round, as lines of a still; lengths are its own units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pbem.archive.values import Page, Standing

WIDTH: Final = 640
HEIGHT: Final = 300
LEFT: Final = 44
RIGHT: Final = 520
"""Names stand beyond it."""
TOP: Final = 14
BOTTOM: Final = 268
LABEL: Final = 17
"""Between two names."""
LONGEST_LABEL: Final = 14
FEW: Final = 5
"""Lines across at most, the lowest not counted."""
STEPS: Final = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Tick:
    """A value of a scale, and where it stands."""

    at: float
    value: int


@dataclass(frozen=True, slots=True)
class Line:
    """How a seat went."""

    seat: int
    name: str
    dots: tuple[tuple[float, float], ...]
    label_at: float

    @property
    def points(self) -> str:
        """As SVG has it."""
        return " ".join(f"{x},{y}" for x, y in self.dots)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """All lines and both scales."""

    worth: str
    """What is shown, in words."""
    lines: tuple[Line, ...]
    across: tuple[Tick, ...]
    along: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    bottom: int = BOTTOM


def chart_of(page: Page, worth: str) -> Chart | None:
    """How the seats of `page` went; nothing where the game does not tell, or after a single round."""
    standings = page.standings
    if len(standings) < 2:
        return None
    top = _top(max(max(each.worth) for each in standings))
    lines = [_line(seat, name, standings, top) for seat, name in enumerate(page.names, 1)]
    return Chart(
        worth=worth,
        lines=tuple(_apart(lines)),
        across=tuple(Tick(_y(value, top), value) for value in range(0, top + 1, _step(top))),
        along=tuple(Tick(_x(at, len(standings)), each.round) for at, each in enumerate(standings)),
    )


def _line(seat: int, name: str, standings: Sequence[Standing], top: int) -> Line:
    dots = tuple((_x(at, len(standings)), _y(each.worth[seat - 1], top)) for at, each in enumerate(standings))
    short = name if len(name) <= LONGEST_LABEL else f"{name[: LONGEST_LABEL - 1]}…"
    return Line(seat, short, dots, dots[-1][1])


def _apart(lines: Sequence[Line]) -> Iterator[Line]:
    """`lines` in order of seats, with names that do not stand upon each other."""
    free = float(BOTTOM)
    moved: dict[int, Line] = {}
    for line in sorted(lines, key=lambda line: -line.label_at):
        at = min(free, line.label_at)
        moved[line.seat] = replace(line, label_at=at)
        free = at - LABEL
    yield from (moved[line.seat] for line in lines)


def _x(at: int, count: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * at / (count - 1), 1)


def _y(value: int, top: int) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * value / top, 1)


def _step(top: int) -> int:
    """Between two lines across: 1, 2 or 5 times a power of ten."""
    power = 1
    while True:
        for step in STEPS:
            if top <= FEW * step * power:
                return step * power
        power *= 10


def _top(most: int) -> int:
    """The end of the scale, above all values."""
    step = _step(max(most, 1))
    return step * -(-max(most, 1) // step)
