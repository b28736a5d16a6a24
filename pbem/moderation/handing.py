"""The moderator's own place: given to somebody else, or voted to somebody when its holder has vanished."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from engine.record import Override, Verb
from pbem.commands import lobby
from pbem.commands.grammar import Join
from pbem.commands.inviting import offered
from pbem.commands.overriding import Demote, Moderating, Promote, Transfer, VoteModerator
from pbem.draft import Draft, Refused
from pbem.moderation.signing import in_play, named, overruled, seat_called
from pbem.names import canonical, folded
from pbem.parties import TO_ASSIST, TO_MODERATE, Invitation, Notice, Party, Role, moderator_party
from pbem.table import Chair, Person, Table
from pbem.verdicts import Reason

HANDED: Final = "handed"
OFFERED: Final = "moderation-offered"
HANDED_OVER: Final = "handed-over"
"""To who moderated before."""
PROMOTED: Final = "promoted"
PROMOTION_OFFERED: Final = "promotion-offered"
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
    offered_here = (i for i in draft.known.invited if i.table == table.name and i.seat in ACCEPTED)
    offer = next(offered_here, None)
    return _accepted(draft, n, text, table, offer) if offer else lobby.join(draft, n, text, command)


def _accepted(draft: Draft, n: int, text: str, table: Table, invitation: Invitation) -> Draft:
    """Moderate `table` from now on, alone or as well, as one of its moderators, or the keeper, has offered it."""
    draft.running(table)
    if invitation.by not in (0, *(each.id for each in table.moderators)) or not draft.sender.confirmed:
        raise Refused(Reason.NOT_INVITED, game=table.name)
    drafted = ACCEPTED[invitation.seat](replace(draft, accepted=(*draft.accepted, invitation)), table)
    return drafted.doing(n, text, "moderates", game=table.name)


def _taken_over(draft: Draft, table: Table) -> Draft:
    person = draft.sender
    before = Notice(_as_person(table.moderator), HANDED_OVER, {"game": table.name, "name": person.name})
    drafted = _handed(draft, table, person, Moderating(why=""))
    return replace(drafted, notices=(*drafted.notices, before))


def _joined(draft: Draft, table: Table) -> Draft:
    return _promoted(draft, table, draft.sender, Moderating(why=""))


ACCEPTED: Final = {TO_MODERATE: _taken_over, TO_ASSIST: _joined}
"""What taking an offer to moderate brings about."""


def _as_person(person: Person) -> Party:
    return Party(Role.PERSON, person.address, person)


def promote(draft: Draft, n: int, text: str, command: Promote) -> Draft:
    """Somebody moderates as well: a player of the table at once, whoever else is registered when he accepts it."""
    table = in_play(draft)
    new = _meant(draft, table, command.name)
    if table.moderates(new):
        raise Refused(Reason.MODERATES_ALREADY, name=new.name)
    if not table.seat_of(new) and not draft.known.keeper:
        facts = {"game": table.name, "title": table.game.title, "moderator": named(draft)}
        drafted = offered(draft, table, [command.name], PROMOTION_OFFERED, facts, TO_ASSIST)
        return drafted.doing(n, text, "promotion_offered", address=command.name)
    return _promoted(draft, table, new, command).doing(n, text, "promoted", name=new.name)


def _promoted(draft: Draft, table: Table, new: Person, command: Moderating) -> Draft:
    shared = tuple(sorted((*table.co_moderators, new), key=lambda each: each.id))
    promoted = replace(table, co_moderators=shared)
    what = Override(Verb.PROMOTE, seat=table.seat_of(new))
    drafted = overruled(draft, promoted, what, command, {"after": new.name})
    facts = {"game": table.name, "title": table.game.title}
    return replace(drafted, notices=(*drafted.notices, Notice(moderator_party(promoted, new), PROMOTED, facts)))


def demote(draft: Draft, n: int, text: str, command: Demote) -> Draft:
    """Who was promoted moderates no more, and his key as the moderator is void. The moderator himself can TRANSFER."""
    table = in_play(draft)
    wanted = (folded(command.name), canonical(command.name))
    old = next((each for each in table.co_moderators if folded(each.name) in wanted or each.address in wanted), None)
    if old is None:
        raise Refused(Reason.NOT_PROMOTED, near=[each.name for each in table.co_moderators], name=command.name)
    left = tuple(each for each in table.co_moderators if each.id != old.id)
    what = Override(Verb.DEMOTE, seat=table.seat_of(old))
    drafted = overruled(draft, replace(table, co_moderators=left), what, command, {"before": old.name})
    return drafted.doing(n, text, "demoted", name=old.name)


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
    beside = tuple(each for each in table.co_moderators if each.id != new.id)
    epoch = table.moderator_epoch + 1
    handed = replace(unvoted(table), moderator=new, moderator_epoch=epoch, co_moderators=beside)
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
