"""The record of a game: a header and a chain of entries, from which all else is folded.

An entry is a move, a deal or an override (what a moderator did). Each carries a hash over all before it:

    hash of the header  = SHA-256 of the game's salt, a line end, and the header's canonical JSON
    hash of entry n     = SHA-256 of the hash before, a line end, and the canonical JSON of the entry without its hash

Canonical JSON is UTF-8 without spaces, keys sorted. The last hash is the *head*; who has once seen a head
can tell later whether anything before it was changed. The salt comes from the secret: without it a head would
tell what a seat has sealed to whoever tries the few answers there are. The record holds seats, never names,
press or addresses. Nothing is deleted: a rollback is an entry too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from engine import shuffle
from engine.game import DEALER, AnyGame, Deal, Illegal, Outcome, Step

FORMAT: Final = 1
SHORT_HEAD: Final = 12
"""How many hex digits of the head stand in a mail: 48 bits."""
_HASH: Final = re.compile(r"[0-9a-f]{64}")
"""SHA-256 in lower-case hex; a secret has the same form. Another one could hide a line end in what is hashed."""


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


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


_canonical: Final = msgspec.json.Encoder(order="sorted").encode


def header_hash(header: Header, secret: str) -> str:
    """The hash that the chain begins with; nobody can work it out before the secret is published."""
    return _sha256(shuffle.salt(header.game, secret).encode() + b"\n" + _canonical(header))


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
    seat, action = (DEALER, Deal(what.order)) if isinstance(what, Dealt) else (what.seat, action_of(game, what))
    step = game.apply(position.state, seat, action)
    return _after(position, what, step), step.events


def _after(position: Position, what: Move | Dealt, step: Step) -> Position:
    deals = position.deals + isinstance(what, Dealt)
    return Position(step.state, position.n + 1, deals, position.paused, position.ended)


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
    alive: list[int] = []
    for n, what in enumerate(whats, 1):
        if isinstance(what, Override):
            line.append(_overridden(header, line, alive, what))
        else:
            line.append(_followed(game, header, line[-1], what))
        _survive(alive, n, what)
    return line


def _followed(game: AnyGame, header: Header, position: Position, what: Move | Dealt) -> Position:
    try:
        if not (position.paused or position.ended):
            return _after(position, what, game.apply(position.state, *_answer(game, header, what)))
    except (Illegal, msgspec.ValidationError):
        pass
    raise Flawed(Flaw.DEAL if isinstance(what, Dealt) else Flaw.MOVE, position.n + 1)


def _answer(game: AnyGame, header: Header, what: Move | Dealt) -> tuple[int, Any]:
    """Seat and action of an entry that somebody else may have written.

    A player has to have made the move (one of the dealer would be a deal that nobody checks), and it may say no
    more than the game itself would write (or it could carry anything): else `msgspec.ValidationError`.
    """
    if isinstance(what, Dealt):
        return DEALER, Deal(what.order)
    written = msgspec.json.encode(what.action)
    action = game.decode_action(written)
    if not 1 <= what.seat <= header.seats:
        raise msgspec.ValidationError("not a player's seat")
    if game.encode(action) != written and not _within(what.action, move(game, what.seat, action).action):
        raise msgspec.ValidationError("more than an action")
    return what.seat, action


def _within(part: Any, whole: Any) -> bool:
    """Whether all of a JSON value stands in another one, which may have more fields."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and _within(value, whole[key]) for key, value in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) == len(whole) and all(map(_within, part, whole))
    return bool(part == whole)


def _overridden(header: Header, line: Sequence[Position], alive: Sequence[int], what: Override) -> Position:
    position = line[-1]
    if what.verb is Verb.ROLLBACK:
        # To an entry that a rollback has taken back nobody can return: its branch no longer counts.
        if what.seat or (what.to and what.to not in alive):
            raise Flawed(Flaw.OVERRIDE, position.n + 1)
        return override(position, what, line[what.to])
    if what.to or position.ended or not _SOUND[what.verb](header, position, what):
        raise Flawed(Flaw.OVERRIDE, position.n + 1)
    return override(position, what)


_SOUND: Final[Mapping[Verb, Callable[[Header, Position, Override], bool]]] = {
    Verb.REPLACE: lambda header, _, what: 1 <= what.seat <= header.seats,
    Verb.PAUSE: lambda _, position, what: not what.seat and not position.paused,
    Verb.RESUME: lambda _, position, what: not what.seat and position.paused,
    Verb.END: lambda _, __, what: not what.seat,
}
"""What each override but a rollback asks for."""


def living(whats: Sequence[What]) -> list[int]:
    """The numbers of the entries that still count after all rollbacks, in order."""
    alive: list[int] = []
    for n, what in enumerate(whats, 1):
        _survive(alive, n, what)
    return alive


def _survive(alive: list[int], n: int, what: What) -> None:
    """Take from `alive`, in order, what a rollback takes back; the entry itself counts."""
    if isinstance(what, Override) and what.verb is Verb.ROLLBACK:
        while alive and alive[-1] > what.to:
            alive.pop()
    alive.append(n)


def dump(record: Record) -> bytes:
    """The record as a file: indented JSON, the format number in its header."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def load(data: bytes) -> Record:
    """A record from a file; `Flawed` (format) if it is not one."""
    try:
        record = msgspec.json.decode(data, type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Flawed(Flaw.FORMAT) from None
    if record.header.format != FORMAT:
        raise Flawed(Flaw.FORMAT)
    return record


def verify(game: AnyGame, record: Record, head: str = "") -> Position:
    """Check a finished game from its record alone, and give its last position.

    Checks the header, the commitment, the chain, the head (against `head`, which may be a short one), every
    deal against the published secret, every move against the rules, and the result. Raises `Flawed`.
    """
    _check_header(game, record)
    if shuffle.commitment(record.header.game, record.secret) != record.header.commitment:
        raise Flawed(Flaw.COMMITMENT)
    _check_chain(record)
    if head and not record.head.startswith(head.lower()):
        raise Flawed(Flaw.HEAD)
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


def _check_header(game: AnyGame, record: Record) -> None:
    header = record.header
    hashes = (record.secret, header.commitment, *header.phrases)
    if header.format != FORMAT or len(header.phrases) > header.seats or not all(map(_HASH.fullmatch, hashes)):
        raise Flawed(Flaw.FORMAT)
    if (header.kind, header.version) != (game.name, game.version):
        raise Flawed(Flaw.GAME)


def _check_chain(record: Record) -> None:
    before = header_hash(record.header, record.secret)
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
