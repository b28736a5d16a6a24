"""SAY, TELL and PRESS: what players say to each other, and who gets it.

Words go only to people who have a seat and want mail; the moderators hear what is said to all, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pbem.commands.grammar import Say, SetPress, Tell
from pbem.commands.settings import profile
from pbem.draft import Draft, Refused
from pbem.moderation.signing import seat_called
from pbem.parties import Notice, Party, Spoken, moderator_party, seat_party
from pbem.press import KIND, Rule, Words, cleaned, release
from pbem.spoken import unfolded
from pbem.table import Person, Table
from pbem.verdicts import Reason

SAID = "said"


def set_press(draft: Draft, n: int, text: str, command: SetPress) -> Draft:
    """Whether the sender reads what others say at once, or with his next mail."""
    person = replace(draft.sender, press=command.choice)
    return profile(draft, person).doing(n, text, "press", choice=command.choice.value)


def say(draft: Draft, n: int, text: str, command: Say) -> Draft:
    """Words for everybody at the table, its moderators included."""
    table = _talking(draft)
    words, unclosed = _words(draft, command.words)
    to = [*_seats(table, draft.sender), *_moderators(table)]
    if not to:
        raise Refused(Reason.NOBODY_LISTENS, game=table.name)
    return _said(draft, table, words, to, n, text, private=False, unclosed=unclosed)


def tell(draft: Draft, n: int, text: str, command: Tell) -> Draft:
    """Words for those who are named, and for nobody else."""
    table = _talking(draft)
    words, unclosed = _words(draft, command.words)
    seats = sorted({seat for name in command.names.split(",") for seat in _seats_called(table, name)})
    to = [_listening(table, seat) for seat in seats if seat != table.seat_of(draft.sender)]
    if not to:
        raise Refused(Reason.NOBODY_LISTENS, game=table.name)
    return _said(draft, table, words, to, n, text, private=True, unclosed=unclosed)


def _talking(draft: Draft) -> Table:
    """The table at which the sender plays and may talk now."""
    table = draft.running(draft.about(""))
    if not table.seat_of(draft.sender):
        raise Refused(Reason.NOT_PLAYING, game=table.name)
    if table.schedule.press is Rule.OFF:
        raise Refused(Reason.NO_PRESS, game=table.name)
    limit = draft.known.house.press_a_day
    if draft.known.pressed + len(draft.spoken) >= limit:
        raise Refused(Reason.PRESS_SPENT, limit=limit)
    return table


def _words(draft: Draft, text: str) -> tuple[Words, bool]:
    """What is to be said, as others may read it, and whether the END of its block is missing."""
    lines, unclosed = unfolded(text)
    words, house = cleaned(lines), draft.known.house
    if not words.lines:
        raise Refused(Reason.NO_WORDS)
    if words.size > house.press_characters or len(words.lines) > house.press_lines:
        raise Refused(
            Reason.TOO_MUCH_PRESS,
            characters=words.size,
            lines=len(words.lines),
            most_characters=house.press_characters,
            most_lines=house.press_lines,
        )
    return words, unclosed


def _seats(table: Table, but: Person) -> Iterator[Party]:
    """Everybody else with a seat who can be told something."""
    for chair in table.chairs:
        if chair.person is not None and chair.person.id != but.id and _wants_mail(chair.person):
            yield seat_party(table, chair.seat)


def _moderators(table: Table) -> Iterator[Party]:
    """Those who do not play."""
    return (moderator_party(table, who) for who in table.moderators if not table.seat_of(who) and _wants_mail(who))


def _wants_mail(person: Person) -> bool:
    return person.confirmed and not person.stopped


def _seats_called(table: Table, names: str) -> Iterator[int]:
    """The seat of a name, or the seats of several with AND between them."""
    try:
        yield seat_called(table, names.strip())
    except Refused:
        parts = re.split(r"\s+and\s+", names.strip(), flags=re.IGNORECASE)
        if len(parts) == 1:
            raise
        yield from (seat_called(table, part) for part in parts)


def _listening(table: Table, seat: int) -> Party:
    person = table.chair(seat).person
    if person is None:
        raise Refused(Reason.NO_PLAYER, name=table.names[seat - 1])
    if not _wants_mail(person):
        raise Refused(Reason.CANNOT_BE_TOLD, name=table.names[seat - 1])
    return seat_party(table, seat)


def _said(
    draft: Draft, table: Table, words: Words, to: Sequence[Party], n: int, text: str, *, private: bool, unclosed: bool
) -> Draft:
    anonymous = table.schedule.press is Rule.ANONYMOUS
    at = release(draft.known.now) if anonymous else draft.known.now
    by = "" if anonymous else table.names[table.seat_of(draft.sender) - 1]
    names = {each: table.names[each.seat - 1] if each.seat else _own_name(each) for each in to}
    spoken = Spoken(
        table=table.name,
        by=draft.sender,
        lines=words.lines,
        private=private,
        anonymous=anonymous,
        at=at,
        notices=tuple(
            Notice(each, KIND, {"by": by, "private": private, "also": _also(names, each, private and not anonymous)})
            for each in to
        ),
    )
    facts = {
        "names": list(names.values()),
        "private": private,
        "at": at.isoformat() if anonymous else "",
        "withheld": words.withheld,
        "unclosed": unclosed,
    }
    return replace(draft, spoken=(*draft.spoken, spoken)).doing(n, text, SAID, **facts)


def _own_name(party: Party) -> str:
    return party.person.name if party.person else ""


def _also(names: Mapping[Party, str], reader: Party, told: bool) -> list[str]:
    """Who else gets private words; of anonymous ones that would tell who wrote them."""
    return [name for each, name in names.items() if told and each != reader]
