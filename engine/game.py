"""The contract between a game and whoever hosts it.

A game is a set of pure functions over an immutable state. Seats are numbered from 1; seat 0 is the
dealer, who answers whenever chance is due. The host learns nothing else about a game: it finds one by
entry point (group ``pbem.games``), keeps its states as bytes and speaks to it through `Game`.

Words and names are compared as `fold` gives them, by the game and by its host alike.

Three troubles, three types: `Unreadable` and `Ambiguous` (not understood) and `Illegal` (not allowed).
Each carries a reason from an enumeration and its facts, never a sentence: sentences live in templates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

from engine.drawing import Drawing as Drawing
from engine.drawing import Picture as Picture
from engine.drawing import Piece as Piece
from engine.drawing import Placed as Placed
from engine.folding import fold as fold
from engine.values import Value

DEALER: Final = 0
"""The seat of chance."""

ENTRY_POINT_GROUP: Final = "pbem.games"


class Decision(Value, frozen=True):
    """Something that a seat has to decide now.

    A decision is known by round, phase, seat and ordinal, never by the version of the state, so that an
    order keeps belonging to the decision it answers whatever happens elsewhere.
    """

    seat: int
    kind: str
    """The game's own word, as ``act`` or ``pay``; ``deal`` when the dealer is awaited."""
    round: int
    phase: str
    ordinal: int
    """1 for the seat's first decision of this phase, 2 for its second."""
    answers: int
    """1 if there is a single answer (never asked), 2 if there are two or more."""
    size: int = 0
    """For the dealer: how many things are shuffled."""

    @property
    def key(self) -> str:
        """Its name within a game, as ``3/night/2/1``: round, phase, seat, ordinal."""
        return f"{self.round}/{self.phase}/{self.seat}/{self.ordinal}"


class Deal(Value, frozen=True, tag="deal"):
    """The dealer's answer: a permutation of ``range(size)``; the first number comes first."""

    order: tuple[int, ...]


class Secret(Value, frozen=True):
    """An event that only `seat` may know, and the public twin that everybody else gets."""

    seat: int
    event: Any
    twin: Any


class Step(Value, frozen=True):
    """What a move leads to: the next state and what happened, in order."""

    state: Any
    events: tuple[Any, ...] = ()


def told(events: Iterable[Any], seat: int | None) -> tuple[Any, ...]:
    """`events` as `seat` may know them (``None``: as everybody may)."""
    return tuple(
        event if not isinstance(event, Secret) else event.event if event.seat == seat else event.twin
        for event in events
    )


class Outcome(Value, frozen=True, forbid_unknown_fields=True):
    """How a game ended: by seat (the first stands for seat 1) its place and its score."""

    places: tuple[int, ...]
    """1 for the winner, equal numbers for a shared place, 0 for a game that was lost."""
    scores: tuple[int | None, ...]
    grade: str = ""
    """The game's own word for how well it went, or nothing."""


class Option(Value, frozen=True):
    """A rule that a table may choose: its values, and the one it has when nobody chooses."""

    name: str
    values: tuple[str, ...]
    default: str


class Unreadable(Exception):
    """A line that could not be understood, with the reason and its facts."""

    def __init__(self, reason: StrEnum, **facts: Any) -> None:
        super().__init__(reason.value, facts)
        self.reason = reason
        self.facts = facts


class Ambiguous(Exception):
    """A line that can be understood in more than one way, with every reading."""

    def __init__(self, text: str, readings: Sequence[Any]) -> None:
        super().__init__(text, tuple(readings))
        self.text = text
        self.readings = tuple(readings)


class Illegal(Exception):
    """A move that the rules do not allow now, with the reason and its facts."""

    def __init__(self, reason: StrEnum, **facts: Any) -> None:
        super().__init__(reason.value, facts)
        self.reason = reason
        self.facts = facts


class BadOption(ValueError):
    """An option, a value or a number of seats that the game does not have."""

    def __init__(self, option: str, value: str, allowed: Sequence[str]) -> None:
        super().__init__(f"{option}={value}: choose one of {', '.join(allowed)}")
        self.option, self.value, self.allowed = option, value, tuple(allowed)


class Stream(Protocol):
    """Randomness that is handed to a bot."""

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound - 1``, each equally likely."""


class Bot(Protocol):
    """A player made of code. It sees what its seat may see and nothing else."""

    def choose(self, view: Any, events: Sequence[Any], iterations: int, stream: Stream) -> Any:
        """An action for the open decision of ``view.seat``; `iterations` bounds the work."""


class LookUp(Protocol):
    """Capability ``lookup``: cards and rules that a player may ask for (kinds ``card``, ``rules``)."""

    def keys(self, kind: str) -> tuple[str, ...]:
        """All that can be looked up, in the order in which it is listed."""

    def find(self, kind: str, text: str, language: str = "en") -> str:
        """The key meant by `text`; `Unreadable` with the fact ``near`` when there is none."""

    def facts(self, kind: str, key: str) -> Mapping[str, Any]:
        """What the game's template ``lookup_<kind>.txt.j2`` needs to show it."""


class Corrections(Protocol):
    """Capability ``corrections``: one fact of a position changed by a moderator, in the open.

    A change is a JSON object; it takes nothing from where only one seat may look, so that none gives a secret away.
    """

    @property
    def usage(self) -> tuple[str, ...]:
        """How each change is written, as ``CASH name francs``."""

    def read(self, text: str, view: Any) -> dict[str, Any]:
        """The change that `text` asks for; `view` is the public one. `Unreadable` with the fact ``near``."""

    def apply(self, state: Any, change: Mapping[str, Any]) -> Step:
        """The state after it; its events tell everybody what it was before and what it is. `Illegal` where the
        position would not hold, ``msgspec.ValidationError`` for what is no change."""


class Conditions(Protocol):
    """Capability ``conditions``: what a plan may ask of its own seat's view. NOT, AND and OR are the host's."""

    def read(self, text: str, view: Any, language: str = "en") -> Any:
        """The condition that `text` is; `Unreadable` or `Ambiguous`."""

    def holds(self, condition: Any, view: Any) -> bool:
        """Whether it is true of what `view` shows."""

    def write(self, condition: Any, view: Any, language: str = "en") -> str:
        """As it is written; `read` gives it back."""


class Standing(Protocol):
    """Capability ``standing``: choices that a player settles beforehand, so that nobody need ask him."""

    def read(self, text: str, language: str = "en") -> Any:
        """The choice that `text` is, in whatever position; `Unreadable` with the fact ``near``."""

    def topic(self, choice: Any) -> str:
        """What it is about: a newer choice of the same topic takes its place."""

    def write(self, choice: Any, language: str = "en") -> str:
        """As it is written; `read` gives it back."""

    def answer(self, choices: Sequence[Any], view: Any) -> Any | None:
        """The action for the open decision of ``view.seat``; ``None`` where `choices` do not settle it."""

    def order(self, text: str, view: Any, choices: Sequence[Any], language: str = "en") -> Any:
        """As `Game.read`, with what the line leaves out filled in from `choices`."""

    def offers(self, language: str = "en") -> tuple[str, ...]:
        """The choices worth offering to a newcomer, as he would write them."""


class Guide(Protocol):
    """Capability ``guide``: what a newcomer is told in his first game, a lesson a mail; the words are those of the
    game's template ``guide.txt.j2``, which gets ``lesson`` and ``view``."""

    @property
    def lessons(self) -> tuple[str, ...]:
        """The names of all."""

    def lesson(self, view: Any, left: Sequence[str]) -> str:
        """Which of `left` is about what ``view.seat`` has before it now; nothing where none is."""


class Fragment(Value, frozen=True):
    """Something that a position on a page is put together from: equal ones are drawn once."""

    macro: str
    """Of the game's template ``replay.html.j2``: it gives the fragment, as HTML."""
    facts: tuple[Any, ...]
    """What the macro is called with."""


class Replay(Protocol):
    """Capability ``replay``: a position on a page, in fragments, so that from one to the next only what changed is new.

    The game's template ``replay.html.j2`` has a macro for each kind of fragment, and ``frame(drawn, view)``, which lays
    them out as they are drawn, by their places; an element with an attribute ``data-slot`` stands around each and holds
    nothing else. ``replay.css`` beside it says how they look, and begins each rule with ``.board``: neither may have a
    style of its own on an element. The macro ``worth()`` names what `worth` counts.
    """

    def fragments(self, view: Any, hands: Sequence[Any], *, ended: bool) -> Mapping[str, Fragment]:
        """What `view`, a public one, shows, by places, which stay the same throughout a game.

        `hands` are the views of all seats where everything is laid open, else none; `ended`: it was broken off here.
        """

    def worth(self, view: Any) -> tuple[int, ...]:
        """What each seat has won so far, as everybody may know it."""


S = TypeVar("S")
A = TypeVar("A")
V = TypeVar("V")


@runtime_checkable
class Game(Protocol[S, A, V]):
    """All that a host may ask of a game. Every method is pure."""

    @property
    def name(self) -> str:
        """As people write it in NEW and as the entry point is called: ``bloody-inn``."""

    @property
    def title(self) -> str:
        """As people read it."""

    @property
    def version(self) -> int:
        """Of the rules: a set of option defaults. Behaviour never changes under one version."""

    @property
    def seats(self) -> tuple[int, ...]:
        """How many may play."""

    @property
    def options(self) -> tuple[Option, ...]:
        """What a table may choose."""

    @property
    def package(self) -> str:
        """The package that holds the folder ``templates`` of this game."""

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """What else it can do, by name: ``lookup`` (LookUp), ``bots`` (name to Bot), ``show`` (from a language to the
        values for its templates), ``touches`` (event to the seats whose own things it touched), ``reserved`` (folded
        words that no player may be called), ``outline`` (from an order line and a language to what can be understood of
        it without a position; `Unreadable` for what no position could make readable), ``kinds`` (the kinds of decisions
        that people make, in the order in which a round brings them), ``corrections`` (Corrections), ``finish`` (from a
        state to the `Step` to its end, were the game to end here), ``sample`` (from a view and a `Stream` to a whole
        state of which it is the view, with all else drawn), ``conditions`` (Conditions), ``standing`` (Standing),
        ``kind_of`` (from an order line and a language to the kind of decision that it answers in whatever position;
        `Unreadable`), ``foresee`` (from a view and an action to what it would bring now, with ``.view`` behind it and
        ``.events``, as far as the seat may know; ``None`` where that cannot be told yet, `Illegal` where the rules
        would refuse it), ``examples`` (from a language to lines to copy, by ``orders``, ``plans``, ``conditions`` and
        ``choices``), ``guide`` (Guide), ``replay`` (Replay), ``uncovers`` (from an event, in its secret form if it has
        one, to whether anything may have come to light with it that whoever moved could not know before), ``picture``
        (Picture).
        """

    def start(self, seats: int, options: Mapping[str, str]) -> S:
        """The state before the first deal. `BadOption` names what is not offered."""

    def waiting(self, state: S) -> tuple[Decision, ...]:
        """The open decisions, by seat; none when the game is over. The dealer waits alone."""

    def ahead(self, state: S, seat: int) -> tuple[Decision, ...]:
        """What `seat` may still have to decide in this round, in order, the open decision first.

        Built from public facts alone; a later decision may turn out not to be needed.
        """

    def kind(self, action: A) -> str:
        """The kind of decision that `action` answers."""

    def legal(self, where: S | V, seat: int) -> Iterator[A]:
        """The legal actions of `seat`, lazily, in a stable order, equal cards collapsed.

        Works on a state and on that seat's own view alike; nothing when the seat is not awaited.
        """

    def apply(self, state: S, seat: int, action: A) -> Step:
        """The next state and the events, or `Illegal`, which has changed nothing."""

    def view(self, state: S, seat: int | None, names: Sequence[str] = ()) -> V:
        """What `seat` may see (``None``: the public), built field by field from nothing.

        `names` are what the seats are called in orders and texts; without them "Seat 1" and so on.
        """

    def outcome(self, state: S) -> Outcome | None:
        """The result, or ``None`` while the game runs."""

    def fallback(self, state: S, seat: int) -> A:
        """What a missed deadline does for the open decision of `seat`; always legal."""

    def suggest(self, view: V, count: int) -> tuple[A, ...]:
        """At most `count` legal actions worth showing to a person, of different kinds, best first.

        Where ``view.seat`` is not awaited but will be in this phase: what it may plan, as if it were now.
        """

    def read(self, text: str, view: V, language: str = "en") -> A:
        """The action that `text` asks for; `Unreadable` or `Ambiguous`. Legality is not judged."""

    def write(self, action: A, view: V, language: str = "en") -> str:
        """`action` as an order line. ``read(write(action))`` is `action` for every legal action."""

    def verbs(self, language: str = "en") -> tuple[str, ...]:
        """The words an order line may begin with, folded: how a host tells an order from prose."""

    def encode(self, value: Any) -> bytes:
        """A state, action, view or event as JSON."""

    def decode_state(self, data: bytes) -> S: ...

    def decode_action(self, data: bytes) -> A: ...

    def decode_view(self, data: bytes) -> V: ...

    def decode_event(self, data: bytes) -> Any: ...


AnyGame = Game[Any, Any, Any]
