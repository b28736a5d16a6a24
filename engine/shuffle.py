"""The fair shuffle: from documented bytes to a permutation, the same for ever.

One secret of 32 random bytes per game. Its `commitment` is published before anybody adds a phrase; the
secret itself when the game is over. What follows is all there is to know in order to check a deal with
any tool (numbers are decimal ASCII, hashes lower-case hex, lines end in ``\\n``, the last one too):

* commitment = SHA-256 of the lines ``pbem commitment 1``, game, secret in hex;
* salt = SHA-256 of the lines ``pbem salt 1``, game, secret in hex: what the chain of the record begins with;
* phrase hash = SHA-256 of the lines ``pbem phrase 1``, game, seat, the phrase;
* seed of shuffle k (from 1, counted over the whole record) = SHA-256 of the lines ``pbem shuffle 1``,
  game, secret in hex, k, and then each phrase hash in order of seats;
* stream = SHA-256(seed + c) for c = 0, 1, 2, .. as 8 bytes, big-endian, one after the other;
* a number below b: the next 4 bytes of the stream, big-endian; if it is not below the largest multiple
  of b that is at most 2**32 it is thrown away and the next 4 are taken; the remainder by b;
* permutation of size n: start with 0 .. n-1; for i = n-1 down to 1 swap places i and (a number below i+1).

This is not the ``random`` module, whose algorithms may change between versions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

_WORD = 4
_SPACE = 2 ** (8 * _WORD)


def _hash(*lines: str) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def commitment(game: str, secret: str) -> str:
    """What is published of `secret` (hex) before the game `game` begins."""
    return _hash("pbem commitment 1", game, secret)


def salt(game: str, secret: str) -> str:
    """What keeps the hashes of the game's record from telling what they are made of, until `secret` is published."""
    return _hash("pbem salt 1", game, secret)


def phrase_hash(game: str, seat: int, phrase: str) -> str:
    """What the record holds of a player's phrase."""
    return _hash("pbem phrase 1", game, str(seat), phrase)


def seed(game: str, secret: str, number: int, phrases: Iterable[str] = ()) -> bytes:
    """The seed of shuffle `number` (from 1); `phrases` are phrase hashes in order of seats."""
    return bytes.fromhex(_hash("pbem shuffle 1", game, secret, str(number), *phrases))


class Stream:
    """Numbers drawn from a seed, without end."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._blocks = 0
        self._buffer = b""
        self._at = 0

    def _word(self) -> int:
        if self._at == len(self._buffer):
            self._buffer = hashlib.sha256(self._seed + self._blocks.to_bytes(8, "big")).digest()
            self._blocks += 1
            self._at = 0
        self._at += _WORD
        return int.from_bytes(self._buffer[self._at - _WORD : self._at], "big")

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound - 1``, each equally likely. `bound` is 1 to 2**32."""
        limit = _SPACE - _SPACE % bound
        while (word := self._word()) >= limit:
            pass
        return word % bound


def permutation(seed: bytes, size: int) -> tuple[int, ...]:
    """The permutation of ``range(size)`` that `seed` stands for."""
    stream = Stream(seed)
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        other = stream.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)
