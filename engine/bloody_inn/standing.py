"""Choices that a player settles beforehand, so that no mail need ask for them.

    LODGE ANY | LODGE 3 1 5        where travelers go, in this order as far as the rooms are empty
    PAY CHECKS | PAY CASH          how the police are paid
    DISMISS peasants, novice       who leaves first when the cash does not pay all wages
    RETURNING FIRST | ASK          which cards pay where WITH is left out: those that come back, then the least; or ask
    KEEP abbot, bishop             cards that are never given away so

A choice that does not settle a decision wholly leaves it to its player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

import msgspec

from engine.bloody_inn.actions import Action, Dismiss, Lodge, Pay
from engine.bloody_inn.cards import PEASANT, Card
from engine.bloody_inn.clauses import Line, parse, split_line, without_remarks
from engine.bloody_inn.lodge import empty
from engine.bloody_inn.naming import card, counted
from engine.bloody_inn.plainly import listed_rooms, paid_in
from engine.bloody_inn.reading import read as read_order
from engine.bloody_inn.reasons import Fault
from engine.bloody_inn.resolve import Paying, police_checks, reader
from engine.bloody_inn.state import Phase, View
from engine.bloody_inn.tongues import understood
from engine.bloody_inn.unspaced import spaced, unelided
from engine.bloody_inn.wages import unpaid
from engine.bloody_inn.words import lexicon, words
from engine.bloody_inn.writing import phrase_word, verb_word
from engine.folding import fold
from engine.game import Unreadable


class Lodging(msgspec.Struct, frozen=True, tag="lodge"):
    """Rooms in the order in which they fill; none: any room."""

    rooms: tuple[int, ...] = ()


class Police(msgspec.Struct, frozen=True, tag="pay"):
    """As many checks as can be, or as few."""

    checks: bool


class Leaving(msgspec.Struct, frozen=True, tag="dismiss"):
    """Who leaves first."""

    cards: tuple[Card, ...]


class Payment(msgspec.Struct, frozen=True, tag="with"):
    """Whether a payment that an order leaves out is chosen, or asked for."""

    returning: bool


class Kept(msgspec.Struct, frozen=True, tag="keep"):
    """Cards that neither pay nor leave unless an order names them."""

    cards: tuple[Card, ...]


Choice = Lodging | Police | Leaving | Payment | Kept
T = TypeVar("T")
OFFERED: Final[tuple[Choice, ...]] = (Lodging(), Police(checks=True), Payment(returning=True))
"""What spares most mails, best first."""


class StandingChoices:
    """The capability ``standing``; see `engine.game.Standing`."""

    def read(self, text: str, language: str = "en") -> Choice:
        """The choice that `text` is; `Unreadable` (choice) with examples, or with what its cards may be."""
        return understood(lambda tongue: _choice(text, tongue), language)

    def topic(self, choice: Choice) -> str:
        return str(choice.__struct_config__.tag)

    def write(self, choice: Choice, language: str = "en") -> str:
        return _WRITTEN[type(choice)](choice, language)

    def answer(self, choices: Sequence[Choice], view: View) -> Action | None:
        """The answer to the open decision of ``view.seat``; ``None`` if `choices` do not settle it."""
        settled = _ANSWERS.get(view.phase)
        return settled(choices, view) if settled else None

    def order(self, text: str, view: View, choices: Sequence[Choice], language: str = "en") -> Action:
        """`text` as the game reads it, with the payment that is left out as `choices` have it."""
        payment = _first(choices, Payment)
        kept = _first(choices, Kept)
        paying = Paying(payment is not None and payment.returning, kept.cards if kept else ())
        return read_order(text, view, language, paying)

    def offers(self, language: str = "en") -> tuple[str, ...]:
        return tuple(self.write(choice, language) for choice in OFFERED)


_EXAMPLES: Final = (Lodging(), Police(checks=True), Leaving((PEASANT,)), Payment(returning=True), Kept(("abbot",)))
"""One of each kind."""

STANDING: Final = StandingChoices()


def _first(choices: Sequence[Choice], kind: type[T]) -> T | None:
    return next((choice for choice in choices if isinstance(choice, kind)), None)


def _unknown(said: str, language: str) -> Unreadable:
    near = tuple(_WRITTEN[type(each)](each, language) for each in _EXAMPLES)
    return Unreadable(Fault.CHOICE, word=said, near=near)


# Reading


@lru_cache(maxsize=1024)
def _choice(text: str, language: str) -> Choice:
    said = unelided(without_remarks(spaced(fold(text), (), language)), language)
    for word, rest, choice in _OWN_WORDS:
        for spelling in lexicon(language).choices[word]:
            if said == spelling or (rest and said.startswith(f"{spelling} ")):
                return choice(said.removeprefix(spelling).strip(), language)
    try:
        line = split_line(said, (), language)
    except Unreadable:
        raise _unknown(said, language) from None
    if line.verb not in _BY_VERB:
        raise _unknown(said, language)
    return _BY_VERB[line.verb](line, language)


def _lodging(line: Line, language: str) -> Choice:
    if line.rest in lexicon(language).choices["any"]:
        return Lodging()
    rooms = listed_rooms(line, (), (), language)
    return Lodging(tuple(dict.fromkeys(rooms)))


def _police(line: Line, language: str) -> Choice:
    kind, count = paid_in(line, language)
    if count is not None:
        raise _unknown(f"{line.verb} {line.rest}", language)
    return Police(kind != "cash")


def _leaving(line: Line, language: str) -> Choice:
    return Leaving(_named(line, language))


def _kept(rest: str, language: str) -> Choice:
    return Kept(_named(Line("dismiss", rest), language))


def _named(line: Line, language: str) -> tuple[Card, ...]:
    """The cards that a line lists, in its order."""
    items = parse(line, language).items
    if not items:
        raise Unreadable(Fault.TARGET_MISSING, verb=line.verb)
    return tuple(dict.fromkeys(card(counted(item.text, language).words, language) for item in items))


_OWN_WORDS: Final[tuple[tuple[str, bool, Callable[[str, str], Choice]], ...]] = (
    ("returning", False, lambda _, __: Payment(returning=True)),
    ("ask", False, lambda _, __: Payment(returning=False)),
    ("keep", True, _kept),
)
"""Choices that begin with no verb of an order, and whether more follows."""
_BY_VERB: Final[dict[str, Callable[[Line, str], Choice]]] = {"lodge": _lodging, "pay": _police, "dismiss": _leaving}


# Answering


def _lodge(choices: Sequence[Choice], view: View) -> Lodge | None:
    lodging = _first(choices, Lodging)
    if lodging is None:
        return None
    free = empty(view.rooms)
    rooms = tuple(room for room in lodging.rooms if room in free) if lodging.rooms else free
    return Lodge(rooms) if rooms else None


def _pay(choices: Sequence[Choice], view: View) -> Pay | None:
    police = _first(choices, Police)
    return Pay(police_checks(view)[police.checks]) if police else None


def _dismiss(choices: Sequence[Choice], view: View) -> Dismiss | None:
    leaving, kept = _first(choices, Leaving), _first(choices, Kept)
    if leaving is None:
        return None
    me = reader(view)
    first = [each for name in leaving.cards for each in me.hand if each == name and not (kept and name in kept.cards)]
    due = unpaid(me)
    return Dismiss(tuple(sorted(first[:due]))) if len(first) >= due else None


_ANSWERS: Final[dict[Phase, Callable[[Sequence[Choice], View], Action | None]]] = {
    Phase.EVENING: _lodge,
    Phase.POLICE: _pay,
    Phase.WAGES: _dismiss,
}


# Writing


def _listed(cards: Sequence[Card], language: str) -> str:
    tongue = words(language)
    return tongue.style.comma.join(tongue.inline(tongue.card(each)) for each in cards)


def _word(name: str, language: str) -> str:
    return words(language).choices[name][0].upper()


def _lodging_word(choice: Lodging, language: str) -> str:
    return " ".join(map(str, choice.rooms)) or _word("any", language)


_WRITTEN: Final[dict[type, Callable[[Any, str], str]]] = {
    Lodging: lambda it, lang: f"{verb_word('lodge', lang)} {_lodging_word(it, lang)}",
    Police: lambda it, lang: f"{verb_word('pay', lang)} {phrase_word('checks' if it.checks else 'cash', lang)}",
    Leaving: lambda it, lang: f"{verb_word('dismiss', lang)} {_listed(it.cards, lang)}",
    Payment: lambda it, lang: _word("returning" if it.returning else "ask", lang),
    Kept: lambda it, lang: f"{_word('keep', lang)} {_listed(it.cards, lang)}",
}
