"""A trial copy of a game, in which everything unseen is drawn anew: whoever moderates tries out what would come."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import msgspec

from engine import shuffle
from engine.record import Header, Override, Trial, Verb
from engine.shuffle import Stream
from pbem.commands.overriding import Clone
from pbem.draft import Draft, Refused
from pbem.levels import levels
from pbem.moderation.signing import in_play, overruled
from pbem.parties import Notice, moderator_party
from pbem.schedule import NO_DEADLINE
from pbem.table import Chair, Status, Table, opened
from pbem.verdicts import Reason, Said

USAGE = "CLONE, one in each mail"
CLONED = "cloned"
DRAWN = 0
"""The number of the shuffle that everything unseen is drawn with; those of a game begin with 1."""


def clone(draft: Draft, n: int, text: str, command: Clone) -> Draft:
    """Copy what the sender may see of a game, and nothing else of it, into a game of his own."""
    table = in_play(draft)
    if "sample" not in table.game.capabilities:
        raise Refused(Reason.NO_TRIALS, title=table.game.title)
    if not draft.tables.keys() <= draft.known.tables.keys():
        raise Refused(Reason.USAGE, said=Said.UNREAD, near=(USAGE,), usage=USAGE)
    copy = _copy(draft, table, bots=command.bots)
    trial, written = opened(copy, _header(table, copy, _drawn(draft, table)))
    facts = {"game": trial.name, "of": table.name, "title": table.game.title, "bots": command.bots}
    told = overruled(draft, table, Override(Verb.CLONE), command, {"after": trial.name})
    notices = (*told.notices, Notice(moderator_party(trial), CLONED, facts))
    return replace(told.changing(trial, written), notices=notices).doing(n, text, "cloned", game=trial.name)


def _copy(draft: Draft, table: Table, *, bots: bool) -> Table:
    """Another table of the same game, whose seats the sender answers for alone, or bots do."""
    level = levels(table.game)[0] if bots and levels(table.game) else ""
    name = f"{table.name}-trial-{draft.known.next_number}"
    return Table(
        id=0,
        name=name,
        game=table.game,
        options=table.options,
        places=len(table.chairs),
        status=Status.RUNNING,
        moderator=draft.sender,
        secret=_secret(name, draft.known.entropy),
        chosen=draft.known.chosen,
        schedule=NO_DEADLINE,
        chairs=tuple(Chair(chair.seat, None, bot=level) for chair in table.chairs),
    )


def _secret(name: str, entropy: str) -> str:
    """A secret of the copy's own, from which nobody finds that of its original, though both were chosen alike.

    It is published when the copy ends, while its original may still be played.
    """
    return hashlib.sha256(f"pbem trial 1\n{name}\n{entropy}\n".encode()).hexdigest()


def _header(table: Table, copy: Table, state: Any) -> Header:
    """Marked as a trial copy of `table` that begins with `state`."""
    assert table.header is not None
    trial = Trial(table.name, table.running.n, msgspec.json.decode(table.game.encode(state)))
    commitment = shuffle.commitment(copy.name, copy.secret)
    changed = {"game": copy.name, "commitment": commitment, "phrases": (), "chosen": copy.chosen, "trial": trial}
    return msgspec.structs.replace(table.header, **changed)


def _drawn(draft: Draft, table: Table) -> Any:
    """A position that looks to the sender as this one does: to who does not play, as it does to everybody."""
    seat = 0 if draft.known.keeper else table.seat_of(draft.sender)
    stream = Stream(shuffle.seed(table.name, draft.known.entropy, DRAWN))
    return table.game.capabilities["sample"](table.view(seat or None), stream)
