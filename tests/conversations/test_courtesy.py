"""What makes a table a pleasant place: who is awaited, hints in a first game, mails as one can read them, a rematch."""

from __future__ import annotations

import pytest

from tests.conversations.transcript import play
from tests.conversations.world import World

# Who is awaited


@pytest.mark.parametrize("line", ["WHO", "who is awaited?", "Who's next?", "WHO inn-1", "who is missing at inn-1"])
def test_anybody_at_the_table_may_ask_who_is_awaited_and_until_when(at_night: World, line: str) -> None:
    play(at_night, f"bob >> {line}\n... <")
    assert "AWAITED NOW - Anna, until Thursday 3 December, 12:00 UTC (in 2 days)" in at_night.last("bob").text
    play(at_night, f"anna >> {line}\n... <")
    assert "- You, until Thursday" in at_night.last("anna").text


def test_a_sentence_that_begins_with_who_is_prose(at_night: World) -> None:
    play(at_night, "anna >> Who would have thought that!\n... <")
    assert "AWAITED" not in at_night.last("anna").text
    assert "NOT DONE" not in at_night.last("anna").text


def test_who_answers_also_before_the_start_in_a_pause_and_for_the_moderator(signed_up: World) -> None:
    play(
        signed_up,
        """
        anna >> WHO
        anna < Re: [inn-1] your answer
            inn-1 has not begun yet
        modi >> START
        ... <
        modi >> WHO
        modi < Re: [inn-1] Round 1, evening: moderator - your answer
            AWAITED NOW - Anna
        modi >> PAUSE
        ... <
        modi >> WHO
        modi < Re: [inn-1] Round 1, evening: moderator - your answer - the game is paused
            inn-1 is paused; nobody is awaited
        """,
    )
