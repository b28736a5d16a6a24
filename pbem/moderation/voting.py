"""What the players of a table may do without its moderator, by a vote in one round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from engine.record import Override, Verb
from pbem.ballot import Ballot, Motion
from pbem.commands.grammar import Unvote, Vote
from pbem.draft import Draft, Refused
from pbem.moderation.handing import handed, told_of_place
from pbem.moderation.seating import opened, told_about_seat
from pbem.moderation.signing import decreed, seat_called
from pbem.parties import Notice, moderator_party, seat_party
from pbem.settle import VOTED
from pbem.table import Table, unasked
from pbem.tally import Tally, round_of, tally, without
from pbem.verdicts import Reason

FEWEST: Final = 2
"""Who may vote, lest a single player ends a game or opens a seat. A moderator who has vanished has no use for more."""


def vote(draft: Draft, n: int, text: str, command: Vote) -> Draft:
    """A player's vote; it takes the place of his last one. Once there are enough, what they want is done."""
    table = draft.running(draft.about(""))
    seat = _seat_meant(table, command)
    _check(draft, table, command.motion, seat)
    voter = _voter(draft, table)
    now = tally(table, command.motion, seat)
    if voter not in now.voters:
        raise Refused(Reason.NO_VOTE, motion=command.motion.value)
    if len(now.voters) < FEWEST and command.motion is not Motion.MODERATOR:
        raise Refused(Reason.TOO_FEW_VOTERS)
    ballot = Ballot(command.motion, seat, round_of(table))
    voted = table.with_chair(replace(table.chair(voter), ballot=ballot))
    after = tally(voted, command.motion, seat)
    facts = _facts(table, after)
    drafted = draft.changing(voted) if after.missing else EFFECTS[command.motion](draft, voted, after)
    if after != now or not after.missing:
        notices = _told(drafted, voted, after, facts | {"name": table.names[voter - 1]})
        drafted = replace(drafted, notices=(*drafted.notices, *notices))
    return drafted.doing(n, text, "voted", **facts)


def unvote(draft: Draft, n: int, text: str, _: Unvote) -> Draft:
    """Nothing that the sender has voted for counts any more."""
    table = draft.running(draft.about(""))
    chair = table.chair(_voter(draft, table))
    there = chair.ballot is not None and chair.ballot.round == round_of(table)
    after = table.with_chair(replace(chair, ballot=None))
    return draft.changing(after).doing(n, text, "unvoted", there=there)


def _voter(draft: Draft, table: Table) -> int:
    voter = table.seat_of(draft.sender)
    if not voter:
        raise Refused(Reason.NOT_PLAYING, game=table.name)
    return voter


def _seat_meant(table: Table, command: Vote) -> int:
    """The seat that the vote is about, 0 for none; `Refused` where nobody sits there."""
    if not command.name:
        return 0
    seat = seat_called(table, command.name)
    if table.chair(seat).free:
        raise Refused(Reason.FREE_ALREADY, name=table.names[seat - 1])
    if table.chair(seat).person is None:
        raise Refused(Reason.NO_PLAYER, name=table.names[seat - 1])
    return seat


def _facts(table: Table, now: Tally) -> dict[str, Any]:
    """How a motion stands, for a template."""
    about = table.names[now.seat - 1] if now.seat else ""
    return {"motion": now.motion.value, "about": about, "missing": now.missing, "cast": len(now.cast)}


def _told(draft: Draft, table: Table, now: Tally, facts: dict[str, Any]) -> Iterator[Notice]:
    """Who may still vote, while that is wanted; and always those who moderate and do not play."""
    waiting = set(now.voters) - set(now.cast) if now.missing else ()
    after = draft.tables[table.name]
    for seat in sorted(waiting):
        yield Notice(seat_party(table, seat), VOTED, facts)
    for person in table.moderators:
        if not table.seat_of(person) and after.moderates(person):
            yield Notice(moderator_party(after, person), VOTED, facts)


# What may be voted for, when


def _check(draft: Draft, table: Table, motion: Motion, seat: int) -> None:
    """`Refused` for what this game, or its moderator, gives no occasion to vote for."""
    if motion is Motion.END and "finish" not in table.game.capabilities:
        raise Refused(Reason.NO_RESULT, near=("VOTE ABORT",), title=table.game.title)
    if motion is Motion.MODERATOR:
        _check_silence(draft, table, seat)


def _check_silence(draft: Draft, table: Table, seat: int) -> None:
    """Another moderator only when the present one is silent; twice as long where a single player decides."""
    chair = table.chair(seat)
    if chair.person is None or chair.person.id == table.moderator.id:
        raise Refused(Reason.NO_PLAYER, name=chair.name)
    others = len(tally(table, Motion.MODERATOR, seat).voters)
    seen, days = _seen(draft, table), table.schedule.vote_after * (1 if others > 1 else 2)
    if seen is not None and draft.known.now - seen < timedelta(days=days):
        raise Refused(Reason.MODERATOR_THERE, name=table.moderator.name, days=days)


def _seen(draft: Draft, table: Table) -> datetime | None:
    """When the moderator last wrote, or was last known to be away: who has said so has not vanished."""
    seen, away = draft.known.moderator_seen, table.moderator.away
    if away is None or away.begins_at > draft.known.now:
        return seen
    return max(seen or away.ends_at, away.ends_at)


# What it does


def _finish(draft: Draft, table: Table, won: Tally) -> Draft:
    return decreed(draft, unasked(table), Override(Verb.FINISH, votes=len(won.cast)))


def _end(draft: Draft, table: Table, won: Tally) -> Draft:
    return decreed(draft, unasked(table), Override(Verb.END, votes=len(won.cast)))


def _open(draft: Draft, table: Table, won: Tally) -> Draft:
    old = table.chair(won.seat).person
    what = Override(Verb.OPEN, seat=won.seat, votes=len(won.cast))
    drafted = decreed(
        draft, opened(without(table, Motion.REPLACE, won.seat), won.seat), what, {"before": table.names[won.seat - 1]}
    )
    return told_about_seat(drafted, table, won.seat, old, voted=True)


def _hand_over(draft: Draft, table: Table, won: Tally) -> Draft:
    new = table.chair(won.seat).person
    assert new is not None, "a vote was counted for an empty seat"
    what = Override(Verb.MODERATOR, seat=won.seat, votes=len(won.cast))
    facts = {"before": table.moderator.name, "after": new.name}
    return told_of_place(decreed(draft, handed(table, new), what, facts), table, new)


EFFECTS: Final[Mapping[Motion, Callable[[Draft, Table, Tally], Draft]]] = {
    Motion.END: _finish,
    Motion.ABORT: _end,
    Motion.REPLACE: _open,
    Motion.MODERATOR: _hand_over,
}
