"""What a record is made of: the header, the entries and their kinds, and where a game stands after one.

An entry is a move, a deal or an override (what a moderator did). The record holds seats, never names, press or
addresses. All values are frozen; `engine.record` folds and checks them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import UNSET, UnsetType

from engine.game import Outcome
from engine.values import Value


class By(StrEnum):
    """Why a move was made."""

    SEAT = "seat"
    PLAN = "plan"
    HOST = "host"
    """The only legal answer."""
    FALLBACK = "fallback"
    """A deadline was missed."""
    MODERATOR = "moderator"
    BOT = "bot"
    SKIP = "skip"
    """A moderator let the seat do what a missed deadline does."""


class Verb(StrEnum):
    """The overrides that stand in a record."""

    ROLLBACK = "rollback"
    ROLLFORWARD = "rollforward"
    """Undoes a rollback after which nobody has moved."""
    UNDO = "undo"
    """A seat took back its own last moves, while they were still held back from the others."""
    CORRECT = "correct"
    """Changes one fact of the position."""
    REPLACE = "replace"
    EJECT = "eject"
    """A seat without a player: the host answers for it."""
    OPEN = "open"
    """A seat that anybody may take."""
    BOT = "bot"
    """A bot answers for a seat from now on."""
    PERSON = "person"
    """Its player answers for it again."""
    TOKEN = "token"
    """The key of a seat is void, and its player gets another one."""
    EXCUSE = "excuse"
    """A missed deadline does not count."""
    DEADLINE = "deadline"
    EXTEND = "extend"
    OPTIONS = "options"
    """How the table is run changed, not the rules of its game."""
    CLONE = "clone"
    """A trial copy was made, with all that was unseen drawn anew; here nothing changed."""
    RULING = "ruling"
    """What was decided about a dispute; its words stand beside the record."""
    NOTE = "note"
    """What the moderators keep in mind; its words stand beside the record, for them alone."""
    RENAME = "rename"
    """A seat, or the table (seat 0), is called otherwise; the names stand beside the record."""
    MODERATOR = "moderator"
    """Somebody else moderates."""
    PROMOTE = "promote"
    """Somebody moderates as well, beside the moderator."""
    DEMOTE = "demote"
    """Who moderated beside the moderator does no more."""
    RESIGN = "resign"
    """The player of a seat gave it up; from now on it makes the moves that a missed deadline would."""
    PAUSE = "pause"
    RESUME = "resume"
    END = "end"
    """The game has no result."""
    REVEAL = "reveal"
    """A game that was ended with its secret sealed is laid open."""
    FINISH = "finish"
    """The game ends here, with the result that it has now."""


class Trial(Value, frozen=True, forbid_unknown_fields=True):
    """Where a trial copy begins: at what another game looked like, with all that was unseen drawn anew."""

    of: str
    """The other table's name."""
    n: int
    """The entry of its record after which it was copied."""
    state: Any
    """The position drawn, in the game's own form as JSON values."""


class Header(Value, frozen=True, forbid_unknown_fields=True):
    """What was settled before the first deal."""

    format: int
    game: str
    """The table's name, as ``inn-7``."""
    kind: str
    version: int
    seats: int
    options: dict[str, str]
    commitment: str
    phrases: tuple[str, ...] = ()
    """Hashes of the players' phrases in order of seats; seats without one have none."""
    chosen: bool = False
    """The secret was chosen, not drawn: for demonstrations, nothing is proved."""
    trial: Trial | UnsetType = UNSET
    """It is a trial copy, no game of its own."""


class Move(Value, frozen=True, tag="move", forbid_unknown_fields=True):
    """A seat's action, in the game's own form as JSON values."""

    seat: int
    action: Any
    by: By = By.SEAT


class Dealt(Value, frozen=True, tag="deal", forbid_unknown_fields=True):
    """A shuffle, numbered from 1 over the whole record."""

    number: int
    order: tuple[int, ...]


class Override(Value, frozen=True, tag="override", forbid_unknown_fields=True):
    """What a moderator did; `seat` where it concerns one (0: none, or all).

    Fields that came later are left out of the JSON, and so of the hash, where they are not set.
    """

    verb: Verb
    seat: int = 0
    to: int = 0
    """The entry that a rollback or an undo leads back to, or a rollforward on to."""
    due: str | UnsetType = UNSET
    """The new deadline, in UTC, as ``2026-12-03T18:00:00Z``; without one it is put off for ever."""
    minutes: int | UnsetType = UNSET
    """What a deadline was extended by."""
    change: dict[str, Any] | UnsetType = UNSET
    """What a correction changes, in the game's own form."""
    votes: int | UnsetType = UNSET
    """How many players have voted for it: the table did it, and no moderator."""


What = Move | Dealt | Override


class Entry(Value, frozen=True, forbid_unknown_fields=True):
    """The `n`-th entry (from 1) and the hash over all up to it."""

    n: int
    what: What
    hash: str


class Record(Value, frozen=True, forbid_unknown_fields=True):
    """A whole record, as it leaves the host when the game is over."""

    header: Header
    entries: tuple[Entry, ...]
    head: str
    secret: str
    result: Outcome | None


class Position(Value, frozen=True):
    """Where a game stands after an entry."""

    state: Any
    n: int = 0
    deals: int = 0
    """Shuffles so far, rolled-back ones included."""
    paused: bool = False
    ended: bool = False
    """A moderator ended the game."""


class Flaw(StrEnum):
    """What is wrong with a record."""

    FORMAT = "format"
    GAME = "game"
    """It is a record of another game, or of another version of its rules."""
    CHAIN = "chain"
    HEAD = "head"
    COMMITMENT = "commitment"
    DEAL = "deal"
    MOVE = "move"
    OVERRIDE = "override"
    RESULT = "result"
    UNFINISHED = "unfinished"


class Flawed(Exception):
    """A record that does not hold: the flaw, and the entry where it was found (0: as a whole)."""

    def __init__(self, flaw: Flaw, n: int = 0) -> None:
        super().__init__(flaw.value, n)
        self.flaw, self.n = flaw, n
