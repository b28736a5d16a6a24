"""What the rules are measured against: the same work with python-chess, nothing left out and nothing added."""

from __future__ import annotations

import random
from typing import Final

import chess

LONGEST: Final = 200
"""Moves of a game: two bare kings could go on for ever."""


def random_game(rng: random.Random) -> int:
    """Play one random game, listing every legal move before each; how many moves it had."""
    board = chess.Board()
    while len(board.move_stack) < LONGEST and (legal := list(board.legal_moves)):
        board.push(rng.choice(legal))
    return len(board.move_stack)


def recorded(rng: random.Random) -> str:
    """The moves of one random game in algebraic notation, as a PGN file holds them."""
    board = chess.Board()
    words: list[str] = []
    while len(words) < LONGEST and (legal := list(board.legal_moves)):
        move = rng.choice(legal)
        words.append(board.san(move))
        board.push(move)
    return " ".join(words)


def replay(text: str) -> int:
    """Play a recorded game again, each move checked; how many there were."""
    board = chess.Board()
    for word in text.split():
        board.push_san(word)
    return len(board.move_stack)
