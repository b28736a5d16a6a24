"""The moderator's own place: given to somebody else, or shared."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.record import Override, Verb
from pbem.ballot import Motion
from pbem.commands import lobby
from pbem.commands.grammar import Join
from pbem.commands.inviting import offered
from pbem.commands.overriding import Demote, Moderating, Promote, Transfer
from pbem.draft import Draft, Refused
from pbem.moderation.signing import in_play, named, overruled, seat_called
from pbem.names import canonical, folded
from pbem.parties import TO_ASSIST, TO_MODERATE, Invitation, Notice, Party, Role, moderator_party
from pbem.table import Person, Table
from pbem.tally import without
from pbem.verdicts import Reason

HANDED: Final = "handed"
OFFERED: Final = "moderation-offered"
HANDED_OVER: Final = "handed-over"
"""To who moderated before."""
PROMOTED: Final = "promoted"
PROMOTION_OFFERED: Final = "promotion-offered"


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


def _handed(draft: Draft, table: Table, new: Person, command: Moderating) -> Draft:
    what = Override(Verb.MODERATOR, seat=table.seat_of(new))
    facts = {"before": table.moderator.name, "after": new.name}
    return told_of_place(overruled(draft, handed(table, new), what, command, facts), table, new)


def handed(table: Table, new: Person) -> Table:
    """`table` with `new` as its moderator, and the keys of all who moderate made anew."""
    beside = tuple(each for each in table.co_moderators if each.id != new.id)
    epoch = table.moderator_epoch + 1
    return replace(unvoted(table), moderator=new, moderator_epoch=epoch, co_moderators=beside)


def unvoted(table: Table) -> Table:
    """`table` after a sign of life from its moderator: no vote against him counts any more."""
    return without(table, Motion.MODERATOR)


def told_of_place(draft: Draft, before: Table, new: Person) -> Draft:
    """`draft` with a word to the `new` moderator of a table; `before`, it was somebody else's."""
    facts = {"game": before.name, "title": before.game.title, "old": before.moderator.name}
    to = moderator_party(draft.tables[before.name], new)
    return replace(draft, notices=(*draft.notices, Notice(to, HANDED, facts)))


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
