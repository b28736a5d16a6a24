"""The orders that hold little more than numbers: LODGE, PASS and PAY."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain

from engine.bloody_inn.actions import Lodge, Pass, Pay
from engine.bloody_inn.cards import Card
from engine.bloody_inn.clauses import Line, numbers
from engine.bloody_inn.lodge import empty
from engine.bloody_inn.naming import counted
from engine.bloody_inn.reasons import Fault
from engine.bloody_inn.resolve import police_checks
from engine.bloody_inn.spelling import any_of
from engine.bloody_inn.state import View
from engine.bloody_inn.words import lexicon
from engine.game import Unreadable


def lodge(line: Line, view: View, language: str) -> Lodge:
    """``LODGE 3 1 5`` or ``LODGE ANY``; the traveler who is up may be named as well: ``LODGE baron IN 3``.

    ANY is what it is where it is settled beforehand: all empty rooms, by their numbers.
    """
    free = empty(view.rooms)
    if line.rest in lexicon(language).choices["any"]:
        return Lodge(free or tuple([room.number for room in view.rooms]))
    return Lodge(listed_rooms(line, tuple([str(number) for number in free]), _names(view.guest, language), language))


@cache
def _names(guest: Card, language: str) -> tuple[str, ...]:
    """All that a guest may be called."""
    return tuple(said for said, card in lexicon(language).cards.items() if card == guest)


def listed_rooms(line: Line, near: Sequence[str], names: tuple[str, ...], language: str) -> tuple[int, ...]:
    """The rooms that a line lists, behind one of the `names` or none; `near` is offered where it lists none."""
    rest = _guest(names, language).sub("", line.rest)
    strange = _strange(re.sub(r"\d+", " ", rest), language)
    if strange:
        raise Unreadable(Fault.NUMBER, word=strange)
    if not numbers(rest):
        raise Unreadable(Fault.ROOM_MISSING, verb=line.verb, near=tuple(near))
    return numbers(rest)


@cache
def _guest(names: tuple[str, ...], language: str) -> re.Pattern[str]:
    """Finds one of the `names` at the beginning, with articles before it."""
    return re.compile(rf"^(?:(?:{any_of(lexicon(language).little.skip)})\s)*(?:{any_of(names)})(?!\w)")


def pass_(line: Line, view: View, language: str) -> Pass:  # noqa: ARG001
    """``PASS``, ``PASS LAUNDER 20``, ``PASS CASH 10F``; both ways at once is for the rules to refuse."""
    return changes(line, language)


def changes(line: Line, language: str) -> Pass:
    """A pass and the money that is changed on the way."""
    amounts: dict[str, int] = {}
    for found in _changes(language).finditer(line.rest):
        way = "launder" if found["launder"] else "cash"
        if way in amounts:
            raise Unreadable(Fault.REPEATED, word=found[way])
        if not found["amount"]:
            raise Unreadable(Fault.NUMBER, word=found[way])
        amounts[way] = int(found["amount"])
    if _strange(_changes(language).sub(" ", line.rest), language):
        raise Unreadable(Fault.REST, words=line.rest)
    return Pass(**amounts)


@cache
def _changes(language: str) -> re.Pattern[str]:
    known = lexicon(language)
    ways = rf"(?P<launder>{any_of(known.phrases['launder'])})|(?P<cash>{any_of(known.phrases['cash'])})"
    amount = rf"\s*(?P<amount>\d+)\s*(?:(?:{any_of(known.little.francs)})(?!\w))?"
    return re.compile(rf"(?<!\w)(?:{ways})(?!\w)(?:{amount})?")


def pay(line: Line, view: View, language: str) -> Pay:
    """``PAY CHECKS`` (as many as can be), ``PAY CASH`` (as few), ``PAY 2 CHECKS``."""
    kind, count = paid_in(line, language)
    least, most = police_checks(view)
    if count is not None:
        return Pay(count)
    return Pay(least if kind == "cash" else most)


def paid_in(line: Line, language: str) -> tuple[str, int | None]:
    """With what the police are paid (``cash``, ``checks`` or ``one_check``), and how many checks if a line says so."""
    phrases = lexicon(language).phrases
    said = counted(re.sub(rf"^(?:{any_of(phrases['in'])})\s", "", line.rest), language)
    if not line.rest:
        raise Unreadable(Fault.TARGET_MISSING, verb=line.verb)
    if said.words in phrases["cash"] and said.count is None:
        return "cash", None
    if said.words not in phrases["checks"]:
        raise Unreadable(Fault.REST, words=line.rest)
    if said.count is None:
        return ("one_check", 1) if said.words in phrases["one_check"] else ("checks", None)
    return "one_check" if said.count == 1 else "checks", said.count


def _strange(text: str, language: str) -> str:
    """What is left of `text` without the words that say nothing more."""
    return " ".join(word for word in re.sub(r"[,;&+]", " ", text).split() if word not in _filler(language))


@cache
def _filler(language: str) -> frozenset[str]:
    known = lexicon(language)
    return frozenset(chain(known.phrases["in"], known.phrases["room"], known.little.skip, known.little.joins))
