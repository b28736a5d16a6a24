"""A page of the archive and what it is made of. All values are frozen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.game import Fragment, Outcome
from engine.record import By, Dealt, Move, Override, Record, Verb
from pbem.press import Said
from pbem.table import Remark


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sat on a seat when the game was over, and how it ended for him."""

    seat: int
    name: str
    place: int
    """0: nobody has a place, since the game was lost, ended early or still runs."""
    score: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """An entry of the record as the page tells it."""

    n: int
    at: datetime
    what: Move | Dealt | Override
    """While the game runs: without the action, or the order that was dealt."""
    name: str
    """Whose seat moved or was overruled; nothing for a deal, or an override that concerns no seat."""
    order: str
    """A move as its seat would have written it; nothing for deals and overrides, and while the game runs."""
    events: tuple[Any, ...]
    """Secrets laid open where the game is over, else as everybody may know them."""
    undone: int = 0
    """The rollback that took it back, or 0."""
    remark: Remark | None = None
    """Who did it and why, beside what a moderator did."""

    @property
    def deal(self) -> bool:
        return isinstance(self.what, Dealt)

    @property
    def by(self) -> By | None:
        """Why a move was made; nothing for deals and overrides."""
        return self.what.by if isinstance(self.what, Move) else None

    @property
    def verb(self) -> Verb | None:
        """What a moderator did, if that is what the entry says."""
        return self.what.verb if isinstance(self.what, Override) else None

    @property
    def voted(self) -> bool:
        """Whether the players did it, by a vote."""
        return isinstance(self.what, Override) and isinstance(self.what.votes, int)


@dataclass(frozen=True, slots=True)
class Part:
    """The steps of one phase that follow each other."""

    phase: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A round: its steps, those of every try if a rollback led back to it."""

    round: int
    parts: tuple[Part, ...]
    last: int
    """The entry after which it was over: the last one that counts, if any does."""

    @property
    def steps(self) -> Iterator[Step]:
        return (step for part in self.parts for step in part.steps)

    @property
    def begun(self) -> datetime:
        return next(self.steps).at

    @property
    def undone(self) -> bool:
        """No move in it counts: it was rolled back and never came again."""
        return all(step.undone for step in self.steps if step.verb is None)


@dataclass(frozen=True, slots=True)
class Still:
    """A position in fragments, by places."""

    n: int
    """The entry that led to it; 0: the opening."""
    view: Any
    """The public one."""
    fragments: Mapping[str, Fragment]


@dataclass(frozen=True, slots=True)
class Standing:
    """What each seat had won when a round was over."""

    round: int
    worth: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """With what everybody can check that every deal was settled before it began."""

    record: Record
    deals: tuple[tuple[int, Dealt], ...]
    """Every shuffle, with the entry that it stands in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """All that the readable page of a game says."""

    table: str
    label: str
    """What people called it beside, or nothing."""
    title: str
    """Of the game."""
    kind: str
    version: int
    options: Mapping[str, str]
    commitment: str
    """To the secret of all deals, as it was mailed before the start."""
    begun: datetime
    ended: datetime
    """When the last entry came that the page knows."""
    over: bool
    """Nobody can move any more."""
    sitters: tuple[Sitter, ...]
    outcome: Outcome | None
    """``None``: the game was ended before its end, or runs."""
    chapters: tuple[Chapter, ...]
    stills: tuple[Still, ...]
    """The opening, and the position after each of the page's steps."""
    standings: tuple[Standing, ...]
    """After each round that counts; none where the game cannot tell."""
    view: Any
    """The public view of the last position."""
    views: tuple[Any, ...]
    """Each seat's own, once everything is laid open."""
    proof: Proof | None
    """``None``: the record stays closed."""
    said: tuple[Said, ...]
    """By players to all; it stands beside the record."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sitter.name for sitter in self.sitters)

    @property
    def winners(self) -> tuple[str, ...]:
        return tuple(sitter.name for sitter in self.sitters if sitter.place == 1)

    def still(self, n: int) -> Still:
        """The position after entry `n`, which stands on the page."""
        return next(still for still in self.stills if still.n == n)
