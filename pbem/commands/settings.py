"""What a player may set for himself."""

from __future__ import annotations

import re
from dataclasses import replace

from pbem.commands.grammar import (
    AboutGame,
    AddPhrase,
    SetDigest,
    SetForm,
    SetGuide,
    SetLanguage,
    SetMachine,
    SetMails,
    SetPictures,
    SetZone,
)
from pbem.digest import Digest, daily
from pbem.draft import Draft, Refused
from pbem.guide import lessons
from pbem.parties import Reference
from pbem.table import Person, Status
from pbem.times import zone_meant, zones_near
from pbem.tongues import LANGUAGES, language_meant, own_name
from pbem.verdicts import Reason

LONGEST_PHRASE = 200


def set_zone(draft: Draft, n: int, text: str, command: SetZone) -> Draft:
    zone = zone_called(command.zone)
    person = replace(draft.sender, zone=zone)
    if person.digest is not None and person.digest.at is not None:
        person = replace(person, digest=daily(person.digest.at, zone, draft.known.now))
    return profile(draft, person).doing(n, text, "zone", zone=zone)


def set_language(draft: Draft, n: int, text: str, command: SetLanguage) -> Draft:
    """All mails from this answer on are in that language."""
    language = language_meant(command.language)
    if language is None:
        raise Refused(Reason.BAD_LANGUAGE, near=tuple(map(own_name, LANGUAGES)), language=command.language)
    return profile(draft, replace(draft.sender, language=language)).doing(n, text, "language")


def set_mails(draft: Draft, n: int, text: str, command: SetMails) -> Draft:
    person = replace(draft.sender, mails=command.choice)
    return profile(draft, person).doing(n, text, "mails", choice=command.choice.value)


def set_form(draft: Draft, n: int, text: str, command: SetForm) -> Draft:
    """Whether mails come as text alone, for programs and eyes that HTML does not suit."""
    person = replace(draft.sender, plain=command.form != "html", brief=command.form == "short")
    return profile(draft, person).doing(n, text, "form", plain=person.plain, brief=person.brief)


def set_pictures(draft: Draft, n: int, text: str, command: SetPictures) -> Draft:
    """Whether mails in HTML show the position as a picture."""
    person = replace(draft.sender, pictures=command.on)
    return profile(draft, person).doing(n, text, "pictures", on=command.on, plain=person.plain)


def set_digest(draft: Draft, n: int, text: str, command: SetDigest) -> Draft:
    """Whether the mails of several games come in one, with every pass of the host or once a day."""
    person, now = draft.sender, draft.known.now
    digest = Digest() if command.on else None
    facts = {"way": "on" if digest else "off"}
    if command.at:
        hours, _, minutes = re.sub("[.h]", ":", command.at.lower()).partition(":")
        if int(hours) > 23 or int(minutes or 0) > 59:
            raise Refused(Reason.BAD_TIME, time=command.at)
        digest = daily(int(hours) * 60 + int(minutes or 0), person.zone, now)
        assert digest.next_at is not None
        facts = {"way": "daily", "at": f"{int(hours)}:{int(minutes or 0):02}", "next": digest.next_at.isoformat()}
    return profile(draft, replace(person, digest=digest)).doing(n, text, "digest", **facts)


def about_game(draft: Draft, _n: int, _text: str, command: AboutGame) -> Draft:
    """A heading in a mail that is about one table alone, or about none: right where it names that table."""
    if command.table != draft.known.party.table:
        raise Refused(Reason.OTHER_GAME, game=command.table, near=[part.table for part in _parts(draft)])
    return draft


def _parts(draft: Draft) -> tuple[Reference, ...]:
    """What the digest that is answered was made of."""
    return draft.known.reference.parts if draft.known.reference else ()


def set_machine(draft: Draft, n: int, text: str, command: SetMachine) -> Draft:
    """Whether this seat's mails carry its view as JSON."""
    table = draft.about("")
    seat = table.seat_of(draft.sender)
    if not seat:
        raise Refused(Reason.NOT_PLAYING, game=table.name)
    seated = table.with_chair(replace(table.chair(seat), machine=command.on))
    return draft.changing(seated).doing(n, text, "machine", on=command.on, game=table.name)


def set_guide(draft: Draft, n: int, text: str, command: SetGuide) -> Draft:
    """Whether this seat's mails explain the game, from the beginning again."""
    table = draft.about("")
    seat = table.seat_of(draft.sender)
    if not seat:
        raise Refused(Reason.NOT_PLAYING, game=table.name)
    told = lessons(table.game) if command.on else ()
    guided = table.with_chair(replace(table.chair(seat), lessons=told))
    return draft.changing(guided).doing(n, text, "guide", on=command.on, there=bool(lessons(table.game)))


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
