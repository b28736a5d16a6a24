"""Whole lines of the answered mail are told apart by their order, so that an answer is not taken for one of them."""

from __future__ import annotations

import pytest

from pbem.letters import Body, Line, own_text
from pbem.letters.sent import in_order


@pytest.mark.parametrize(
    ("candidates", "found"),
    [
        ([], {}),
        ([[0], [1], [2]], {0: 0, 1: 1, 2: 2}),
        ([[0], [9], [1], [2], [9]], {0: 0, 2: 1, 3: 2, 4: 9}),
        ([[3], [1], [2]], {1: 1, 2: 2}),
        ([[0, 2], [1], [0, 2]], {0: 0, 1: 1, 2: 2}),
        ([[], [5], []], {1: 5}),
    ],
)
def test_the_longest_ascending_way_is_found(candidates: list[list[int]], found: dict[int, int]) -> None:
    assert in_order(candidates) == found


def test_an_answer_that_reads_like_a_line_quoted_further_below_is_the_senders() -> None:
    sent = "Round 1\nAnna acts.\nNo peasants.\nThe table\nA night to copy\nBRIBE monk WITH peasant\nPASS\nThe end."
    quoted = sent.split("\n")
    reply = ["From: Inn <inn@example.org>", "Sent: Thursday 3 December 2026 09:07", *quoted[:3], "pass", *quoted[3:]]
    assert own_text(Body(tuple(Line(line) for line in reply)), sent).own == ("pass",)
