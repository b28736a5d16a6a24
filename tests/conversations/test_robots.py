"""Machines at the other end: mail that comes back, robots that no header gives away, and how much is sent."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from tests.conversations.world import INN, World

TOLD = "Mails to Anna at inn-1 come back"


def report(world: World, status: str, action: str = "failed", returned: str = "", diagnostic: str = "") -> bytes:
    """A report by Anna's mail server on the last mail that she got."""
    original = world.last("anna").message
    head = returned or "".join(f"{name}: {original[name]}\r\n" for name in ("From", "To", "Message-ID", "Subject"))
    fields = "Reporting-MTA: dns; mx.example.org\r\n\r\nFinal-Recipient: rfc822; anna@example.org\r\n"
    fields += f"Action: {action}\r\nStatus: {status}\r\n"
    fields += f"Diagnostic-Code: smtp; {diagnostic}\r\n" if diagnostic else ""
    parts = (
        "Content-Type: text/plain\r\n\r\nI am sorry to have to inform you\r\nPASS\r\n",
        f"Content-Type: message/delivery-status\r\n\r\n{fields}",
        f"Content-Type: text/rfc822-headers\r\n\r\n{head}",
    )
    body = "".join(f"--cut\r\n{part}\r\n" for part in parts) + "--cut--\r\n"
    top = f"From: MAILER-DAEMON@mx.example.org\r\nTo: {INN}\r\nSubject: Undelivered Mail\r\nReturn-Path: <>\r\n"
    kind = 'Content-Type: multipart/report; report-type=delivery-status; boundary="cut"\r\n\r\n'
    return (top + kind + body).encode()


BAD = [
    ("5.1.1", "failed", ""),
    ("5.1.10", "failed", ""),
    ("5.0.0", "failed", "550 5.1.1 <anna@example.org>: no such user"),
    ("5.0.0", "failed", "550 User unknown in virtual mailbox table"),
]
NOT_HIS = [
    ("5.2.2", "failed", "552 5.2.2 mailbox full"),
    ("5.7.1", "failed", "554 5.7.1 blocked by policy"),
    ("5.1.8", "failed", "550 5.1.8 bad sender's domain"),
    ("5.0.0", "failed", "554 something went wrong"),
    ("5.3.4", "failed", ""),
]
NOT_YET = [("4.4.1", "delayed", ""), ("4.2.2", "failed", ""), ("2.0.0", "relayed", "")]


@pytest.mark.parametrize(("status", "action", "diagnostic"), BAD)
def test_a_bounce_of_a_bad_address_marks_the_seat_and_tells_the_moderator(
    at_night: World, status: str, action: str, diagnostic: str
) -> None:
    at_night.deliver(report(at_night, status, action, diagnostic=diagnostic))
    sent = at_night.tick()
    assert [mail.to for mail in sent] == ["modi"]
    assert TOLD in sent[0].text
    assert at_night.table().chair(1).unreachable
    assert at_night.table().running.n == 2


def test_everybody_who_moderates_is_told_of_a_bounce(at_night: World) -> None:
    at_night.answer("modi", "PROMOTE Bob")
    at_night.tick()
    status, action, diagnostic = BAD[0]
    at_night.deliver(report(at_night, status, action, diagnostic=diagnostic))
    assert sorted(mail.to for mail in at_night.tick() if TOLD in mail.text) == ["bob", "modi"]


@pytest.mark.parametrize(("status", "action", "diagnostic"), NOT_HIS + NOT_YET)
def test_quota_policy_and_delays_mark_no_seat(at_night: World, status: str, action: str, diagnostic: str) -> None:
    at_night.deliver(report(at_night, status, action, diagnostic=diagnostic))
    assert at_night.tick() == []
    assert not at_night.table().chair(1).unreachable


def test_the_moderator_is_told_once_until_something_comes_from_the_player(at_night: World) -> None:
    at_night.deliver(report(at_night, "5.1.1"))
    assert len(at_night.tick()) == 1
    at_night.deliver(report(at_night, "5.1.1", diagnostic="550 5.1.1 again"))
    assert at_night.tick() == []
    at_night.answer("anna", "STATUS")
    at_night.tick()
    assert not at_night.table().chair(1).unreachable


def test_a_bounce_is_tied_to_its_mail_by_the_reply_address_too(at_night: World) -> None:
    private = at_night.last("anna").message["Reply-To"]
    at_night.deliver(report(at_night, "5.1.1", returned=f"Reply-To: {private}\r\nSubject: x\r\n"))
    assert [mail.to for mail in at_night.tick()] == ["modi"]


FORGED = [
    "Message-ID: <made-up@example.org>\r\nSubject: [inn-1]\r\n",
    "Subject: [inn-1] Anna\r\nTo: anna@example.org\r\n",
    "Reply-To: inn+aaaaaaaaaaaaaaaaaaaa@example.org\r\n",
]


@pytest.mark.parametrize("returned", FORGED)
def test_a_report_on_no_mail_of_ours_does_nothing(at_night: World, returned: str) -> None:
    at_night.deliver(report(at_night, "5.1.1", returned=returned))
    assert at_night.tick() == []


def test_a_bounce_for_a_player_who_was_replaced_since_does_not_blame_the_new_one(at_night: World) -> None:
    late = report(at_night, "5.1.1")
    at_night.write("eve", "REGISTER Eve")
    at_night.tick()
    at_night.answer("eve", "CONFIRM")
    at_night.tick()
    at_night.answer("modi", "REPLACE Anna eve@example.org")
    at_night.tick()
    at_night.deliver(late)
    assert at_night.tick() == []
    assert not at_night.table().chair(1).unreachable


OLD = """\
Hi. This is the qmail-send program at mx.example.org.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<anna@example.org>:
{why}

--- Below this line is a copy of the message.

Return-Path: <inn@example.org>
Message-ID: {id}
Subject: your turn

PASS
"""


@pytest.mark.parametrize(
    ("why", "told"),
    [
        ("Sorry, no mailbox here by that name. (#5.1.1)", ["modi"]),
        ("550 5.1.1 user unknown", ["modi"]),
        ("User is over quota. (#5.2.2)", []),
    ],
)
def test_an_older_servers_words_are_understood(at_night: World, why: str, told: list[str]) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "MAILER-DAEMON@mx.example.org", INN, "failure notice"
    mail["Return-Path"] = "<>"
    mail.set_content(OLD.format(why=why, id=at_night.last("anna").id))
    at_night.deliver(mail.as_bytes())
    assert [mail.to for mail in at_night.tick()] == told


# Robots without headers


def nonsense(world: World, n: int, name: str = "anna") -> bytes:
    return world.write(name, f"Thank you for your message number {n}. I am reading it.")


def test_over_ten_mails_an_hour_of_no_worth_are_a_robots_and_the_moderator_is_told_once(at_night: World) -> None:
    answers = []
    for n in range(14):
        nonsense(at_night, n)
        answers.append([mail.to for mail in at_night.tick()])
    assert answers == [["anna"]] * 10 + [["modi"], [], [], []]
    assert "a program seems to answer mine by itself" in at_night.last("modi").text


def test_it_is_the_same_when_they_come_all_at_once(at_night: World) -> None:
    for n in range(14):
        nonsense(at_night, n)
    at_night.tick()
    verdicts = [mail for mail in at_night.mails if "message number" in mail.text]
    assert sum(mail.text.count("Thank you for your message number") for mail in verdicts) == 10


def test_an_order_that_moves_the_game_counts_even_then(at_night: World) -> None:
    private = at_night.last("anna")
    for n in range(14):
        nonsense(at_night, n)
        at_night.tick()
    at_night.answer("anna", "PASS", to=private)
    assert {mail.to for mail in at_night.tick()} == {"anna", "bob"}
    assert at_night.table().running.n == 3


def forge(world: World, many: int, name: str = "anna") -> None:
    """Somebody writes many a mail with her address in From, and without a token."""
    for n in range(many):
        nonsense(world, n, name)
    world.tick()


def test_what_others_forge_keeps_no_player_from_an_answer(at_night: World) -> None:
    private = at_night.last("anna")
    forge(at_night, 14)
    for line, told in (("STATUS", "YOUR HAND"), ("Hello?", "I found no order"), ("HELP", "HELP")):
        at_night.answer("anna", line, to=private)
        (answer,) = at_night.tick()
        assert (answer.to, told in answer.text) == ("anna", True)


@pytest.mark.parametrize("name", ["anna", "chen"])
def test_what_others_forge_keeps_nobody_from_silence(at_night: World, name: str) -> None:
    private = at_night.last(name)
    forge(at_night, 70, name)
    at_night.write(name, "STOP")
    (asked,) = at_night.tick()
    assert (asked.to, "STOP" in asked.text) == (name, True)
    at_night.answer(name, "STOP", to=private)
    at_night.tick()
    assert "This is the last mail that you get from this host" in at_night.last(name).text


def test_nobody_is_asked_for_ever_whether_he_wants_silence(at_night: World) -> None:
    for n in range(9):
        at_night.write("anna", "STOP", subject=f"number {n}")
    at_night.tick()
    assert at_night.last("anna").text.count("asks me never to write to you again") == 3


def test_a_program_that_answers_with_the_token_is_known_all_the_same(at_night: World) -> None:
    private = at_night.last("anna")
    for n in range(14):
        at_night.answer("anna", f"Thank you for your message number {n}. I am reading it.", to=private)
    at_night.tick()
    verdicts = [mail for mail in at_night.mails if "message number" in mail.text]
    assert sum(mail.text.count("Thank you for your message number") for mail in verdicts) == 10


def test_an_hour_later_the_address_is_answered_again(at_night: World) -> None:
    for n in range(14):
        nonsense(at_night, n)
        at_night.tick()
    at_night.wait(minutes=61)
    nonsense(at_night, 99)
    assert [mail.to for mail in at_night.tick()] == ["anna"]


def test_a_player_may_ask_more_than_that_and_a_program_that_asks_for_ever_may_not(at_night: World) -> None:
    at_night.wait(hours=2)
    answered = 0
    for _ in range(70):
        at_night.write("bob", "GAMES")
        answered += "bob" in {mail.to for mail in at_night.tick()}
    assert answered == 60


def test_every_mail_of_the_host_says_that_a_machine_wrote_it(at_night: World) -> None:
    kinds = {mail.message["Auto-Submitted"] for mail in at_night.mails}
    assert kinds == {"auto-generated", "auto-replied"}
    assert all(mail.message["X-PBEM-Host"] for mail in at_night.mails)


# How much is sent


def test_no_more_is_sent_in_an_hour_than_the_settings_allow_and_nothing_is_lost(at_night: World) -> None:
    at_night.wait(hours=2)
    at_night.set("limits", max_per_hour=2)
    for name in ("anna", "bob", "chen", "modi"):
        at_night.write(name, "GAMES")
    first = at_night.tick()
    assert len(first) == 2
    assert at_night.tick() == []
    at_night.wait(minutes=61)
    second = at_night.tick()
    assert {mail.to for mail in first + second} == {"anna", "bob", "chen", "modi"}


def test_no_more_is_sent_in_a_day_than_the_settings_allow(at_night: World) -> None:
    at_night.wait(hours=25)
    at_night.set("limits", max_per_day=1)
    at_night.write("bob", "GAMES")
    at_night.write("chen", "GAMES")
    first = at_night.tick()
    at_night.wait(hours=20)
    assert (len(first), at_night.tick()) == (1, [])
    at_night.wait(hours=5)
    assert {mail.to for mail in first + at_night.tick()} == {"bob", "chen"}
