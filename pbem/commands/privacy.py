"""What a player may ask about himself: everything that is kept, and to be forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.commands.grammar import Export, Forget
from pbem.commands.lobby import without
from pbem.commands.questions import table_facts
from pbem.commands.silence import to_himself
from pbem.draft import Draft, Refused
from pbem.names import folded
from pbem.parties import Notice, Party, Role, moderator_party
from pbem.table import Person, Status, Table
from pbem.tokens import same
from pbem.verdicts import Reason


def export(draft: Draft, n: int, text: str, _: Export) -> Draft:
    """Everything that is kept about the sender; it is put into the mail when that is written."""
    return to_himself(draft, draft.sender).answering(n, text, "export")


def forget(draft: Draft, n: int, text: str, command: Forget) -> Draft:
    """Withdraw the sender's name and address everywhere, once he has repeated a code word.

    Not while a game needs him. Seats at open tables are given up; open tables that he moderates are closed.
    """
    person = draft.sender
    if games := [table.name for table in draft.tables.values() if _needs(table, person)]:
        raise Refused(Reason.STILL_PLAYING, games=games)
    if not command.code:
        return to_himself(draft, person).answering(n, text, "forget", code=draft.known.code_word.upper())
    if not same(folded(command.code), draft.known.code_word):
        raise Refused(Reason.WRONG_CODE)
    drafted = _leaving(draft, person)
    farewell = Party(Role.STRANGER, person.address)
    return replace(drafted, forgotten=person, person=None, to=farewell, people=()).doing(n, text, "forgotten")


def _needs(table: Table, person: Person) -> bool:
    running = table.status is Status.RUNNING
    return running and (table.seat_of(person) > 0 or table.moderator.id == person.id)


def _leaving(draft: Draft, person: Person) -> Draft:
    """The sender's tables without him. His name does not stand in what others are told of it."""
    for table in [
        table for table in draft.tables.values() if table.moderates(person) and table.moderator.id != person.id
    ]:
        left = tuple(each for each in table.co_moderators if each.id != person.id)
        draft = draft.changing(replace(table, co_moderators=left))
    for table in [table for table in draft.tables.values() if table.status is Status.OPEN]:
        if table.moderator.id == person.id:
            closed = replace(table, status=Status.ENDED, chairs=())
            draft = replace(draft.changing(closed), notices=(*draft.notices, *_closed(table, person)))
        elif table.seat_of(person):
            after = without(table, person)
            notice = Notice(moderator_party(table), "left", table_facts(after) | {"name": ""})
            draft = replace(draft.changing(after), notices=(*draft.notices, notice))
    return draft


def _closed(table: Table, person: Person) -> Iterator[Notice]:
    for chair in table.chairs:
        if chair.person is not None and chair.person.id != person.id:
            to = Party(Role.PERSON, chair.person.address, chair.person, table.name)
            yield Notice(to, "closed", {"game": table.name})
