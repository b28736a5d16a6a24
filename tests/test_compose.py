"""Mails as bytes: what goes in comes out again when the standard library reads them."""

from __future__ import annotations

import email
import json
from dataclasses import replace
from datetime import UTC, datetime
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr
from typing import Any, cast

import pytest

from pbem.compose import Automatic, OutgoingMail, compose, mark, message_id, shortened

NOW = datetime(2026, 12, 2, 9, 42, tzinfo=UTC)
TOKEN = "abcdefghijklmnopqrst"
ID = message_id("example.org", bytes(range(16)))
PLAIN = OutgoingMail(
    message_id=ID,
    date=NOW,
    sender="inn@example.org",
    sender_name="inn-7 table",
    to="anna@example.org",
    to_name="Anna",
    reply_to=f"inn+{TOKEN}@example.org",
    subject="[inn-7] Round 3, night: your 1st action - by Thu 18:00",
    text="THE INN\n  room key\n",
    html="<p>The inn</p>\n",
    host="example.org",
)
WITH_DATA = replace(PLAIN, data=json.dumps({"format": 1, "names": ["Änna", "陳"]}, ensure_ascii=False))
CHINESE = "陳小明的旅館第三晚輪到你了。"


def changed(**fields: Any) -> OutgoingMail:
    return replace(PLAIN, **fields)


def parsed(mail: OutgoingMail) -> EmailMessage:
    message = email.message_from_bytes(compose(mail), policy=default)
    assert [defect for part in message.walk() for defect in part.defects] == []
    return message


def content(mail: OutgoingMail, kind: str) -> str:
    part = parsed(mail).get_body((kind,))
    assert part is not None
    return cast(str, part.get_content()).replace("\r\n", "\n")


def header(raw: bytes) -> list[bytes]:
    return raw.split(b"\r\n\r\n", 1)[0].split(b"\r\n")


def test_a_mail_has_all_headers_that_keep_the_peace_among_robots() -> None:
    message = parsed(replace(PLAIN, automatic=Automatic.REPLIED))
    assert {name: str(message[name]) for name in ("From", "To", "Reply-To", "Message-ID")} == {
        "From": "inn-7 table <inn@example.org>",
        "To": "Anna <anna@example.org>",
        "Reply-To": f"inn+{TOKEN}@example.org",
        "Message-ID": ID,
    }
    assert message["Subject"] == PLAIN.subject
    assert message["Date"].datetime == NOW
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["X-PBEM-Host"] == "example.org"
    assert message["In-Reply-To"] is None
    assert message["Precedence"] is None
    assert message["List-Unsubscribe"] is None


def test_the_text_stands_before_the_html() -> None:
    message = parsed(PLAIN)
    assert message.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    assert (content(PLAIN, "plain"), content(PLAIN, "html")) == (PLAIN.text, PLAIN.html)


def test_a_calendar_file_travels_beside_the_json_and_says_that_it_is_one() -> None:
    file = "BEGIN:VCALENDAR\r\nSUMMARY:Änna\r\nEND:VCALENDAR\r\n"
    for mail, names in ((PLAIN, ["deadline.ics"]), (WITH_DATA, ["pbem.json", "deadline.ics"])):
        attached = list(parsed(replace(mail, calendar=file)).iter_attachments())
        assert [part.get_filename() for part in attached] == names
        assert (attached[-1].get_content_type(), attached[-1].get_param("method")) == ("text/calendar", "PUBLISH")
        assert attached[-1].get_payload(decode=True) == file.encode()


def test_a_mail_for_a_program_carries_its_json_as_a_third_part() -> None:
    message = parsed(WITH_DATA)
    assert message.get_content_type() == "multipart/mixed"
    (attachment,) = message.iter_attachments()
    assert (attachment.get_content_type(), attachment.get_filename()) == ("application/json", "pbem.json")
    assert json.loads(cast(bytes, attachment.get_content())) == {"format": 1, "names": ["Änna", "陳"]}
    assert (content(WITH_DATA, "plain"), content(WITH_DATA, "html")) == (PLAIN.text, PLAIN.html)


def test_a_mail_without_html_is_one_part() -> None:
    assert parsed(replace(PLAIN, html="")).get_content_type() == "text/plain"


@pytest.mark.parametrize(
    "text",
    [
        "plain\n",
        "naïve café, 10 € and “quotes”\n",
        f"{CHINESE}\n" * 30,
        "From here it looks like a mailbox\n  From\nFrom ünder\n",
        "ends in a space \nand a tab\t\nand a dot\n.\n..\n",
        "a line of nine hundred and ninety-eight: " + "x" * 958 + "\n",
        "a monster line: " + "x" * 5000 + "\n",
        "a monster line without a space: ü" + "x" * 5000 + "\n",
        "equal=signs=20 =3D and ===== marks =====\n",
        "nul \x00, bell \x07 and escape \x1b\n",
        "\n",
    ],
)
def test_every_text_survives_the_way(text: str) -> None:
    assert content(replace(PLAIN, text=text), "plain") == text
    assert content(replace(PLAIN, html=text), "html") == text


def test_line_ends_of_any_kind_become_the_one_of_mail() -> None:
    raw = compose(replace(PLAIN, text="one\ntwo\r\nthree\rfour", html=""))
    assert raw.endswith(b"one\r\ntwo\r\nthree\r\nfour\r\n")
    assert raw.count(b"\n") == raw.count(b"\r\n") == raw.count(b"\r")


@pytest.mark.parametrize("mail", [PLAIN, WITH_DATA, replace(WITH_DATA, text=CHINESE * 400, subject=CHINESE * 20)])
def test_a_mail_is_ascii_in_lines_that_every_server_takes(mail: OutgoingMail) -> None:
    raw = compose(mail)
    assert raw.isascii()
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert max(map(len, header(raw))) <= 78


@pytest.mark.parametrize(
    "subject",
    [
        "",
        "short",
        "[inn-7] " + "a word and another " * 20,
        "[inn-7] " + "x" * 300,
        f"Re: [inn-7] {CHINESE}: done - you are not awaited",
        f"[inn-7] The game is over: {CHINESE * 5} wins",
        "[inn-7] =?utf-8?q?not_an_encoded_word?= wins",
        "Jürgen & Søren: 100 % \N{BEER MUG}",
    ],
)
def test_every_subject_survives_the_way(subject: str) -> None:
    assert parsed(replace(PLAIN, subject=subject))["Subject"] == " ".join(subject.split())


@pytest.mark.parametrize(
    "name",
    ["Anna", "陳小明", "Jürgen", "O'Brien, the 2nd", 'Eve "the eel"', "a\\b", "J. R.", "=?utf-8?q?x?=", CHINESE * 4],
)
def test_every_name_survives_the_way(name: str) -> None:
    message = email.message_from_bytes(compose(replace(PLAIN, to_name=name, sender_name=name)))
    assert mailbox(message["To"]) == (name, "anna@example.org")
    assert mailbox(message["From"]) == (name, "inn@example.org")


def mailbox(value: str) -> tuple[str, str]:
    """Name and address, by the older functions: the newer ones put a space between encoded words."""
    name, address = parseaddr(value)
    return str(make_header(decode_header(name))), address


EVIL = "x\r\nBcc: eve@example.org\r\n\r\nhello \x00\x85\u2028 there"


@pytest.mark.parametrize("field", ["subject", "to_name", "sender_name", "host"])
def test_no_name_and_no_subject_adds_a_header(field: str) -> None:
    message = parsed(changed(**{field: EVIL}))
    assert message["Bcc"] is None
    assert message.keys() == parsed(PLAIN).keys()
    assert content(changed(**{field: EVIL}), "plain") == PLAIN.text


@pytest.mark.parametrize("field", ["to", "sender", "reply_to"])
@pytest.mark.parametrize(
    "address",
    ["a@b.org\r\nBcc: eve@example.org", "a b@c.org", "a@b.org, eve@example.org", "<a@b.org>", "nobody", "", "ü@b.org"],
)
def test_what_is_no_single_address_is_refused_without_being_repeated(field: str, address: str) -> None:
    with pytest.raises(ValueError, match="an address that cannot") as caught:
        compose(changed(**{field: address}))
    assert not address or address not in str(caught.value)


def test_a_message_id_that_could_break_a_header_is_refused() -> None:
    with pytest.raises(ValueError, match="Message-ID"):
        compose(replace(PLAIN, message_id="<a@b>\r\nBcc: eve@example.org"))


def test_an_international_domain_is_written_in_ascii() -> None:
    assert parsed(replace(PLAIN, to="anna@bücher.example"))["To"] == "Anna <anna@xn--bcher-kva.example>"


def test_a_mail_that_answers_several_hangs_below_the_newest() -> None:
    message = parsed(replace(PLAIN, answers=("<1@a.org>", "<2@a.org>")))
    assert message["In-Reply-To"] == "<2@a.org>"
    assert message["References"] == "<1@a.org> <2@a.org>"


def test_a_message_id_of_somebody_else_that_is_none_is_left_out() -> None:
    answers = ("<ok@a.org>", "<evil@a.org>\r\nBcc: x@y.org", "no angles@a.org", f"<{'x' * 300}@a.org>", "")
    message = parsed(replace(PLAIN, answers=answers))
    assert message["References"] == message["In-Reply-To"] == "<ok@a.org>"
    assert message["Bcc"] is None


def test_the_token_stands_in_the_reply_address_alone() -> None:
    raw = compose(WITH_DATA)
    assert raw.count(TOKEN.encode()) == 1
    assert f"Reply-To: inn+{TOKEN}@example.org".encode() in header(raw)


def test_the_same_mail_is_the_same_bytes() -> None:
    assert compose(WITH_DATA) == compose(replace(WITH_DATA))


def test_a_message_id_is_one_word_of_lower_case_letters_and_digits() -> None:
    assert ID == "<aaaqeayeaudaocajbifqydiob4@example.org>"


def test_the_mark_follows_from_the_message_id_and_is_no_part_of_it() -> None:
    assert len(mark(ID)) == 8
    assert set(mark(ID)) <= set("abcdefghijklmnopqrstuvwxyz234567")
    assert mark(ID) not in ID
    assert mark(ID) != mark(message_id("example.org", bytes(16)))


def test_a_shortened_mail_is_the_same_but_for_what_it_holds() -> None:
    whole, short = (email.message_from_bytes(raw) for raw in (compose(WITH_DATA), shortened(compose(WITH_DATA), "Ü\n")))
    content = {"Content-Type", "Content-Transfer-Encoding"}
    assert [item for item in short.items() if item[0] not in content] == [
        item for item in whole.items() if item[0] not in content
    ]
    assert (short.get_content_type(), cast(bytes, short.get_payload(decode=True)).decode()) == ("text/plain", "Ü\r\n")
