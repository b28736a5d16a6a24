"""What makes a table a pleasant place: who is awaited, hints in a first game, mails as one can read them, a rematch."""

from __future__ import annotations

import re
from typing import Final

import pytest

from engine.bloody_inn.words import words
from pbem.table import Status
from tests.conversations.transcript import code_for, play
from tests.conversations.world import Mail, World

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


# The walk-through of a first game

HINTS: Final = "YOUR FIRST GAME"


def lessons(world: World, name: str) -> list[str]:
    """The hints that somebody's mails have brought so far."""
    texts = (mail.lines.replace("\r\n", "\n") for mail in world.mails if mail.to == name and HINTS in mail.lines)
    return [text.split(HINTS)[1].split("\n\n")[0] for text in texts]


@pytest.fixture
def practising(world: World) -> World:
    play(world, "eve > REGISTER Eve\n... <\neve >> NEW PRACTICE first=1\n... <")
    return world


def test_the_mails_of_a_first_game_explain_what_is_before_the_player_each_thing_once(practising: World) -> None:
    play(practising, "eve >> LODGE 1 2 3 4 5 6\n... <\neve >> PASS\n... <\neve >> PASS\n... <")
    told = lessons(practising, "eve")
    assert "you lodge the travelers" in told[0]
    assert "cards of your hand pay" in told[1]
    assert len(set(told)) == len(told) >= 3
    assert all(len(hint.splitlines()) <= 5 for hint in told)


def test_guide_off_ends_the_hints_and_guide_on_begins_anew(practising: World) -> None:
    play(
        practising,
        """
        eve >> GUIDE OFF / LODGE 1 2 3 4 5 6
        eve < Re: [inn-1] Round 1, night: your 1st action
            No more hints
            not: YOUR FIRST GAME
        eve >> GUIDE ON / STATUS
        eve < Re: [inn-1] Round 1, night: your 1st action
            YOUR FIRST GAME
        """,
    )


def test_a_second_game_has_no_hints(practising: World) -> None:
    play(practising, "eve >> NEW PRACTICE first=1\n... <")
    assert HINTS not in practising.last("eve").lines


def test_a_program_at_a_seat_is_not_taught(practising: World) -> None:
    play(practising, "eve >> MACHINE ON / LODGE 1 2 3 4 5 6\n... <")
    assert HINTS not in practising.last("eve").lines


# How mails look


def test_the_welcome_shows_how_mails_look_and_mails_text_sends_them_without_html(world: World) -> None:
    play(
        world,
        """
        eve > REGISTER Eve
        ... <
        eve >> CONFIRM
        eve < Re: [pbem] welcome
            HOW IT LOOKS
            MAILS TEXT
        """,
    )
    assert "<table" in forms(world.last("eve"))["html"]
    play(world, "eve >> MAILS TEXT\n... <")
    assert forms(world.last("eve")).keys() == {"plain"}
    play(world, "eve >> mails html\n... <")
    assert forms(world.last("eve")).keys() == {"plain", "html"}


def test_mails_short_says_the_position_in_lines_without_columns(at_night: World) -> None:
    at_night.answer("anna", "STATUS")
    at_night.tick()
    whole = at_night.last("anna").lines
    at_night.answer("anna", "MAILS SHORT", "STATUS")
    at_night.tick()
    short = at_night.last("anna").lines
    assert forms(at_night.last("anna")).keys() == {"plain"}
    board = short.partition("THE INN")[2].partition("YOU MAY")[0]
    assert not re.search(r"\S {2,}\S", board)
    assert len(board) < len(whole.partition("THE INN")[2].partition("YOU MAY")[0]) * 0.6
    view = at_night.table().view(None)
    guests = [(room.number, words("en").card(room.guest)) for room in view.rooms if room.guest]
    assert guests
    assert all(re.search(rf"Room {number}\b.*: {guest}", board) for number, guest in guests)
    assert all(f"{player.name}: {player.cash}F" in board for player in view.players)
    at_night.answer("anna", "MAILS TEXT", "STATUS")
    at_night.tick()
    assert "rank" in at_night.last("anna").lines.partition("THE INN")[2].partition("YOU MAY")[0]


def forms(mail: Mail) -> dict[str, str]:
    """The forms in which a mail can be read."""
    parts = (part for part in mail.message.walk() if part.get_content_maintype() == "text")
    return {part.get_content_subtype(): part.get_content() for part in parts}


# Once more


@pytest.fixture
def over(at_night: World) -> World:
    """The same table once its game is over."""
    play(at_night, "modi >> END\n... <")
    play(at_night, f"modi >> {code_for(at_night, 'modi', 'END')}\n... <")
    assert "REMATCH" in at_night.last("anna").text
    return at_night


def test_who_answers_rematch_sits_again_one_seat_on_and_the_last_of_them_begins_the_game(over: World) -> None:
    play(
        over,
        """
        bob >> REMATCH
        bob < Re: [inn-1] done
            Anna and Chen have not answered yet
        anna < [inn-1] a rematch?
            Bob would like to play inn-1 once more
            REMATCH
        chen < [inn-1] a rematch?
        modi < [inn-2] a rematch
            You moderate the new table inn-2 too
        anna >> REMATCH
        ... <
        chen >> REMATCH
        ... <
        """,
    )
    table = over.table("inn-2")
    assert (table.status, table.names, table.moderator.name) == (Status.RUNNING, ("Bob", "Chen", "Anna"), "Modi")
    assert table.options == over.table().options
    assert len(table.secret) == 64


def test_a_rematch_is_for_those_who_played_and_only_once_and_after_the_end(at_night: World) -> None:
    play(at_night, "anna >> REMATCH\n... <")
    assert "inn-1 is not over yet" in at_night.last("anna").text


def test_nobody_takes_part_in_a_rematch_twice_nor_without_having_played(over: World) -> None:
    play(over, "bob >> REMATCH\n... <\nmodi >> REMATCH inn-1\n... <")
    assert "NOT DONE" in over.last("modi").text
    play(over, "bob >> REMATCH inn-1\n... <")
    assert "NOT DONE" in over.last("bob").text
    assert over.table("inn-2").names == ("Bob",)


def test_against_bots_alone_it_begins_at_once(practising: World) -> None:
    play(practising, "eve >> END\n... <")
    play(practising, f"eve >> {code_for(practising, 'eve', 'END')}\n... <")
    play(practising, "eve >> REMATCH\n... <")
    assert practising.table("inn-2").status is Status.RUNNING


def test_bots_move_one_seat_on_with_those_they_played_with(world: World) -> None:
    play(world, "anna > REGISTER Anna\n... <\nanna >> NEW bloody-inn bots=random bob@example.org first=1\n... <")
    play(world, "bob >> JOIN AS Bob\n... <\nanna >> START\n... <\nanna >> VOTE ABORT\n... <\nbob >> VOTE ABORT\n... <")
    assert world.table().names == ("Anna", "Bot 2", "Bob")
    play(world, "bob >> REMATCH inn-1\n... <\nanna >> REMATCH inn-1\n... <")
    assert world.table("inn-2").names == ("Bot 1", "Bob", "Anna")
