"""Orders without a position: what can be understood of a line when nobody knows the inn, the hands or the players.

For showing how a mail would be read, never for playing. A fault is raised only for what no position could mend.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from engine.bloody_inn.cards import Card
from engine.bloody_inn.clauses import Clause, Item, Line, parse, split_line
from engine.bloody_inn.naming import annex, building, card, cards, counted, is_open_plural, owned
from engine.bloody_inn.plainly import changes, listed_rooms, paid_in
from engine.bloody_inn.reasons import Fault
from engine.bloody_inn.spelling import any_of
from engine.bloody_inn.tongues import understood
from engine.bloody_inn.unspaced import spaced
from engine.bloody_inn.words import lexicon, words
from engine.bloody_inn.writing import phrase_word, verb_word, write_cards
from engine.folding import fold
from engine.game import Unreadable

_OWNER: Final = 0xF0000
"""The first of the private characters that stand for the owners of annexes, whoever they are."""
_MOST_OWNERS: Final = 100


def outline(text: str, language: str = "en") -> str:
    """`text` as an order line in its written form, as far as it can be understood; `Unreadable` if it never can be."""
    return understood(lambda tongue: _outline(text, tongue), language)


def _outline(text: str, language: str) -> str:
    owners: list[str] = []
    line = split_line(_without_owners(text, owners, language), (), language)
    if line.verb in _WHOLE:
        return " ".join(filter(None, (verb_word(line.verb, language), _WHOLE[line.verb](line, language))))
    clause = parse(line, language)
    if not any(item.text or item.rooms for item in clause.items):
        raise Unreadable(Fault.TARGET_MISSING, verb=line.verb)
    parts = [_PARTS[line.verb](item, language, owners) for item in clause.items]
    return f"{verb_word(line.verb, language)} {words(language).style.comma.join(parts)}{_payment(clause, language)}"


def _without_owners(text: str, owners: list[str], language: str) -> str:
    """`text` with whoever owns an annex as one character; `owners` gets their names."""

    def shorten(found: re.Match[str]) -> str:
        if len(owners) == _MOST_OWNERS:
            return found.group()
        owners.append(found["before"] or found["after"])
        sign = chr(_OWNER + len(owners) - 1)
        return f"{found['lead']}{sign} " if found["before"] else f"{found['annex']} {sign}"

    return _owned(language).sub(shorten, spaced(fold(text), (), language))


@cache
def _owned(language: str) -> re.Pattern[str]:
    """Finds ``under <anybody>'s <annex>`` and ``<annex> of <anybody>``; a name has 2 to 20 characters, and no comma."""
    known = lexicon(language)
    under, annexes, with_ = any_of(known.phrases["under"]), any_of(known.annexes), any_of(known.phrases["with"])
    skip, mine = any_of(known.little.skip), any_of(known.little.mine)
    behind = any_of(form.removeprefix("{owner}") for form in known.owner.before)
    before = any_of(form.removesuffix("{owner}") for form in known.owner.after)
    end = rf"(?=\s*(?:$|[.!,;(#])|\s(?:{with_})\s)"
    return re.compile(
        rf"(?P<lead>(?<!\S)(?:{under})\s(?:(?:{skip})\s)*)(?!(?:{skip}|{mine})\s)"
        rf"(?P<before>[^,]{{2,20}}?)(?:\s?(?:{behind}))?\s(?=(?:{annexes}){end})"
        rf"|(?<!\S)(?P<annex>{annexes})\s(?:{before})(?P<after>[^,]{{2,20}}?){end}"
    )


def _guest(item: Item, language: str, owners: Sequence[str]) -> str:  # noqa: ARG001
    said = counted(item.text, language)
    rooms = ", ".join(map(str, item.rooms))
    if not said.words:
        if not rooms:
            raise Unreadable(Fault.NUMBER, word=item.text)
        return f"{phrase_word('room', language)} {rooms}"
    name = _named(card(said.words, language), said.count, is_open_plural(said, language), language)
    return f"{name} {phrase_word('in', language)} {rooms}" if rooms else name


def _annex_to_build(item: Item, language: str, owners: Sequence[str]) -> str:  # noqa: ARG001
    tongue = words(language)
    name = tongue.inline(tongue.card(building(counted(item.text, language).words, language)))
    rooms = ", ".join(map(str, item.rooms))
    return f"{name} {phrase_word('room', language)} {rooms}" if rooms else name


def _corpse(item: Item, language: str, owners: Sequence[str]) -> str:
    said = counted(item.text, language)
    name = _named(card(said.words, language), said.count, is_open_plural(said, language), language)
    if item.place is None:
        return name
    owner, place = _owner(item.place, owners)
    tongue = words(language)
    where = tongue.inline(tongue.annex(annex(owned(place, language)[1], language)))
    of_whom = tongue.owned(owner, where) if owner else where
    return f"{name} {phrase_word('under', language)} {of_whom}"


def _owner(place: str, owners: Sequence[str]) -> tuple[str, str]:
    """The owner named in the words of an annex, or nothing, and the words without him."""
    for number, owner in enumerate(owners):
        if (sign := chr(_OWNER + number)) in place:
            return owner, place.replace(sign, "").strip()
    return "", place


def _accomplice(item: Item, language: str, owners: Sequence[str]) -> str:  # noqa: ARG001
    return write_cards(cards([item.text], (), language), language)


def _named(name: Card, count: int | None, plural: bool, language: str) -> str:
    tongue = words(language)
    if count is None:
        return tongue.inline(tongue.card(name, 2 if plural else 1))
    return tongue.times(tongue.inline(tongue.card(name, count)), count)


def _payment(clause: Clause, language: str) -> str:
    if not clause.pay or clause.pay[0] in lexicon(language).little.nothing:
        return ""
    return f" {phrase_word('with', language)} {write_cards(cards(clause.pay, (), language), language)}"


def _lodging(line: Line, language: str) -> str:
    """Whoever is up may be named: every card can be."""
    if line.rest in lexicon(language).choices["any"]:
        return words(language).choices["any"][0].upper()
    return " ".join(map(str, listed_rooms(line, (), tuple(lexicon(language).cards), language)))


def _money(line: Line, language: str) -> str:
    found = changes(line, language)
    amounts = (("launder", found.launder), ("cash", found.cash))
    return " ".join(f"{phrase_word(way, language)} {much}" for way, much in amounts if much)


def _police(line: Line, language: str) -> str:
    kind, count = paid_in(line, language)
    return phrase_word(kind, language) if count is None else f"{count} {phrase_word(kind, language)}"


_WHOLE: Final[dict[str, Callable[[Line, str], str]]] = {"lodge": _lodging, "pass": _money, "pay": _police}
_PARTS: Final[dict[str, Callable[[Item, str, Sequence[str]], str]]] = {
    "bribe": _guest,
    "kill": _guest,
    "build": _annex_to_build,
    "bury": _corpse,
    "dismiss": _accomplice,
}
