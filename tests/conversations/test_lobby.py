"""Signing up, as people do it: by answering mails."""

from __future__ import annotations

import pytest

from tests.conversations.transcript import play
from tests.conversations.world import World


def test_from_registering_to_the_first_mail_of_the_game(world: World) -> None:
    play(
        world,
        """
        anna > REGISTER Anna
        anna < Re: [pbem] please confirm your name
            CONFIRM
        anna >> CONFIRM
        anna < Re: [pbem] welcome
            DONE CONFIRM
        anna >> NEW bloody-inn bob@example.org length=long deadline=none first=1
        anna < Re: [pbem] your table is open
            Length: long
        bob < [inn-1] you are invited
            JOIN inn-1 AS ...
        bob >> JOIN AS Bob
        bob < Re: [inn-1] done
            You are at the table inn-1, Bob.
        anna < [inn-1] a new player
            Anna and Bob (2 of at most 2)
        anna >> START
        anna < Re: [inn-1] Round 1, evening: moderator - done
            you moderate it
        anna < [inn-1] Round 1, evening: lodging travelers
            YOUR HAND, which only you see
            not: until
        bob < [inn-1] Round 1, evening: the game has begun
            Anna is
        """,
    )


@pytest.mark.parametrize("yes", ["Yes, that was me!", "ok", "Yes.", "\u0434\u0430", "\u306f\u3044\u3002"])
def test_whoever_agrees_in_answer_to_the_code_confirms_a_name(world: World, yes: str) -> None:
    play(
        world,
        f"""
        anna > REGISTER Anna
        anna < Re: [pbem] please confirm your name
        anna >> {yes}
        anna < Re: [pbem] welcome
            not: no order
            not: From your mail
            not: Not read
        """,
    )


@pytest.mark.parametrize("own", ["Thank you for your mail. I am away until Monday.", "Re: REGISTER", ""])
def test_a_program_that_answers_the_code_by_itself_confirms_no_name(world: World, own: str) -> None:
    play(world, "anna > REGISTER Anna\n... <")
    world.answer("anna", own)
    (again,) = world.tick()
    assert "please confirm your name" in again.subject
    assert "send" not in again.text.partition("CONFIRM")[2]
    play(
        world,
        """
        anna >> CONFIRM
        anna < Re: [pbem] welcome
        """,
    )


@pytest.mark.parametrize("name", ["Get iPhone", "Get Outlook"])
def test_nobody_is_called_as_mail_programs_speak_of_themselves(world: World, name: str) -> None:
    play(
        world,
        """
        anna > REGISTER Anna
        ... <
        anna >> CONFIRM
        ... <
        anna >> NEW bloody-inn bob@example.org
        ... <
        """,
    )
    remark = "so many words that no program would have written this line below a mail"
    world.answer("bob", f"JOIN inn-1 AS {name} # {remark}")
    (answer,) = world.tick()
    assert "or for a program's own words" in answer.text


@pytest.mark.parametrize("copied", ["...", "\u2026", "your name", "<your name>", "Your own name"])
def test_who_copies_what_stands_for_a_name_is_asked_for_his_own(signed_up: World, copied: str) -> None:
    play(
        signed_up,
        f"""
        modi > REGISTER {copied}
        modi < Re: [pbem] not done
        eve > REGISTER {copied}
        eve < Re: [pbem] not done
            Put your own name there, as in REGISTER Anna.
        modi >> NEW bloody-inn eve@example.org
        ... <
        eve >> JOIN inn-2 AS {copied}
        eve < Re: [inn-2] not done
            Put your own name there, as in JOIN inn-2 AS Anna.
        eve >> JOIN inn-2
        eve < Re: [inn-2] not done
            Put your own name there, as in JOIN inn-2 AS Anna.
        """,
    )


def test_a_phrase_in_the_mail_that_opens_a_table_is_for_that_table(world: World) -> None:
    play(
        world,
        """
        anna > REGISTER Anna
        ... <
        anna >> NEW bloody-inn / PHRASE the moon is blue
        anna < Re: [pbem] your table is open
            Your phrase for inn-1 is "the moon is blue".
        """,
    )


def test_a_name_that_nobody_confirmed_gives_no_right_to_open_a_table(world: World) -> None:
    play(
        world,
        """
        anna > REGISTER Anna
        anna < Re: [pbem] please confirm your name
        anna > NEW bloody-inn
        anna < Re: [pbem] not done
            sent to the address that it asks you to answer to
        """,
    )


def test_two_cannot_have_one_name(signed_up: World) -> None:
    play(
        signed_up,
        """
        eve > REGISTER Ánna
        eve < Re: [pbem] not done
            Somebody is already called
        eve > REGISTER Pass
        eve < Re: [pbem] not done
            would be taken for an order
        """,
    )


def test_two_who_ask_for_one_name_in_the_same_pass_do_not_both_get_it(world: World) -> None:
    play(
        world,
        """
        anna > REGISTER Anna
        eve > REGISTER Anna
        anna < Re: [pbem] please confirm your name
        eve < Re: [pbem] not done
            Somebody is already called
        """,
    )


def test_a_place_is_given_up_before_the_start_and_not_after(signed_up: World) -> None:
    play(
        signed_up,
        """
        bob >> LEAVE
        bob < Re: [inn-1] done
        modi < [inn-1] a player has left
            Anna and Chen
        modi >> START
        ... <
        chen >> LEAVE inn-1
        chen < Re: [inn-1] Round 1, evening: your answer - you are not awaited
            you cannot take it back
        """,
    )


def test_only_the_moderator_starts_a_game(signed_up: World) -> None:
    play(
        signed_up,
        """
        anna >> START
        anna < Re: [inn-1] not done
            Only the moderator of inn-1
        """,
    )


def test_an_unknown_game_a_misspelt_option_and_an_unknown_table_are_named(world: World) -> None:
    play(
        world,
        """
        anna > REGISTER Anna
        anna < Re: [pbem] please confirm your name
        anna >> NEW chess
        anna < Re: [pbem] welcome
            I have no game called chess. Choose from bloody-inn.
        anna >> NEW bloody-inn lenght=long
        anna < Re: [pbem] not done
            There is no option called lenght.
        anna >> NEW bloody-inn length=endless
        anna < Re: [pbem] not done
            length cannot be endless. Choose from short and long.
        anna >> JOIN inn-99
        anna < Re: [pbem] not done
            I know no table called inn-99.
        """,
    )


def test_questions_are_answered_and_change_nothing(at_night: World) -> None:
    before = at_night.entries()
    play(
        at_night,
        """
        bob >> RULES kill / HELP / HISTORY / STATUS / PLAN
        bob < Re: [inn-1] Round 1, night: your answer - you are not awaited
            Anna lodged 6 travelers.
        bob > GAMES / CARD monk
        bob < Re: [pbem] your answer
            inn-1: The Bloody Inn, running, yours
            MONK Religious
        """,
    )
    assert at_night.entries() == before


def test_somebody_at_no_table_is_told_of_the_open_ones(signed_up: World) -> None:
    play(
        signed_up,
        """
        eve > REGISTER Eve
        eve < Re: [pbem] please confirm your name
        eve >> GAMES
        eve < Re: [pbem] welcome
            inn-1
        """,
    )


def test_what_is_said_below_join_is_about_that_table(world: World) -> None:
    play(
        world,
        """
        anna > REGISTER Anna
        ... <
        anna >> NEW bloody-inn seats=2
        ... <
        chen > REGISTER Chen
        ... <
        chen >> JOIN inn-1 / MACHINE ON / PHRASE Chen was here
        chen < Re: [pbem] welcome
            DONE MACHINE ON
            DONE PHRASE Chen was here
        ... <
        """,
    )
    assert world.table().chair(2).machine
