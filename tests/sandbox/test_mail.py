"""A mail as a mail program shows it, and an answer to it."""

from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Final

import pytest

from pbem import letters
from pbem.sandbox.mail import Mail, Quoting, answer

NOW: Final = datetime(2026, 12, 1, 12, tzinfo=UTC)
SHOWN: Final = """\
The Bloody Inn, table inn-7: round 1, night

===== answer above this line, one order per line ===== pbem-k7q2m9x4

SINCE YOUR LAST MAIL
  Bot 1 lodged 6 travelers.
  Anna bribed the Mechanic in room 1.

YOUR HAND, which only you see
  card        rank  color   does  F  as an annex
  2 Peasants   0    yellow  -     4  -

YOU MAY, for example
  BRIBE distiller WITH 2 peasants   (joins your hand)
  LODGE 3 2 1 lodges several, in the order in which they come up.
  PASS                              (do nothing)
  PASS
  ALWAYS LODGE ANY
  BRIBE distiller ELSE PASS
  PAUSE
PASS
"""


def a_mail(text: str = SHOWN, subject: str = "[inn-7] Round 1, night: your 1st action", html: str = "") -> Mail:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "games@example.org", "anna@example.org", subject
    message["Reply-To"], message["Message-ID"] = "games+k7q2@example.org", "<1@example.org>"
    message["Date"] = "Tue, 01 Dec 2026 11:00:00 +0000"
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
        related = message.get_payload(1)
        assert isinstance(related, EmailMessage)
        related.add_related(b"\x89PNG", "image", "png", cid="<inn@example.org>")
    return Mail(1, message.as_bytes(), sent=False)


def test_lines_to_copy_are_those_that_can_be_read_without_remarks_a_games_own_first() -> None:
    assert a_mail().suggestions == (
        "BRIBE distiller WITH 2 peasants",
        "PASS",
        "BRIBE distiller ELSE PASS",
        "ALWAYS LODGE ANY",
        "PAUSE",
    )


def test_lines_to_copy_are_known_in_every_language() -> None:
    lines = ("LANGUAGE Dutch", "TAAL Nederlands", "LANGUE français", "SPRACHE Deutsch", "語言 繁體中文")
    prose = ("RIEN du tout", "NIETS", "沒有")
    assert a_mail("".join(f"  {line}\n" for line in (*lines, *prose))).suggestions == lines


def test_a_sentence_in_chinese_is_no_line_to_copy_though_it_begins_with_a_commands_word() -> None:
    text = "  略過了 50 行引用之類的文字。\n  略過 Anna\n  賄賂 報童  (加入手牌)\n"
    assert a_mail(text).suggestions == ("賄賂 報童", "略過 Anna")


@pytest.mark.parametrize(
    ("subject", "table"),
    [
        ("[inn-7] Round 1, night", "inn-7"),
        ("Re: [inn-7] Round 1, night", "inn-7"),
        ("[inn-7-trial-12] Round 1", "inn-7-trial-12"),
        ("Re: [pbem] help", ""),
        ("Hello", ""),
    ],
)
def test_the_subject_tells_the_table(subject: str, table: str) -> None:
    assert a_mail(subject=subject).table == table


@pytest.mark.parametrize("quoting", Quoting)
def test_an_answer_goes_where_the_mail_wants_it_and_the_host_reads_its_own_lines_alone(quoting: Quoting) -> None:
    mail = a_mail()
    written = answer("anna@example.org", mail, "BRIBE novice\r\nPASS\r\n", quoting, NOW)
    assert (written["To"], written["In-Reply-To"]) == ("games+k7q2@example.org", "<1@example.org>")
    assert written["Subject"] == "Re: [inn-7] Round 1, night: your 1st action"
    assert ("> YOU MAY, for example" in written.get_content()) is (quoting is not Quoting.NOTHING)
    read = letters.own_text(letters.read_letter(written.as_bytes()).body, mail.text)
    assert read.own == ("BRIBE novice", "PASS")


def test_an_answer_to_an_answer_says_re_once() -> None:
    mail = a_mail(subject="Re: [inn-7] done")
    assert answer("anna@example.org", mail, "PASS", Quoting.BELOW, NOW)["Subject"] == "Re: [inn-7] done"


def test_an_answer_in_any_script_arrives_as_it_was_written() -> None:
    raw = answer("anna@example.org", a_mail(), "賄賂 農夫 # é", Quoting.NOTHING, NOW).as_bytes()
    assert message_from_bytes(raw, policy=policy.default).get_content() == "賄賂 農夫 # é\n"


def test_pictures_that_a_mail_brings_along_stand_in_its_html_and_others_stay_away() -> None:
    mail = a_mail(html='<img src="cid:inn@example.org"><img src="cid:other">')
    assert mail.html.strip() == '<img src="data:image/png;base64,iVBORw=="><img src="cid:other">'


def test_a_mail_of_text_alone_has_no_html() -> None:
    assert a_mail().html == ""
    assert a_mail().attached == ()
