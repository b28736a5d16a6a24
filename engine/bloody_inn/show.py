"""What the templates of this game need beside the view: names of cards, and small sums over what is seen.

Values and numbers only. Sentences live in ``templates/``; nothing here knows more than its view does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from engine.bloody_inn import annexes, season, wages
from engine.bloody_inn.actions import Bury, Pay
from engine.bloody_inn.cards import BUILDABLE, CAPACITY, COLORS, FACES, FRANCS, PEASANT, POLICEMEN, RANK, Card, Face
from engine.bloody_inn.events import Answered, AnswerSealed, Dismissed, PolicePaid, WagesPaid
from engine.bloody_inn.money import CHECK, CORPSE_FEE, LIMIT, Payment, payment
from engine.bloody_inn.sample import night
from engine.bloody_inn.state import Room, Shown, View
from engine.bloody_inn.words import ENGLISH, words
from engine.game import Decision

COLOR_OF: Final[Mapping[str, str]] = {kind: color for color, kind in COLORS.items()}
"""From the type of a card to its color."""


def kind(value: object) -> str:
    """The name of the type of an event or action: what templates dispatch on."""
    return type(value).__name__


def runs(events: Sequence[Any]) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """`events` as they are told: neighbours of one type together with the name of that type."""
    return tuple((name, tuple(group)) for name, group in groupby(_wages_first(_opened(events)), key=kind))


_OPENS: Final[Mapping[str, type]] = {"pay": PolicePaid, "dismiss": Dismissed}
"""What shows a sealed answer, by its kind."""


def _opened(events: Sequence[Any]) -> list[Any]:
    """`events` without the sealed answers that later ones open: they are told once."""
    kept: list[Any] = []
    shown: set[tuple[type, int]] = set()
    for event in reversed(events):
        if isinstance(event, Answered | AnswerSealed) and (_OPENS[event.kind], event.seat) in shown:
            shown.remove((_OPENS[event.kind], event.seat))
            continue
        if isinstance(event, PolicePaid | Dismissed):
            shown.add((type(event), event.seat))
        kept.append(event)
    return kept[::-1]


def _wages_first(events: Iterable[Any]) -> Iterator[Any]:
    """`events` with all wages of a morning before all dismissals."""
    for _, group in groupby(events, key=lambda event: isinstance(event, WagesPaid | Dismissed)):
        yield from sorted(group, key=lambda event: isinstance(event, Dismissed))


def face(card: Card) -> Face:
    return FACES[card]


def color(card: Card) -> str:
    return COLOR_OF[FACES[card].type]


def counted(cards: Iterable[Card]) -> tuple[tuple[Card, int], ...]:
    """Each face among `cards` once, with its number, in the order of the cards."""
    return tuple(Counter(cards).items())


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """`cards` as a hand is best read: by color, the highest rank first."""
    colors = list(COLOR_OF)
    return tuple(sorted(cards, key=lambda card: (colors.index(FACES[card].type), -RANK[card], card)))


def buildable(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The faces among `cards` that can become an annex, each once; an empty name is no card."""
    return tuple(dict.fromkeys(card for card in cards if card in BUILDABLE))


def worth(corpses: Iterable[Card]) -> int:
    """What their pockets hold together, in francs."""
    return sum(FRANCS[corpse] for corpse in corpses)


def player(view: View, seat: int) -> Shown:
    return view.players[seat - 1]


def who(view: View, seat: int) -> str:
    """The name of a seat."""
    return view.players[seat - 1].name


def names(view: View, seats: Iterable[int]) -> tuple[str, ...]:
    return tuple(who(view, seat) for seat in seats)


def solo(view: View) -> bool:
    return len(view.players) == 1


def open_now(view: View, decision: Decision) -> bool:
    """Whether `decision` is awaited now, not later in the round."""
    return any(each.key == decision.key for each in view.waiting)


def room(view: View, number: int) -> Room:
    return next(each for each in view.rooms if each.number == number)


def empty_rooms(view: View) -> tuple[int, ...]:
    return tuple(each.number for each in view.rooms if not each.guest)


def guests(view: View, rooms: Sequence[int]) -> tuple[Card, ...]:
    """Who lies in `rooms`, in their order."""
    return tuple(room(view, number).guest for number in rooms)


def tokens(view: View) -> tuple[Room, ...]:
    """The rooms with a Room Service token."""
    return tuple(each for each in view.rooms if each.token)


def police_in(view: View, without: Sequence[int] = ()) -> bool:
    """Whether a police card lies in a room (other than those named): then there will be an investigation."""
    return any(each.guest in POLICEMEN for each in view.rooms if each.number not in without)


def free_places(view: View) -> tuple[tuple[int, Card], ...]:
    """Every (owner, annex) that has room for one more corpse, the reader's own first."""
    owners = sorted(view.players, key=lambda owner: (owner.seat != view.seat, owner.seat))
    return tuple(
        dict.fromkeys(
            (owner.seat, annex.card)
            for owner in owners
            for annex in owner.annexes
            if len(annex.graves) < CAPACITY[annex.card]
        )
    )


def built_gain(view: View, card: Card) -> int:
    """What building `card` pays the reader at once, as far as his track has room for it."""
    own = (*(annex.card for annex in player(view, view.seat).annexes), card)
    return gain(view, view.seat, annexes.gain_when_built(card, own))


def burial_money(view: View, action: Bury) -> tuple[tuple[int, int], ...]:
    """What each seat gains by the reader's burial: (seat, francs), the reader first."""
    shares: Counter[int] = Counter({view.seat: 0})
    for grave in action.graves:
        own = grave.owner == view.seat
        shares[view.seat] += FRANCS[grave.corpse] // (1 if own else 2)
        shares[grave.owner] += 0 if own else FRANCS[grave.corpse] // 2
    return tuple((seat, gain(view, seat, francs)) for seat, francs in shares.items())


def gain(view: View, seat: int, francs: int) -> int:
    """What of `francs` a seat can take: all, or as much as its track has room for."""
    return francs if view.options.unlimited == "on" else min(francs, LIMIT - player(view, seat).cash)


def police_payment(view: View, action: Pay) -> Payment:
    """What the reader gives the police by `action`."""
    return payment(player(view, view.seat), action.checks)


def rounds_left(view: View) -> int:
    """Rounds of this season after the present one (D1): the travelers still to be lodged are taken off first."""
    coming = min(view.entrance_size, len(empty_rooms(view)) - 1) if view.guest else 0
    stack = view.entrance_size - coming
    if view.season < season.LAST_SEASON:
        return stack // len(view.rooms)
    return season.rounds(stack, len(view.rooms), season.least(view.options, len(view.players), len(view.rooms)))


class Place(NamedTuple):
    """A seat in the final order."""

    place: int
    """0: the game was lost."""
    seat: int


def standing(places: Sequence[int]) -> tuple[Place, ...]:
    """The seats, the best placed first."""
    return tuple(sorted(Place(place, seat) for seat, place in enumerate(places, start=1)))


_FUNCTIONS: Final = (
    buildable,
    built_gain,
    burial_money,
    color,
    counted,
    empty_rooms,
    face,
    free_places,
    guests,
    in_order,
    kind,
    names,
    open_now,
    player,
    police_in,
    police_payment,
    room,
    rounds_left,
    runs,
    solo,
    standing,
    tokens,
    who,
    worth,
)
_VALUES: Final[Mapping[str, object]] = {
    "PEASANT": PEASANT,
    "PER_CHECK": CHECK,
    "PER_CORPSE": CORPSE_FEE,
    "capacity": CAPACITY,
    "francs": FRANCS,
    "unpaid": wages.unpaid,
    "wages": wages.due,
}


@cache
def show(language: str = ENGLISH) -> Mapping[str, Any]:
    """What a host hands to the templates of `language` under the name ``show``: all of this by name, and its words.

    ``card(id, count)``, ``copies(id, count)``, ``the(id)``, ``annex(id)`` and ``owned(owner, annex)`` say how cards and
    annexes are called, ``verb(name)`` how an order begins.
    """
    called = words(language)
    own = {function.__name__: function for function in _FUNCTIONS}
    spoken = {each: getattr(called, each) for each in ("card", "copies", "the", "annex", "owned", "verb")}
    return MappingProxyType({**own, **_VALUES, **spoken, "night": partial(night, language=language)})
