"""An action as the order line that asks for it, in its one written form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, Final

from engine.bloody_inn.actions import Action, Bribe, Build, Bury, Dismiss, Grave, Kill, Lodge, Pass, Pay
from engine.bloody_inn.cards import PEASANT, Card
from engine.bloody_inn.hands import Cards
from engine.bloody_inn.resolve import guests
from engine.bloody_inn.state import View
from engine.bloody_inn.words import words


def write(action: Action, view: View, language: str = "en") -> str:
    """`action` as an order line for the seat of `view`, which reads back as the same action.

    `TypeError` for what only the dealer does: there is no order for it.
    """
    writer = _WRITERS.get(type(action))
    if writer is None:
        raise TypeError(f"no order asks for {type(action).__name__}")
    return writer(action, view, language)


def write_cards(cards: Iterable[Card], language: str = "en") -> str:
    """Cards as they stand behind WITH: equal ones counted, ``2 peasants, novice``."""
    return words(language).style.comma.join(_count(card, count, language) for card, count in Counter(cards).items())


def _count(card: Card, count: int, language: str) -> str:
    tongue = words(language)
    return tongue.times(tongue.inline(tongue.card(card, count)), count)


def _lodge(action: Lodge, view: View, language: str) -> str:  # noqa: ARG001
    return " ".join((verb_word("lodge", language), *map(str, action.rooms)))


def _take(verb: str) -> Callable[[Bribe | Kill, View, str], str]:
    def taken(action: Bribe | Kill, view: View, language: str) -> str:
        there = guests(view)
        targets = [_guest(room, there, language) for room in action.rooms]
        if action.peasants:
            targets.append(_count(PEASANT, action.peasants, language).upper())
        return f"{verb_word(verb, language)} {words(language).style.comma.join(targets)}{_with(action.pay, language)}"

    return taken


def _guest(room: int, there: Mapping[int, Card], language: str) -> str:
    """A guest by name; the room too where the name alone would not do."""
    guest = there.get(room)
    if guest is None:
        return f"{phrase_word('room', language)} {room}"
    name = _inline(guest, language)
    alone = sum(other == guest for other in there.values()) == 1
    return name if alone else f"{name} {phrase_word('in', language)} {room}"


def _build(action: Build, view: View, language: str) -> str:  # noqa: ARG001
    room = f" {phrase_word('room', language)} {action.room}" if action.room else ""
    name = _inline(action.card, language)
    return f"{verb_word('build', language)} {name}{_with(action.pay, language)}{room}"


def _bury(action: Bury, view: View, language: str) -> str:
    graves = words(language).style.comma.join(_grave(grave, view, language) for grave in action.graves)
    return f"{verb_word('bury', language)} {graves}{_with(action.pay, language)}"


def _grave(grave: Grave, view: View, language: str) -> str:
    tongue = words(language)
    annex = tongue.inline(tongue.annex(grave.annex))
    if grave.owner != view.seat:
        annex = tongue.owned(view.players[grave.owner - 1].name, annex)
    return f"{_inline(grave.corpse, language)} {phrase_word('under', language)} {annex}"


def _pass(action: Pass, view: View, language: str) -> str:  # noqa: ARG001
    amounts = (("launder", action.launder), ("cash", action.cash))
    changes = (f"{phrase_word(way, language)} {much}" for way, much in amounts if much)
    return " ".join((verb_word("pass", language), *changes))


def _pay(action: Pay, view: View, language: str) -> str:  # noqa: ARG001
    if not action.checks:
        return f"{verb_word('pay', language)} {phrase_word('cash', language)}"
    single = action.checks == 1 and words(language).phrases["one_check"]
    checks = phrase_word("one_check" if single else "checks", language)
    return f"{verb_word('pay', language)} {action.checks} {checks}"


def _dismiss(action: Dismiss, view: View, language: str) -> str:  # noqa: ARG001
    return f"{verb_word('dismiss', language)} {write_cards(action.cards, language)}"


@lru_cache(maxsize=4096)
def _with(pay: Cards, language: str) -> str:
    cards = write_cards(pay, language)
    return f" {phrase_word('with', language)} {cards}" if cards else ""


@cache
def _inline(card: Card, language: str) -> str:
    tongue = words(language)
    return tongue.inline(tongue.card(card))


@cache
def verb_word(verb: str, language: str = "en") -> str:
    """The verb as it is written: ``LODGE``."""
    return words(language).verb(verb)


@cache
def phrase_word(phrase: str, language: str = "en") -> str:
    """The word that opens a part of an order, as it is written: ``WITH``."""
    return words(language).phrases[phrase][0].upper()


_WRITERS: Final[dict[type, Callable[[Any, View, str], str]]] = {
    Lodge: _lodge,
    Bribe: _take("bribe"),
    Kill: _take("kill"),
    Build: _build,
    Bury: _bury,
    Pass: _pass,
    Pay: _pay,
    Dismiss: _dismiss,
}
