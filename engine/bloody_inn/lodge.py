"""Lodge: the first player gives travelers their rooms, and Room Service pays."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.bloody_inn.actions import Lodge
from engine.bloody_inn.cards import RANK
from engine.bloody_inn.events import Lodged, Served
from engine.bloody_inn.money import gain
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.seats import seated
from engine.bloody_inn.state import Board, Room, State
from engine.bloody_inn.targets import check_once, check_open
from engine.game import Illegal, Step


def options(board: Board, _: int) -> Iterator[Lodge]:
    """One room each. Empty rooms with the same key owner and token are equal: the lowest stands for them (D22)."""
    seen: set[tuple[int, int]] = set()
    for room in board.rooms:
        if not room.guest and (room.key, room.token) not in seen:
            seen.add((room.key, room.token))
            yield Lodge((room.number,))


def check(board: Board, _: int, action: Lodge) -> None:
    """Open, empty rooms, each once; rooms for which no traveler is left are no fault (D22)."""
    if not action.rooms:
        raise Illegal(Refusal.NO_ROOM_NAMED)
    for number in action.rooms:
        check_open(board.rooms, number)
        if board.rooms[number - 1].guest:
            raise Illegal(Refusal.ROOM_TAKEN, room=number)
    check_once(action.rooms)


def effect(state: State, seat: int, action: Lodge) -> Step:
    """Lodge the travelers in these rooms as they come up; nobody is awaited once none is left or the inn is full."""
    after, events = state, ()
    for number, _ in zip(action.rooms, state.entrance, strict=False):
        step = _lodged(after, seat, number)
        after, events = step.state, events + step.events
    if not after.entrance or all(room.guest for room in after.rooms):
        after = replace(after, turn=0)
    return Step(after, events)


def empty(rooms: tuple[Room, ...]) -> tuple[int, ...]:
    """The numbers of the empty rooms, in order."""
    return tuple([room.number for room in rooms if not room.guest])


def _lodged(state: State, seat: int, number: int) -> Step:
    card = state.entrance[0]
    room = replace(state.rooms[number - 1], guest=card)
    rooms = (*state.rooms[: number - 1], room, *state.rooms[number:])
    after = replace(state, rooms=rooms, entrance=state.entrance[1:])
    return _served(Step(after, (Lodged(seat, number, card),)), room)


def _served(step: Step, room: Room) -> Step:
    """The owner of the token gains the traveler's rank, whoever holds the key (D27)."""
    rank = RANK[room.guest]
    if not room.token or not rank:
        return step
    state: State = step.state
    gained = gain(state.players[room.token - 1], rank, state.options)
    after = replace(state, players=seated(state.players, room.token, gained.player))
    return Step(after, (*step.events, Served(room.token, room.number, gained.gained, gained.lost)))
