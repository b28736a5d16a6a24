"""Back to an earlier position, and forward again: nothing is deleted, a rollback is an entry too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import record
from engine.game import DEALER, AnyGame, Secret
from engine.record import By, Dealt, Move, Override, Position, Verb
from pbem.commands.overriding import Moderating, Rollback, RollbackTo, Rollforward
from pbem.draft import Draft, Refused
from pbem.moderation.signing import in_play, overruled
from pbem.settle import Logged
from pbem.table import Table
from pbem.verdicts import Reason

BY_PEOPLE = frozenset({By.SEAT, By.PLAN, By.BOT, By.MODERATOR, By.FALLBACK, By.SKIP})
"""What ROLLBACK counts; only answers and deals go with the move that led to them."""


def rollback(draft: Draft, n: int, text: str, command: Rollback) -> Draft:
    """Take back the last moves that people made, with all that followed from them. Plans are cleared."""
    table = in_play(draft)
    log = draft.log(table)
    moves = _moves_by_people(log)
    if not 1 <= command.count <= len(moves):
        raise Refused(Reason.NOTHING_TO_ROLL_BACK, asked=command.count, there=len(moves))
    return _back(draft, table, moves[-command.count] - 1, command, n, text)


def rollback_to(draft: Draft, n: int, text: str, command: RollbackTo) -> Draft:
    """Back to where a phase of a round began: to its first position in which people were awaited."""
    table = in_play(draft)
    log = draft.log(table)
    past = _past(table, log)
    wanted = (command.round, command.phase)
    alive = [0, *record.living(_said(log))]
    to = next((n for n in alive[:-1] if _rests_in(table.game, past[n], wanted)), None)
    if to is None:
        raise Refused(Reason.NO_SUCH_PHASE, round=command.round, phase=command.phase)
    return _back(draft, table, to, command, n, text)


def rollforward(draft: Draft, n: int, text: str, command: Rollforward) -> Draft:
    """Undo the last rollback, as long as nobody has moved since."""
    table = in_play(draft)
    log = draft.log(table)
    undone = record.undoable(_said(log))
    if not undone:
        raise Refused(Reason.NOTHING_TO_ROLL_FORWARD, game=table.name)
    past = _past(table, log)
    facts = {"before": place(table.game, past[-1]), "after": place(table.game, past[undone - 1])}
    what = Override(Verb.ROLLFORWARD, to=undone - 1)
    return overruled(draft, table, what, command, facts, past).doing(n, text, "rolled_forward", **facts)


def place(game: AnyGame, position: Position) -> dict[str, Any]:
    """The round and phase of a position, for a template; nothing when the game is over in it."""
    waiting = game.waiting(position.state)
    return {"round": waiting[0].round, "phase": waiting[0].phase} if waiting else {}


def _back(draft: Draft, table: Table, to: int, command: Moderating, n: int, text: str) -> Draft:
    log = draft.log(table)
    past = _past(table, log)
    gone = [logged for logged in log if logged.entry.n > to]
    seen = sorted({event.seat for logged in gone for event in logged.events if isinstance(event, Secret)})
    facts = {
        "before": place(table.game, past[-1]),
        "after": place(table.game, past[to]),
        "moves": len(_moves_by_people(log)) - len(_moves_by_people(log[:to])),
        "of": sorted(_movers(log, to)),
        "deals": sum(isinstance(logged.entry.what, Dealt) for logged in gone),
        "seen": seen,
    }
    drafted = overruled(draft, table, Override(Verb.ROLLBACK, to=to), command, facts, past)
    names = [table.names[seat - 1] for seat in seen]
    return drafted.doing(n, text, "rolled_back", **(facts | {"seen": names}))


def _movers(log: Sequence[Logged], to: int) -> set[int]:
    """The seats of the moves by people behind entry `to`."""
    moves = (log[number - 1].entry.what for number in _moves_by_people(log) if number > to)
    return {what.seat for what in moves if isinstance(what, Move)}


def _rests_in(game: AnyGame, position: Position, wanted: tuple[int, str]) -> bool:
    """Whether people are awaited in a position of that round and phase."""
    waiting = game.waiting(position.state)
    if not waiting or (waiting[0].round, waiting[0].phase.lower()) != wanted:
        return False
    return all(decision.seat != DEALER and decision.answers > 1 for decision in waiting)


def _past(table: Table, log: Sequence[Logged]) -> list[Position]:
    assert table.header is not None
    return record.positions(table.game, table.header, _said(log))


def _said(log: Sequence[Logged]) -> list[record.What]:
    return [logged.entry.what for logged in log]


def _moves_by_people(log: Sequence[Logged]) -> list[int]:
    """The numbers of the moves that still count and that people made."""
    said = _said(log)
    return [n for n in record.living(said) if isinstance(what := said[n - 1], Move) and what.by in BY_PEOPLE]
