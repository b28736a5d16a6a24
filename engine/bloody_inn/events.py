"""What happened, as values. All are public but the sealed answers, which have a twin (`Answered`).

Francs in `gained` are what arrived; `lost` is what went over the limit of 40F.
"""

from __future__ import annotations

from enum import StrEnum

from engine.bloody_inn.cards import Card
from engine.values import Value


class Event(Value, frozen=True, tag=True):
    """Base of all events; the tag in JSON is the class name under ``type``."""


class FirstPlayer(Event, frozen=True):
    seat: int


class Shuffled(Event, frozen=True):
    """What was shuffled: ``first`` the lots for the first player, ``entrance`` the deck, ``season`` the Exit Stack."""

    what: str
    size: int


class RoundBegan(Event, frozen=True):
    round: int
    season: int
    first: int
    last: bool


class LeftoversArrived(Event, frozen=True):
    """Fewer travelers than a round needs: they are lodged and leave at once."""

    size: int


class Lodged(Event, frozen=True):
    seat: int
    room: int
    card: Card


class Served(Event, frozen=True):
    """Room Service paid the owner of the token."""

    seat: int
    room: int
    gained: int
    lost: int


class Bribed(Event, frozen=True):
    seat: int
    guests: tuple[tuple[int, Card], ...]
    peasants: int
    played: tuple[Card, ...]
    returned: tuple[Card, ...]


class Killed(Event, frozen=True):
    seat: int
    guests: tuple[tuple[int, Card], ...]
    peasants: int
    played: tuple[Card, ...]
    returned: tuple[Card, ...]


class Built(Event, frozen=True):
    seat: int
    card: Card
    played: tuple[Card, ...]
    returned: tuple[Card, ...]
    room: int
    """For Monk and Concierge: the room that got the key or the token, else 0."""
    gained: int
    lost: int


class Burial(Value, frozen=True):
    corpse: Card
    owner: int
    annex: Card
    gained: int
    """By the one who buries."""
    lost: int
    owner_gained: int
    """By the annex's owner, when it is somebody else."""
    owner_lost: int


class Buried(Event, frozen=True):
    seat: int
    burials: tuple[Burial, ...]
    played: tuple[Card, ...]
    returned: tuple[Card, ...]


class Passed(Event, frozen=True):
    seat: int
    launder: int
    cash: int


class Answered(Event, frozen=True):
    """A sealed answer is in (``pay`` or ``dismiss``); what it says comes when all are in."""

    seat: int
    kind: str


class AnswerSealed(Event, frozen=True):
    """The secret form of `Answered`, for the seat that gave it."""

    seat: int
    kind: str
    checks: int
    cards: tuple[Card, ...]


class PoliceCame(Event, frozen=True):
    guests: tuple[tuple[int, Card], ...]


class PolicePaid(Event, frozen=True):
    seat: int
    corpses: tuple[Card, ...]
    cash: int
    checks: int


class TravelersLeft(Event, frozen=True):
    guests: tuple[tuple[int, Card], ...]


class Income(Event, frozen=True):
    """Of one seat as the travelers leave: 1F a room, and its annexes."""

    seat: int
    rooms: int
    annexes: int
    gained: int
    lost: int


class WagesPaid(Event, frozen=True):
    seat: int
    due: int
    paid: int


class Dismissed(Event, frozen=True):
    seat: int
    cards: tuple[Card, ...]


class SeasonBegan(Event, frozen=True):
    season: int
    rounds: int
    """Rounds it will have, a short last one counted; 0: none."""


class LastRoundSkipped(Event, frozen=True):
    guests: tuple[tuple[int, Card], ...]


class Gravedigger(Event, frozen=True):
    seat: int
    corpses: tuple[Card, ...]
    cash: int
    checks: int


class EndIncome(Event, frozen=True):
    seat: int
    items: tuple[tuple[Card, int], ...]
    gained: int
    lost: int


class Lost(Event, frozen=True):
    """Solo: a corpse was found, by ``police`` or ``gravedigger``."""

    by: str


class Ended(Event, frozen=True):
    wealth: tuple[int, ...]
    places: tuple[int, ...]


class Place(StrEnum):
    """Where a card may lie."""

    ROOM = "room"
    EXIT = "exit"
    GONE = "gone"
    BISTRO = "bistro"
    CORPSES = "corpses"
    HAND = "hand"


class Spot(Value, frozen=True, forbid_unknown_fields=True):
    """A place where a card lies, and which: the number of a room, or the seat whose corpses or hand it is."""

    place: Place
    number: int = 0


class PurseCorrected(Event, frozen=True):
    """A moderator corrected a player's ``cash`` or ``checks``."""

    seat: int
    what: str
    before: int
    after: int


class CardMoved(Event, frozen=True):
    """A moderator corrected where a card lies."""

    card: Card
    source: Spot
    target: Spot


AnyEvent = (
    FirstPlayer
    | Shuffled
    | RoundBegan
    | LeftoversArrived
    | Lodged
    | Served
    | Bribed
    | Killed
    | Built
    | Buried
    | Passed
    | Answered
    | AnswerSealed
    | PoliceCame
    | PolicePaid
    | TravelersLeft
    | Income
    | WagesPaid
    | Dismissed
    | SeasonBegan
    | LastRoundSkipped
    | Gravedigger
    | EndIncome
    | Lost
    | Ended
    | PurseCorrected
    | CardMoved
)


_COVERED = (Bribed, Killed, Built, Buried, Passed, Answered, AnswerSealed)
"""What a player does with open things and his own hand. Whatever else happens may turn up a traveler or an answer."""


def uncovers(event: AnyEvent) -> bool:
    """Whether something may have come to light with `event` that whoever moved could not know before."""
    return not isinstance(event, _COVERED)


def touches(event: AnyEvent) -> tuple[int, ...]:
    """The seats whose own things somebody else's move touched: their annexes were buried under."""
    if not isinstance(event, Buried):
        return ()
    return tuple(burial.owner for burial in event.burials if burial.owner != event.seat)
