"""What a moderator may do, by mail; each is told to all, and stands in the record."""

from __future__ import annotations

import pytest

from engine import record
from engine.record import Override, Verb
from pbem.archive import record_of
from pbem.stuck import why_stuck
from tests.conversations.test_policy import code_word
from tests.conversations.transcript import code_for, play
from tests.conversations.world import World


def verbs(world: World) -> list[Verb]:
    return [entry.what.verb for entry in world.entries() if isinstance(entry.what, Override)]


def test_a_paused_game_waits_and_its_deadlines_with_it(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> PAUSE
        modi < Re: [inn-1] Round 1, night: moderator - done - the game is paused
        anna < [inn-1] Round 1, night: the game is paused
        bob < [inn-1] Round 1, night: the game is paused
        chen < [inn-1] Round 1, night: the game is paused
        wait 500h
        nobody <
        modi >> RESUME
        modi < Re: [inn-1] Round 1, night: moderator - done
        anna < [inn-1] Round 1, night: your 1st action - by Thu 08:00
        bob < [inn-1] Round 1, night: you may plan ahead
        chen < [inn-1] Round 1, night: you may plan ahead
        """,
    )
    assert verbs(at_night) == [Verb.PAUSE, Verb.RESUME]


def test_whoever_says_a_moderator_s_word_from_a_seat_is_told_where_it_belongs(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> PAUSE because I am ill
        bob < Re: [inn-1] Round 1, night: not done - you are not awaited
            Only the moderator of inn-1 may do this: Modi.
            AWAY UNTIL Friday
        modi >> PROMOTE Anna
        ... <
        """,
    )
    of_the_seat = next(mail for mail in at_night.mails if mail.to == "anna" and "your 1st action" in mail.subject)
    at_night.answer("anna", "PAUSE", to=of_the_seat)
    assert 'its subject says "moderator"' in at_night.tick()[0].text


def test_a_trial_copy_is_no_trouble_of_the_keeper_s_though_nobody_sits_there(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> CLONE
        ... <
        """,
    )
    trial = at_night.table("inn-1-trial-2")
    assert trial.waiting
    assert why_stuck(trial, at_night.now) == ()


def test_a_rollback_takes_the_last_move_back_and_asks_anew(at_night: World) -> None:
    play(
        at_night,
        """
        anna >> BRIBE newsboy
        ... <
        modi >> ROLLBACK 1
        modi < Re: [inn-1] Round 1, night: moderator - done
        anna < [inn-1] Round 1, night: your 1st action - by Thu 12:00
            Newsboy
        bob < [inn-1] Round 1, night: you may plan ahead
        chen < [inn-1] Round 1, night: you may plan ahead
        modi >> ROLLBACK 9
        modi < Re: [inn-1] Round 1, night: moderator - not done
            You asked to take back 9 moves
        """,
    )
    assert verbs(at_night) == [Verb.ROLLBACK]


def test_the_history_marks_what_a_rollback_took_back_until_a_rollforward_brings_it_again(at_night: World) -> None:
    play(
        at_night,
        """
        anna >> BRIBE newsboy
        ... <
        modi >> ROLLBACK 1
        ... <
        anna >> HISTORY
        anna < Re: [inn-1] Round 1, night: your 1st action - by Thu 12:00
            - Anna lodged 6 travelers
            - (taken back) Anna bribed the Newsboy
            - The moderator Modi took a move back
        modi >> ROLLFORWARD
        ... <
        anna >> HISTORY
        anna < Re: [inn-1] Round 1, night: your answer - you are not awaited
            - Anna bribed the Newsboy
            not: (taken back) Anna
        """,
    )


def test_an_answer_to_a_mail_from_before_a_rollback_changes_nothing(at_night: World) -> None:
    old = at_night.last("anna")
    play(
        at_night,
        """
        anna >> BRIBE newsboy
        ... <
        modi >> ROLLBACK 1
        ... <
        """,
    )
    before = at_night.entries()
    at_night.answer("anna", "PASS", to=old)
    assert "about a decision that has been made since" in at_night.tick()[0].text
    assert at_night.entries() == before


def test_to_act_as_a_seat_answers_its_decision_and_shows_nothing_of_its_hand(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> ACT AS Anna: KILL major
        modi < Re: [inn-1] Round 1, night: moderator - not done
            Why is only for Anna to see
            not: YOUR HAND
        anna < [inn-1] Round 1, night: your 1st action - by Thu 12:00
            tried to move for you (KILL major)
        modi >> ACT AS Bob: PASS
        modi < Re: [inn-1] Round 1, night: moderator - not done
            Bob is not awaited for this now
        modi >> ACT AS Anna: BRIBE newsboy
        modi < Re: [inn-1] Round 1, night: moderator - done
        anna < [inn-1] Round 1, night: you may plan ahead
            Anna bribed the Newsboy
        bob < [inn-1] Round 1, night: your 1st action - by Thu 12:00
        chen < [inn-1] Round 1, night: you may plan ahead
            Anna bribed the Newsboy
        """,
    )


def test_a_seat_is_given_to_an_address_that_is_not_registered_yet(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> REPLACE Bob eve@example.org
        modi < Re: [inn-1] Round 1, night: moderator - done
        bob < [pbem] somebody else plays on
            not: YOUR HAND
        eve < [inn-1] Round 1, night: a seat is offered to you
            not: YOUR HAND
        anna < [inn-1] Round 1, night: your 1st action - by Thu 12:00
        chen < [inn-1] Round 1, night: you may plan ahead
        eve >> JOIN AS Eve
        eve < Re: [inn-1] Round 1, night: done - you are not awaited
            The seat at inn-1 is yours, Eve.
            YOUR HAND
            YOU MAY
        modi < [inn-1] Round 1, night: moderator - a new player
        """,
    )
    assert at_night.table().names == ("Anna", "Eve", "Chen")


def test_an_ended_game_has_no_result_and_is_told_to_all_with_its_archive(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> END
        modi < Re: [inn-1] Round 1, night: moderator - your answer
            every hand is laid open
        """,
    )
    at_night.answer("modi", code_for(at_night, "modi", "END"))
    play(
        at_night,
        """
        modi < Re: [inn-1] The game was ended
            inn-1 has ended. Thank you for moderating it!
        anna < [inn-1] The game was ended
            There is no result
        bob < [inn-1] The game was ended
        chen < [inn-1] The game was ended
        anna >> PASS
        anna < Re: [inn-1] not done
            inn-1 was ended by its moderator
        """,
    )
    assert (at_night.settings.archive.folder / "inn-1" / "record.json").exists()
    attached = [each.get_filename() for each in at_night.last("modi").message.iter_attachments()]
    assert attached == ["record.json"], "who has moderated and not played gets the record as well"


@pytest.mark.parametrize("line", ["PAUSE", "END", "ROLLBACK 1", "ACT AS Bob: PASS", "REPLACE Bob eve@example.org"])
def test_a_player_who_uses_a_moderators_word_is_refused(at_night: World, line: str) -> None:
    before = at_night.entries()
    at_night.answer("anna", line)
    sent = at_night.tick()
    assert [mail.to for mail in sent] == ["anna"]
    assert "Only the moderator of inn-1 may do this" in sent[0].text
    assert at_night.entries() == before


@pytest.mark.parametrize("line", ["REPLACE Nobody eve@example.org", "REPLACE Bob", "ACT AS", "ROLLBACK 0", "RESUME"])
def test_a_moderators_word_that_does_not_fit_says_how_and_changes_nothing(at_night: World, line: str) -> None:
    before = at_night.entries()
    at_night.answer("modi", line)
    sent = at_night.tick()
    assert [mail.to for mail in sent] == ["modi"]
    assert "NOT" in sent[0].text
    assert at_night.entries() == before


def test_a_reason_is_told_to_all_with_who_gave_it(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> PAUSE because Anna is ill; back on Monday
        modi < Re: [inn-1] Round 1, night: moderator - done - the game is paused
        anna < [inn-1] Round 1, night: the game is paused
            The moderator Modi paused the game. The reason: Anna is ill; back on Monday.
        bob < [inn-1] Round 1, night: the game is paused
            The reason: Anna is ill; back on Monday.
        chen < [inn-1] Round 1, night: the game is paused
        anna >> HISTORY
        anna < Re: [inn-1] Round 1, night: your answer - the game is paused
            paused the game. The reason: Anna is ill; back on Monday.
        """,
    )


def test_a_preview_shows_what_would_happen_and_nothing_does(at_night: World) -> None:
    before = at_night.entries()
    play(
        at_night,
        """
        modi >> PREVIEW ROLLBACK TO 1 evening
        modi < Re: [inn-1] Round 1, night: moderator - your answer
            Nothing has been done
            the game stands in round 1, evening
            Awaited then: Anna
        """,
    )
    assert at_night.entries() == before


def test_more_time_is_told_to_all_with_the_deadline_before_and_after(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> EXTEND ALL by 24h
        modi < Re: [inn-1] Round 1, night: moderator - done
            Anna has until Friday 4 December, 12:00 UTC (before: Thursday 3 December, 12:00 UTC).
        anna < [inn-1] Round 1, night: your 1st action - by Fri 12:00
            Anna has until Friday 4 December, 12:00 UTC instead of Thursday 3 December, 12:00 UTC
        bob < [inn-1] Round 1, night: you may plan ahead
        chen < [inn-1] Round 1, night: you may plan ahead
        """,
    )
    assert verbs(at_night) == [Verb.EXTEND]


def test_a_bot_plays_until_an_order_of_its_player_comes(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> BOT Anna
        modi < Re: [inn-1] Round 1, night: moderator - done
        anna < [inn-1] Round 1, night: you may plan ahead
            The moderator Modi lets a bot (steady) play for Anna
            A bot moved for Anna:
        bob < [inn-1] Round 1, night: your 1st action - by Thu 12:00
        chen < [inn-1] Round 1, night: you may plan ahead
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: planned - you are not awaited
        """,
    )
    assert not at_night.table().chair(1).bot


def test_an_open_seat_is_listed_and_taken_by_whoever_joins_first(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> OPEN Bob
        modi < Re: [inn-1] Round 1, night: moderator - done
        bob < [pbem] somebody else plays on
        anna < [inn-1] Round 1, night: your 1st action - by Thu 12:00
            opened the seat of Bob to anybody
        chen < [inn-1] Round 1, night: you may plan ahead
        eve > REGISTER Eve
        eve < Re: [pbem] please confirm your name
        eve >> GAMES
        eve < Re: [pbem] welcome
            inn-1: The Bloody Inn, running
        eve >> JOIN inn-1
        eve < Re: [inn-1] Round 1, night: done - you are not awaited
            YOUR HAND
        modi < [inn-1] Round 1, night: moderator - a new player
        """,
    )
    assert at_night.table().names == ("Anna", "Eve", "Chen")


def test_a_correction_tells_everybody_what_was_before(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> CORRECT CASH Anna 12 because the host had miscounted
        modi < Re: [inn-1] Round 1, night: moderator - done
        anna < [inn-1] Round 1, night: your 1st action - by Thu 12:00
            The moderator Modi corrected the position
            The reason: the host had miscounted.
            Anna has 12F in cash now, instead of 5
        bob < [inn-1] Round 1, night: you may plan ahead
            Anna has 12F in cash now, instead of 5
        chen < [inn-1] Round 1, night: you may plan ahead
        modi >> CORRECT GOLD Anna 3
        modi < Re: [inn-1] Round 1, night: moderator - not done
            CASH name francs
        """,
    )
    assert verbs(at_night) == [Verb.CORRECT]


def test_a_table_is_handed_over_with_a_token_of_its_own(at_night: World) -> None:
    old = at_night.last("modi")
    play(
        at_night,
        """
        modi >> TRANSFER Bob because I am off to sea
        modi < Re: [inn-1] Round 1, night: moderator - done
        bob < [inn-1] Round 1, night: moderator - you moderate now
        anna < [inn-1] Round 1, night: your 1st action - by Thu 12:00
            Bob moderates now, no more Modi. The reason: I am off to sea.
        bob < [inn-1] Round 1, night: you may plan ahead
        chen < [inn-1] Round 1, night: you may plan ahead
        """,
    )
    before = at_night.entries()
    at_night.answer("modi", "END", to=old)
    at_night.tick()
    assert at_night.entries() == before


def test_players_replace_a_moderator_who_has_vanished(at_night: World) -> None:
    play(
        at_night,
        """
        anna >> VOTE MODERATOR Bob
        anna < Re: [inn-1] Round 1, night: not done - your 1st action - by Thu 12:00
            has written within the last 3 days
        """,
    )
    at_night.wait(hours=47)
    at_night.tick()
    at_night.wait(hours=40)
    at_night.tick()
    for name in ("anna", "chen"):
        at_night.answer(name, "VOTE MODERATOR Bob")
        at_night.tick()
    assert at_night.table().moderator.name == "Bob"
    assert verbs(at_night) == [Verb.MODERATOR]


def test_the_history_says_whose_seat_was_given_away_and_its_number_once_he_was_forgotten(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> REPLACE Bob zoe@example.org
        ... <
        zoe >> JOIN inn-1 AS Zoe
        ... <
        zoe >> HISTORY
        zoe < Re: [inn-1] Round 1, night: your answer - you are not awaited
            The moderator Modi gave the seat of Bob to somebody else; it is now the seat of Zoe.
        bob >> FORGET ME
        ... <
        """,
    )
    play(
        at_night,
        f"""
        bob >> FORGET ME {code_word(at_night.last("bob"))}
        bob < Re: [pbem] farewell
        zoe >> HISTORY
        zoe < Re: [inn-1] Round 1, night: your answer - you are not awaited
            gave seat 2 to somebody else; it is now the seat of Zoe.
            not: Bob
        """,
    )


def test_a_game_that_is_ended_sealed_keeps_hands_and_secret_until_it_is_revealed(at_night: World) -> None:
    secret = at_night.table().secret
    refused = {said_to_modi(at_night, "REVEAL")}
    at_night.answer("modi", "END SEALED")
    at_night.tick()
    at_night.answer("modi", code_for(at_night, "modi", "END SEALED"))
    sealed = at_night.tick()
    assert {mail.to for mail in sealed} == {"anna", "bob", "chen", "modi"}
    assert not any(secret in str(mail.message) or "record.json" in str(mail.message) for mail in sealed)
    refused.add(said_to_modi(at_night, "PAUSE"))
    assert all("NOT DONE" in said for said in refused)
    at_night.answer("modi", "REVEAL because all agreed")
    opened = at_night.tick()
    assert {mail.to for mail in opened} == {"anna", "bob", "chen", "modi"}
    assert all(secret in mail.text and "record.json" in str(mail.message) for mail in opened)
    assert verbs(at_night) == [Verb.END, Verb.REVEAL]
    assert "NOT DONE" in said_to_modi(at_night, "REVEAL")
    table = at_night.table()
    record.verify(table.game, record_of(table, at_night.store.log(table)))


def said_to_modi(world: World, line: str) -> str:
    world.answer("modi", line)
    return next(mail.lines for mail in world.tick() if mail.to == "modi")
