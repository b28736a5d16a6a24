"""The second game by mail, through the whole host: sign-up, secret simultaneous picks, plans, questions, programs."""

from __future__ import annotations

import json

import pytest

from engine.record import By
from tests.conversations.transcript import play
from tests.conversations.world import Mail, World
from tests.games.picking import TABLE, picks

# Sign-up


def test_from_registering_to_the_first_mail_of_the_game(world: World) -> None:
    play(
        world,
        """
        anna > REGISTER Anna
        anna < Re: [pbem] please confirm your name
        anna >> NEW choices bob@example.org bonus=off deadline=none
        anna < Re: [pbem] your table is open
            NEW bloody-inn (open a table
            NEW choices (open a table
            Game: Choices
            Can begin with: 2
            Time for a decision: no deadline
            Bonus: off
        bob < [choices-1] you are invited
            invites you to a game of Choices
            JOIN choices-1 AS ...
        bob >> JOIN AS Bob
        bob < Re: [choices-1] done
            You are at the table choices-1, Bob.
        anna < [choices-1] a new player
            Anna and Bob (2 of at most 2)
        anna >> START
        anna < Re: [choices-1] Round 1: moderator - done
            you moderate it
        anna < [choices-1] Round 1: your pick
            Bob is awaited as well
            PICK 5
            not: until
        bob < [choices-1] Round 1: your pick
            Anna is awaited as well
        """,
    )


def test_what_the_game_does_not_offer_is_named(world: World) -> None:
    play(
        world,
        """
        anna > REGISTER Anna
        anna < Re: [pbem] please confirm your name
        anna >> NEW choices bonus=double
        anna < Re: [pbem] welcome
            bonus cannot be double. Choose from on and off.
        anna >> NEW choices length=long
        anna < Re: [pbem] not done
            There is no option called length. Choose from bonus, seats
        anna >> NEW choices seats=5
        anna < Re: [pbem] not done
            seats cannot be 5. Choose from 2, 3 and 4.
        anna >> NEW choices
        anna < Re: [pbem] your table is open
        anna >> START
        anna < Re: [pbem] not done
            1 has joined, and the game takes 2, 3 or 4.
        """,
    )


def test_no_player_is_called_like_an_order_of_any_game(world: World) -> None:
    play(
        world,
        """
        anna > REGISTER Pick
        anna < Re: [pbem] not done
            would be taken for an order
        """,
    )


# Orders


def test_picks_stay_sealed_until_all_are_in_and_then_come_to_light_for_all(begun: World) -> None:
    play(
        begun,
        """
        anna >> PICK 3
        anna < Re: [choices-1] Round 1: done - you are not awaited
            DONE PICK 3
            Anna picked 3.
            Bob and Chen are
        bob >> STATUS
        bob < Re: [choices-1] Round 1: your pick - by Thu 12:00
            Anna has picked a number.
            Chen is awaited as well
            not: Anna picked
        chen >> pick 5 (surely alone)
        chen < Re: [choices-1] Round 1: done - you are not awaited
            DONE pick 5
        bob >> PICK 5
        anna < [choices-1] Round 2: your pick - by Thu 12:00
            Chen has picked a number. Bob has picked a number. The picks were 3, 5 and 5: Anna scored 3.
            Round 1: 3, 5, 5; the bonus was 0.
        bob < Re: [choices-1] Round 2: your pick - by Thu 12:00
            DONE PICK 5
            Bob picked 5.
            The picks were 3, 5 and 5: Anna scored 3.
        chen < [choices-1] Round 2: your pick - by Thu 12:00
            The picks were 3, 5 and 5: Anna scored 3.
        """,
    )
    assert picks(begun) == [(1, 3, By.SEAT), (3, 5, By.SEAT), (2, 5, By.SEAT)]


def test_picks_that_arrive_for_one_pass_are_all_done_and_each_seat_gets_one_mail(begun: World) -> None:
    for name, number in (("chen", 1), ("bob", 2), ("anna", 3)):
        begun.answer(name, f"PICK {number}")
    play(
        begun,
        """
        anna < Re: [choices-1] Round 2: your pick - by Thu 12:00
        bob < Re: [choices-1] Round 2: your pick - by Thu 12:00
        chen < Re: [choices-1] Round 2: your pick - by Thu 12:00
            DONE PICK 1
            The picks were 3, 2 and 1
        """,
    )
    assert picks(begun) == [(3, 1, By.SEAT), (2, 2, By.SEAT), (1, 3, By.SEAT)]


def test_a_second_pick_in_a_round_is_neither_done_nor_kept(begun: World) -> None:
    play(
        begun,
        """
        anna >> PICK 3 / PICK 4
        anna < Re: [choices-1] Round 1: partly done - you are not awaited
            DONE PICK 3
            NOT DONE PICK 4
            neither done nor kept
        anna >> PICK 2
        anna < Re: [choices-1] Round 1: not done - you are not awaited
            neither done nor kept
        """,
    )
    assert picks(begun) == [(1, 3, By.SEAT)]
    assert begun.table(TABLE).plans == ()


def test_an_answer_to_the_mail_of_a_round_that_is_over_changes_nothing_and_brings_the_newest_state(
    begun: World,
) -> None:
    old = begun.last("anna")
    for name in ("anna", "bob", "chen"):
        begun.answer(name, "PICK 4")
    begun.tick()
    begun.answer("anna", "PICK 5", to=old)
    sent = begun.tick()
    assert [mail.to for mail in sent] == ["anna"]
    assert "about a decision that has been made since, so nothing was done" in sent[0].text
    assert "YOUR PICK, which only you see" in sent[0].text
    assert len(picks(begun)) == 3


@pytest.mark.parametrize(
    ("line", "word", "why"),
    [
        ("PICK 9", "NOT DONE", "Pick a number from 1 to 5."),
        ("PICK three", "NOT READ", "Say one number behind PICK, as in PICK 3."),
        ("PICK", "NOT READ", "Say one number behind PICK, as in PICK 3."),
        ("PIC 3", "NOT READ", "Did you mean PICK 3?"),
        ("LODGE 3", "", "I found no order in this mail"),
        ("Let me think about it", "", "I found no order in this mail"),
    ],
)
def test_a_line_that_is_not_done_says_why_and_offers_what_works(begun: World, line: str, word: str, why: str) -> None:
    begun.answer("anna", line)
    sent = begun.tick()
    assert [(mail.to, mail.subject) for mail in sent] == [
        ("anna", "Re: [choices-1] Round 1: not done - your pick - by Thu 12:00")
    ]
    assert f"{word} {line}" in sent[0].text if word else line not in sent[0].text.partition("left out")[2]
    assert why in sent[0].text
    assert "YOU MAY, for example PICK 1 PICK 2" in sent[0].text
    assert picks(begun) == []


def test_the_same_pick_mailed_five_times_has_one_effect(begun: World) -> None:
    asked = begun.last("anna")
    for _ in range(5):
        begun.answer("anna", "PICK 2", to=asked)
    assert [mail.to for mail in begun.tick()] == ["anna"]
    assert picks(begun) == [(1, 2, By.SEAT)]


def test_who_does_not_sit_there_cannot_pick_and_an_address_without_its_token_neither(begun: World) -> None:
    begun.answer("bob", "PICK 1", to=begun.last("anna"))
    begun.write("chen", "PICK 1")
    sent = begun.tick()
    assert sorted(mail.to for mail in sent) == ["anna", "chen"]
    assert picks(begun) == []


# Plans


def test_picks_of_a_paused_game_are_kept_and_run_when_it_goes_on(begun: World) -> None:
    play(
        begun,
        """
        modi >> PAUSE
        ... <
        anna >> PICK 3
        anna < Re: [choices-1] Round 1: planned - the game is paused
            PLANNED PICK 3
        anna >> PICK 4 / PLAN
        anna < Re: [choices-1] Round 1: planned - the game is paused
            I keep these lines of yours
        bob >> PICK 5
        bob < Re: [choices-1] Round 1: planned - the game is paused
        bob >> CANCEL PLAN
        bob < Re: [choices-1] Round 1: done - the game is paused
            Put away: PICK 5.
        chen >> PICK 1 / HISTORY
        chen < Re: [choices-1] Round 1: planned - the game is paused
            not: PICK 4
            not: Anna picked
        """,
    )
    assert picks(begun) == []
    modis = next(mail for mail in reversed(begun.mails) if mail.to == "modi")
    begun.answer("modi", "RESUME", to=modis)
    sent = begun.tick()
    assert sorted(mail.to for mail in sent) == ["anna", "bob", "chen", "modi"]
    assert picks(begun) == [(1, 4, By.PLAN), (3, 1, By.PLAN)]
    assert "DONE PICK 4 Anna picked 4." in next(mail.text for mail in sent if mail.to == "anna")
    assert "Round 1: your pick" in next(mail.subject for mail in sent if mail.to == "bob")


# Questions


@pytest.mark.parametrize("line", ["RULES", "RULES scoring", "CARD monk"])
def test_a_game_without_look_up_says_so(begun: World, line: str) -> None:
    begun.answer("anna", line, "PICK 3")
    sent = begun.tick()
    assert [mail.to for mail in sent] == ["anna"]
    assert "Choices has no rules or cards to look up here" in sent[0].text
    assert "bloody" not in sent[0].text.casefold()


def test_help_offers_no_look_up_where_there_is_none(begun: World) -> None:
    begun.answer("anna", "HELP", "HELP orders", "HELP lobby")
    text = begun.tick()[0].text
    assert "HOW IT WORKS" in text
    assert "RULES" not in text
    assert "CARD" not in text


def test_the_history_tells_of_a_sealed_pick_only_to_its_seat(begun: World) -> None:
    play(
        begun,
        """
        anna >> PICK 3 / HISTORY
        anna < Re: [choices-1] Round 1: done - you are not awaited
            Round 1 began. - Anna picked 3.
        bob >> HISTORY
        bob < Re: [choices-1] Round 1: your pick - by Thu 12:00
            Round 1 began. - Anna has picked a number.
        """,
    )


# Programs


def data_in(mail: Mail) -> dict[str, object]:
    """What a mail holds for a program."""
    attached = [part for part in mail.message.walk() if part.get_filename() == "pbem.json"]
    assert len(attached) == 1
    value: dict[str, object] = json.loads(attached[0].get_payload(decode=True))  # type: ignore[arg-type]
    return value


def test_a_program_gets_the_view_of_its_seat_and_no_pick_of_another(begun: World) -> None:
    begun.answer("anna", "PICK 3")
    begun.tick()
    begun.answer("bob", "MACHINE ON")
    asked = data_in(begun.tick()[-1])
    assert (asked["kind"], asked["seat"]) == ("choices", 2)
    assert asked["decision"] == {
        "key": "1/choice/2/1", "kind": "pick", "round": 1, "phase": "choice", "ordinal": 1, "new": False,
    }  # fmt: skip
    assert asked["view"]["pick"] == 0  # type: ignore[index]
    assert asked["view"]["sealed"] == [True, False, False]  # type: ignore[index]
    begun.answer("bob", "PICK 4")
    done = data_in(begun.tick()[-1])
    assert done["decision"] is None
    assert done["view"]["pick"] == 4  # type: ignore[index]
