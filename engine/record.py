"""The record of a game: a header and a chain of entries, from which all else is folded.

An entry is a move, a deal or an override (what a moderator did). Each carries a hash over all before it:

    hash of the header  = SHA-256 of its canonical JSON
    hash of entry n     = SHA-256 of the hash before, a line end, and the canonical JSON of the entry without its hash

Canonical JSON is UTF-8 without spaces, keys sorted. The last hash is the *head*; who has once seen a head
can tell later whether anything before it was changed. The record holds seats, never names, press or
addresses. Nothing is deleted: a rollback is an entry too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from engine import shuffle
from engine.game import DEALER, AnyGame, Deal, Illegal, Outcome

FORMAT: Final = 1
SHORT_HEAD: Final = 12
"""How many hex digits of the head stand in a mail: 48 bits."""


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


class Verb(StrEnum):
    """The overrides that stand in a record."""

    ROLLBACK = "rollback"
    REPLACE = "replace"
    PAUSE = "pause"
    RESUME = "resume"
    END = "end"


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


class Move(msgspec.Struct, frozen=True, tag="move", forbid_unknown_fields=True):
    """A seat's action, in the game's own form as JSON values."""

    seat: int
    action: Any
    by: By = By.SEAT


class Dealt(msgspec.Struct, frozen=True, tag="deal", forbid_unknown_fields=True):
    """A shuffle, numbered from 1 over the whole record."""

    number: int
    order: tuple[int, ...]


class Override(msgspec.Struct, frozen=True, tag="override", forbid_unknown_fields=True):
    """What a moderator did; `seat` where it concerns one, `to` the entry a rollback leads back to."""

    verb: Verb
    seat: int = 0
    to: int = 0


What = Move | Dealt | Override


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `n`-th entry (from 1) and the hash over all up to it."""

    n: int
    what: What
    hash: str


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole record, as it leaves the host when the game is over."""

    header: Header
    entries: tuple[Entry, ...]
    head: str
    secret: str
    result: Outcome | None


class Position(msgspec.Struct, frozen=True):
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


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


_canonical: Final = msgspec.json.Encoder(order="sorted").encode


def header_hash(header: Header) -> str:
    """The hash that the chain begins with."""
    return _sha256(_canonical(header))


def link(before: str, n: int, what: What) -> Entry:
    """The entry that holds `what` behind the hash `before`."""
    return Entry(n, what, _sha256(before.encode() + b"\n" + _canonical({"n": n, "what": what})))


def move(game: AnyGame, seat: int, action: Any, by: By = By.SEAT) -> Move:
    """`action` as an entry holds it."""
    return Move(seat, msgspec.json.decode(game.encode(action)), by)


def action_of(game: AnyGame, what: Move) -> Any:
    """The action that an entry holds."""
    return game.decode_action(msgspec.json.encode(what.action))


def deal(header: Header, secret: str, number: int, size: int) -> Dealt:
    """Shuffle `number` of this game over `size` things."""
    seed = shuffle.seed(header.game, secret, number, header.phrases)
    return Dealt(number, shuffle.permutation(seed, size))


def opening(game: AnyGame, header: Header) -> Position:
    """The position before the first entry."""
    return Position(game.start(header.seats, header.options))


def follow(game: AnyGame, position: Position, what: Move | Dealt) -> tuple[Position, tuple[Any, ...]]:
    """The position after a move or a deal, and the events (secret ones included); `Illegal` as the game says."""
    if isinstance(what, Dealt):
        step = game.apply(position.state, DEALER, Deal(what.order))
        deals = position.deals + 1
    else:
        step = game.apply(position.state, what.seat, action_of(game, what))
        deals = position.deals
    return (
        Position(step.state, position.n + 1, deals, position.paused, position.ended),
        step.events,
    )


def override(position: Position, what: Override, target: Position | None = None) -> Position:
    """The position after an override; `target` is the one that a rollback leads back to."""
    after = msgspec.structs.replace(position, n=position.n + 1)
    if what.verb is Verb.ROLLBACK:
        assert target is not None, "a rollback needs the position it leads back to"
        return msgspec.structs.replace(after, state=target.state, ended=target.ended)
    if what.verb in (Verb.PAUSE, Verb.RESUME):
        return msgspec.structs.replace(after, paused=what.verb is Verb.PAUSE)
    if what.verb is Verb.END:
        return msgspec.structs.replace(after, ended=True)
    return after


def positions(game: AnyGame, header: Header, whats: Iterable[What]) -> list[Position]:
    """All positions of a record, the opening first: the fold that stored states are a cache of.

    Raises `Flawed` (move, deal or override) at the first entry that cannot follow.
    """
    line = [opening(game, header)]
    for n, what in enumerate(whats, 1):
        line.append(_next(game, line, n, what))
    return line


def _next(game: AnyGame, line: Sequence[Position], n: int, what: What) -> Position:
    if isinstance(what, Override):
        if not 0 <= what.to < n:
            raise Flawed(Flaw.OVERRIDE, n)
        return override(line[-1], what, line[what.to])
    try:
        return follow(game, line[-1], what)[0]
    except (Illegal, msgspec.ValidationError):
        raise Flawed(Flaw.DEAL if isinstance(what, Dealt) else Flaw.MOVE, n) from None


def living(whats: Sequence[What]) -> list[int]:
    """The numbers of the entries that still count after all rollbacks, in order."""
    alive: list[int] = []
    for n, what in enumerate(whats, 1):
        if isinstance(what, Override) and what.verb is Verb.ROLLBACK:
            alive = [kept for kept in alive if kept <= what.to]
        alive.append(n)
    return alive


def dump(record: Record) -> bytes:
    """The record as a file: indented JSON, the format number in its header."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def load(data: bytes) -> Record:
    """A record from a file; `Flawed` (format) if it is not one."""
    try:
        record = msgspec.json.decode(data, type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Flawed(Flaw.FORMAT) from None
    if record.header.format != FORMAT:
        raise Flawed(Flaw.FORMAT)
    return record


def verify(game: AnyGame, record: Record, head: str = "") -> Position:
    """Check a finished game from its record alone, and give its last position.

    Checks the chain, the head (against `head`, which may be a short one), the commitment, every deal
    against the published secret, every move against the rules, and the result. Raises `Flawed`.
    """
    _check_chain(record)
    if head and not record.head.startswith(head.lower()):
        raise Flawed(Flaw.HEAD)
    if shuffle.commitment(record.header.game, record.secret) != record.header.commitment:
        raise Flawed(Flaw.COMMITMENT)
    _check_deals(record)
    try:
        last = positions(game, record.header, (entry.what for entry in record.entries))[-1]
    except ValueError:
        raise Flawed(Flaw.FORMAT) from None
    result = game.outcome(last.state)
    if result is None and not last.ended:
        raise Flawed(Flaw.UNFINISHED)
    if record.result != result:
        raise Flawed(Flaw.RESULT)
    return last


def _check_chain(record: Record) -> None:
    before = header_hash(record.header)
    for n, entry in enumerate(record.entries, 1):
        if entry != link(before, n, entry.what):
            raise Flawed(Flaw.CHAIN, n)
        before = entry.hash
    if record.head != before:
        raise Flawed(Flaw.HEAD)


def _check_deals(record: Record) -> None:
    number = 0
    for entry in record.entries:
        if isinstance(entry.what, Dealt):
            number += 1
            if entry.what != deal(record.header, record.secret, number, len(entry.what.order)):
                raise Flawed(Flaw.DEAL, entry.n)
