"""The Bloody Inn, for one to four players: `GAME` is what a host needs of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec

from engine.bloody_inn import ahead, conditions, deal, notation, rules, scoring, setup, suggest
from engine.bloody_inn import view as sight
from engine.bloody_inn.actions import Action
from engine.bloody_inn.bots import BOTS
from engine.bloody_inn.corrections import CORRECTIONS
from engine.bloody_inn.events import AnyEvent, touches, uncovers
from engine.bloody_inn.examples import examples
from engine.bloody_inn.forecast import foresee
from engine.bloody_inn.guide import GUIDE
from engine.bloody_inn.lookup import LOOKUP
from engine.bloody_inn.notation import kind_of
from engine.bloody_inn.outline import outline
from engine.bloody_inn.picture import PICTURE
from engine.bloody_inn.replay import REPLAY
from engine.bloody_inn.show import show
from engine.bloody_inn.standing import STANDING
from engine.bloody_inn.state import State, View
from engine.bloody_inn.unseen import sample
from engine.bloody_inn.words import reserved
from engine.game import DEALER, Decision, Game, Option, Outcome, Step

ENCODER: Final = msgspec.json.Encoder()
STATE: Final = msgspec.json.Decoder(State)
ACTION: Final[msgspec.json.Decoder[Action]] = msgspec.json.Decoder(Action)
VIEW: Final = msgspec.json.Decoder(View)
EVENT: Final[msgspec.json.Decoder[AnyEvent]] = msgspec.json.Decoder(AnyEvent)


class BloodyInn:
    """The game as a host sees it; see `engine.game.Game` for what each method promises."""

    name: str = "bloody-inn"
    title: str = "The Bloody Inn"
    version: int = 1
    seats: tuple[int, ...] = setup.SEATS
    options: tuple[Option, ...] = setup.OPTIONS
    package: str = "engine.bloody_inn"
    capabilities: Mapping[str, Any] = MappingProxyType(
        {
            "lookup": LOOKUP,
            "bots": BOTS,
            "show": show,
            "touches": touches,
            "uncovers": uncovers,
            "reserved": reserved(),
            "outline": outline,
            "conditions": conditions,
            "standing": STANDING,
            "foresee": foresee,
            "kind_of": kind_of,
            "examples": examples,
            "guide": GUIDE,
            "replay": REPLAY,
            "corrections": CORRECTIONS,
            "finish": scoring.finish,
            "picture": PICTURE,
            "sample": sample,
            "kinds": tuple(map(str, rules.KINDS.values())),
        }
    )

    def start(self, seats: int, options: Mapping[str, str]) -> State:
        return setup.start(seats, options)

    def waiting(self, state: State) -> tuple[Decision, ...]:
        return rules.waiting(state)

    def ahead(self, state: State, seat: int) -> tuple[Decision, ...]:
        return ahead.ahead(state, seat)

    def kind(self, action: Action) -> str:
        return rules.ACTION_KINDS[type(action)]

    def legal(self, where: State | View, seat: int) -> Iterator[Action]:
        if seat == DEALER:
            return deal.options(where) if isinstance(where, State) and where.shuffle_due else iter(())
        return rules.legal(where, seat)

    def apply(self, state: State, seat: int, action: Action) -> Step:
        return rules.apply(state, seat, action)

    def view(self, state: State, seat: int | None, names: Sequence[str] = ()) -> View:
        return sight.view(state, seat or sight.PUBLIC, names, rules.waiting(state))

    def outcome(self, state: State) -> Outcome | None:
        return scoring.outcome(state)

    def fallback(self, state: State, seat: int) -> Action:
        return rules.fallback(state, seat)

    def suggest(self, view: View, count: int) -> tuple[Action, ...]:
        return suggest.suggest(view, count)

    def read(self, text: str, view: View, language: str = "en") -> Action:
        return notation.read(text, view, language)

    def write(self, action: Action, view: View, language: str = "en") -> str:
        return notation.write(action, view, language)

    def verbs(self, language: str = "en") -> tuple[str, ...]:
        return notation.verbs(language)

    def encode(self, value: Any) -> bytes:
        return ENCODER.encode(value)

    def decode_state(self, data: bytes) -> State:
        return STATE.decode(data)

    def decode_action(self, data: bytes) -> Action:
        return ACTION.decode(data)

    def decode_view(self, data: bytes) -> View:
        return VIEW.decode(data)

    def decode_event(self, data: bytes) -> AnyEvent:
        return EVENT.decode(data)


GAME: Final[Game[State, Action, View]] = BloodyInn()
