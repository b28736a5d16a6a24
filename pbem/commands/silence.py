"""No more mail, and mail again: what anybody may ask for his own address."""

from __future__ import annotations

from dataclasses import replace

from pbem.commands.grammar import Register, StartAgain, Stop
from pbem.commands.settings import profile
from pbem.commands.strangers import check_welcome
from pbem.draft import Draft, Refused
from pbem.loops import ASKED_TO_STOP
from pbem.parties import Notice, Party, Role, moderator_party
from pbem.table import Person, Status, Table
from pbem.verdicts import Reason


def stop(draft: Draft, n: int, text: str, _: Stop) -> Draft:
    """No mail to this address any more, for ever. One last mail says so.

    A player's address alone does not prove that he wants it: he is asked to answer once. Anybody else has nothing
    to lose by it.
    """
    person = draft.person
    if person is not None and not draft.known.by_token and person.confirmed:
        return to_himself(draft, person).answering(n, text, ASKED_TO_STOP)
    drafted = replace(draft, silenced=(*draft.silenced, draft.known.party.address), unsilenced=())
    if person is None:
        return drafted.doing(n, text, "stopped", games=[])
    stopped = replace(person, stopped=True)
    tables = [table for table in draft.tables.values() if table.status is Status.RUNNING and table.seat_of(person)]
    notices = tuple(_gone_quiet(table, person) for table in tables if table.moderator.id != person.id)
    drafted = replace(to_himself(profile(drafted, stopped), stopped), notices=(*drafted.notices, *notices))
    return drafted.doing(n, text, "stopped", games=[table.name for table in tables])


def start_again(draft: Draft, n: int, text: str, _: StartAgain | Register) -> Draft:
    """Mail again; an address alone is asked to answer once."""
    person = draft.person
    if person is not None and not draft.known.by_token:
        return to_himself(draft, person).answering(n, text, "again_asked")
    drafted = replace(draft, unsilenced=(*draft.unsilenced, draft.known.party.address), silenced=())
    if person is None:
        if not draft.known.by_token:
            check_welcome(draft)
            raise Refused(Reason.NOT_REGISTERED)
        return drafted.doing(n, text, "again")
    awake = replace(person, stopped=False)
    return to_himself(profile(drafted, awake), awake).doing(n, text, "again")


def to_himself(draft: Draft, person: Person) -> Draft:
    """The answer is about no table, and goes to the registered address."""
    return replace(draft, to=Party(Role.PERSON, person.address, person))


def _gone_quiet(table: Table, person: Person) -> Notice:
    return Notice(moderator_party(table), "stopped", {"name": person.name, "game": table.name})
