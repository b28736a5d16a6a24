"""Who may do what, and who gets to know: by the reply address, the registered address, and nothing else."""

from __future__ import annotations

import pytest

from tests.conversations.transcript import play
from tests.conversations.world import INN, World

SECRET = "YOUR HAND"


def test_a_wrong_token_gives_no_right_to_order(at_night: World) -> None:
    at_night.write("anna", "PASS", to="inn+aaaaaaaaaaaaaaaaaaaa@example.org", subject="[inn-1]")
    sent = at_night.tick()
    assert [mail.to for mail in sent] == ["anna"]
    assert "sent to the address that it asks you to answer to" in sent[0].text
    assert at_night.table().running.n == 2


def test_a_right_token_from_another_address_is_answered_to_the_registered_address_alone(at_night: World) -> None:
    at_night.answer("anna", "PASS", sender="eve")
    sent = at_night.tick()
    assert [mail.to for mail in sent] == ["anna"]
    assert "from another address than yours, so nothing was done" in sent[0].text
    assert at_night.table().running.n == 2


def test_another_player_with_the_right_token_of_a_seat_gets_nothing_private(at_night: World) -> None:
    at_night.answer("anna", "PASS", "STATUS", sender="bob")
    assert [mail.to for mail in at_night.tick()] == ["anna"]
    assert at_night.table().running.n == 2


def test_from_alone_may_ask_and_may_not_order(at_night: World) -> None:
    play(
        at_night,
        """
        anna > STATUS
        anna < Re: [inn-1] Round 1, night: your 1st action - by Thu 12:00
            YOUR HAND
        anna > PASS
        anna < Re: [inn-1] Round 1, night: not done - your 1st action - by Thu 12:00
            sent to the address that it asks you to answer to
        modi > END
        modi < Re: [pbem] not done
        """,
    )
    assert at_night.table().running.n == 2


def test_upper_case_in_an_address_is_the_same_person(at_night: World) -> None:
    at_night.answer("anna", "PASS", sender="Anna@EXAMPLE.org")
    assert {mail.to for mail in at_night.tick()} == {"anna", "bob"}
    assert at_night.table().running.n == 3


def test_strangers_get_nothing_whatever_they_write(at_night: World) -> None:
    play(
        at_night,
        """
        eve > PASS
        nobody <
        eve > STATUS inn-1 / GAMES / ACT AS Anna: PASS / END
        nobody <
        eve > Hello, what is this?
        nobody <
        """,
    )
    assert at_night.table().running.n == 2


ROBOTS = [
    ("an out-of-office answer", {"Auto_Submitted": "auto-replied"}),
    ("one that only its subject tells", {"subject": "Automatic reply: [inn-1] Round 1"}),
    ("an older vacation program", {"X_Autoreply": "yes"}),
    ("a mailing list", {"List_Id": "<players.example.org>"}),
    ("a bulk mail", {"Precedence": "bulk"}),
    ("a bounce", {"Return_Path": "<>"}),
    ("a mail of this host, or of another one", {"X_PBEM_Host": "Play by email"}),
]


@pytest.mark.parametrize("headers", [headers for _, headers in ROBOTS], ids=[name for name, _ in ROBOTS])
def test_robots_run_nothing_and_get_nothing(at_night: World, headers: dict[str, str]) -> None:
    private = at_night.last("anna").message["Reply-To"]
    at_night.write("anna", "PASS", to=private, **headers)
    assert at_night.tick() == []
    assert at_night.table().running.n == 2


@pytest.mark.parametrize("sender", [INN, "inn+k7q2m9x4k7q2m9x4k7q2@example.org", "MAILER-DAEMON@example.org"])
def test_mail_from_the_hosts_own_address_or_a_daemon_is_never_answered(at_night: World, sender: str) -> None:
    at_night.write(sender, "REGISTER Somebody")
    assert at_night.tick() == []


def test_a_whole_mail_of_the_host_that_comes_back_runs_nothing(at_night: World) -> None:
    at_night.deliver(at_night.last("anna").message.as_bytes())
    assert at_night.tick() == []
    assert at_night.table().running.n == 2


def test_carriers_that_name_two_seats_are_refused(at_night: World) -> None:
    private = at_night.last("anna").message["Reply-To"]
    of_bob = at_night.last("bob").id
    at_night.write("anna", "PASS", to=private, subject="Re: [inn-1]", In_Reply_To=of_bob)
    sent = at_night.tick()
    assert [mail.to for mail in sent] == ["anna"]
    assert "speak of different seats, so nothing was done" in sent[0].text
    assert at_night.table().running.n == 2


def test_a_replaced_player_gets_nothing_private_any_more_and_can_do_nothing(at_night: World) -> None:
    play(
        at_night,
        """
        eve > REGISTER Eve
        ... <
        eve >> CONFIRM
        ... <
        """,
    )
    old = at_night.last("anna")
    play(
        at_night,
        """
        modi >> REPLACE Anna eve@example.org
        modi < Re: [inn-1] Round 1, night: moderator - done
        eve < [inn-1] Round 1, night: a seat is offered to you
            not: YOUR HAND
        bob < [inn-1] Round 1, night: you may plan ahead
        chen < [inn-1] Round 1, night: you may plan ahead
        anna < [pbem] somebody else plays on
            not: YOUR HAND
        eve >> JOIN inn-1
        eve < Re: [inn-1] Round 1, night: your 1st action - by Thu 12:00
            YOUR HAND
        ... <
        """,
    )
    before = at_night.entries()
    at_night.answer("anna", "PASS", to=old)
    at_night.answer("anna", "STATUS", "HISTORY", "RESEND", to=old)
    sent = at_night.tick()
    assert [mail.to for mail in sent] in ([], ["anna"], ["anna"] * 2)
    assert not any(SECRET in mail.text for mail in sent)
    assert at_night.entries() == before


def test_no_reply_address_stands_in_anybody_elses_mail(at_night: World) -> None:
    at_night.answer("anna", "PASS", sender="eve")
    at_night.answer("anna", "BRIBE 9")
    at_night.tick()
    private = {(mail.to, mail.message["Reply-To"].partition("@")[0]) for mail in at_night.mails}
    for owner, local in private:
        for mail in at_night.mails:
            assert mail.to == owner or local not in mail.message.as_string()


@pytest.mark.parametrize("to", ["open", "private"])
def test_another_players_mail_tells_nothing_by_what_is_taken_for_quotation(at_night: World, to: str) -> None:
    """Eve guesses lines of Anna's hand: would they be told from her own, she could find out which are right."""
    of_anna = at_night.last("anna")
    at_night.write("eve", "REGISTER Eve")
    at_night.tick()
    at_night.answer("eve", "CONFIRM")
    at_night.tick()
    address = INN if to == "open" else at_night.last("eve").message["Reply-To"]
    answers = []
    for hand in ("2 Peasants", "3 Peasants"):
        guess = next(line for line in of_anna.lines.splitlines() if "2 Peasants" in line)
        lines = "YOUR HAND, which only you see", "card rank color does F as an annex", guess.replace("2 Peasants", hand)
        at_night.write("eve", "GAMES", *lines, to=address, In_Reply_To=of_anna.id)
        (answer,) = at_night.tick()
        assert "inn-1" not in answer.subject
        answers.append(answer.text.replace(hand, "Peasants").partition("=====")[0])
    assert answers[0] == answers[1]
