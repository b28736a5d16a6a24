"""Words that cannot be taken back: they take effect only with the code that the answer to them brings.

A line of prose, a mail program that opens links, or a mail that comes late can so give up no game. A code is for one
seat and the decision that it faces: once that is made, it confirms nothing any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.record import Override, Verb
from pbem.commands.grammar import Command, End, Leave, Resign
from pbem.commands.silence import to_himself
from pbem.draft import Draft, Refused
from pbem.names import folded
from pbem.parties import Notice, moderator_party, seat_party
from pbem.table import Person, Table, overrule
from pbem.tokens import same
from pbem.verdicts import Reason

RESIGN: Final = "RESIGN"
END: Final = "END"
ASKING: Final[frozenset[type[Command]]] = frozenset({Resign, Leave, End})
"""Commands that need a code, in a running game."""


def is_confirmed(draft: Draft, word: str, table: Table, code: str) -> bool:
    """Whether `code` confirms `word` at `table` for the sender."""
    return draft.known.keeper or same(folded(code), draft.known.codes.get((word, table.name), ""))


def code_for(draft: Draft, word: str, table: Table) -> str:
    """What the sender has to repeat behind `word`. There is none yet for what he has only got in this mail."""
    code = draft.known.codes.get((word, table.name))
    if code is None:
        raise Refused(Reason.NEXT_MAIL)
    return code.upper()


def asked_again(draft: Draft, n: int, text: str, word: str, table: Table, code: str) -> Draft:
    """The answer to a costly word without its code, or with a `code` of another decision: nothing is done yet."""
    right = code_for(draft, word, table)
    return draft.answering(n, text, "costly", word=word, game=table.name, code=right, late=bool(code))


def resign(draft: Draft, n: int, text: str, command: Resign) -> Draft:
    """Give up a seat of a running game: it plays on by itself. The last one to go ends the game."""
    person = draft.sender
    table = draft.running(draft.about(command.table))
    seat = table.seat_of(person)
    if not seat:
        raise Refused(Reason.NOT_SEATED, game=table.name)
    if not is_confirmed(draft, RESIGN, table, command.code):
        return asked_again(replace(draft, to=seat_party(table, seat)), n, text, RESIGN, table, command.code)
    after, written = overrule(table, Override(Verb.RESIGN, seat=seat))
    after = after.with_chair(replace(after.chair(seat).for_another(None), given_up=True))
    if alone := all(chair.given_up or (chair.bot and not chair.person) for chair in after.chairs):
        after, last = overrule(after, Override(Verb.END))
        written += last
    notices = (*draft.notices, *_told(table, person))
    drafted = replace(to_himself(draft.changing(after, written), person), notices=notices)
    return drafted.doing(n, text, "resigned", game=table.name, alone=alone)


def _told(table: Table, person: Person) -> Iterator[Notice]:
    if table.moderator.id != person.id:
        yield Notice(moderator_party(table), "resigned", {"name": person.name, "game": table.name})
