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
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from engine import overrides, shuffle
from engine.entries import By as By
from engine.entries import Dealt as Dealt
from engine.entries import Entry as Entry
from engine.entries import Flaw as Flaw
from engine.entries import Flawed as Flawed
from engine.entries import Header as Header
from engine.entries import Move as Move
from engine.entries import Override as Override
from engine.entries import Position as Position
from engine.entries import Record as Record
from engine.entries import Trial as Trial
from engine.entries import Verb as Verb
from engine.entries import What as What
from engine.game import DEALER, AnyGame, Deal, Illegal, Step
from engine.overrides import BACK as BACK
from engine.overrides import corrected as corrected
from engine.overrides import finished as finished
from engine.overrides import fits as fits
from engine.overrides import living as living
from engine.overrides import override as override
from engine.overrides import undoable as undoable

FORMAT: Final = 1
LONGEST_NAME: Final = 80
"""Of a table or a game."""
SHORT_HEAD: Final = 12
"""How many hex digits of the head stand in a mail: 48 bits."""
_HASH: Final = re.compile(r"[0-9a-f]{64}")
"""SHA-256 in lower-case hex; a secret has the same form. Another one could hide a line end in what is hashed."""


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


_canonical: Final = msgspec.json.Encoder(order="sorted").encode


def header_hash(header: Header, secret: str) -> str:
    """The hash that the chain begins with; nobody can work it out before the secret is published."""
    return _sha256(shuffle.salt(header.game, secret).encode() + b"\n" + _canonical(header))


def link(before: str, n: int, what: What) -> Entry:
    """The entry that holds `what` behind the hash `before`."""
    return Entry(n, what, _entry_hash(before, n, what))


def _entry_hash(before: str, n: int, what: What) -> str:
    return _sha256(before.encode() + b"\n" + _canonical({"n": n, "what": what}))


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
    """The position before the first entry: the game's own, or the one that a trial copy begins with.

    `Flawed` (format) for a trial of what is no position of this game.
    """
    if not isinstance(header.trial, Trial):
        return Position(game.start(header.seats, header.options))
    try:
        return Position(game.decode_state(msgspec.json.encode(header.trial.state)))
    except msgspec.MsgspecError:
        raise Flawed(Flaw.FORMAT) from None


def follow(game: AnyGame, position: Position, what: Move | Dealt) -> tuple[Position, tuple[Any, ...]]:
    """The position after a move or a deal, and the events (secret ones included); `Illegal` as the game says."""
    seat, action = (DEALER, Deal(what.order)) if isinstance(what, Dealt) else (what.seat, action_of(game, what))
    step = game.apply(position.state, seat, action)
    return _after(position, what, step), step.events


def _after(position: Position, what: Move | Dealt, step: Step) -> Position:
    deals = position.deals + isinstance(what, Dealt)
    return Position(step.state, position.n + 1, deals, position.paused, position.ended)


def positions(game: AnyGame, header: Header, whats: Iterable[What]) -> list[Position]:
    """All positions of a record, the opening first: the fold that stored states are a cache of.

    Raises `Flawed` (move, deal or override) at the first entry that cannot follow.
    """
    line = [opening(game, header)]
    said: list[What] = []
    for what in whats:
        if isinstance(what, Override):
            line.append(overrides.checked(game, header, line, said, what))
        else:
            line.append(_followed(game, header, line[-1], what))
        said.append(what)
    return line


def _followed(game: AnyGame, header: Header, position: Position, what: Move | Dealt) -> Position:
    try:
        if not (position.paused or position.ended):
            seat, action = _answer(game, header, what)
            _check_reason(game, position, what, action)
            return _after(position, what, game.apply(position.state, seat, action))
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


def _check_reason(game: AnyGame, position: Position, what: Move | Dealt, action: Any) -> None:
    """Who is skipped, or late, does what a missed deadline does: anything else would be somebody's order. And the host
    moves by itself only where there is a single answer."""
    if not isinstance(what, Move):
        return
    if what.by in (By.SKIP, By.FALLBACK) and action != game.fallback(position.state, what.seat):
        raise msgspec.ValidationError("not what a missed deadline does")
    if what.by is By.HOST and not any(
        decision.seat == what.seat and decision.answers == 1 for decision in game.waiting(position.state)
    ):
        raise msgspec.ValidationError("not the only answer")


def _within(part: Any, whole: Any) -> bool:
    """Whether all of a JSON value stands in another one, which may have more fields."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and _within(value, whole[key]) for key, value in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) == len(whole) and all(map(_within, part, whole))
    return bool(part == whole)


def dump(record: Record) -> bytes:
    """The record as a file: indented JSON, the format number in its header."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def load(data: bytes) -> Record:
    """A record from a file; `Flawed` (format) if it is not one."""
    try:
        record = msgspec.json.decode(data, type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Flawed(Flaw.FORMAT) from None
    if record.header.format != FORMAT or not _is_named(record.header):
        raise Flawed(Flaw.FORMAT)
    return record


def _is_named(header: Header) -> bool:
    """Whether its names can be shown: a control character could make a terminal tell something else."""
    names = (header.game, header.kind)
    return all(name.isprintable() and 0 < len(name) <= LONGEST_NAME for name in names)


def verify(game: AnyGame, record: Record, head: str = "") -> Position:
    """Check a finished game from its record alone, and give its last position.

    Checks all that `check` does, that `head`, which may be a short one, was its head at some time, and the result.
    Raises `Flawed`.
    """
    last = check(game, record, head)
    result = game.outcome(last.state)
    if result is None and not last.ended:
        raise Flawed(Flaw.UNFINISHED)
    if record.result != result:
        raise Flawed(Flaw.RESULT)
    return last


def check(game: AnyGame, record: Record, head: str = "") -> Position:
    """Check a record of a game that may still run, and give its last position; what it says of a result is not looked
    at.

    Checks the header, the commitment, the chain, `head` where one is given, every deal against the secret, and every
    move against the rules. Raises `Flawed`.
    """
    _check_header(game, record)
    if shuffle.commitment(record.header.game, record.secret) != record.header.commitment:
        raise Flawed(Flaw.COMMITMENT)
    _check_chain(record)
    if head and entry_of(record, head) is None:
        raise Flawed(Flaw.HEAD)
    _check_deals(record)
    try:
        return positions(game, record.header, (entry.what for entry in record.entries))[-1]
    except ValueError:
        raise Flawed(Flaw.FORMAT) from None


def entry_of(record: Record, head: str) -> int | None:
    """The number of the entry after which `head`, maybe a short one, was the head; 0: before the first one.

    Nothing if it never was. The first one where a short head fits several, which proves the least. The chain of
    `record` has to be checked already.
    """
    hashes = (header_hash(record.header, record.secret), *(entry.hash for entry in record.entries))
    return next((n for n, known in enumerate(hashes) if known.startswith(head.lower())), None)


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
        if entry.n != n or entry.hash != _entry_hash(before, n, entry.what):
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
