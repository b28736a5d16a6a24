"""Mails as people really write them, through the whole host: what of a mail runs, and what never does.

Every mail answers Anna's state mail, whose quotation is full of order lines. ``{quoted}`` stands for it.
"""

from __future__ import annotations

import base64
from email.message import EmailMessage
from typing import Final

import pytest

from engine.record import Move
from tests.conversations.world import World

STATE: Final = "YOUR HAND"
CRLF: Final = "\r\n"


def send(world: World, body: str, kind: str = "text/plain; charset=utf-8", encoding: str = "8bit") -> str:
    """Anna answers with this body; the text of the mail that she gets."""
    answered = world.last("anna").message
    head = (
        f"From: Anna <anna@example.org>\r\nTo: {answered['Reply-To']}\r\nSubject: Re: x\r\nMIME-Version: 1.0\r\n"
        f"In-Reply-To: {answered['Message-ID']}\r\n"
        f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    )
    world.deliver(head.encode() + body.encode())
    return next(mail.text for mail in world.tick() if mail.to == "anna")


def state_mail(world: World) -> list[str]:
    return world.last("anna").lines.replace("\r\n", "\n").splitlines()


def quoted(world: World, mark: str = "> ") -> str:
    return CRLF.join(f"{mark}{line}".rstrip() for line in state_mail(world))


def moves(world: World) -> int:
    """How many moves Anna has made this night, after lodging."""
    return sum(isinstance(e.what, Move) and e.what.seat == 1 and e.n > 2 for e in world.entries())


ATTRIBUTIONS = [
    "On Tue, 1 Dec 2026 at 12:00, The Inn <inn@example.org> wrote:",
    "On Tue, 1 Dec 2026 at 12:00, The Inn at the End of the Long Road\r\n<inn@example.org> wrote:",
    "> On Tue, 1 Dec 2026 at 12:00, The Inn <inn@example.org> wrote:",
    "Op di 1 dec 2026 om 12:00 schreef The Inn <inn@example.org>:",
    "Le mar. 1 déc. 2026 à 12:00, The Inn <inn@example.org> a écrit :",
    "Am Di., 1. Dez. 2026 um 12:00 Uhr schrieb The Inn <inn@example.org>:",
    "The Inn <inn@example.org> 於 2026年12月1日 週二 下午12:00寫道\uff1a",
]


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
@pytest.mark.parametrize("mark", ["> ", ">", "| "])
def test_reply_over_a_quoted_mail(at_night: World, attribution: str, mark: str) -> None:
    text = send(at_night, f"PASS\r\n\r\n{attribution}\r\n{quoted(at_night, mark)}\r\n")
    assert "DONE PASS" in text
    assert moves(at_night) == 1


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
def test_quoted_lines_alone_never_run_in_whatever_shape_their_attribution_is(at_night: World, attribution: str) -> None:
    text = send(at_night, f"Thank you!\r\n\r\n{attribution}\r\n{quoted(at_night)}\r\n")
    assert moves(at_night) == 0
    assert STATE in text


def test_an_example_line_copied_above_the_quote_runs_and_inside_it_never(at_night: World) -> None:
    example = next(line for line in state_mail(at_night) if line.startswith("  BRIBE "))
    assert "DONE BRIBE" in send(at_night, f"{example}\r\n\r\n{ATTRIBUTIONS[0]}\r\n{quoted(at_night)}\r\n")
    assert moves(at_night) == 1


HEADER_BLOCKS = [
    "Von: The Inn\r\nGesendet: Dienstag, 1. Dezember 2026 12:00\r\nAn: Anna\r\nBetreff: [inn-1]",
    "Van: The Inn\r\nVerzonden: dinsdag 1 december 2026 12:00\r\nAan: Anna\r\nCc: Bob\r\nOnderwerp: [inn-1]",
    "De : The Inn\r\nEnvoyé : mardi 1 décembre 2026 12:00\r\nÀ : Anna\r\nObjet : [inn-1]",
    "From: The Inn\r\nSent: Tuesday, December 1, 2026 12:00\r\nTo: Anna\r\nCc: Bob\r\nSubject: [inn-1]",
]


@pytest.mark.parametrize("block", HEADER_BLOCKS)
def test_outlook_header_block_instead_of_a_quote_mark(at_night: World, block: str) -> None:
    token = str(at_night.last("anna").message["Reply-To"]).partition("@")[0].partition("+")[2]
    block = block.replace("The Inn", f"The Inn <inn+{token}@example.org>")
    text = send(at_night, f"PASS\r\n\r\n{block}\r\n\r\n{quoted(at_night, '')}\r\n")
    assert moves(at_night) == 1
    assert "DONE PASS" in text
    assert token not in text


def test_answer_below_the_quoted_lines(at_night: World) -> None:
    assert "DONE PASS" in send(at_night, f"{ATTRIBUTIONS[0]}\r\n{quoted(at_night)}\r\n\r\nPASS\r\n")
    assert moves(at_night) == 1


def test_answer_between_quoted_lines(at_night: World) -> None:
    lines = quoted(at_night).split(CRLF)
    body = CRLF.join((ATTRIBUTIONS[0], *lines[:9], "", "PASS", "", *lines[9:]))
    assert "DONE PASS" in send(at_night, body)
    assert moves(at_night) == 1


def test_signature(at_night: World) -> None:
    text = send(at_night, "PASS\r\n-- \r\nANNA\r\nEND\r\nRESIGN\r\n")
    assert "DONE PASS" in text
    assert "RESIGN" not in text


@pytest.mark.parametrize("row", ["-----", "=====", "-----+-----", "| a | b |", "* * *"])
def test_rows_of_dashes_or_equal_signs(at_night: World, row: str) -> None:
    text = send(at_night, f"PASS\r\n{row}\r\nMAILS TURN\r\n")
    assert moves(at_night) == 1
    assert at_night.table().chair(1).person is not None
    assert "DONE MAILS TURN" in text


FOOTERS = [
    "Sent from my iPhone",
    "Von meinem iPhone gesendet",
    "Verzonden vanaf mijn iPhone",
    "Envoyé de mon iPhone",
    "從我的 iPhone 傳送",
    "Get Outlook for Android",
    "Sent from Yahoo Mail on Android",
]


@pytest.mark.parametrize("footer", FOOTERS)
def test_phone_and_webmail_footers(at_night: World, footer: str) -> None:
    text = send(at_night, f"PASS\r\n\r\n{footer}\r\n")
    assert "DONE PASS" in text
    assert footer not in text


def html_of(world: World, own: str) -> str:
    rows = "<br>".join(state_mail(world))
    return f"<html><body><div>{own}</div><blockquote type='cite'>{rows}</blockquote></body></html>"


def test_html_only(at_night: World) -> None:
    body = base64.encodebytes(html_of(at_night, "PASS").encode()).decode()
    assert "DONE PASS" in send(at_night, body, "text/html; charset=utf-8", "base64")
    assert moves(at_night) == 1


def test_both_text_and_html_that_differ(at_night: World) -> None:
    mail = EmailMessage()
    mail.set_content("PASS\n")
    mail.add_alternative("<p>PASS</p><p>MAILS TURN</p>", subtype="html")
    parts = mail.as_bytes().partition(b"\n\n")[2].decode()
    text = send(at_night, parts, str(mail["Content-Type"]), "7bit")
    assert moves(at_night) == 1
    assert "MAILS" not in text.partition("answer above this line")[0]


TYPOGRAPHIC = [
    "\ufeffBRIBE monk WITH peasant",
    "BRIBE\u00a0monk\u00a0WITH\u00a0peasant",
    "BRI\u200bBE monk WITH peasant",
    "\u201cBRIBE monk WITH peasant\u201d",
    "\uff22\uff32\uff29\uff22\uff25 monk WITH peasant",
    "\u2022 BRIBE monk WITH peasant",
    "1. Bribe the Monk with a peasant.",
]


@pytest.mark.parametrize("line", TYPOGRAPHIC)
def test_typographic_input(at_night: World, line: str) -> None:
    assert "DONE" in send(at_night, f"{line}\r\n")
    assert moves(at_night) == 1


def test_folded_lines_one_order_is_one_order_and_two_are_two(at_night: World) -> None:
    soft = "BRIBE monk =\r\nWITH peasant\r\nMAILS TURN\r\n"
    text = send(at_night, soft, encoding="quoted-printable")
    assert "DONE BRIBE monk" in text
    assert "DONE MAILS TURN" in text


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/plain; format=flowed", "BRIBE monk \r\nWITH peasant\r\n"),
        ("text/plain; format=flowed; delsp=yes", "BRIBE monk WI \r\nTH peasant\r\n"),
    ],
)
def test_flowed_text_with_and_without_delsp(at_night: World, kind: str, body: str) -> None:
    assert "DONE BRIBE monk" in send(at_night, body, f"{kind}; charset=utf-8")


def test_a_client_that_hard_wraps_at_72(at_night: World) -> None:
    remark = "(because I am sure that the others will take him from me at once)"
    assert len(f"BRIBE monk {remark}") > 72
    assert "DONE BRIBE monk" in send(at_night, f"BRIBE monk {remark}\r\nWITH peasant\r\n")


@pytest.mark.parametrize("body", ["PASS", "PASS\r\n", "PASS\n", "\r\n\r\nPASS"])
def test_last_line_without_a_line_end(at_night: World, body: str) -> None:
    assert "DONE PASS" in send(at_night, body)


@pytest.mark.parametrize("body", ["", "\r\n", "Thank you very much.", "I will resign myself to it.\r\nLovely evening."])
def test_empty_mail_prose_only_a_thank_you(at_night: World, body: str) -> None:
    assert STATE in send(at_night, body)
    assert moves(at_night) == 0


@pytest.mark.parametrize("line", ["BURRY baron", "BRYBE monk", "PAS"])
def test_wrongly_abbreviated_or_misspelt_order(at_night: World, line: str) -> None:
    text = send(at_night, f"{line}\r\n")
    assert moves(at_night) == 0
    assert "mean" in text


@pytest.mark.parametrize(
    "line", ["Resign now? Never!", "End of the day for me, good night", "Leave it to me!", "RESIGN"]
)
def test_words_as_orders(at_night: World, line: str) -> None:
    before = at_night.entries()
    send(at_night, f"{line}\r\n")
    assert at_night.entries() == before
    assert at_night.table().chair(1).person is not None


LONG = "I have thought about it all the evening, and what I would like most is to"
TAILS = [
    f"{LONG}\r\npass.\r\n",
    f"{LONG}\r\npass\r\n",
    f"PS. {LONG}\r\nstop.\r\nBye, Anna\r\n",
    "Hi all,\r\n\r\nwe were so tired that we had to\r\nstop.\r\n",
    "it is late and none of us knows when to\r\nresume.\r\n",
    f"{LONG}\r\n{LONG.lower()}\r\npass.\r\n",
    f"{LONG}\r\nkill baron with peasant, as you did\r\n",
    f"Do you think that {LONG.lower()} rather\r\nend.\r\n",
]


@pytest.mark.parametrize("body", TAILS)
def test_the_end_of_a_sentence_on_a_line_of_its_own_is_no_order(at_night: World, body: str) -> None:
    before = at_night.entries()
    assert STATE in send(at_night, body)
    assert at_night.entries() == before
    person = at_night.table().chair(1).person
    assert person is not None
    assert not person.stopped


ORDERS_BELOW_PROSE = [
    "Pass.",
    "pass",
    "pass.",
    "hi all,\r\n\r\npass",
    "hi all,\r\npass",
    "hi all\r\npass.",
    f"{LONG} do nothing.\r\npass.",
    f"{LONG}\r\nPASS",
    f"{LONG}\r\n\r\npass",
    f"{LONG}:\r\npass",
    f"{LONG}\r\n- pass",
    "I am so tired that I will do no more tonight\r\npass",
]


@pytest.mark.parametrize("body", ORDERS_BELOW_PROSE)
def test_an_order_below_prose_runs(at_night: World, body: str) -> None:
    assert "DONE PASS" in send(at_night, f"{body}\r\n").upper()


# Character sets and containers

CHARSETS = [
    ("gb2312", "gb18030", "过 # 騳㑇"),
    ("gbk", "gbk", "你好"),
    ("big5", "big5", "你好"),
    ("iso-2022-jp", "iso-2022-jp", "こんにちは"),
    ("koi8-r", "koi8-r", "Привет"),
    ("windows-1252", "windows-1252", "naïve “quotes” \u2013 €"),
    ("us-ascii", "utf-8", "naïve"),
    ("utf-8", "latin-1", "naïve"),
    ("klingon-8", "utf-8", "naïve 🎲"),
    ("", "utf-8", "emoji 🎲"),
]


@pytest.mark.parametrize(("declared", "real", "prose"), CHARSETS, ids=[f"{c[0]}-is-{c[1]}" for c in CHARSETS])
def test_encodings_declared_right_wrong_or_not_at_all(at_night: World, declared: str, real: str, prose: str) -> None:
    body = f"{prose}\r\nPASS\r\n".encode(real)
    kind = f"text/plain; charset={declared}" if declared else "text/plain"
    assert "DONE PASS" in send(at_night, base64.encodebytes(body).decode(), kind, "base64")


def test_encoded_words_cut_in_the_middle_of_a_character_and_emoji_in_names(world: World) -> None:
    world.write("anna", "REGISTER Ánna 🎲", From_Name="x")
    world.deliver(
        b"From: =?utf-8?B?8J+O?= =?utf-8?B?sg==?= <bob@example.org>\r\nTo: inn@example.org\r\n"
        b"Subject: =?utf-8?Q?caf=C3?= =?utf-8?Q?=A9?=\r\n\r\nREGISTER Bob\r\n"
    )
    assert {mail.to for mail in world.tick()} == {"anna", "bob"}


PGP = (
    "-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\nPASS\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\niQEzBA\r\n"
)


def signed(kind: str, part: str) -> tuple[str, str]:
    parts = f"--cut\r\nContent-Type: text/plain\r\n\r\nPASS\r\n--cut\r\nContent-Type: {part}\r\n\r\nabc\r\n--cut--\r\n"
    return parts, f'multipart/signed; protocol="{kind}"; boundary="cut"'


SIGNED = [
    (f"{PGP}-----END PGP SIGNATURE-----\r\n", "text/plain"),
    signed("application/pgp-signature", "application/pgp-signature"),
    signed("application/pkcs7-signature", 'application/pkcs7-signature; name="smime.p7s"'),
]


@pytest.mark.parametrize(("body", "kind"), SIGNED, ids=["PGP inline", "PGP/MIME", "S/MIME"])
def test_signed_mail(at_night: World, body: str, kind: str) -> None:
    assert "DONE PASS" in send(at_night, body, kind, "7bit")


@pytest.mark.parametrize("kind", ["text/calendar", 'application/ms-tnef; name="winmail.dat"', "image/png"])
def test_only_a_calendar_invite_only_winmail_only_a_picture(at_night: World, kind: str) -> None:
    text = send(at_night, base64.encodebytes(b"BEGIN:VCALENDAR\r\nPASS\r\n").decode(), kind, "base64")
    assert moves(at_night) == 0
    assert "I found no text in your mail" in text
