"""What a moderator's entries lead to, and what none of them can be.

A rollback leads back to an entry that still counts. A rollforward undoes the last rollback, as long as nobody has
moved since; those before it can then be undone in turn. A correction is the game's own to carry out. An undo is a
seat's: it leads back over moves that this seat made by itself, and over nothing that was dealt or decided by others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec import UNSET

from engine.entries import By, Flaw, Flawed, Header, Move, Override, Position, Verb, What
from engine.game import AnyGame, Corrections, Illegal, Step

LONGEST_EXTENSION: Final = 60 * 24 * 366
"""Minutes."""
_TIME: Final = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T([0-9]{2}:){2}[0-9]{2}Z")
BACK: Final = frozenset({Verb.ROLLBACK, Verb.UNDO})
"""What leads back to an earlier position: the entries behind it no longer count."""
_LEADING: Final = BACK | {Verb.ROLLFORWARD, Verb.CORRECT, Verb.FINISH}
"""What changes the state."""
VOTABLE: Final = frozenset({Verb.END, Verb.FINISH, Verb.OPEN, Verb.MODERATOR})
"""What players can bring about by a vote."""
_OWN: Final = frozenset({By.SEAT, By.PLAN})
"""Moves of which a seat is the master."""


@dataclass(frozen=True, slots=True)
class Form:
    """Which seats an override may name, and which field it has beside."""

    least: int = 0
    """1: it is about one seat; 0: also about none."""
    seats: bool = False
    """It may name a seat at all."""
    field: str = ""


_ONE: Final = Form(1, True)
FORMS: Final[Mapping[Verb, Form]] = {
    Verb.ROLLBACK: Form(field="to"),
    Verb.ROLLFORWARD: Form(field="to"),
    Verb.UNDO: Form(1, True, "to"),
    Verb.CORRECT: Form(field="change"),
    Verb.REPLACE: _ONE,
    Verb.EJECT: _ONE,
    Verb.RESIGN: _ONE,
    Verb.OPEN: _ONE,
    Verb.BOT: _ONE,
    Verb.PERSON: _ONE,
    Verb.TOKEN: _ONE,
    Verb.EXCUSE: _ONE,
    Verb.DEADLINE: Form(seats=True, field="due"),
    Verb.EXTEND: Form(seats=True, field="minutes"),
    Verb.MODERATOR: Form(seats=True),
    Verb.PROMOTE: Form(seats=True),
    Verb.DEMOTE: Form(seats=True),
    Verb.RENAME: Form(seats=True),
    Verb.OPTIONS: Form(),
    Verb.RULING: Form(),
    Verb.NOTE: Form(),
    Verb.CLONE: Form(),
    Verb.PAUSE: Form(),
    Verb.RESUME: Form(),
    Verb.END: Form(),
    Verb.REVEAL: Form(),
    Verb.FINISH: Form(),
}


def override(position: Position, what: Override, target: Position | None = None) -> Position:
    """The position after an override; `target` is the one that a rollback, rollforward or correction leads to."""
    after = msgspec.structs.replace(position, n=position.n + 1)
    if what.verb in _LEADING:
        assert target is not None, f"a {what.verb} needs the position that it leads to"
        return msgspec.structs.replace(after, state=target.state, ended=target.ended)
    if what.verb in (Verb.PAUSE, Verb.RESUME):
        return msgspec.structs.replace(after, paused=what.verb is Verb.PAUSE)
    if what.verb is Verb.END:
        return msgspec.structs.replace(after, ended=True)
    return after


def corrected(game: AnyGame, state: Any, change: dict[str, Any]) -> Step:
    """The state with one fact changed; `Illegal` or `msgspec.ValidationError` where that cannot be."""
    corrections: Corrections | None = game.capabilities.get("corrections")
    if corrections is None:
        raise msgspec.ValidationError("this game has no corrections")
    return corrections.apply(state, change)


def finished(game: AnyGame, state: Any) -> Step:
    """The state with the game brought to its end here and now; `LookupError` where it cannot be."""
    finish: Callable[[Any], Step] = game.capabilities["finish"]
    if game.outcome(state) is not None:
        raise LookupError("it is over")
    return finish(state)


def checked(game: AnyGame, header: Header, line: Sequence[Position], said: Sequence[What], what: Override) -> Position:
    """The position after `what`, behind the entries `said` with their positions `line` (the opening first).

    `Flawed` if no moderator could have done this there.
    """
    position = line[-1]
    try:
        if fits(game, header, position, what):
            return override(position, what, _target(game, line, said, what))
    except (Illegal, LookupError, msgspec.ValidationError):
        pass
    raise Flawed(Flaw.OVERRIDE, position.n + 1)


def fits(game: AnyGame, header: Header, position: Position, what: Override) -> bool:
    """Whether `what` says all that its verb asks for, and may be done in `position`. Where it leads is asked apart."""
    return _has_its_form(header, what) and _is_in_time(game, position, what)


def _has_its_form(header: Header, what: Override) -> bool:
    form = FORMS[what.verb]
    later = {"due": what.due, "minutes": what.minutes, "change": what.change}
    said = {name for name, value in later.items() if value is not UNSET} | ({"to"} if what.to else set())
    return (
        said <= {form.field}
        and form.least <= what.seat <= (header.seats if form.seats else 0)
        and _is_whole(what, form)
        and _is_voted(header, what)
    )


def _is_voted(header: Header, what: Override) -> bool:
    """Whether its votes, if it says that there were any, can have been cast."""
    if what.votes is UNSET:
        return True
    return what.verb in VOTABLE and isinstance(what.votes, int) and 0 < what.votes <= header.seats


def _is_whole(what: Override, form: Form) -> bool:
    """Whether the field that belongs to it says something."""
    if form.field == "due":
        return what.due is UNSET or _TIME.fullmatch(what.due) is not None
    if form.field == "minutes":
        return isinstance(what.minutes, int) and 0 < what.minutes <= LONGEST_EXTENSION
    return form.field != "change" or isinstance(what.change, dict)


def _is_in_time(game: AnyGame, position: Position, what: Override) -> bool:
    """Over the end of a game, a moderator's or its own, only a rollback leads back; a moderator's can be revealed."""
    if what.verb is Verb.REVEAL:
        return position.ended
    if what.verb is not Verb.ROLLBACK and (position.ended or game.outcome(position.state) is not None):
        return False
    return what.verb not in (Verb.PAUSE, Verb.RESUME) or position.paused is (what.verb is Verb.RESUME)


def _target(game: AnyGame, line: Sequence[Position], said: Sequence[What], what: Override) -> Position | None:
    """The position that `what` leads to; `LookupError` if there is no way to it."""
    if what.verb is Verb.CORRECT:
        assert isinstance(what.change, dict)
        return msgspec.structs.replace(line[-1], state=corrected(game, line[-1].state, what.change).state)
    if what.verb is Verb.FINISH:
        return msgspec.structs.replace(line[-1], state=finished(game, line[-1].state).state)
    if what.verb is Verb.ROLLBACK and what.to and what.to not in living(said):
        # To an entry that a rollback has taken back nobody can return: its branch no longer counts.
        raise LookupError(what.to)
    if what.verb is Verb.ROLLFORWARD and what.to != undoable(said) - 1:
        raise LookupError(what.to)
    if what.verb is Verb.UNDO and not takes_back_its_own(said, what):
        raise LookupError(what.to)
    return line[what.to] if what.verb in _LEADING else None


def takes_back_its_own(said: Sequence[What], what: Override) -> bool:
    """Whether all that an undo takes back are moves of its own seat, and only answers that followed from them."""
    alive = [0, *living(said)]
    gone = [said[n - 1] for n in alive if n > what.to]
    moves = [each for each in gone if isinstance(each, Move)]
    own = all((each.seat == what.seat and each.by in _OWN) or each.by is By.HOST for each in moves)
    return what.to in alive and len(moves) == len(gone) and own and any(each.by in _OWN for each in moves)


def undoable(said: Sequence[What]) -> int:
    """The number of the rollback that a rollforward would undo; 0 if there is none or the game has gone on since."""
    n = len(said)
    while n:
        what = said[n - 1]
        if not isinstance(what, Override) or what.verb in (Verb.CORRECT, Verb.FINISH, Verb.UNDO):
            return 0
        if what.verb is Verb.ROLLBACK:
            return n
        n = what.to if what.verb is Verb.ROLLFORWARD else n - 1
    return 0


def living(said: Sequence[What]) -> list[int]:
    """The numbers of the entries that still count after all rollbacks, undos and rollforwards, in order."""
    alive: list[int] = []
    for n, what in enumerate(said, 1):
        if isinstance(what, Override) and what.verb in BACK:
            while alive and alive[-1] > what.to:
                alive.pop()
        if isinstance(what, Override) and what.verb is Verb.ROLLFORWARD:
            alive = living(said[: what.to])
        alive.append(n)
    return alive
