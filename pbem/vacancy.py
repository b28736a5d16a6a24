"""A seat that nobody sits on, in a running game that waits for it.

Its moderators are told, and reminded at growing distances. After as many days as a moderator who is asked may be
silent it falls to what a missed deadline does, so that no empty seat stops a table for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from pbem.parties import Changed, Decided, Notice, moderator_party, seat_party
from pbem.schedule import Clock, Schedule
from pbem.table import Chair, Table

VACANT: Final = "vacant"
"""To the moderators: the game waits for an empty seat."""
FALLEN: Final = "fallen"
"""To everybody: it does so no more."""
FIRST: Final = timedelta(days=1)
"""Until the first reminder, or half of the time if that is less; each later one takes twice as long as the last."""


def awaited(table: Table, now: datetime) -> Decided | None:
    """The clock of an empty seat whose decision the game has come to; nothing if it runs already.

    A trial copy has empty seats by its nature, and waits for its moderator alone.
    """
    if table.is_trial:
        return None
    for decision in table.free:
        chair = table.chair(decision.seat)
        if chair.vacant and chair.asked != decision.key:
            asked = replace(chair, asked=decision.key, kind=decision.kind, clock=started(table.schedule, now))
            return Decided(tables=(Changed(table, table.with_chair(asked)),), notices=tuple(waits(table, asked)))
    return None


def started(schedule: Schedule, now: datetime) -> Clock:
    """The clock of an empty seat that is awaited from `now`, until its moderator has been silent for too long."""
    ends_at = now + timedelta(days=schedule.moderator_silent)
    return reminded(Clock(now, ends_at, ends_at), now)


def reminded(clock: Clock, now: datetime) -> Clock:
    """`clock` with the next reminder that lies after `now`: those between are never made up for."""
    return replace(clock, remind_at=next((each for each in _reminders(clock) if each > now), None))


def waits(table: Table, chair: Chair) -> Iterator[Notice]:
    """What all moderators are told of an empty seat whose clock runs."""
    assert chair.clock is not None
    facts = {"game": table.name, "name": chair.name, "free": chair.free, "until": chair.clock.lapses_at.isoformat()}
    return (Notice(moderator_party(table, each), VACANT, facts) for each in table.moderators)


def fallen(table: Table, chair: Chair) -> Iterator[Notice]:
    """What everybody is told of an empty seat that nobody waits for any more; who moderates, how to give it away."""
    facts = {"game": table.name, "name": chair.name, "free": chair.free}
    players = (each for each in table.chairs if each.person and not table.moderates(each.person))
    yield from (Notice(seat_party(table, each.seat), FALLEN, facts) for each in players)
    yield from (Notice(moderator_party(table, each), FALLEN, facts) for each in table.moderators)


def _reminders(clock: Clock) -> Iterator[datetime]:
    distance = min(FIRST, (clock.lapses_at - clock.began_at) / 2)
    moment = clock.began_at + distance
    while moment < clock.lapses_at:
        yield moment
        distance *= 2
        moment += distance
