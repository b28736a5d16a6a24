"""Lodge: the first player gives travelers their rooms, and Room Service pays."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.bloody_inn.actions import Lodge
from engine.bloody_inn.cards import RANK
from engine.bloody_inn.events import Event, Lodged, Served
from engine.bloody_inn.money import gain
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.seats import seated
from engine.bloody_inn.state import Board, Options, Player, Room, State
from engine.bloody_inn.targets import check_once, check_open
from engine.game import Illegal, Step


def options(board: Board, _: int) -> Iterator[Lodge]:
    """One room each. Empty rooms with the same key owner and token are equal: the lowest stands for them (D22)."""
    lowest: dict[tuple[int, int], int] = {}
    for room in board.rooms:
        if not room.guest:
            lowest.setdefault((room.key, room.token), room.number)
    return (Lodge((number,)) for number in lowest.values())


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
    rooms, players = list(state.rooms), state.players
    events: list[Event] = []
    for number, card in zip(action.rooms, state.entrance, strict=False):
        room = rooms[number - 1] = replace(rooms[number - 1], guest=card)
        events.append(Lodged(seat, number, card))
        if room.token and RANK[card]:
            players, served = _served(players, room, state.options)
            events.append(served)
    left = state.entrance[len(action.rooms) :]
    turn = state.turn if left and "" in [room.guest for room in rooms] else 0
    return Step(replace(state, rooms=tuple(rooms), players=players, entrance=left, turn=turn), tuple(events))


def empty(rooms: tuple[Room, ...]) -> tuple[int, ...]:
    """The numbers of the empty rooms, in order."""
    return tuple([room.number for room in rooms if not room.guest])


def _served(players: tuple[Player, ...], room: Room, options: Options) -> tuple[tuple[Player, ...], Served]:
    """The owner of the token gains the traveler's rank, whoever holds the key (D27)."""
    gained = gain(players[room.token - 1], RANK[room.guest], options)
    told = Served(room.token, room.number, gained.gained, gained.lost)
    return seated(players, room.token, gained.player), told
