"""A reader who believes the news: from public events alone he keeps every purse and every hand.

Every card that is played, taken back, gained or lost is named to all (D24), and every franc too; so whoever
adds the news up has to arrive at the position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from engine.bloody_inn import events
from engine.bloody_inn.cards import PEASANT
from engine.bloody_inn.state import State

Francs = Iterator[tuple[int, int]]
"""Seats, and by how much their wealth changes."""
Moved = Iterator[tuple[int, str, int]]
"""Seats, cards, and how many more of them are in their hands."""


def purses(state: State) -> tuple[int, ...]:
    """The wealth of each seat, in francs."""
    return tuple(player.cash + 10 * player.checks for player in state.players)


def hands(state: State) -> tuple[Counter[str], ...]:
    """The hand of each seat."""
    return tuple(Counter(player.hand) for player in state.players)


def purses_after(before: tuple[int, ...], news: Iterable[Any]) -> tuple[int, ...]:
    """What the purses hold once all of `news` has happened."""
    found = list(before)
    for event in news:
        for seat, francs in _FRANCS[type(event)](event) if type(event) in _FRANCS else ():
            found[seat - 1] += francs
    return tuple(found)


def hands_after(before: tuple[Counter[str], ...], news: Iterable[Any]) -> tuple[Counter[str], ...]:
    """What the hands hold once all of `news` has happened; a card that was not there shows as a negative count."""
    found = [Counter(hand) for hand in before]
    for event in news:
        for seat, card, more in _CARDS[type(event)](event) if type(event) in _CARDS else ():
            found[seat - 1][card] += more
    return tuple(Counter({card: count for card, count in hand.items() if count}) for hand in found)


def _gained(event: events.Served | events.Built | events.Income | events.EndIncome) -> Francs:
    yield event.seat, event.gained


def _burials(event: events.Buried) -> Francs:
    for burial in event.burials:
        yield event.seat, burial.gained
        yield burial.owner, burial.owner_gained


def _fined(event: events.PolicePaid | events.Gravedigger) -> Francs:
    yield event.seat, -event.cash - 10 * event.checks


def _wages(event: events.WagesPaid) -> Francs:
    yield event.seat, -event.paid


_FRANCS: Final[Mapping[type, Callable[[Any], Francs]]] = {
    events.Served: _gained,
    events.Built: _gained,
    events.Income: _gained,
    events.EndIncome: _gained,
    events.Buried: _burials,
    events.PolicePaid: _fined,
    events.Gravedigger: _fined,
    events.WagesPaid: _wages,
}


def _paid(event: events.Bribed | events.Killed | events.Built | events.Buried) -> Moved:
    yield from ((event.seat, card, -1) for card in event.played)
    yield from ((event.seat, card, +1) for card in event.returned)


def _bribed(event: events.Bribed) -> Moved:
    yield from _paid(event)
    yield from ((event.seat, card, +1) for _, card in event.guests)
    yield event.seat, PEASANT, event.peasants


def _built(event: events.Built) -> Moved:
    yield from _paid(event)
    yield event.seat, event.card, -1


def _dismissed(event: events.Dismissed) -> Moved:
    yield from ((event.seat, card, -1) for card in event.cards)


_CARDS: Final[Mapping[type, Callable[[Any], Moved]]] = {
    events.Bribed: _bribed,
    events.Killed: _paid,
    events.Built: _built,
    events.Buried: _paid,
    events.Dismissed: _dismissed,
}
