"""Bots at the table: at seats of their own from the start, and in the place of players."""

from __future__ import annotations

import pytest

from engine.bloody_inn.actions import Action
from engine.bloody_inn.bots.steady import SteadyBot
from engine.record import By, Move
from pbem.table import Status
from tests.conversations.transcript import play
from tests.conversations.world import World

ANNA = """
anna > REGISTER Anna
... <
"""


@pytest.fixture
def anna(world: World) -> World:
    """Anna has written her first mail, and is asked to confirm her name."""
    play(world, ANNA)
    return world


def moves_by(world: World, by: By) -> int:
    """How many moves were made so."""
    return sum(isinstance(entry.what, Move) and entry.what.by is by for entry in world.entries())


def test_a_table_of_bots_and_one_player_can_start_at_once(anna: World) -> None:
    play(
        anna,
        """
        anna >> NEW bloody-inn bots=2 first=1
        anna < Re: [pbem] your table is open
            Everybody is there.
            not: invited yet
            Players: Anna, Bot 2 and Bot 3 (3 of at most 3)
        anna >> START
        ... <
        anna >> LODGE 1 2 3 4 5 6
        ... <
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: your 2nd action - by Thu 12:00
            Bot 2
            Bot 3
            not: A bot moved
        """,
    )
    assert [chair.bot for chair in anna.table().chairs] == ["", "steady", "steady"]
    assert moves_by(anna, By.BOT) == 2


@pytest.mark.parametrize(
    ("options", "levels"),
    [
        ("bots=1", ["", "steady"]),
        ("bots=random", ["", "random"]),
        ("bots=random,steady", ["", "random", "steady"]),
        ("bots=none", [""]),
        ("bots=1 bob@example.org", ["", "steady"]),
    ],
)
def test_bots_are_asked_for_by_their_number_or_by_their_levels(anna: World, options: str, levels: list[str]) -> None:
    play(anna, f"anna >> NEW bloody-inn {options}\n... <")
    assert [chair.bot for chair in anna.table().chairs] == levels


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("bots=9", "Choose from 1, 2, 3, steady and random."),
        ("bots=clever", "Choose from 1, 2, 3, 4, steady and random."),
        ("bots=4", "Choose from 1, 2, 3, steady and random."),
        ("seats=2 bots=2", "Choose from 1, steady and random."),
    ],
)
def test_more_bots_than_seats_and_unknown_ones_are_refused(anna: World, options: str, words: str) -> None:
    play(anna, f"anna >> NEW bloody-inn {options}\n... <")
    assert words in anna.last("anna").text
    assert anna.store.table("inn-1", anna.host.games) is None


def test_a_moderator_seats_bots_and_takes_them_away_before_the_start(anna: World) -> None:
    play(
        anna,
        """
        anna >> NEW bloody-inn seats=3
        ... <
        anna >> BOT steady / BOT random / BOT steady
        anna < Re: [pbem] partly done
            Bot 2 sits at inn-1. At the table: Anna and Bot 2 (2 of at most 3).
            Bot 3 sits at inn-1.
            All places at inn-1 are taken.
        anna > GAMES
        anna < Re: [pbem] your answer
            Anna, Bot 2 and Bot 3
        anna >> BOT Bot 2 OFF / BOT Bot 2 steady
        ... <
        """,
    )
    assert [chair.bot for chair in anna.table().chairs] == ["", "steady"]


def test_the_level_of_a_stand_in_can_be_chosen_and_changed(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> BOT Bob random because he is ill
        modi < Re: [inn-1] Round 1, night: moderator - done
            A bot (random) plays for Bob from now on.
        bob < [inn-1] Round 1, night: you may plan ahead
            The moderator Modi lets a bot (random) play for Bob
        ... <
        modi >> BOT Bob / BOT Bob steady
        modi < Re: [inn-1] Round 1, night: moderator - not done
            A bot plays for Bob already.
        """,
    )
    assert at_night.table().chair(2).bot == "random"


def test_a_game_that_only_bots_play_ends_by_itself(anna: World) -> None:
    play(
        anna,
        """
        anna >> NEW bloody-inn bots=2 NOT PLAYING
        ... <
        anna >> START
        ... <
        """,
    )
    while anna.table().status is Status.RUNNING:
        anna.tick()
    assert moves_by(anna, By.BOT) > 20


def test_a_bot_that_fails_holds_up_nobody_and_shows_no_card_in_the_log(
    anna: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(*_: object) -> Action:
        raise RuntimeError("a duke in the hand")

    monkeypatch.setattr(SteadyBot, "choose", failing)
    play(
        anna,
        """
        anna >> NEW bloody-inn bots=1 first=1
        ... <
        anna >> START
        ... <
        anna >> LODGE 1 2 3 4 5
        ... <
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: your 2nd action - by Thu 12:00
        """,
    )
    assert moves_by(anna, By.FALLBACK) == 1
    logged = capsys.readouterr().out
    assert "a bot failed" in logged
    assert "RuntimeError" in logged
    assert "duke" not in logged


# In the place of who is away


def test_a_bot_plays_for_who_is_away_until_he_sends_an_order(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> AWAY UNTIL 2026-12-10 WITH BOT
        bob < Re: [inn-1] Round 1, night: done - you are not awaited
            In that time a bot plays for you at every table where somebody waits
            Any order of yours takes all your seats back.
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
        chen < [inn-1] Round 1, night: your 1st action - by Thu 12:00
            Bob is away until Friday 11 December, 00:00 UTC; a bot plays meanwhile.
            A bot moved for Bob:
        bob > HISTORY
        ... <
        bob >> HISTORY
        bob < Re: [inn-1] Round 1, night: your answer - you are not awaited
            A bot moved for Bob:
        bob >> PASS
        bob < Re: [inn-1] Round 1, night: planned - you are not awaited
        chen >> PASS
        ... <
        anna >> PASS
        ... <
        """,
    )
    assert moves_by(at_night, By.BOT) == 1
    assert moves_by(at_night, By.PLAN) == 1


def test_what_he_was_asked_before_he_left_is_answered_once_he_is_away(at_night: World) -> None:
    play(
        at_night,
        """
        anna >> AWAY FROM 2026-12-02 TO 2026-12-10 WITH BOT
        anna < Re: [inn-1] Round 1, night: your 1st action - by Thu 12:00
            You have been asked something already. The bot answers it too
        wait 11h
        nobody < anything
        wait 2h
        bob < [inn-1] Round 1, night: your 1st action - by Fri 01:00
            A bot moved for Anna:
        """,
    )


def test_what_he_has_planned_goes_before_the_bot(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> PASS / AWAY UNTIL 2026-12-10 WITH BOT
        ... <
        anna >> PASS
        ... <
        """,
    )
    assert (moves_by(at_night, By.PLAN), moves_by(at_night, By.BOT)) == (1, 0)


def test_after_his_absence_he_is_asked_again(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> AWAY UNTIL 2026-12-01 WITH BOT
        ... <
        wait 13h
        anna >> PASS
        bob < [inn-1] Round 1, night: your 1st action - by Fri 01:00
        ... <
        """,
    )
    assert moves_by(at_night, By.BOT) == 0


def test_who_is_away_and_back_early_plays_again_himself(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> AWAY UNTIL 2026-12-10 WITH A BOT
        ... <
        bob >> BACK
        ... <
        anna >> PASS
        bob < [inn-1] Round 1, night: your 1st action - by Thu 12:00
        ... <
        """,
    )
    assert moves_by(at_night, By.BOT) == 0


def test_where_nobody_waits_no_bot_plays_for_who_is_away(anna: World) -> None:
    play(
        anna,
        """
        anna >> NEW PRACTICE bots=1 first=1
        ... <
        anna >> AWAY UNTIL 2026-12-10 WITH BOT
        anna < Re: [inn-1] Round 1, evening: lodging travelers
        """,
    )
    assert moves_by(anna, By.BOT) == 0


def test_where_all_are_away_the_game_waits_for_the_first_who_is_back(at_night: World) -> None:
    for name in ("anna", "bob", "chen"):
        at_night.answer(name, "AWAY UNTIL 2026-12-10 WITH BOT")
    at_night.tick()
    assert moves_by(at_night, By.BOT) == 0
    at_night.answer("chen", "BACK")
    at_night.tick()
    assert moves_by(at_night, By.BOT) == 2
    assert [decision.seat for decision in at_night.table().waiting] == [3]
