"""REMATCH: those who have played a game to its end sit down again, each of them one seat on."""

from __future__ import annotations

from dataclasses import replace

from pbem.commands.lobby import begun_at, check_secret_left
from pbem.commands.questions import table_facts
from pbem.commands.words import Rematch
from pbem.draft import Draft, Refused
from pbem.parties import Notice, moderator_party, seat_party
from pbem.persons import Person
from pbem.plans.standing import renumbered
from pbem.table import Chair, Status, Table, table_name
from pbem.verdicts import Reason


def rematch(draft: Draft, n: int, text: str, command: Rematch) -> Draft:
    """Sit down again. The first who wants to opens the table and all others are asked; it begins by itself with the
    last of them, and the moderator may START it before."""
    old = draft.about(command.table)
    if old.status in (Status.OPEN, Status.RUNNING):
        raise Refused(Reason.NOT_OVER, game=old.name)
    if not old.seat_of(draft.sender):
        raise Refused(Reason.NOT_SEATED, game=old.name)
    found = draft.tables.get(draft.known.rematches.get(old.name, ""))
    new = found or _opened(draft, old)
    _check_place(new, draft.sender)
    seated = _with(new, old, draft.sender)
    if not _missing(seated, old):
        begun = begun_at(draft, seated)
        to = seat_party(seated, seated.seat_of(draft.sender))
        return replace(begun, to=to).doing(n, text, "rematch", missing=[], **table_facts(seated))
    asked = () if found else tuple(_asking(old, seated, draft.sender))
    told = replace(draft.changing(seated), notices=(*draft.notices, *asked))
    missing = [person.name for person in _missing(seated, old)]
    return told.doing(n, text, "rematch", missing=missing, **table_facts(seated))


def _opened(draft: Draft, old: Table) -> Table:
    """A table like `old`, at which only its bots sit."""
    check_secret_left(draft)
    new = Table(
        id=0,
        name=table_name(old.game.name, draft.known.next_number),
        rematch_of=old.name,
        game=old.game,
        options=old.options,
        places=len(old.chairs),
        status=Status.OPEN,
        moderator=old.moderator,
        secret=draft.known.entropy,
        chosen=draft.known.chosen,
        schedule=old.schedule,
    )
    bots = tuple(Chair(0, None, bot=chair.bot) for chair in old.chairs if chair.bot and not chair.person)
    return _numbered(new, bots)


def _check_place(new: Table, person: Person) -> None:
    if new.status is not Status.OPEN:
        raise Refused(Reason.STARTED, game=new.name)
    if new.seat_of(person):
        raise Refused(Reason.ALREADY_SEATED, game=new.name)
    if len(new.chairs) >= new.places:
        raise Refused(Reason.TABLE_FULL, game=new.name)


def _with(new: Table, old: Table, person: Person) -> Table:
    """`new` with `person` on his seat: in the order of `old`, its bots with them, whose first player comes last now.

    Who did not play there, since a moderator seated him, sits behind them.
    """
    left = [*new.chairs, Chair(0, person)]
    ordered = []
    for each in (*old.chairs[1:], *old.chairs[:1]):
        found = next((chair for chair in left if _same(chair, each)), None)
        if found is not None:
            left.remove(found)
            ordered.append(found)
    return _numbered(new, (*ordered, *left))


def _same(chair: Chair, before: Chair) -> bool:
    """Whether who sits on `chair` is who sat there `before`; a bot is known by its level."""
    if before.person is None:
        return chair.person is None and chair.bot == before.bot
    return chair.person is not None and chair.person.id == before.person.id


def _numbered(table: Table, chairs: tuple[Chair, ...]) -> Table:
    """`table` with `chairs` in this order; what was settled beforehand goes with its seat."""
    plans = renumbered(table.plans, {chair.seat: seat for seat, chair in enumerate(chairs, 1) if chair.seat})
    numbered = tuple(replace(chair, seat=seat) for seat, chair in enumerate(chairs, 1))
    return replace(table, chairs=numbered, plans=plans)


def _missing(new: Table, old: Table) -> tuple[Person, ...]:
    """Those of `old` who have not sat down yet; nobody, where there is no place any more."""
    if len(new.chairs) >= new.places:
        return ()
    return tuple(each.person for each in old.chairs if each.person and not new.seat_of(each.person))


def _asking(old: Table, new: Table, person: Person) -> list[Notice]:
    facts = {"game": old.name, "new": new.name, "name": person.name}
    others = (chair for chair in old.chairs if chair.person and chair.person.id != person.id)
    asked = [Notice(seat_party(old, chair.seat), "rematch", facts) for chair in others]
    if old.seat_of(old.moderator):
        return asked
    return [*asked, Notice(moderator_party(new), "rematch-moderated", facts)]
