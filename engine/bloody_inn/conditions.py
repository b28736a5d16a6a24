"""What a plan may ask before it acts: `baron IN INN`, `POLICE`, `CASH >= 10`, `ANNA KILLED`.

A condition is read, kept and answered from the view of the seat that asks, and from nothing else, so that neither
its answer nor a fault can tell what that seat does not know. NOT, AND and OR are the host's.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

import msgspec

from engine.bloody_inn.cards import POLICEMEN, Card
from engine.bloody_inn.clauses import without_remarks
from engine.bloody_inn.naming import bare, card, counted
from engine.bloody_inn.reasons import Fault
from engine.bloody_inn.resolve import guests, reader
from engine.bloody_inn.spelling import any_of
from engine.bloody_inn.state import View
from engine.bloody_inn.tongues import understood
from engine.bloody_inn.unspaced import spaced, unelided
from engine.bloody_inn.words import Lexicon, lexicon, words
from engine.folding import fold
from engine.game import Ambiguous, Unreadable


class Lodges(msgspec.Struct, frozen=True, tag="lodges"):
    """A guest of this name is in the inn; in this room, if one is named."""

    card: Card
    room: int = 0


class Holds(msgspec.Struct, frozen=True, tag="holds"):
    """The card is in the asker's own hand."""

    card: Card


class Police(msgspec.Struct, frozen=True, tag="police"):
    """Police sleep in the inn, so that they look for corpses in the morning."""


class Amount(msgspec.Struct, frozen=True, tag="amount"):
    """What the asker has of something, or what the game counts, compared with a number."""

    what: str
    sign: str
    number: int


class Did(msgspec.Struct, frozen=True, tag="did"):
    """A seat did this in the night that is going on, or was the last one."""

    seat: int
    verb: str


Condition = Lodges | Holds | Police | Amount | Did

_SIGNS: Final[dict[str, Callable[[int, int], bool]]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
}
_SAME_SIGN: Final = {
    "=>": ">=",
    "=<": "<=",
    "==": "=",
    "\u2265": ">=",
    "\u2264": "<=",
}
_SPELLED: Final = {">=": "least", "<=": "most"}
"""Signs by the name of the words for them."""
_AMOUNTS: Final[dict[str, Callable[[View], int]]] = {
    "cash": lambda view: reader(view).cash,
    "checks": lambda view: reader(view).checks,
    "hand": lambda view: len(reader(view).hand),
    "corpses": lambda view: len(reader(view).corpses),
    "bistro": lambda view: view.bistro,
    "round": lambda view: view.round,
}
DEEDS: Final = ("bribe", "build", "kill", "bury", "pass")


def read(text: str, view: View, language: str = "en") -> Condition:
    """The condition that `text` is; `Unreadable` (condition) with examples, `Ambiguous` with the readings."""
    return understood(lambda tongue: _read(text, view, tongue), language)


def _read(text: str, view: View, language: str) -> Condition:
    names = [fold(shown.name) for shown in view.players]
    said = bare(unelided(without_remarks(spaced(fold(text), names, language)), language), language)
    found = list(dict.fromkeys(each for way in _WAYS for each in way(said, view, language)))
    if not found:
        raise Unreadable(Fault.CONDITION, word=said, near=_near(said, language))
    if len(found) > 1:
        raise Ambiguous(text, found)
    return found[0]


def holds(condition: Condition, view: View) -> bool:
    """Whether `condition` is true in what `view` shows."""
    return _ANSWERS[type(condition)](condition, view)


def write(condition: Condition, view: View, language: str = "en") -> str:
    """`condition` as it is written; `read` gives it back."""
    return _WRITTEN[type(condition)](condition, view, language)


# Reading


def _amount(said: str, view: View, language: str) -> Iterator[Condition]:  # noqa: ARG001
    found = _amounts(language).fullmatch(said)
    if found is None:
        return
    what = next(what for what in _AMOUNTS if found["what"] in lexicon(language).conditions[what])
    if found["number"]:
        yield Amount(what, _sign(found["sign"], language), int(found["number"]))
    elif what != "round":
        yield Amount(what, ">=", 1)


def _sign(said: str, language: str) -> str:
    conditions = lexicon(language).conditions
    spelled = {word: sign for sign, least in _SPELLED.items() for word in conditions[least]}
    return spelled.get(said) or _SAME_SIGN.get(said, said)


@cache
def _amounts(language: str) -> re.Pattern[str]:
    known = lexicon(language)
    what = any_of(name for each in _AMOUNTS for name in known.conditions[each])
    signs = any_of((*_SIGNS, *_SAME_SIGN, *(word for each in _SPELLED.values() for word in known.conditions[each])))
    return re.compile(
        rf"(?P<what>{what})(?:\s*(?P<sign>{signs})\s*(?P<number>\d{{1,4}})\s*(?:{any_of(known.little.francs)})?)?"
    )


def _police(said: str, view: View, language: str) -> Iterator[Condition]:  # noqa: ARG001
    """`POLICE`, also with `IN INN` behind it."""
    names = any_of(lexicon(language).conditions["police"])
    if re.fullmatch(rf"(?:{names})(?:\s(?:{_inside(language)}))?", said):
        yield Police()


def _inside(language: str) -> str:
    known = lexicon(language)
    return rf"(?:{_in(known)})(?:{any_of(known.conditions['inn'])})"


def _in(known: Lexicon) -> str:
    """The word for it, and articles behind it."""
    return rf"(?:{any_of(known.phrases['in'])})\s(?:(?:{any_of(known.little.skip)})\s)*"


def _did(said: str, view: View, language: str) -> Iterator[Condition]:
    """The name of a player and what he did; a name that two players have is read as either."""
    for verb in DEEDS:
        for done in lexicon(language).conditions[verb]:
            name = said.removesuffix(f" {done}")
            if name != said:
                yield from (Did(shown.seat, verb) for shown in view.players if fold(shown.name) == name)


def _guest(said: str, view: View, language: str) -> Iterator[Condition]:  # noqa: ARG001
    """A card in the inn, in a room, or in one's own hand."""
    found = _where(language).fullmatch(said)
    if found is None or found["card"] in lexicon(language).conditions["police"]:
        return
    name = card(counted(found["card"], language).words, language)
    yield Holds(name) if found["hand"] else Lodges(name, int(found["room"] or 0))


@cache
def _where(language: str) -> re.Pattern[str]:
    known = lexicon(language)
    inn, hand, room = (any_of(known.conditions[place]) for place in ("inn", "hand", "room"))
    place = rf"(?:{inn})|(?P<hand>{hand})|(?:(?:{room})\s)?(?P<room>\d{{1,2}})"
    return re.compile(rf"(?P<card>.+?)\s(?:{_in(known)})(?:{place})")


_WAYS: Final = (_amount, _police, _did, _guest)
_EXAMPLES: Final = (Lodges("baron"), Police(), Amount("cash", ">=", 10))


def _near(said: str, language: str) -> tuple[str, ...]:
    """A card alone may mean the inn or the hand; else one example of each kind."""
    known = lexicon(language)
    if name := known.cards.get(said):
        return tuple(_placed(name, place, language) for place in ("inn", "hand"))
    killed = f"ANNA {words(language).conditions['kill'][0].upper()}"
    return (*(_WRITTEN[type(each)](each, None, language) for each in _EXAMPLES), killed)


# Answering


def _lodges(condition: Lodges, view: View) -> bool:
    there = guests(view)
    return there.get(condition.room) == condition.card if condition.room else condition.card in there.values()


_ANSWERS: Final[dict[type, Callable[..., bool]]] = {
    Lodges: _lodges,
    Holds: lambda condition, view: condition.card in reader(view).hand,
    Police: lambda _, view: not POLICEMEN.isdisjoint(guests(view).values()),
    Amount: lambda condition, view: _SIGNS[condition.sign](_AMOUNTS[condition.what](view), condition.number),
    Did: lambda condition, view: any((deed.seat, deed.verb) == (condition.seat, condition.verb) for deed in view.deeds),
}


# Writing


def _placed(card: Card, place: str, language: str) -> str:
    tongue = words(language)
    return f"{tongue.inline(tongue.card(card))} {tongue.phrases['in'][0].upper()} {place.upper()}"


_WRITTEN: Final[dict[type, Callable[..., str]]] = {
    Lodges: lambda it, _, language: _placed(
        it.card, str(it.room) if it.room else words(language).conditions["inn"][0], language
    ),
    Holds: lambda it, _, language: _placed(it.card, words(language).conditions["hand"][0], language),
    Police: lambda _, __, language: words(language).conditions["police"][0].upper(),
    Amount: lambda it, _, language: f"{words(language).conditions[it.what][0].upper()} {it.sign} {it.number}",
    Did: lambda it, view, language: (
        f"{view.players[it.seat - 1].name} {words(language).conditions[it.verb][0].upper()}"
    ),
}
