"""Stopping a game, for a time or for good."""

from __future__ import annotations

from dataclasses import replace

from engine.record import Override, Verb
from pbem.commands.costly import END, asked_again, code_for, is_confirmed
from pbem.commands.overriding import End, Pause, Resume, Reveal
from pbem.draft import Draft, Refused
from pbem.moderation.signing import in_play, moderating, overruled
from pbem.table import Status, unasked
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
    """End the game, with the result that it has now or without one. Its record is laid open for good, or, where it has
    no result, stays sealed if the moderator wants it so."""
    table = in_play(draft)
    if command.scored and "finish" not in table.game.capabilities:
        raise Refused(Reason.NO_RESULT, title=table.game.title)
    if not is_confirmed(draft, END, table, command.code):
        if not command.scored and not command.sealed:
            return asked_again(draft, n, text, END, table, command.code)
        code = code_for(draft, END, table)
        return draft.answering(
            n, text, "end_asked", game=table.name, code=code, late=bool(command.code), sealed=command.sealed
        )
    what = Override(Verb.FINISH if command.scored else Verb.END)
    after = unasked(replace(table, sealed=command.sealed))
    drafted = overruled(draft, after, what, command, {"sealed": True} if command.sealed else {})
    return drafted.doing(n, text, "ended", scored=command.scored, sealed=command.sealed)


def reveal(draft: Draft, n: int, text: str, command: Reveal) -> Draft:
    """Lay open, for good, a game that was ended sealed: everybody gets its record, and the archive its page."""
    table = moderating(draft)
    if table.status is not Status.ENDED or not table.sealed:
        over = table.status in (Status.OVER, Status.ENDED)
        raise Refused(Reason.NOT_SEALED, game=table.name, over=over)
    again = tuple(replace(watcher, round=0) for watcher in table.watchers)
    after = unasked(replace(table, sealed=False, watchers=again))
    return overruled(draft, after, Override(Verb.REVEAL), command).doing(n, text, "revealed", game=table.name)
