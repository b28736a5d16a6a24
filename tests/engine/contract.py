"""What the contract suite asks its questions about: whole games of every game there is, played once each.

A `Course` is one way to set a game up and to play it. `played` plays it from a fixed seed, deals and all, so
that the same moments stand behind every question, and a failure can be looked at again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Final

import msgspec

from engine import record, shuffle
from engine.bloody_inn import GAME as BLOODY_INN
from engine.game import DEALER, AnyGame, Bot, Decision, Illegal
from engine.record import By, Header, What
from tests.games.choices import GAME as CHOICES

SHOWN: Final = 80
"""So many legal actions of a position are looked at: lists with several targets can be very long."""
FEW: Final = 40
"""So many positions of a game are asked about where asking takes long."""
ITERATIONS: Final = 40
"""The work a bot may do for one action."""
NAMES: Final = ("Anna", "Bob", "Chen", "Dora")


@dataclass(frozen=True, slots=True)
class Course:
    """A game, how many play it, which options differ from their defaults, and the bot on every seat."""

    game: AnyGame
    seats: int
    options: tuple[tuple[str, str], ...] = ()
    bot: str = "random"

    def __str__(self) -> str:
        return "-".join(
            (self.game.name, str(self.seats), *(f"{name}={value}" for name, value in self.options), self.bot)
        )

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: self.seats]

    def start(self) -> Any:
        return self.game.start(self.seats, dict(self.options))


@dataclass(frozen=True, slots=True)
class Moment:
    """A position, the decision that was answered there, the answer, and what it led to."""

    state: Any
    decision: Decision
    action: Any
    events: tuple[Any, ...]
    after: Any

    @property
    def seat(self) -> int:
        return self.decision.seat


@dataclass(frozen=True, slots=True)
class Played:
    """A whole game, and the record of it."""

    course: Course
    header: Header
    secret: str
    moments: tuple[Moment, ...]
    whats: tuple[What, ...]

    @property
    def states(self) -> tuple[Any, ...]:
        """Every position, the last one too."""
        return (*(moment.state for moment in self.moments), self.last)

    @property
    def last(self) -> Any:
        return self.moments[-1].after

    @property
    def readers(self) -> tuple[int | None, ...]:
        """Everybody who may look: the public, and each seat."""
        return (None, *range(1, self.course.seats + 1))

    def asked(self) -> Iterator[tuple[Any, Decision]]:
        """Every position with each of the decisions that players have to make in it."""
        for moment in self.moments:
            for decision in self.course.game.waiting(moment.state):
                if decision.seat != DEALER:
                    yield moment.state, decision

    def listed(self, state: Any, seat: int, most: int = SHOWN) -> tuple[Any, ...]:
        """The first legal actions of `seat`."""
        return tuple(islice(self.course.game.legal(state, seat), most))


def secret(course: Course, seed: int) -> str:
    """A secret for a game that nobody has to trust."""
    return hashlib.sha256(f"{course} {seed}".encode()).hexdigest()


def header(course: Course, seed: int) -> Header:
    return Header(
        format=record.FORMAT,
        game="test-1",
        kind=course.game.name,
        version=course.game.version,
        seats=course.seats,
        options={option.name: option.default for option in course.game.options} | dict(course.options),
        commitment=shuffle.commitment("test-1", secret(course, seed)),
        chosen=True,
    )


def play(course: Course, seed: int) -> Played:
    """Play a whole game; who answers first where several may is drawn too."""
    game, bot = course.game, course.game.capabilities["bots"][course.bot]
    top, hidden = header(course, seed), secret(course, seed)
    stream = shuffle.Stream(bytes.fromhex(hidden))
    position, moments, whats = record.opening(game, top), [], []
    while waiting := game.waiting(position.state):
        decision = waiting[stream.below(len(waiting))]
        what = _answer(course, position, decision, top, hidden, bot, stream)
        after, events = record.follow(game, position, what)
        action = game.decode_action(_action(what))
        moments.append(Moment(position.state, decision, action, events, after.state))
        whats.append(what)
        position = after
    return Played(course, top, hidden, tuple(moments), tuple(whats))


def _answer(
    course: Course,
    position: record.Position,
    decision: Decision,
    top: Header,
    hidden: str,
    bot: Bot,
    stream: shuffle.Stream,
) -> record.Move | record.Dealt:
    if decision.seat == DEALER:
        return record.deal(top, hidden, position.deals + 1, decision.size)
    view = course.game.view(position.state, decision.seat, course.names)
    return record.move(course.game, decision.seat, bot.choose(view, (), ITERATIONS, stream), By.BOT)


def _action(what: record.Move | record.Dealt) -> bytes:
    if isinstance(what, record.Dealt):
        return msgspec.json.encode({"type": "deal", "order": what.order})
    return msgspec.json.encode(what.action)


played: Final = cache(play)
"""The same, played once."""


def changed_options(game: AnyGame, *kept: str) -> tuple[tuple[str, str], ...]:
    """Every option but `kept` with its last value that is not the default."""
    return tuple(
        (option.name, next(value for value in reversed(option.values) if value != option.default))
        for option in game.options
        if option.name not in kept
    )


def _courses() -> Iterator[Course]:
    for seats in BLOODY_INN.seats:
        for length in ("short", "long"):
            yield Course(BLOODY_INN, seats, (("length", length),), "steady")
        yield Course(BLOODY_INN, seats, changed_options(BLOODY_INN, "first"), "steady")
    for changed in changed_options(BLOODY_INN, "length", "first"):
        yield Course(BLOODY_INN, 3, (changed,))
    yield Course(BLOODY_INN, 2, (("first", "2"),))
    for seats in CHOICES.seats:
        yield Course(CHOICES, seats)
    yield Course(CHOICES, 2, changed_options(CHOICES))


COURSES: Final = tuple(_courses())
"""Every number of players, every length, every value of every option."""


def near_misses(game: AnyGame, action: Any, words: tuple[str, ...]) -> Iterator[Any]:
    """Actions that differ from `action` in one place: a number one off, another word, one thing more or less.

    They are made from its JSON, so that they fit any game; what is no action at all is left out.
    """
    for value in _variants(msgspec.json.decode(game.encode(action)), words):
        try:
            yield game.decode_action(msgspec.json.encode(value))
        except msgspec.ValidationError:
            continue


def _variants(value: Any, words: tuple[str, ...]) -> Iterator[Any]:
    return _VARIANTS.get(type(value), _none)(value, words)


def _none(value: Any, words: tuple[str, ...]) -> Iterator[Any]:  # noqa: ARG001
    return iter(())


def _numbers(value: int, words: tuple[str, ...]) -> Iterator[int]:  # noqa: ARG001
    yield from (value - 1, value + 1, -value - 1, value + 10, 10**9)


def _words(value: str, words: tuple[str, ...]) -> Iterator[str]:
    yield from (word for word in words if word != value)


def _lists(value: list[Any], words: tuple[str, ...]) -> Iterator[list[Any]]:
    yield from ([*value, more] for more in (value[:1] or [*words[:1], 1]))
    yield value * 2
    for index, part in enumerate(value):
        rest = value[:index], value[index + 1 :]
        yield [*rest[0], *rest[1]]
        yield from ([*rest[0], other, *rest[1]] for other in _variants(part, words))


def _objects(value: dict[str, Any], words: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for name, part in value.items():
        yield from ({**value, name: other} for other in _variants(part, words))
        yield {key: kept for key, kept in value.items() if key != name}


_VARIANTS: Final[Mapping[type, Callable[[Any, tuple[str, ...]], Iterator[Any]]]] = {
    int: _numbers,
    str: _words,
    list: _lists,
    dict: _objects,
}


def words_of(game: AnyGame, actions: tuple[Any, ...], most: int = 5) -> tuple[str, ...]:
    """A few words that stand in `actions`, and one that stands in none."""
    found = sorted({word for action in actions for word in _strings(msgspec.json.decode(game.encode(action)))})
    return (*found[:: max(1, len(found) // most)], "nobody")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def refusal(game: AnyGame, state: Any, seat: int, action: Any) -> Illegal | None:
    """Why `action` is refused, or nothing if it applies. Whatever happens, `state` must stay what it was."""
    before = game.encode(state)
    try:
        game.apply(state, seat, action)
    except Illegal as illegal:
        return illegal
    finally:
        assert game.encode(state) == before
    return None


def every(things: tuple[Any, ...], most: int) -> tuple[Any, ...]:
    """At most about `most` of `things`, evenly spread, the last one among them."""
    return things[:: -max(1, len(things) // most)][::-1]
