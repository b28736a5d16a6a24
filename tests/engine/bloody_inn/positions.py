"""Positions built by hand, in a few words, and what a test asks of a move.

    night(player("peasant novice", cash=7), rooms="baron - major")

is a night in which seat 1 is to act: it holds a peasant and a novice, room 1 is empty but for a baron,
room 2 is empty, room 3 holds a major. Seats that are not given are bystanders.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Action, Bury, Grave, Pass
from engine.bloody_inn.cards import BARN
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.state import Annex, Options, Phase, Player, Room, State, View
from engine.game import Deal, Illegal, Step

STACK = "viscount viscount viscount viscount viscount viscount"
"""An Entrance Stack for positions that do not care: enough for another round at a small table."""


def cards(text: str) -> tuple[str, ...]:
    """``"peasant novice"`` as a sorted tuple of cards."""
    return tuple(sorted(text.split()))


def player(hand: str = "", annexes: str = "", corpses: str = "", cash: int = 5, checks: int = 1) -> Player:
    """A player; `annexes` as ``"barn[novice] abbot"`` with the graves in brackets, the barn added if left out."""
    found = [Annex(match[1], cards(match[2] or "")) for match in re.finditer(r"(\w+)(?:\[([\w ]*)\])?", annexes)]
    if not any(annex.card == BARN for annex in found):
        found.insert(0, Annex(BARN))
    return Player(cards(hand), tuple(found), cards(corpses), cash, checks)


def position(
    *players: Player,
    phase: Phase,
    rooms: str = "- - - - -",
    keys: str = "",
    tokens: str = "",
    seats: int = 2,
    turn: int = 1,
    first: int = 1,
    entrance: str = STACK,
    exit: str = "",
    gone: str = "",
    options: dict[str, str] | None = None,
    **facts: Any,
) -> State:
    """A position; rooms, keys and tokens are read in the order of room numbers, ``-`` is empty, white or none."""
    everybody = (*players, *[player()] * (seats - len(players)))
    guests = rooms.split()
    owners = keys.split() or [str(seat) for seat in range(1, len(everybody) + 1)]
    served = tokens.split()
    return State(
        options=Options(**{name.replace("-", "_"): value for name, value in (options or {}).items()}),
        phase=phase,
        players=everybody,
        rooms=tuple(
            Room(number, _seat(owners, number), _seat(served, number), "" if guest == "-" else guest)
            for number, guest in enumerate(guests, start=1)
        ),
        turn=turn,
        first=first,
        round=facts.pop("round", 1),
        entrance=tuple(entrance.split()),
        exit=cards(exit),
        gone=cards(gone),
        box=0,
        **facts,
    )


def _seat(owners: list[str], number: int) -> int:
    text = owners[number - 1] if number <= len(owners) else "-"
    return 0 if text == "-" else int(text)


def night(*players: Player, **facts: Any) -> State:
    """A night; see `position`."""
    return position(*players, phase=Phase.NIGHT, **facts)


def busy_night(names: tuple[str, ...]) -> View:
    """As seat 1 sees it, which owns a barn and a full Workshop; seats 2 and 3 a Cellar each, seat 3 a Monk's Room."""
    state = night(
        player(
            "mechanic peasant peasant novice monk abbot major", "mechanic[duke]", "novice count peasant peasant", 12
        ),
        player("", "abbot"),
        player("", "abbot monk"),
        rooms="landscaper baron brigadier baron monk -",
        keys="1 2 3 - - -",
        bistro=3,
    )
    return GAME.view(state, 1, names)


def bury(corpse: str, owner: int, annex: str, *pay: str) -> Bury:
    """One corpse under one annex."""
    return Bury((Grave(corpse, owner, annex),), pay)


def evening(*players: Player, **facts: Any) -> State:
    """An evening in which the first player is to lodge ``entrance``."""
    first = facts.setdefault("first", 1)
    return position(*players, phase=Phase.EVENING, turn=first, **facts)


def last_of_night(*players: Player, **facts: Any) -> State:
    """A night in which seat 1 has the very last action: after it comes the morning."""
    seats = max(len(players), facts.get("seats", 2))
    return night(*players, **{"first": 2 if seats > 1 else 1, "action": 2, **facts})


def after(state: State, action: Action, seat: int = 1) -> State:
    """The state once `seat` has done `action`."""
    step: Step = GAME.apply(state, seat, action)
    assert isinstance(step.state, State)
    return step.state


def events(state: State, action: Action, seat: int = 1) -> tuple[Any, ...]:
    """What happens when `seat` does `action`."""
    return GAME.apply(state, seat, action).events


def told(state: State, action: Action, kind: type, seat: int = 1) -> list[Any]:
    """The events of one kind that follow from `action`."""
    return [event for event in events(state, action, seat) if isinstance(event, kind)]


def refused(state: State, action: Action, reason: Refusal, /, by: int = 1, **facts: Any) -> None:
    """Assert that `action` is refused for `reason` with these `facts`, and is not among the legal ones."""
    with pytest.raises(Illegal) as caught:
        GAME.apply(state, by, action)
    assert (caught.value.reason, caught.value.facts) == (reason, facts)
    assert action not in islice(GAME.legal(state, by), 1000)


def legal(state: State, kind: type, seat: int = 1) -> list[Any]:
    """The legal actions of one kind."""
    return [action for action in GAME.legal(state, seat) if isinstance(action, kind)]


def money(state: State, seat: int = 1) -> tuple[int, int]:
    """Cash and checks of a seat."""
    return state.players[seat - 1].cash, state.players[seat - 1].checks


def guests(state: State) -> str:
    """The rooms as in `position`."""
    return " ".join(room.guest or "-" for room in state.rooms)


def dealt(state: State) -> State:
    """`state` after the deal that is due, nothing permuted."""
    (due,) = GAME.waiting(state)
    return after(state, Deal(tuple(range(due.size))), seat=0)


def morning(state: State) -> State:
    """`state` once seat 1 has passed the last action of the night."""
    return after(state, Pass())


def with_player(state: State, seat: int, **facts: Any) -> State:
    """`state` with some fields of one player changed."""
    changed = replace(state.players[seat - 1], **facts)
    return replace(state, players=(*state.players[: seat - 1], changed, *state.players[seat:]))
