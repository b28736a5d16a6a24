"""A seat that changes hands: nothing that is written for one player reaches the other."""

from __future__ import annotations

from datetime import timedelta

from tests.conversations.transcript import play
from tests.conversations.world import World

REPLACED = "REPLACE Bob dora@example.org"


def test_a_state_that_waits_to_be_sent_is_not_sent_to_who_has_lost_the_seat(at_night: World) -> None:
    at_night.courier.down = True
    at_night.answer("anna", "PASS")
    at_night.tick()
    at_night.answer("modi", REPLACED)
    at_night.tick()
    at_night.courier.down = False
    at_night.wait(hours=2)
    told = [mail.text for mail in at_night.tick() if mail.to == "bob"]
    assert len(told) == 1
    assert "YOUR HAND" not in told[0]
    assert "your seat" in told[0]


def test_an_answer_to_the_old_player_goes_to_him_and_shows_no_hand(at_night: World) -> None:
    at_night.answer("bob", "STATUS", "ALWAYS pay checks")
    at_night.answer("modi", REPLACED)
    sent = at_night.tick()
    told = [mail.text for mail in sent if mail.to == "bob"]
    assert any("STATUS" in text for text in told)
    assert not any("YOUR HAND" in text for text in told)
    assert not any("ALWAYS" in mail.text for mail in sent if mail.to not in ("bob", "anna", "chen", "modi"))


def test_the_silence_of_a_moderator_is_broken_from_any_of_his_addresses(at_night: World) -> None:
    at_night.answer("modi", "ADD ADDRESS modi@work.example")
    at_night.tick()
    line = next(line for line in at_night.last("modi@work.example").lines.split("\n") if "CONFIRM ADDRESS" in line)
    at_night.wait(days=5)
    at_night.write("modi@work.example", line.strip())
    at_night.tick()
    modi = at_night.store.person_by_name("Modi")
    assert modi is not None
    seen = at_night.store.last_seen(modi)
    assert seen is not None
    assert at_night.now - seen < timedelta(minutes=1)


def test_who_gives_himself_a_seat_cannot_give_it_up_in_the_same_mail_and_is_told_so(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> REPLACE Bob modi@example.org / RESIGN
        modi < Re: [inn-1] Round 1, night: moderator - partly done
            in a mail of its own
        ... <
        """,
    )


def test_who_joins_cannot_add_an_address_in_the_same_mail_and_is_told_so(world: World) -> None:
    play(
        world,
        """
        modi > REGISTER Modi
        ... <
        modi >> CONFIRM / NEW bloody-inn anna@example.org seats=2
        ... <
        anna >> JOIN AS Anna / ADD ADDRESS anna@work.example
        anna < Re: [inn-1] partly done
            in a mail of its own
        ... <
        """,
    )


def test_a_line_about_a_game_and_one_that_ends_all_mail_can_stand_in_one_mail(at_night: World) -> None:
    at_night.answer("anna", "TRY PASS", "STOP")
    done, sent = at_night.passed()
    assert (done.failures, {mail.to for mail in sent}) == (0, {"anna", "modi"})
