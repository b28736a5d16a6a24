"""Players who vote, by mail: what each of them reads, and what comes of it."""

from __future__ import annotations

from engine.record import Override, Verb
from tests.conversations.transcript import play
from tests.conversations.world import World


def test_two_of_three_open_the_seat_of_the_third_and_somebody_joins_there(at_night: World) -> None:
    play(
        at_night,
        """
        chen >> VOTE REPLACE Anna
        chen < Re: [inn-1] Round 1, night: done - you are not awaited
            You have voted to open the seat of Anna to somebody else; 1 more vote is needed in this round.
        bob < [inn-1] Round 1, night: a vote
            Chen has voted to open the seat of Anna to somebody else; 1 more vote is needed in this round. If you agree:
            VOTE REPLACE Anna
        modi < [inn-1] Round 1, night: moderator - a vote
            Chen has voted to open the seat of Anna to somebody else
        anna >> STATUS
        anna < Re: [inn-1] Round 1, night: your 1st action - by Thu 12:00
            Chen has voted to open the seat of Anna to somebody else; 1 more vote is needed in this round.
            not: To agree
        bob >> VOTE REPLACE Anna
        bob < Re: [inn-1] Round 1, night: done - you are not awaited
            You have voted to open the seat of Anna to somebody else, and that is done: the votes are enough.
            The table, by a vote of its players, opened the seat of Anna to anybody
        chen < [inn-1] Round 1, night: you may plan ahead
            not: has voted
        modi < [inn-1] Round 1, night: moderator - a vote
            The players have voted to open the seat of Anna to somebody else, and it is done.
        anna < [pbem] somebody else plays on
            The players of inn-1 (The Bloody Inn) have voted to open your seat to somebody else. Mails of that table
        zoe > REGISTER Zoe
        zoe < Re: [pbem] please confirm your name
        zoe >> CONFIRM / JOIN inn-1
        ... <
        """,
    )
    assert [chair.name for chair in at_night.table().chairs] == ["Zoe", "Bob", "Chen"]


def test_a_game_that_most_players_want_ended_is_over_for_all(at_night: World) -> None:
    play(
        at_night,
        """
        anna >> VOTE ABORT
        ... <
        bob >> VOTE ABORT
        bob < Re: [inn-1] The game was ended
        anna < [inn-1] The game was ended
            The table, by a vote of its players, ended the game.
        chen < [inn-1] The game was ended
        modi < [inn-1] The game was ended
            The players have voted to end the game without a result, and it is done.
        """,
    )
    last = at_night.entries()[-1].what
    assert isinstance(last, Override)
    assert (last.verb, last.votes) == (Verb.END, 2)
    page = (at_night.settings.archive.folder / "inn-1" / "index.html").read_text("utf-8")
    assert "The players, by a vote" in page
