"""Mails from addresses that have not shown to be their writer's: what is answered, and what of it is sent back.

Anybody can write any address into From. So such a mail brings at most a few answers a day, never one to an address
whose provider says that the mail is forged, and never a word that its writer chose. Where the address wants no mail, a
doubt is enough: our own server has to have found that the mail is its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import msgspec

from pbem.commands.grammar import Command, ConfirmAddress, Help, Join, Register, StartAgain, Stop, parse
from pbem.commands.questions import is_closed
from pbem.draft import Draft, Known, Mail, Refused
from pbem.names import canonical
from pbem.parties import Decided
from pbem.verdicts import Line, Reason

WELCOME: Final = (Register, Join, Help, Stop, ConfirmAddress)
"""What a stranger may ask. Who has given a name and not yet confirmed it gets an answer to anything, as often."""
LIFTING: Final = (Register, StartAgain)
"""The same where the address wants no mail, and our server vouches for the sender: only what asks for mail again."""
_FREE: Final = frozenset({Reason.NAME_BAD, Reason.NO_GAME})
"""Reasons whose facts hold what the sender wrote, unchecked."""


def is_answered(known: Known, commands: Iterable[Command], mail: Mail) -> bool:
    """Whether an outsider's mail with these `commands` gets an answer."""
    house, answered = known.house, known.answered
    if mail.forged or answered.own >= house.stranger_answers or answered.all >= house.all_stranger_answers:
        return False
    if is_silent(known):
        return mail.vouched and any(isinstance(command, LIFTING) for command in commands)
    return known.party.person is not None or any(isinstance(command, WELCOME) for command in commands)


def is_silent(known: Known) -> bool:
    """Whether the sender's address wants no mail."""
    person = known.party.person
    return canonical(known.party.address) in known.silent or (person is not None and person.stopped)


def unanswered(known: Known, commands: Iterable[Command], mail: Mail) -> Decided:
    """What follows from an outsider's mail that is not answered: at most silence, which harms nobody."""
    if mail.forged or is_silent(known) or not any(isinstance(command, Stop) for command in commands):
        return Decided()
    person = known.party.person
    stopped = (replace(person, stopped=True),) if person else ()
    return Decided(silenced=(known.party.address,), people=stopped)


def check_welcome(draft: Draft) -> None:
    """`Refused` if the host takes new players by invitation and the sender has none."""
    if is_closed(draft):
        raise Refused(Reason.BY_INVITATION)


def unquoted(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines of an outsider that are commands, each by its first word alone; others are not answered."""
    return tuple(_without_words(line) for line in lines if isinstance(parse(line.text), tuple))


def _without_words(line: Line) -> Line:
    facts = {} if line.reason in _FREE else line.facts
    return msgspec.structs.replace(line, text=line.text.split()[0].upper(), near=(), facts=facts)
