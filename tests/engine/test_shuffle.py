"""The fair shuffle, against values worked out with other tools (sha256sum) from what its documentation says.

These values may never change: every archived game is checked with them.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations, starmap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.shuffle import Stream, commitment, permutation, phrase_hash, seed

SECRET = "5e" * 32
ZEROS = bytes(32)
PHRASE = "2590b7a8f3249a008e97dd4c9f34760114a4d90ac6292086be3239c9a318c64a"
FIRST_DEAL = (
    45, 49, 11, 2, 31, 67, 19, 3, 25, 46, 29, 23, 42, 50, 15, 16, 32, 34, 62, 61, 53, 21, 54, 7, 9, 33, 66, 43, 4, 48,
    38, 20, 58, 37, 57, 18, 13, 36, 39, 47, 41, 63, 10, 28, 6, 68, 69, 12, 64, 26, 5, 51, 44, 59, 40, 24, 60, 30, 17,
    8, 22, 35, 52, 55, 56, 0, 1, 27, 14, 65,
)  # fmt: skip


def test_the_commitment_is_the_hash_of_three_lines() -> None:
    assert commitment("inn-7", SECRET) == "f8b5d31529aa0b9b01c2371522a902d69e0eb930b3210c704fc26861ccce210a"


@pytest.mark.parametrize(
    ("seat", "phrase", "digest"),
    [
        (2, "la vie est belle", PHRASE),
        (1, "旅館", "0dde6478e15d34f1b9f97186ca50461fb415ba9b5b3c525db1af758053736a9d"),
    ],
)
def test_a_phrase_is_hashed_with_its_game_and_its_seat(seat: int, phrase: str, digest: str) -> None:
    assert phrase_hash("inn-7", seat, phrase) == digest


@pytest.mark.parametrize(
    ("number", "phrases", "digest"),
    [
        (1, (), "567a2d625fbdb285c6a3540b4e349cd75d28796b4855fb90f19a471bd70eed37"),
        (2, (PHRASE,), "916b5587a81c735bf9eb6be15a7dc4dba7f99dd5108ff00cf66b3ddc1ee4bd96"),
    ],
)
def test_a_seed_is_the_hash_of_game_secret_number_and_phrases(number: int, phrases: tuple[str], digest: str) -> None:
    assert seed("inn-7", SECRET, number, phrases).hex() == digest


@pytest.mark.parametrize(
    ("start", "order"),
    [
        (ZEROS, ()),
        (ZEROS, (0,)),
        (ZEROS, (0, 1)),
        (ZEROS, (2, 0, 1)),
        (ZEROS, (8, 4, 0, 3, 2, 9, 6, 7, 5, 1)),
        (seed("inn-7", SECRET, 1), FIRST_DEAL),
        (
            seed("inn-7", SECRET, 2, (PHRASE,)),
            (14, 0, 7, 10, 11, 9, 15, 1, 13, 8, 12, 5, 2, 17, 3, 16, 4, 6),
        ),
    ],
    ids=lambda value: f"of {len(value)}" if isinstance(value, tuple) else "",
)
def test_a_seed_stands_for_one_permutation_for_ever(start: bytes, order: tuple[int, ...]) -> None:
    assert permutation(start, len(order)) == order


def test_the_stream_is_read_four_bytes_at_a_time_and_goes_on_in_the_next_block() -> None:
    stream = Stream(ZEROS)
    assert [stream.below(2**32) for _ in range(10)] == [
        741658141, 4063986572, 1522477695, 1681378467, 3540418261, 167716337, 502706459, 1479234027, 148898406,
        4293962444,
    ]  # fmt: skip


def test_words_that_would_favour_low_numbers_are_thrown_away() -> None:
    stream = Stream(ZEROS)
    assert [stream.below(2**31 + 1) for _ in range(4)] == [741658141, 1522477695, 1681378467, 167716337]


@given(st.binary(min_size=32, max_size=32), st.integers(0, 120))
def test_a_permutation_holds_every_number_once(start: bytes, size: int) -> None:
    assert sorted(permutation(start, size)) == list(range(size))


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**32))
def test_a_number_stays_below_its_bound(start: bytes, bound: int) -> None:
    stream = Stream(start)
    assert all(0 <= stream.below(bound) < bound for _ in range(20))


def test_every_order_of_four_comes_about_equally_often() -> None:
    orders = Counter(permutation(seed("inn-7", SECRET, number), 4) for number in range(1, 2401))
    assert set(orders) == set(permutations(range(4)))
    assert all(65 <= count <= 135 for count in orders.values())


def test_game_secret_number_seat_and_phrases_each_make_another_seed() -> None:
    seeds = [
        ("inn-7", SECRET, 1, ()),
        ("inn-8", SECRET, 1, ()),
        ("inn-7", "5f" * 32, 1, ()),
        ("inn-7", SECRET, 2, ()),
        ("inn-7", SECRET, 1, (phrase_hash("inn-7", 1, "x"),)),
        ("inn-7", SECRET, 1, (phrase_hash("inn-7", 2, "x"),)),
        ("inn-7", SECRET, 1, (phrase_hash("inn-7", 1, "x"), phrase_hash("inn-7", 2, "x"))),
        ("inn-7", SECRET, 1, (phrase_hash("inn-7", 2, "x"), phrase_hash("inn-7", 1, "x"))),
    ]
    assert len(set(starmap(seed, seeds))) == len(seeds)
