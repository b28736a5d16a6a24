"""Choices: the smallest game with secrets, simultaneous decisions and chance, so that no host can know its game.

Two to four seats, three rounds. In a round everybody secretly picks a number from 1 to 5; when all have
picked, the highest number that only one seat picked scores its value, and the bonus of the round with it.
The bonuses 0, 2 and 4 are shuffled once, before the first round, and come to light one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from engine.game import (
    DEALER,
    AnyGame,
    BadOption,
    Deal,
    Decision,
    Illegal,
    Option,
    Outcome,
    Secret,
    Step,
    Stream,
    Unreadable,
)
from tests.games.choices.plans import Conditions, Standing

HIGHEST: Final = 5
ROUNDS: Final = 3
BONUSES: Final = {"on": (0, 2, 4), "off": (0, 0, 0)}
SEATS: Final = (2, 3, 4)
MANY: Final = 2
VERBS: Final = {"en": ("pick",), "nl": ("kies", "pick")}


class Fault(StrEnum):
    """Why a line cannot be read."""

    VERB = "verb"  # word, near
    NUMBER = "number"  # word


class Refusal(StrEnum):
    """Why a move is refused."""

    OVER = "over"
    NOT_AWAITED = "not-awaited"  # seat
    OUT_OF_RANGE = "out-of-range"  # number, highest
    WRONG_KIND = "wrong-kind"  # kind


class Pick(msgspec.Struct, frozen=True, tag="pick"):
    """The action of a seat."""

    number: int


class Event(msgspec.Struct, frozen=True, tag=True):
    """Base of all events."""


class Shuffled(Event, frozen=True):
    """The bonuses were shuffled."""


class RoundBegan(Event, frozen=True):
    round: int


class Picked(Event, frozen=True):
    """What a seat picked; only it may know."""

    seat: int
    number: int


class Sealed(Event, frozen=True):
    """The public twin of `Picked`."""

    seat: int


class Revealed(Event, frozen=True):
    """All picks of a round, by seat, and who scored how much; seat 0: nobody."""

    picks: tuple[int, ...]
    seat: int
    points: int


class Ended(Event, frozen=True):
    places: tuple[int, ...]
    scores: tuple[int, ...]


class State(msgspec.Struct, frozen=True):
    """Everything; a pick of 0 stands for none yet."""

    round: int
    picks: tuple[int, ...]
    scores: tuple[int, ...]
    bonuses: tuple[int, ...]
    """In order of rounds, once they are shuffled; before, as the option says."""
    history: tuple[tuple[int, ...], ...] = ()


class View(msgspec.Struct, frozen=True):
    """What `seat` (0: everybody) may see."""

    seat: int
    names: tuple[str, ...]
    round: int
    phase: str
    waiting: tuple[Decision, ...]
    pick: int
    """The reader's own, 0 for none."""
    sealed: tuple[bool, ...]
    scores: tuple[int, ...]
    bonuses: tuple[int, ...]
    """Those of the rounds that are over."""
    history: tuple[tuple[int, ...], ...]


Action = Pick | Deal
Events = Shuffled | RoundBegan | Picked | Sealed | Revealed | Ended

ACTION: Final[msgspec.json.Decoder[Action]] = msgspec.json.Decoder(Action)
EVENT: Final[msgspec.json.Decoder[Events]] = msgspec.json.Decoder(Events)
STATE: Final = msgspec.json.Decoder(State)
VIEW: Final = msgspec.json.Decoder(View)


def phase(state: State) -> str:
    if state.round == 0:
        return "deal"
    return "choice" if state.round <= ROUNDS else "over"


def waiting(state: State) -> tuple[Decision, ...]:
    if state.round == 0:
        return (Decision(DEALER, "deal", 0, "deal", 1, MANY, ROUNDS),)
    if state.round > ROUNDS:
        return ()
    return tuple(
        Decision(seat, "pick", state.round, "choice", 1, MANY) for seat, pick in enumerate(state.picks, 1) if not pick
    )


def check(state: State, seat: int, action: Action) -> None:
    """`Illegal` with the reason why `seat` may not do `action` now."""
    awaited = {decision.seat: decision for decision in waiting(state)}
    if not awaited:
        raise Illegal(Refusal.OVER)
    if seat not in awaited:
        raise Illegal(Refusal.NOT_AWAITED, seat=seat)
    if isinstance(action, Deal) is not (seat == DEALER):
        raise Illegal(Refusal.WRONG_KIND, kind=awaited[seat].kind)
    if isinstance(action, Deal) and sorted(action.order) != list(range(ROUNDS)):
        raise Illegal(Refusal.OUT_OF_RANGE, number=len(action.order), highest=ROUNDS)
    if isinstance(action, Pick) and not 1 <= action.number <= HIGHEST:
        raise Illegal(Refusal.OUT_OF_RANGE, number=action.number, highest=HIGHEST)


def dealt(state: State, deal: Deal) -> Step:
    bonuses = tuple(state.bonuses[index] for index in deal.order)
    return Step(msgspec.structs.replace(state, round=1, bonuses=bonuses), (Shuffled(), RoundBegan(1)))


def picked(state: State, seat: int, pick: Pick) -> Step:
    picks = (*state.picks[: seat - 1], pick.number, *state.picks[seat:])
    secret = Secret(seat, Picked(seat, pick.number), Sealed(seat))
    after = msgspec.structs.replace(state, picks=picks)
    if not all(picks):
        return Step(after, (secret,))
    step = revealed(after)
    return Step(step.state, (secret, *step.events))


def revealed(state: State) -> Step:
    """The end of a round: picks come to light, the highest that is alone scores."""
    best = max((pick for pick in state.picks if state.picks.count(pick) == 1), default=0)
    seat = state.picks.index(best) + 1 if best else 0
    points = best + state.bonuses[state.round - 1] if best else 0
    after = State(
        round=state.round + 1,
        picks=(0,) * len(state.picks),
        scores=tuple(score + points * (index == seat) for index, score in enumerate(state.scores, 1)),
        bonuses=state.bonuses,
        history=(*state.history, state.picks),
    )
    then = RoundBegan(after.round) if after.round <= ROUNDS else Ended(places(after), after.scores)
    return Step(after, (Revealed(state.picks, seat, points), then))


def places(state: State) -> tuple[int, ...]:
    return tuple(1 + sum(other > score for other in state.scores) for score in state.scores)


def sample(view: View, stream: Stream) -> State:
    """The picks of others, and the bonuses to come, drawn anew."""
    picks = tuple(
        view.pick if seat == view.seat else 1 + stream.below(HIGHEST) if sealed else 0
        for seat, sealed in enumerate(view.sealed, 1)
    )
    left = [bonus for bonus in BONUSES["on"] if bonus not in view.bonuses]
    drawn = [left.pop(stream.below(len(left))) for _ in range(len(left))]
    return State(view.round, picks, view.scores, (*view.bonuses, *drawn)[:ROUNDS], view.history)


class RandomBot:
    """Picks any number."""

    def choose(self, view: Any, events: Sequence[Any], iterations: int, stream: Stream) -> Any:  # noqa: ARG002
        return Pick(1 + stream.below(HIGHEST))


class Choices:
    """The game as a host sees it; see `engine.game.Game` for what each method promises."""

    name: str = "choices"
    title: str = "Choices"
    version: int = 1
    seats: tuple[int, ...] = SEATS
    options: tuple[Option, ...] = (Option("bonus", tuple(BONUSES), "on"),)
    package: str = "tests.games.choices"
    capabilities: Mapping[str, Any] = {
        "bots": {"random": RandomBot()},
        "kinds": ("pick",),
        "sample": sample,
        "uncovers": lambda event: not isinstance(event, Picked | Sealed),
        "conditions": Conditions(Fault.NUMBER),
        "standing": Standing(Fault.NUMBER, Pick),
    }

    def start(self, seats: int, options: Mapping[str, str]) -> State:
        for option, value in options.items():
            if option != "bonus" or value not in BONUSES:
                raise BadOption(option, value, tuple(BONUSES))
        if seats not in SEATS:
            raise BadOption("seats", str(seats), tuple(map(str, SEATS)))
        return State(0, (0,) * seats, (0,) * seats, BONUSES[options.get("bonus", "on")])

    def waiting(self, state: State) -> tuple[Decision, ...]:
        return waiting(state)

    def ahead(self, state: State, seat: int) -> tuple[Decision, ...]:
        return tuple(decision for decision in waiting(state) if decision.seat == seat != DEALER)

    def kind(self, action: Action) -> str:
        return "deal" if isinstance(action, Deal) else "pick"

    def legal(self, where: State | View, seat: int) -> Iterator[Action]:
        open_seats = {d.seat for d in (where.waiting if isinstance(where, View) else waiting(where))}
        if seat in open_seats and seat != DEALER:
            yield from (Pick(number) for number in range(1, HIGHEST + 1))
        elif seat in open_seats and isinstance(where, State):
            yield Deal(tuple(range(ROUNDS)))

    def apply(self, state: State, seat: int, action: Action) -> Step:
        check(state, seat, action)
        return dealt(state, action) if isinstance(action, Deal) else picked(state, seat, action)

    def view(self, state: State, seat: int | None, names: Sequence[str] = ()) -> View:
        return View(
            seat=seat or 0,
            names=tuple(names) or tuple(f"Seat {number}" for number in range(1, len(state.picks) + 1)),
            round=state.round,
            phase=phase(state),
            waiting=waiting(state),
            pick=state.picks[seat - 1] if seat else 0,
            sealed=tuple(pick > 0 for pick in state.picks),
            scores=state.scores,
            bonuses=state.bonuses[: len(state.history)],
            history=state.history,
        )

    def outcome(self, state: State) -> Outcome | None:
        return Outcome(places(state), state.scores) if state.round > ROUNDS else None

    def fallback(self, state: State, seat: int) -> Action:  # noqa: ARG002
        return Pick(1)

    def suggest(self, view: View, count: int) -> tuple[Action, ...]:
        return tuple(self.legal(view, view.seat))[:count]

    def read(self, text: str, view: View, language: str = "en") -> Action:  # noqa: ARG002
        words = text.split("#")[0].split("(")[0].casefold().split() or [""]
        if words[0] not in {*VERBS["en"], *VERBS.get(language, ())}:
            raise Unreadable(Fault.VERB, word=words[0], near=VERBS["en"])
        if len(words) != 2 or not words[1].isdecimal():
            raise Unreadable(Fault.NUMBER, word=" ".join(words[1:]))
        return Pick(int(words[1]))

    def write(self, action: Action, view: View, language: str = "en") -> str:  # noqa: ARG002
        assert isinstance(action, Pick), "nobody writes a deal"
        return f"{VERBS.get(language, VERBS['en'])[0].upper()} {action.number}"

    def verbs(self, language: str = "en") -> tuple[str, ...]:
        return VERBS.get(language, VERBS["en"])

    def encode(self, value: Any) -> bytes:
        return msgspec.json.encode(value)

    def decode_state(self, data: bytes) -> State:
        return STATE.decode(data)

    def decode_action(self, data: bytes) -> Action:
        return ACTION.decode(data)

    def decode_view(self, data: bytes) -> View:
        return VIEW.decode(data)

    def decode_event(self, data: bytes) -> Events:
        return EVENT.decode(data)


GAME: Final[AnyGame] = Choices()
