"""Counting the votes of a table: who may vote on what, who has, and how many it takes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pbem.ballot import Ballot, Motion
from pbem.schedule import Votes
from pbem.table import Chair, Status, Table


@dataclass(frozen=True, slots=True)
class Tally:
    """How a motion stands in this round."""

    motion: Motion
    seat: int
    """Whom it is about; 0 for nobody."""
    voters: tuple[int, ...]
    """The seats that may vote on it."""
    cast: tuple[int, ...]
    """Those of them that have voted for it."""
    needed: int

    @property
    def missing(self) -> int:
        """How many more votes it takes."""
        return max(0, self.needed - len(self.cast))


def tally(table: Table, motion: Motion, seat: int = 0) -> Tally:
    """How `motion` about `seat` stands at `table`, which has begun."""
    voters = tuple(chair for chair in table.chairs if _may_vote(table, chair, motion, seat))
    cast = tuple(chair.seat for chair in voters if _stands(table, chair) == (motion, seat))
    needed = len(voters) if table.schedule.votes is Votes.ALL else len(voters) // 2 + 1
    return Tally(motion, seat, tuple(chair.seat for chair in voters), cast, needed)


def tallies(table: Table) -> tuple[Tally, ...]:
    """Every motion that somebody has voted for in this round, in order of seats."""
    if table.status is not Status.RUNNING:
        return ()
    motions = dict.fromkeys(filter(None, (_stands(table, chair) for chair in table.chairs)))
    counted = (tally(table, *motion) for motion in motions)
    return tuple(each for each in counted if each.cast)


def round_of(table: Table) -> int:
    """The round that a running game is in, paused or not."""
    return max((decision.round for decision in table.game.waiting(table.running.state)), default=0)


def without(table: Table, motion: Motion, seat: int = 0) -> Table:
    """`table` with no vote for `motion` about `seat`; 0: about anybody."""
    chairs = tuple(replace(c, ballot=None) if _is_for(c.ballot, motion, seat) else c for c in table.chairs)
    return replace(table, chairs=chairs) if chairs != table.chairs else table


def _is_for(ballot: Ballot | None, motion: Motion, seat: int) -> bool:
    return ballot is not None and ballot.motion is motion and seat in (0, ballot.seat)


def _may_vote(table: Table, chair: Chair, motion: Motion, seat: int) -> bool:
    """Every player may, but about himself: nobody votes on his own seat, nor a moderator on his own place."""
    if chair.person is None:
        return False
    if motion is Motion.MODERATOR:
        return chair.person.id != table.moderator.id
    return motion is not Motion.REPLACE or chair.seat != seat


def _stands(table: Table, chair: Chair) -> tuple[Motion, int] | None:
    """What the player of `chair` has voted for in this round."""
    ballot = chair.ballot
    return (ballot.motion, ballot.seat) if ballot and ballot.round == round_of(table) else None
