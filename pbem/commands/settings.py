"""What a player may set for himself."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from zoneinfo import available_timezones

from rapidfuzz import process

from pbem.commands.grammar import AddPhrase, SetMachine, SetMails, SetZone
from pbem.draft import Draft, Refused
from pbem.names import folded
from pbem.table import Person, Status
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


@cache
def _zones() -> dict[str, str]:
    """Zones by their folded names, and by the last part alone where that is enough."""
    zones = sorted(available_timezones())
    cities = {folded(zone.rsplit("/", 1)[-1].replace("_", " ")): zone for zone in reversed(zones) if "/" in zone}
    return cities | {folded(zone): zone for zone in zones}


def zone_called(text: str) -> str:
    """The time zone that `text` means, as ``Europe/Brussels`` or ``brussels``."""
    zones = _zones()
    wanted = folded(text)
    if wanted in zones:
        return zones[wanted]
    if (spelled := wanted.replace(" ", "_")) in zones:
        return zones[spelled]
    near = [zones[key] for key, _, _ in process.extract(wanted, list(zones), limit=3)]
    raise Refused(Reason.BAD_ZONE, near=tuple(dict.fromkeys(near)), zone=text)
