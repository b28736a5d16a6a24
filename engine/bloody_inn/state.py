"""The position of a game of The Bloody Inn, as immutable values.

Cards are ids of faces (see `cards`); every tuple of cards is sorted unless its order means something.
Money is in francs. Seats count from 1, rooms from 1; 0 stands for nobody (a white key, no token).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from engine.bloody_inn.cards import Card
from engine.game import Decision
from engine.values import Value


class Phase(StrEnum):
    """Where in a round the game stands."""

    SETUP = "setup"
    EVENING = "evening"
    NIGHT = "night"
    POLICE = "police"
    WAGES = "wages"
    OVER = "over"


class Kind(StrEnum):
    """The kinds of decision."""

    DEAL = "deal"
    LODGE = "lodge"
    ACT = "act"
    PAY = "pay"
    DISMISS = "dismiss"


class Options(Value, frozen=True):
    """The table's rules; the defaults are the printed ones (see `setup.OPTIONS`)."""

    length: str = "short"
    welcome: str = "choose"
    first: str = "drawn"
    """``drawn`` or the number of a seat."""
    unlimited: str = "off"
    reshuffle: str = "next-welcome"
    last_round: str = "rulebook"
    hands: str = "private"


class Annex(Value, frozen=True):
    """An annex in front of its owner, and the corpses under it."""

    card: Card
    graves: tuple[Card, ...] = ()


class Room(Value, frozen=True):
    """An open room: whose key, whose Room Service token, and the guest (empty: nobody)."""

    number: int
    key: int = 0
    token: int = 0
    guest: Card = ""


class Player(Value, frozen=True):
    """What lies before a seat, and its hand."""

    hand: tuple[Card, ...]
    annexes: tuple[Annex, ...]
    """In the order they were built, the barn first."""
    corpses: tuple[Card, ...] = ()
    cash: int = 5
    checks: int = 1


class Sealed(Value, frozen=True):
    """An answer that stays sealed until every payer has answered (D10)."""

    seat: int
    checks: int = 0
    """For the police: how many checks; the rest is paid in cash."""
    cards: tuple[Card, ...] = ()
    """For wages: who is dismissed."""


class Account(Value, frozen=True):
    """How a player's wealth came about, worked out when the game ends."""

    cash: int
    checks: int
    """As they stand at the very end, after everything below."""
    gravedigger: int
    """Francs paid for corpses left unburied."""
    income: tuple[tuple[Card, int], ...]
    """End-of-game income by annex, before the limit of 40F."""
    lost: int
    """Of that income, what went over the limit."""
    wealth: int
    graves: int
    """Corpses under own annexes: the tie-break."""


class Deed(Value, frozen=True):
    """What a seat did at night, as everybody saw: ``kill``, ``bury``, ``build``, ``bribe`` or ``pass``."""

    seat: int
    verb: str


class State(Value, frozen=True):
    """Everything. Hidden from all seats: `removed` and the order of `entrance` below its top."""

    options: Options
    phase: Phase
    players: tuple[Player, ...]
    rooms: tuple[Room, ...]
    """The open rooms by number."""
    round: int = 0
    season: int = 1
    first: int = 0
    """The seat with the first-player card; 0 before it is drawn."""
    turn: int = 0
    """The seat to lodge or to act, in the evening and at night."""
    action: int = 1
    """At night: 1 while everybody takes a first action, 2 for the second."""
    entrance: tuple[Card, ...] = ()
    """Top first."""
    exit: tuple[Card, ...] = ()
    bistro: int = 0
    """Peasants in the bistro."""
    box: int = 8
    """Peasants that do not take part."""
    removed: tuple[Card, ...] = ()
    """Travelers put away unseen."""
    gone: tuple[Card, ...] = ()
    """Corpses the police took away."""
    sealed: tuple[Sealed, ...] = ()
    awaited: tuple[int, ...] = ()
    """In the phases police and wages: the seats that still owe an answer."""
    shuffle_due: bool = False
    """The dealer is awaited."""
    last_round: bool = False
    short: bool = False
    """The travelers left are too few for a round: they are lodged and leave (D2)."""
    lost: bool = False
    """Solo: the police or the gravedigger ended the game."""
    accounts: tuple[Account, ...] = ()
    """By seat, once the game is over."""
    deeds: tuple[Deed, ...] = ()
    """Of the last night, in order; no rule looks at them, conditions of plans do."""


class Hand(Protocol):
    """What a rule needs of a seat, in a state and in its own view alike."""

    @property
    def hand(self) -> tuple[Card, ...]: ...
    @property
    def annexes(self) -> tuple[Annex, ...]: ...
    @property
    def corpses(self) -> tuple[Card, ...]: ...
    @property
    def cash(self) -> int: ...
    @property
    def checks(self) -> int: ...


class Board(Protocol):
    """What a check of legality may look at: a state, or the view of the seat that acts."""

    @property
    def options(self) -> Options: ...
    @property
    def phase(self) -> Phase: ...
    @property
    def round(self) -> int: ...
    @property
    def players(self) -> Sequence[Hand]: ...
    @property
    def rooms(self) -> tuple[Room, ...]: ...
    @property
    def bistro(self) -> int: ...
    @property
    def first(self) -> int: ...
    @property
    def turn(self) -> int: ...
    @property
    def action(self) -> int: ...
    @property
    def awaited(self) -> tuple[int, ...]: ...


class Shown(Value, frozen=True):
    """A seat as somebody may see it."""

    seat: int
    name: str
    hand: tuple[Card, ...]
    """Empty where it is not for this reader; see `hand_size` and `hand_shown`."""
    hand_size: int
    hand_shown: bool
    annexes: tuple[Annex, ...]
    corpses: tuple[Card, ...]
    cash: int
    checks: int


class View(Value, frozen=True):
    """What one seat (or, with seat 0, the public) may see."""

    seat: int
    options: Options
    phase: Phase
    round: int
    season: int
    first: int
    turn: int
    action: int
    last_round: bool
    short: bool
    rooms: tuple[Room, ...]
    players: tuple[Shown, ...]
    bistro: int
    top: Card
    """The card on top of the Entrance Stack; empty if there is none."""
    entrance_size: int
    exit: tuple[Card, ...]
    gone: tuple[Card, ...]
    awaited: tuple[int, ...]
    waiting: tuple[Decision, ...]
    """The open decisions of all seats: who is awaited is no secret, what he answers is."""
    guest: Card
    """In the evening: the traveler to be lodged now; empty otherwise."""
    lost: bool
    accounts: tuple[Account, ...]
    removed: tuple[Card, ...]
    """Laid open when the game is over; empty before."""
    deeds: tuple[Deed, ...] = ()
    """Of the last night, in order."""
