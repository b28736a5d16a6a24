"""The deck: 29 faces, 78 cards, read once from ``cards.csv`` beside this file.

A card is known by its face alone (``"novice"``): equal cards are interchangeable everywhere but in
rooms, and there the room number tells them apart (D27).
"""

from __future__ import annotations

import csv
from importlib.resources import files
from typing import Final

import msgspec

Card = str
"""The id of a face, as ``"brigadier_chief"``."""

BARN: Final = "barn"
PEASANT: Final = "peasant"
COLORS: Final = {
    "red": "artisan",
    "blue": "merchant",
    "purple": "religious",
    "green": "noble",
    "grey": "police",
    "yellow": "peasant",
}


class Face(msgspec.Struct, frozen=True):
    """One face of the deck; `params` belong to the code of the annex's power in `power`."""

    id: Card
    name: str
    type: str
    rank: int
    aptitude: str
    francs: int
    copies: int
    annex: str
    capacity: int
    timing: tuple[str, ...]
    power: str
    params: dict[str, str]

    @property
    def police(self) -> bool:
        return self.type == "police"

    @property
    def buildable(self) -> bool:
        return bool(self.annex)


def _face(row: dict[str, str]) -> Face:
    params = dict(pair.split("=", 1) for pair in row["params"].split(";") if pair)
    return Face(
        id=row["id"],
        name=row["name"],
        type=row["type"],
        rank=int(row["rank"]),
        aptitude=row["aptitude"],
        francs=int(row["francs"]),
        copies=int(row["copies"]),
        annex=row["annex"],
        capacity=int(row["capacity"] or 0),
        timing=tuple(row["power_timing"].split("+")) if row["power_timing"] else (),
        power=row["power"],
        params=params,
    )


def _read() -> dict[Card, Face]:
    text = files(__package__).joinpath("cards.csv").read_text(encoding="utf-8")
    return {row["id"]: _face(row) for row in csv.DictReader(text.splitlines())}


FACES: Final[dict[Card, Face]] = _read()
TRAVELERS: Final[tuple[Card, ...]] = tuple(
    sorted(face.id for face in FACES.values() if face.id != PEASANT for _ in range(face.copies))
)
"""The 70 travelers sorted by id: what a permutation permutes (D25)."""
OF_COLOR: Final[dict[str, frozenset[Card]]] = {
    color: frozenset(face.id for face in FACES.values() if face.type == kind) for color, kind in COLORS.items()
}
POLICEMEN: Final[frozenset[Card]] = frozenset(face.id for face in FACES.values() if face.police)
BUILDABLE: Final[frozenset[Card]] = frozenset(face.id for face in FACES.values() if face.buildable)
RANK: Final[dict[Card, int]] = {face.id: face.rank for face in FACES.values()}
HIGHEST: Final = max(RANK.values())
"""No card's rank is above it."""
APTITUDE: Final[dict[Card, str]] = {face.id: face.aptitude for face in FACES.values()}
FRANCS: Final[dict[Card, int]] = {face.id: face.francs for face in FACES.values()}
CAPACITY: Final[dict[Card, int]] = {BARN: 1} | {face.id: face.capacity for face in FACES.values()}
