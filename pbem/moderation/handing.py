"""The moderator's own place: given to somebody else, or voted to somebody when its holder has vanished."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from engine.record import Override, Verb
from pbem.commands import lobby
from pbem.commands.grammar import Join
from pbem.commands.inviting import offered
from pbem.commands.overriding import Moderating, Transfer, VoteModerator
from pbem.draft import Draft, Refused
from pbem.moderation.signing import in_play, overruled, seat_called
from pbem.names import canonical
from pbem.parties import TO_MODERATE, Invitation, Notice, Party, Role, moderator_party
from pbem.table import Chair, Person, Table
from pbem.verdicts import Reason

HANDED: Final = "handed"
OFFERED: Final = "moderation-offered"
HANDED_OVER: Final = "handed-over"
"""To who moderated before."""
VOTED: Final = "voted"


def transfer(draft: Draft, n: int, text: str, command: Transfer) -> Draft:
    """Somebody else moderates: a player of the table at once, whoever else is registered when he accepts it."""
    table = in_play(draft)
    new = _meant(draft, table, command.name)
    if new.id == table.moderator.id:
        raise Refused(Reason.MODERATES_ALREADY, name=new.name)
    if not table.seat_of(new) and not draft.known.keeper:
        facts = {"game": table.name, "title": table.game.title, "moderator": table.moderator.name}
        drafted = offered(draft, table, [command.name], OFFERED, facts, TO_MODERATE)
        return drafted.doing(n, text, "transfer_offered", address=command.name)
    return _handed(draft, table, new, command).doing(n, text, "transferred", name=new.name)


def join(draft: Draft, n: int, text: str, command: Join) -> Draft:
    """Take what was offered: the table to moderate, or else a place at it."""
    table = draft.about(command.table)
    offer = next((i for i in draft.known.invited if (i.table, i.seat) == (table.name, TO_MODERATE)), None)
    return _accepted(draft, n, text, table, offer) if offer else lobby.join(draft, n, text, command)


def _accepted(draft: Draft, n: int, text: str, table: Table, invitation: Invitation) -> Draft:
    """Moderate `table` from now on, as its present moderator, or the keeper, has offered it."""
    person = draft.sender
    draft.running(table)
    if invitation.by not in (0, table.moderator.id) or not person.confirmed:
        raise Refused(Reason.NOT_INVITED, game=table.name)
    before = Notice(_as_person(table.moderator), HANDED_OVER, {"game": table.name, "name": person.name})
    drafted = _handed(replace(draft, accepted=(*draft.accepted, invitation)), table, person, Moderating(why=""))
    drafted = replace(drafted, notices=(*drafted.notices, before))
    return drafted.doing(n, text, "moderates", game=table.name)


def _as_person(person: Person) -> Party:
    return Party(Role.PERSON, person.address, person)


def vote(draft: Draft, n: int, text: str, command: VoteModerator) -> Draft:
    """A player's vote for another moderator, while the present one is silent. More than half of the others decide, at
    least two; where there is only one other, he decides alone after twice as long a silence."""
    table = draft.running(draft.about(""))
    voter = table.seat_of(draft.sender)
    if not voter:
        raise Refused(Reason.NOT_PLAYING, game=table.name)
    seen, days = _seen(draft, table), table.schedule.vote_after * (1 if len(_voters(table)) > 1 else 2)
    if seen is not None and draft.known.now - seen < timedelta(days=days):
        raise Refused(Reason.MODERATOR_THERE, name=table.moderator.name, days=days)
    seat = seat_called(table, command.name)
    new = table.chair(seat).person
    if new is None or new.id == table.moderator.id:
        raise Refused(Reason.NO_PLAYER, name=command.name)
    voted = table.with_chair(replace(table.chair(voter), vote=seat))
    votes, needed = _count(voted, seat)
    if votes >= needed:
        return _handed(draft, voted, new, Moderating(why="")).doing(n, text, "voted", name=new.name, missing=0)
    facts = {"name": draft.sender.name, "other": new.name, "missing": needed - votes}
    notice = Notice(moderator_party(table), VOTED, facts)
    drafted = replace(draft.changing(voted), notices=(*draft.notices, notice))
    return drafted.doing(n, text, "voted", name=new.name, missing=needed - votes)


def _count(table: Table, seat: int) -> tuple[int, int]:
    """The votes for the player on `seat`, and how many it takes: more than half of all players but the moderator."""
    voters = _voters(table)
    return sum(chair.vote == seat for chair in voters), len(voters) // 2 + 1


def _voters(table: Table) -> list[Chair]:
    """The chairs of all players but the moderator."""
    return [chair for chair in table.chairs if chair.person and chair.person.id != table.moderator.id]


def _seen(draft: Draft, table: Table) -> datetime | None:
    """When the moderator last wrote, or was last known to be away: who has said so has not vanished."""
    seen, away = draft.known.moderator_seen, table.moderator.away
    if away is None or away.begins_at > draft.known.now:
        return seen
    return max(seen or away.ends_at, away.ends_at)


def unvoted(table: Table) -> Table:
    """`table` after a sign of life from its moderator: no vote against him counts any more."""
    if not any(chair.vote for chair in table.chairs):
        return table
    return replace(table, chairs=tuple(replace(chair, vote=0) for chair in table.chairs))


def _handed(draft: Draft, table: Table, new: Person, command: Moderating) -> Draft:
    handed = replace(unvoted(table), moderator=new, moderator_epoch=table.moderator_epoch + 1)
    what = Override(Verb.MODERATOR, seat=table.seat_of(new))
    drafted = overruled(draft, handed, what, command, {"before": table.moderator.name, "after": new.name})
    facts = {"game": table.name, "title": table.game.title, "old": table.moderator.name}
    return replace(drafted, notices=(*drafted.notices, Notice(moderator_party(handed), HANDED, facts)))


def _meant(draft: Draft, table: Table, name: str) -> Person:
    if "@" in name:
        person = draft.known.others.get(canonical(name))
        if person is None or not person.confirmed:
            raise Refused(Reason.BAD_ADDRESS, address=name)
        return person
    person = table.chair(seat_called(table, name)).person
    if person is None:
        raise Refused(Reason.NO_PLAYER, name=name)
    return person
