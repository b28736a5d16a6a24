"""A newcomer plays: from the first HELP to a game against bots, and on his own, without anybody to wait for."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from pbem.config import Registration
from pbem.stuck import why_stuck
from pbem.table import Status
from tests.conversations.transcript import code_for, play
from tests.conversations.world import Mail, World

PRACTICE: Final = """
eve > REGISTER Eve
... <
eve >> NEW PRACTICE first=1
... <
"""
_OFFERED: Final = re.compile(r"YOU MAY.*?\n  ([A-Z]{3,}\b[^(\n]*)", re.DOTALL)
MOST_MAILS: Final = 200


@pytest.fixture
def practising(world: World) -> World:
    """Eve has just begun to practise, against two bots."""
    play(world, PRACTICE)
    return world


def test_an_unknown_address_is_told_how_to_play_at_once_and_can_copy_every_line(world: World) -> None:
    play(
        world,
        """
        eve > HELP
        eve < Re: [pbem] help
            NEW HERE? You can play a first game at once, against bots
            REGISTER Anna
            NEW PRACTICE
        eve >> REGISTER Eve
        eve < Re: [pbem] please confirm your name
            NEW PRACTICE
        eve >> NEW PRACTICE first=1
        eve < Re: [inn-1] Round 1, evening: lodging travelers
            Welcome, Eve! Your name is confirmed.
            The game has begun, with Eve, Bot 2 and Bot 3.
            NEW TO IT?
            not: by Thu
        eve >> LODGE 1 2 3 4 5 6
        eve < Re: [inn-1] Round 1, night: your 1st action
        eve >> PASS
        eve < Re: [inn-1] Round 1, night: your 2nd action
            Bot 2
            Bot 3
        """,
    )


def test_whoever_needs_an_invitation_is_told_so(tmp_path: Path) -> None:
    world = World(tmp_path, registration=Registration.INVITED)
    play(
        world,
        """
        eve > HELP
        eve < Re: [pbem] help
            This host takes new players by invitation
            not: REGISTER Anna A mail comes back
        """,
    )


def test_who_is_known_and_plays_nowhere_is_offered_a_game_alone_too(world: World) -> None:
    play(
        world,
        """
        eve > REGISTER Eve
        ... <
        eve >> CONFIRM
        eve < Re: [pbem] welcome
            NEW PRACTICE
        eve > HELP
        eve < Re: [pbem] help
            NEW SOLO
        eve >> NEW SOLO length=long
        eve < Re: [inn-1] Round 1, evening: lodging travelers
            The game has begun, with Eve.
        eve > HELP
        eve < Re: [pbem] help
            not: NEW HERE?
        """,
    )


@pytest.mark.parametrize(
    ("line", "levels"),
    [
        ("NEW PRACTICE", ["", "steady", "steady"]),
        ("new practise", ["", "steady", "steady"]),
        ("NEW PRACTICE bots=1", ["", "steady"]),
        ("NEW PRACTICE bloody-inn bots=random,steady,random length=long", ["", "random", "steady", "random"]),
        ("NEW SOLO bloody-inn", [""]),
    ],
)
def test_against_whom_can_be_chosen(world: World, line: str, levels: list[str]) -> None:
    play(world, f"eve > REGISTER Eve\n... <\neve >> {line}\n... <")
    assert [chair.bot for chair in world.table().chairs] == levels
    assert world.table().status is Status.RUNNING


def test_each_has_a_secret_and_a_name_of_its_own_however_many_there_are(practising: World) -> None:
    assert len(practising.table().secret) == 64
    play(
        practising,
        """
        eve >> NEW PRACTICE first=1
        eve < Re: [inn-2] Round 1, evening: lodging travelers
        """,
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("NEW PRACTICE chess", "chess"),
        ("NEW PRACTICE bots=7", "bots cannot be 7"),
        ("NEW SOLO bots=1", "bots cannot be 1"),
        ("NEW PRACTICE length=endless", "length cannot be endless"),
    ],
)
def test_what_cannot_be_is_refused_and_opens_no_table(world: World, line: str, words: str) -> None:
    play(world, f"eve > REGISTER Eve\n... <\neve >> {line}\n... <")
    assert words in world.last("eve").text
    assert world.store.table("inn-1", world.host.games) is None


def test_without_a_token_nobody_can_open_one(practising: World) -> None:
    play(
        practising,
        """
        eve > NEW PRACTICE
        eve < Re: [pbem] not done
            sent to the address that it asks you to answer to
        """,
    )


def test_who_plays_alone_takes_moves_back_and_ends_it_from_the_mails_of_the_seat(practising: World) -> None:
    play(
        practising,
        """
        eve >> LODGE 1 2 3 4 5 6
        ... <
        eve >> PASS
        ... <
        eve >> ROLLBACK TO 1 night because I was too quick
        eve < Re: [inn-1] Round 1, night: your 1st action
            took moves back
        eve >> END
        eve < Re: [inn-1] Round 1, night: your 1st action
        """,
    )
    play(practising, f"eve >> {code_for(practising, 'eve', 'END')}\n... <")
    assert practising.table().status is Status.ENDED


def test_where_somebody_else_plays_a_seat_does_not_moderate(world: World) -> None:
    play(
        world,
        """
        eve > REGISTER Eve
        ... <
        eve >> NEW bloody-inn seats=3 bots=1 bob@example.org first=1
        ... <
        bob >> JOIN AS Bob
        ... <
        eve >> START
        ... <
        eve >> LODGE 1 2 3 4 5 6
        ... <
        """,
    )
    mine = next(mail for mail in reversed(world.mails) if mail.to == "eve" and "moderator" not in mail.subject)
    world.answer("eve", "ROLLBACK 1", to=mine)
    (answer,) = world.tick()
    assert "NOT DONE ROLLBACK 1" in answer.text


@pytest.mark.slow
def test_a_newcomer_who_copies_what_the_mails_offer_plays_a_whole_game(practising: World) -> None:
    for _ in range(MOST_MAILS):
        mail = practising.last("eve")
        if "The game is over" in mail.subject:
            break
        practising.answer("eve", copied(mail))
        answers = practising.tick()
        assert [answer.to for answer in answers] == ["eve"]
        assert "NOT DONE" not in answers[0].text, answers[0].lines
    assert practising.table().status is Status.OVER


def copied(mail: Mail) -> str:
    """The first order that the mail shows."""
    offered = _OFFERED.search(mail.lines)
    assert offered is not None, mail.lines
    return offered[1].strip()


def test_a_practice_game_that_is_left_lying_is_no_trouble_of_the_keepers(practising: World) -> None:
    later = practising.now + timedelta(days=30)
    table = practising.table()
    assert why_stuck(table, later) == ()
    somebody = replace(table.chair(2), person=replace(table.moderator, id=99, name="Bob"), bot="")
    with_another = table.with_chair(somebody)
    assert why_stuck(with_another, later) == ("Eve has not answered since 2026-12-01, and no deadline runs",)
