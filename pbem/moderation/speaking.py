"""What a moderator says to his table: announcements are press, rulings are kept with the game."""

from __future__ import annotations

from dataclasses import replace

from engine.record import Override, Verb
from pbem.commands.overriding import Announce, ListNotes, Note, ResendTo, Rule
from pbem.draft import Draft, Refused
from pbem.moderation.signing import in_play, moderating, overruled, seat_called
from pbem.parties import Notice, seat_party
from pbem.settle import is_private
from pbem.verdicts import Reason

ANNOUNCEMENT = "announcement"
RESENT = "resent"
LONGEST_WORDS = 1000


def announce(draft: Draft, n: int, text: str, command: Announce) -> Draft:
    """Words for every player; the record does not hold them."""
    table = in_play(draft)
    facts = {"moderator": "" if draft.known.keeper else draft.sender.name, "words": _plain(command.words)}
    notices = tuple(
        Notice(seat_party(table, chair.seat), ANNOUNCEMENT, facts) for chair in table.chairs if chair.person
    )
    return replace(draft, notices=(*draft.notices, *notices)).doing(n, text, "announced", count=len(notices))


def rule(draft: Draft, n: int, text: str, command: Rule) -> Draft:
    """What was decided about a dispute, told to all and kept with the game."""
    table = in_play(draft)
    said = replace(command, why=_plain(command.words))
    return overruled(draft, table, Override(Verb.RULING), said).doing(n, text, "ruled")


def note(draft: Draft, n: int, text: str, command: Note) -> Draft:
    """What the moderators keep in mind: its words are for them alone, now and when the game is over."""
    table = in_play(draft)
    said = replace(command, why=_plain(command.words))
    return overruled(draft, table, Override(Verb.NOTE), said).doing(n, text, "noted")


def list_notes(draft: Draft, n: int, text: str, _: ListNotes) -> Draft:
    """All that was noted so far, with its time and who noted it."""
    table = moderating(draft)
    notes = [
        [logged.at.isoformat(), logged.remark.name if logged.remark.by else "", logged.remark.why]
        for logged in draft.log(table)
        if is_private(logged.entry.what) and logged.remark
    ]
    return draft.answering(n, text, "notes", notes=notes, game=table.name)


def resend(draft: Draft, n: int, text: str, command: ResendTo) -> Draft:
    """The newest state, once more, to a player who has lost it."""
    table = in_play(draft)
    seat = seat_called(table, command.name)
    name = table.names[seat - 1]
    if table.chair(seat).person is None:
        raise Refused(Reason.NO_PLAYER, name=name)
    notice = Notice(seat_party(table, seat), RESENT, {"game": table.name})
    return replace(draft, notices=(*draft.notices, notice)).doing(n, text, "resent", name=name)


def _plain(words: str) -> str:
    return " ".join(words.split())[:LONGEST_WORDS]
