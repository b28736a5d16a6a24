"""Stopping a game, for a time or for good."""

from __future__ import annotations

from engine.record import Override, Verb
from pbem.commands.costly import END, asked_again, code_for, is_confirmed
from pbem.commands.overriding import End, Pause, Resume
from pbem.draft import Draft, Refused
from pbem.moderation.signing import in_play, overruled
from pbem.table import unasked
from pbem.verdicts import Reason


def pause(draft: Draft, n: int, text: str, command: Pause) -> Draft:
    """Stop the game and its clock; orders sent meanwhile are kept as plans."""
    table = in_play(draft)
    if table.running.paused:
        raise Refused(Reason.PAUSED, game=table.name)
    return overruled(draft, unasked(table), Override(Verb.PAUSE), command).doing(n, text, "paused")


def resume(draft: Draft, n: int, text: str, command: Resume) -> Draft:
    """Go on; whoever is awaited is asked anew, with a full clock."""
    table = in_play(draft)
    if not table.running.paused:
        raise Refused(Reason.NOT_PAUSED, game=table.name)
    return overruled(draft, table, Override(Verb.RESUME), command).doing(n, text, "resumed")


def end(draft: Draft, n: int, text: str, command: End) -> Draft:
    """End the game, with the result that it has now or without one; its record is laid open for good."""
    table = in_play(draft)
    if command.scored and "finish" not in table.game.capabilities:
        raise Refused(Reason.NO_RESULT, title=table.game.title)
    if not is_confirmed(draft, END, table, command.code):
        if not command.scored:
            return asked_again(draft, n, text, END, table, command.code)
        code = code_for(draft, END, table)
        return draft.answering(n, text, "end_asked", game=table.name, code=code, late=bool(command.code))
    what = Override(Verb.FINISH if command.scored else Verb.END)
    return overruled(draft, unasked(table), what, command).doing(n, text, "ended", scored=command.scored)
