"""Every override once, and what it takes: the table that the suites about all of them go through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final

from engine.record import By, Verb
from pbem.commands import overriding
from pbem.commands.overriding import Moderating

EVERYBODY: Final = ("anna", "bob", "chen")


@dataclass(frozen=True, slots=True)
class Case:
    """A line of the moderator's in the first night of inn-1, which Anna, Bob and Chen play."""

    line: str
    entry: Verb | By | None
    """What it becomes in the record; nothing for what changes nothing there."""
    told: str
    """What the mails of all players say of it."""
    before: tuple[str, ...] = ()
    """Lines of the moderator that have to stand first, each a mail of its own; ``wait 49h`` lets time pass."""
    seats: tuple[str, ...] = EVERYBODY
    """Who is told by a mail of a seat."""
    reasoned: bool = True
    """It may end in its reason."""
    coded: bool = False
    """By mail it takes a code, which is asked for first."""
    early: str = "has not begun yet"
    """What it is refused with before the start."""
    lobby: bool = False
    """It belongs before the start, and is refused once the game runs."""

    ended: bool = False
    """It belongs behind the end."""

    @property
    def recorded(self) -> bool:
        return self.entry is not None


CASES: Final[Mapping[type[Moderating], tuple[Case, ...]]] = {
    overriding.Pause: (Case("PAUSE", Verb.PAUSE, "paused the game"),),
    overriding.Resume: (Case("RESUME", Verb.RESUME, "let the game go on", before=("PAUSE",)),),
    overriding.End: (
        Case("END", Verb.END, "ended the game", coded=True),
        Case("END WITH RESULT", Verb.FINISH, "with the result that it has now", coded=True),
        Case("END SEALED", Verb.END, "stay sealed until", coded=True),
    ),
    overriding.Reveal: (
        Case("REVEAL", Verb.REVEAL, "laid the game open", before=("END SEALED",), early="is not over yet", ended=True),
    ),
    overriding.SetDeadline: (
        Case("DEADLINE Anna 24h", Verb.DEADLINE, "set another deadline for Anna"),
        Case("DEADLINE ALL none", Verb.DEADLINE, "Anna has until whenever it suits instead of Thursday 3 December"),
    ),
    overriding.Extend: (Case("EXTEND ALL by 24h", Verb.EXTEND, "gave more time to all who are awaited"),),
    overriding.SetOptions: (
        Case("OPTIONS deadline=72h", Verb.OPTIONS, "time is 3 days now, it was 2 days"),
        Case("OPTIONS blind=no", Verb.OPTIONS, "blind is no now, it was yes"),
    ),
    overriding.Excuse: (
        Case("EXCUSE Anna", Verb.EXCUSE, "excused a deadline that Anna had missed", before=("wait 49h",)),
    ),
    overriding.Process: (Case("PROCESS 1 night", By.SKIP, "skipped Anna, so the host moved"),),
    overriding.Skip: (Case("SKIP Anna", By.SKIP, "skipped Anna, so the host moved"),),
    overriding.ActAs: (Case("ACT AS Anna: PASS", By.MODERATOR, "moved for Anna"),),
    overriding.ReplaceSeat: (
        Case(
            "REPLACE Bob dora@elsewhere.org", Verb.REPLACE, "gave the seat of Bob to somebody", seats=("anna", "chen")
        ),
    ),
    overriding.Eject: (Case("EJECT Bob", Verb.EJECT, "took a seat from Bob", seats=("anna", "chen")),),
    overriding.LetBotPlay: (
        Case("BOT Bob", Verb.BOT, "play for Bob, until any order comes from there"),
        Case(
            "BOT Bob OFF",
            Verb.PERSON,
            "lets no bot play for Bob any more",
            before=("BOT Bob",),
            early="No bot plays for Bob",
        ),
    ),
    overriding.OpenSeat: (Case("OPEN Bob", Verb.OPEN, "opened the seat of Bob to anybody", seats=("anna", "chen")),),
    overriding.Swap: (Case("SWAP Anna AND Bob", None, "Bob, Anna and Chen", lobby=True),),
    overriding.ResetToken: (Case("RESET TOKEN Bob", Verb.TOKEN, "gave Bob a new reply address"),),
    overriding.Rollback: (Case("ROLLBACK 1", Verb.ROLLBACK, "took a move back"),),
    overriding.RollbackTo: (Case("ROLLBACK TO 1 evening", Verb.ROLLBACK, "took a move back"),),
    overriding.Rollforward: (Case("ROLLFORWARD", Verb.ROLLFORWARD, "undid the last rollback", before=("ROLLBACK 1",)),),
    overriding.Correct: (Case("CORRECT CASH Anna 12", Verb.CORRECT, "Anna has 12F in cash now, instead of 5"),),
    overriding.Clone: (Case("CLONE", Verb.CLONE, "made a trial copy of the game"),),
    overriding.Announce: (Case("ANNOUNCE a storm is coming", None, "a storm is coming", reasoned=False),),
    overriding.Rule: (Case("RULING it counts", Verb.RULING, "ruled: it counts", reasoned=False),),
    overriding.Note: (Case("NOTE Bob is slow", Verb.NOTE, "", seats=(), reasoned=False),),
    overriding.ResendTo: (Case("RESEND Bob", None, "YOUR HAND", seats=("bob",), reasoned=False),),
    overriding.Rename: (
        Case("RENAME Bob TO Robert", Verb.RENAME, "renamed Bob: at this table the name is Robert now"),
        Case("RENAME GAME TO Winter night", Verb.RENAME, 'calls this table "Winter night". Its name stays'),
    ),
    overriding.Transfer: (Case("TRANSFER Bob", Verb.MODERATOR, "Bob moderates now, no more Modi"),),
    overriding.Promote: (Case("PROMOTE Bob", Verb.PROMOTE, "asked Bob to moderate as well"),),
    overriding.Demote: (Case("DEMOTE Bob", Verb.DEMOTE, "ended that Bob moderates as well", before=("PROMOTE Bob",)),),
}
"""By the word that it is; each has to be here."""
ALL: Final = tuple(chain.from_iterable(CASES.values()))
