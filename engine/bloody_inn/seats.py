"""Seats in their order, and one player's value put into the tuple of all."""

from __future__ import annotations

from engine.bloody_inn.state import Board, Player


def seated(players: tuple[Player, ...], seat: int, player: Player) -> tuple[Player, ...]:
    """`players` with `player` at `seat`."""
    return (*players[: seat - 1], player, *players[seat:])


def left_of(seat: int, seats: int) -> int:
    """The next seat clockwise."""
    return seat % seats + 1


def in_order(state: Board) -> tuple[int, ...]:
    """All seats clockwise from the first player."""
    count = len(state.players)
    return tuple([(state.first - 1 + step) % count + 1 for step in range(count)])
