"""What a seat may do, one type an action. Card tuples are sorted; rooms and seats count from 1."""

from __future__ import annotations

from engine.bloody_inn.cards import Card
from engine.game import Deal
from engine.values import Value


class Lodge(Value, frozen=True, tag="lodge"):
    """Lodge the traveler that is up in the first room, the next in the second, and so on."""

    rooms: tuple[int, ...]


class Bribe(Value, frozen=True, tag="bribe"):
    """Take guests (room numbers, ascending) into the hand, or peasants from the bistro."""

    rooms: tuple[int, ...] = ()
    peasants: int = 0
    pay: tuple[Card, ...] = ()


class Build(Value, frozen=True, tag="build"):
    """Build a card of the hand as an annex; `room` is for Monk and Concierge, else 0."""

    card: Card
    room: int = 0
    pay: tuple[Card, ...] = ()


class Kill(Value, frozen=True, tag="kill"):
    """Kill guests (room numbers, ascending), or one peasant in the bistro."""

    rooms: tuple[int, ...] = ()
    peasants: int = 0
    pay: tuple[Card, ...] = ()


class Grave(Value, frozen=True):
    """A corpse and the annex (its owner, its card) that it goes under."""

    corpse: Card
    owner: int
    annex: Card


class Bury(Value, frozen=True, tag="bury"):
    """Bury own corpses, each under an annex with a free place; sorted by corpse, owner, annex."""

    graves: tuple[Grave, ...]
    pay: tuple[Card, ...] = ()


class Pass(Value, frozen=True, tag="pass"):
    """Do nothing, or change money: `launder` francs of cash into checks, or `cash` francs of checks back."""

    launder: int = 0
    cash: int = 0


class Pay(Value, frozen=True, tag="pay"):
    """Pay the police with so many checks, the rest in cash."""

    checks: int


class Dismiss(Value, frozen=True, tag="dismiss"):
    """Let unpaid accomplices go."""

    cards: tuple[Card, ...]


Night = Bribe | Build | Kill | Bury | Pass
Action = Lodge | Night | Pay | Dismiss | Deal
