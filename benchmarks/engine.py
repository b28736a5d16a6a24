"""The rules against python-chess: moves of random games, and a stored game played again and checked."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from benchmarks import chess_floor
from benchmarks.rounds import middle, output_over, say, side_by_side
from engine import record, shuffle
from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Action
from engine.bloody_inn.state import State
from engine.game import DEALER, Deal, Decision
from engine.record import Dealt, Entry, Header, Move, Position, Record

SEATS: Final = 4
GAMES: Final = 30
"""Random games of each kind in a round."""
REPLAYED: Final = 30
SECRET: Final = "5e" * 32


def measured() -> dict[str, float]:
    """Both ratios; more is better."""
    return {"engine": _random_games(), "replay": _replays()}


def _random_games() -> float:
    seeds = range(GAMES)
    pairs = side_by_side(
        lambda: lambda: sum(random_game(random.Random(seed)) for seed in seeds),
        lambda: lambda: sum(chess_floor.random_game(random.Random(seed)) for seed in seeds),
    )
    say(f"engine: {1 / pairs[-1][0].each:.0f} moves/s, python-chess {1 / pairs[-1][1].each:.0f}")
    return middle(pairs, output_over)


def _replays() -> float:
    files = [record.dump(recorded(random.Random(seed))) for seed in range(REPLAYED)]
    moves = sum(_moves(record.load(file).entries) for file in files)
    texts = [chess_floor.recorded(random.Random(seed)) for seed in range(REPLAYED)]

    def replay() -> int:
        for file in files:
            record.verify(GAME, record.load(file))
        return moves

    pairs = side_by_side(lambda: replay, lambda: lambda: sum(map(chess_floor.replay, texts)))
    say(f"replay: {1 / pairs[-1][0].each:.0f} moves/s, python-chess {1 / pairs[-1][1].each:.0f}")
    return middle(pairs, output_over)


def random_game(rng: random.Random) -> int:
    """Play one random game to its end, listing every legal action before each; how many moves players made."""
    state = GAME.start(SEATS, {})
    moves = 0
    while waiting := GAME.waiting(state):
        decision = waiting[0]
        state = GAME.apply(state, decision.seat, _chosen(state, decision, rng)).state
        moves += decision.seat != DEALER
    return moves


def recorded(rng: random.Random) -> Record:
    """The record of one random game, as it leaves the host."""
    header = Header(
        format=record.FORMAT,
        game="inn-1",
        kind=GAME.name,
        version=GAME.version,
        seats=SEATS,
        options={},
        commitment=shuffle.commitment("inn-1", SECRET),
    )
    position, head = record.opening(GAME, header), record.header_hash(header, SECRET)
    entries: list[Entry] = []
    while waiting := GAME.waiting(position.state):
        what = _what(header, position, waiting[0], rng)
        position, _ = record.follow(GAME, position, what)
        entries.append(record.link(head, position.n, what))
        head = entries[-1].hash
    return Record(header, tuple(entries), head, SECRET, GAME.outcome(position.state))


def _what(header: Header, position: Position, decision: Decision, rng: random.Random) -> Move | Dealt:
    if decision.seat == DEALER:
        return record.deal(header, SECRET, position.deals + 1, decision.size)
    return record.move(GAME, decision.seat, _chosen(position.state, decision, rng))


def _chosen(state: State, decision: Decision, rng: random.Random) -> Action:
    if decision.seat == DEALER:
        order = list(range(decision.size))
        rng.shuffle(order)
        return Deal(tuple(order))
    return rng.choice(list(GAME.legal(state, decision.seat)))


def _moves(entries: Sequence[Entry]) -> int:
    return sum(isinstance(entry.what, Move) for entry in entries)
