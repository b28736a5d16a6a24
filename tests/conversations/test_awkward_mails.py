"""Mails as they should not be: empty, huge, broken, doubled, without or with the wrong Message-ID."""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage

import pytest

from tests.conversations.world import INN, World, address

TURN = "YOUR HAND"


def own_mail(world: World, body: str = "PASS", **headers: str) -> EmailMessage:
    """A mail of Anna's to the private address of her seat, with no answered mail."""
    mail = EmailMessage()
    mail["From"], mail["To"] = address("anna"), world.last("anna").message["Reply-To"]
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(body)
    return mail


def only_answer(world: World) -> str:
    """The text of the one mail that a pass sends, to Anna."""
    sent = world.tick()
    assert [mail.to for mail in sent] == ["anna"]
    return sent[0].text


def test_an_empty_mail_is_answered_with_the_state(at_night: World) -> None:
    at_night.deliver(own_mail(at_night, "").as_bytes())
    text = only_answer(at_night)
    assert "I found no line of your own in this mail" in text
    assert TURN in text


def test_a_mail_without_any_text_is_told_so(at_night: World) -> None:
    mail = own_mail(at_night)
    mail.set_content(b"\x89PNG not really", maintype="image", subtype="png")
    at_night.deliver(mail.as_bytes())
    assert "I found no text in your mail, only attachments" in only_answer(at_night)


def test_a_mail_that_was_cut_off_does_nothing(at_night: World) -> None:
    mail = own_mail(at_night)
    mail.add_alternative("<p>PASS</p>", subtype="html")
    cut = mail.as_bytes().rpartition(b"--")[0].rpartition(b"--")[0]
    at_night.deliver(cut)
    assert "reached me cut off, so nothing of it was done" in only_answer(at_night)
    assert at_night.table().running.n == 2


BROKEN = [
    ("no such charset", b"Content-Type: text/plain; charset=klingon-8", b"PASS"),
    ("no such encoding", b"Content-Type: text/plain\r\nContent-Transfer-Encoding: rot13", b"PASS"),
    ("a wrong charset", b"Content-Type: text/plain; charset=utf-8", b"PASS\r\n\r\n# \xff\xfe\xe9"),
    ("no MIME at all", b"X-Nothing: \xe9\xe8", b"PASS"),
    ("parameters that cannot be put in order", b"Content-Type: text/plain; charset*=a; charset*0=b", b"PASS"),
    ("a parameter of no charset", b"Content-Type: text/plain; charset*=\xff'\xff'%ff", b"PASS"),
    ("half a character", b"Content-Type: text/plain; charset=utf-7", b"PASS\r\n\r\n+2AA-"),
    ("half a character in a header", b"X: y\r\nSubject: =?utf-7?q?+2AA-?= =?utf-8?q?a=0D=0AX: y=00?=", b"PASS"),
    ("bare line feeds", b"Content-Type: text/plain", b"PASS\n"),
]


@pytest.mark.parametrize(("header", "body"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_broken_mime_is_read_as_well_as_can_be(at_night: World, header: bytes, body: bytes) -> None:
    to = at_night.last("anna").message["Reply-To"].encode()
    at_night.deliver(b"From: anna@example.org\r\nTo: " + to + b"\r\n" + header + b"\r\n\r\n" + body)
    assert sorted(mail.to for mail in at_night.tick()) == ["anna", "bob"]
    assert at_night.table().running.n == 3


GARBAGE = [
    b"",
    b"\r\n\r\n",
    b"\x00" * 5000,
    b"From: \r\n\r\nPASS",
    b"From anna@example.org Tue\r\n\r\nPASS",
    b":" * 999,
]


@pytest.mark.parametrize("raw", GARBAGE)
def test_what_is_hardly_a_mail_gets_nothing_and_stops_nothing(at_night: World, raw: bytes) -> None:
    at_night.deliver(raw)
    at_night.write("bob", "STATUS")
    assert [mail.to for mail in at_night.tick()] == ["bob"]
    assert at_night.tick() == []


def test_the_same_mail_delivered_twice_has_one_effect_and_one_answer(at_night: World) -> None:
    raw = at_night.answer("anna", "PASS")
    at_night.deliver(raw)
    assert sorted(mail.to for mail in at_night.tick()) == ["anna", "bob"]
    assert at_night.table().running.n == 3


SEEN_TO = "You sent the same before, on Tuesday 1 December, 12:00 UTC."


def test_a_mail_that_is_sent_again_is_answered_once_more_a_day_with_when_it_was_done(at_night: World) -> None:
    raw = at_night.answer("anna", "PASS")
    at_night.tick()
    at_night.wait(minutes=20)
    answers = []
    for _ in range(3):
        at_night.deliver(b"Delivered-To: inn@example.org\nReceived: by another way\n" + raw)
        answers.append([(mail.to, SEEN_TO in mail.text) for mail in at_night.tick()])
        at_night.restart()
    assert answers == [[("anna", True)], [], []]
    at_night.wait(hours=24)
    at_night.deliver(raw)
    assert SEEN_TO in {mail.to: mail.text for mail in at_night.tick()}["anna"]
    assert at_night.table().running.n == 3


@pytest.mark.parametrize("folder", ["imap:INBOX:2", "imap:Junk:1"])
def test_a_mail_that_is_only_seen_again_is_not_answered(at_night: World, folder: str) -> None:
    at_night.answer("anna", "PASS")
    at_night.tick()
    (*_, arrival) = at_night.mailbox.arrivals
    at_night.mailbox.arrivals.append(replace(arrival, folder_key=folder, uid=99))
    assert at_night.tick() == []


def test_a_robot_a_stranger_and_whoever_has_no_right_get_no_answer_to_a_copy(at_night: World) -> None:
    private = at_night.last("anna").message["Reply-To"]
    mails = (
        at_night.write("anna", "PASS", to=private, Auto_Submitted="auto-replied"),
        at_night.answer("anna", "PASS", sender="eve"),
        at_night.write("eve", "HELP"),
    )
    at_night.tick()
    at_night.wait(minutes=20)
    for raw in mails:
        at_night.deliver(raw)
    assert at_night.tick() == []


def test_two_mails_with_one_message_id_are_two_mails(at_night: World) -> None:
    one = "<the-same@client.example.org>"
    at_night.answer("anna", "BRIBE monk WITH peasant", Message_ID=one)
    at_night.answer("anna", "PASS", to=at_night.last("anna"), Message_ID=one)
    at_night.answer("bob", "STATUS", Message_ID=one)
    sent = {mail.to: mail.text for mail in at_night.tick()}
    assert "DONE BRIBE monk" in sent["anna"]
    assert "about a decision that has been made since" in sent["anna"]
    assert TURN in sent["bob"]


def test_a_mail_without_a_message_id_is_handled_like_any_other(at_night: World) -> None:
    raw = own_mail(at_night).as_bytes()
    assert b"Message-ID" not in raw
    at_night.deliver(raw)
    at_night.deliver(raw)
    assert sorted(mail.to for mail in at_night.tick()) == ["anna", "bob"]
    assert at_night.table().running.n == 3


@pytest.mark.parametrize("date", ["yesterday", "Thu, 1 Jan 1970 00:00:00 +0000", "Fri, 31 Dec 9999 23:59:59 -9900"])
def test_an_absurd_date_header_counts_for_nothing(at_night: World, date: str) -> None:
    at_night.deliver(own_mail(at_night, Date=date).as_bytes())
    sent = {mail.to: mail.text for mail in at_night.tick()}
    assert "From your mail of Tuesday 1 December, 12:00 UTC" in sent["anna"]


def test_a_line_of_a_hundred_kilobytes_is_refused_by_name_and_the_rest_runs(at_night: World) -> None:
    at_night.deliver(own_mail(at_night, "PASS\n" + "A" * 100_000 + "\n").as_bytes())
    sent = {mail.to: mail.text for mail in at_night.tick()}
    assert "DONE PASS" in sent["anna"]
    assert "longer than any order" in sent["anna"]


def test_a_mail_to_many_is_read_once(at_night: World) -> None:
    private = at_night.last("anna").message["Reply-To"]
    at_night.write("anna", "PASS", to=f"{private}, bob@example.org", Cc=INN)
    assert sorted(mail.to for mail in at_night.tick()) == ["anna", "bob"]
    assert at_night.table().running.n == 3
