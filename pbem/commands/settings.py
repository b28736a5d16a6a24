"""What a player may set for himself."""

from __future__ import annotations

from dataclasses import replace

from pbem.commands.grammar import AddPhrase, SetMachine, SetMails, SetZone
from pbem.draft import Draft, Refused
from pbem.table import Person, Status
from pbem.times import zone_meant, zones_near
from pbem.verdicts import Reason

LONGEST_PHRASE = 200


def set_zone(draft: Draft, n: int, text: str, command: SetZone) -> Draft:
    zone = zone_called(command.zone)
    return profile(draft, replace(draft.sender, zone=zone)).doing(n, text, "zone", zone=zone)


def set_mails(draft: Draft, n: int, text: str, command: SetMails) -> Draft:
    person = replace(draft.sender, mails=command.choice)
    return profile(draft, person).doing(n, text, "mails", choice=command.choice.value)


def set_machine(draft: Draft, n: int, text: str, command: SetMachine) -> Draft:
    """Whether this seat's mails carry its view as JSON."""
    table = draft.about("")
    seat = table.seat_of(draft.sender)
    if not seat:
        raise Refused(Reason.NOT_PLAYING, game=table.name)
    seated = table.with_chair(replace(table.chair(seat), machine=command.on))
    return draft.changing(seated).doing(n, text, "machine", on=command.on, game=table.name)


def add_phrase(draft: Draft, n: int, text: str, command: AddPhrase) -> Draft:
    """Words of the player's own that go into every shuffle; they count until START."""
    table = draft.about("")
    seat = table.seat_of(draft.sender)
    if not seat:
        raise Refused(Reason.NOT_PLAYING, game=table.name)
    if table.status is not Status.OPEN:
        raise Refused(Reason.PHRASE_LATE, game=table.name)
    phrase = " ".join(command.words.split())[:LONGEST_PHRASE]
    seated = table.with_chair(replace(table.chair(seat), phrase=phrase))
    return draft.changing(seated).doing(n, text, "phrase", phrase=phrase, game=table.name)


def profile(draft: Draft, person: Person) -> Draft:
    """`person` as the sender is from now on."""
    others = tuple(p for p in draft.people if p.id != person.id)
    return replace(draft, people=(*others, person), person=person)


def zone_called(text: str) -> str:
    """The time zone that `text` means, as ``Europe/Brussels`` or ``brussels``."""
    zone = zone_meant(text)
    if zone is None:
        raise Refused(Reason.BAD_ZONE, near=zones_near(text), zone=text)
    return zone
