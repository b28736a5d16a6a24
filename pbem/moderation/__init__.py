"""What a moderator may do: one idea a file, each override an entry of the record that every seat is told of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pbem.commands import grammar, overriding
from pbem.commands.overriding import Moderating
from pbem.draft import Draft
from pbem.moderation import (
    acting,
    cloning,
    correcting,
    handing,
    pausing,
    previewing,
    renaming,
    rolling,
    seating,
    speaking,
    timing,
    voting,
)
from pbem.moderation.signing import informed

unvoted = handing.unvoted
Handler = Callable[[Draft, int, str, Any], Draft]

OVERRIDES: Final[Mapping[type[Moderating], Handler]] = {
    overriding.Pause: pausing.pause,
    overriding.Resume: pausing.resume,
    overriding.End: pausing.end,
    overriding.Reveal: pausing.reveal,
    overriding.SetDeadline: timing.set_deadline,
    overriding.Extend: timing.extend,
    overriding.SetOptions: timing.set_options,
    overriding.Excuse: timing.excuse,
    overriding.Process: acting.process,
    overriding.Skip: acting.skip,
    overriding.ActAs: acting.act_as,
    overriding.ReplaceSeat: seating.replace_seat,
    overriding.Eject: seating.eject,
    overriding.LetBotPlay: seating.let_bot_play,
    overriding.OpenSeat: seating.open_seat,
    overriding.Swap: seating.swap,
    overriding.ResetToken: seating.reset_token,
    overriding.Rollback: rolling.rollback,
    overriding.RollbackTo: rolling.rollback_to,
    overriding.Rollforward: rolling.rollforward,
    overriding.Correct: correcting.correct,
    overriding.Clone: cloning.clone,
    overriding.Announce: speaking.announce,
    overriding.Rule: speaking.rule,
    overriding.Note: speaking.note,
    overriding.ResendTo: speaking.resend,
    overriding.Rename: renaming.rename,
    overriding.Transfer: handing.transfer,
    overriding.Promote: handing.promote,
    overriding.Demote: handing.demote,
}
"""What each of a moderator's words does."""


def preview(draft: Draft, n: int, text: str, command: overriding.Preview) -> Draft:
    """What another of these words would do."""
    return previewing.preview(draft, n, text, command, OVERRIDES)


def _told_to_all_moderators(handler: Handler) -> Handler:
    """`handler`, of which every other moderator learns: the players are told anyway."""

    def handle(draft: Draft, n: int, text: str, command: Any) -> Draft:
        return informed(draft, handler(draft, n, text, command), text)

    return handle


HANDLERS: Final[Mapping[type[Any], Handler]] = {
    **{kind: _told_to_all_moderators(handler) for kind, handler in OVERRIDES.items()},
    overriding.Preview: preview,
    overriding.ListNotes: speaking.list_notes,
    grammar.Vote: voting.vote,
    grammar.Unvote: voting.unvote,
    grammar.Join: handing.join,
}
"""The same, and what only looks or is for players to say."""
