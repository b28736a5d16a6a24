# ruff: noqa: E501, RUF001  (mails as clients write them)
"""Awkward texts, kind by kind: what is the sender's own."""

from __future__ import annotations

import pytest

from pbem.letters import Reason
from tests.letters.shapes import STATE, TOKEN, mail, marked, read

ATTRIBUTION = "On Mon, 30 Nov 2026 at 10:00, The Inn <inn@example.org> wrote:"
QUOTE = f"{ATTRIBUTION}\n{marked(STATE)}"

# name: (text, own lines)
TEXTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "an order alone": ("PASS", ("PASS",)),
    "no line end and CR LF": ("PASS\r\nLODGE 3", ("PASS", "LODGE 3")),
    "old Macintosh line ends": ("PASS\rLODGE 3", ("PASS", "LODGE 3")),
    "an example line copied above the quote": (
        f"  BURY novice UNDER barn          (8F for you)\n\n{QUOTE}",
        ("BURY novice UNDER barn (8F for you)",),
    ),
    "an attribution that is marked itself": (f"PASS\n\n> {ATTRIBUTION}\n>\n{marked(STATE)}", ("PASS",)),
    "an attribution torn behind its mark": (
        f"PASS\n\n> On Monday, 30 November 2026 at 10:00, The Inn at the Road <inn@\nexample.org> wrote:\n{marked(STATE)}",
        ("PASS",),
    ),
    "an attribution over three rows": (
        "PASS\nOn Monday, 30 November 2026 at 10:00, The Inn at the End of\nthe Long Road <inn@example.org>\nwrote:\n\n"
        + marked(STATE),
        ("PASS",),
    ),
    "an attribution without colon": (
        f"PASS\n\nThe Inn <inn@example.org> schreef op 30-11-2026 10:00\n\n{marked(STATE)}",
        ("PASS",),
    ),
    "a name and a colon right above the marks": (f"PASS\n\nThe Inn wrote:\n\n{marked(STATE)}", ("PASS",)),
    "who and when, and no word for writing": (
        f'PASS\n\n"The Inn" <inn@example.org> \u2013 30. November 2026 10:00\n{marked(STATE)}',
        ("PASS",),
    ),
    "an attribution broken behind the bracket of an address": (
        f"PASS\n\nThe Inn <\ninn@example.org> \u4e8e2026\u5e7411\u670830\u65e5\u5468\u4e00 10:00\u5199\u9053\uff1a\n\n{marked(STATE)}",
        ("PASS",),
    ),
    "when and who on rows of their own": (
        f"PASS\n\nOn Mon, 30 Nov 2026 10:00:00 +0900\nThe Inn <inn@example.org> wrote:\n\n{marked(STATE)}",
        ("PASS",),
    ),
    "a thread": (
        f"PASS\n\nFrom: Anna <anna@example.net>\nSent: 30 November 2026 11:00\nSubject: x\n\nKILL baron\n\n{ATTRIBUTION}\n{marked(STATE)}",
        ("PASS",),
    ),
    "headers above an attribution": (
        f'PASS\n\n----------------\nКому: Anna;\nТема: x;\n30.11.2026, 10:00, "The Inn" <inn@example.org>:\n\n{marked(STATE)}',
        ("PASS",),
    ),
    "nested marks": ("PASS\n\n>> PASS LAUNDER 10\n> > KILL baron\n>KILL major\n", ("PASS",)),
    "bars for marks": (f"PASS\n\n{ATTRIBUTION}\n{marked(STATE, '| ')}", ("PASS",)),
    "initials before the mark": ("PASS\n\nTI> PASS LAUNDER 10\nTI> KILL baron\n", ("PASS",)),
    "a space before the mark": ("PASS\n\n  > KILL baron\n", ("PASS",)),
    "full-width marks": ("PASS\n\n\uff1e KILL baron\n", ("PASS",)),
    "marks without attribution, answer below": (f"{marked(STATE)}\nPASS\n", ("PASS",)),
    "answer right under the attribution": (f"{ATTRIBUTION}\n\nPASS\n\n{marked(STATE)}", ("PASS",)),
    "quotation without marks under an attribution": (f"PASS\n\n{ATTRIBUTION}\n\n{STATE}", ("PASS",)),
    "original message": (f"PASS\n\n-----Original Message-----\nKILL baron\n{STATE}", ("PASS",)),
    "ursprüngliche nachricht": (f"PASS\n\n-----Ursprüngliche Nachricht-----\n{STATE}", ("PASS",)),
    "oorspronkelijk bericht": (f"PASS\n\n-------- Oorspronkelijk bericht --------\n{STATE}", ("PASS",)),
    "message d'origine": (f"PASS\n\n-----Message d\u2019origine-----\n{STATE}", ("PASS",)),
    "qq": (
        'PASS\n\n------------------ 原始邮件 ------------------\n发件人: "The Inn" <inn@example.org>;\n'
        f'发送时间: 2026年11月30日(星期一) 上午10:00\n收件人: "Anna";\n主题: [inn-7]\n\n{STATE}',
        ("PASS",),
    ),
    "notes": (
        f"PASS\n\n-----The Inn <inn@example.org> wrote: -----\nTo: Anna\nFrom: The Inn\nDate: 30-11-2026 10:00\nSubject: x\n\n{STATE}",
        ("PASS",),
    ),
    "163": (f'PASS\n\n\n\n在 2026-11-30 10:00:00，"The Inn" <inn@example.org> 写道：\n\n{STATE}', ("PASS",)),
    "samsung": (
        "PASS\n\n\nSent from my Galaxy\n\n\n-------- Original message --------\nFrom: The Inn <inn@example.org>\n"
        f"Date: 11/30/26 10:00 (GMT+01:00)\nTo: anna@example.net\nSubject: [inn-7] x\n\n{STATE}",
        ("PASS",),
    ),
    "gmx": (
        'PASS\n \n\nGesendet: Montag, 30. November 2026 um 10:00 Uhr\nVon: "The Inn" <inn@example.org>\n'
        f"An: anna@example.net\nBetreff: [inn-7] x\n{STATE}",
        ("PASS",),
    ),
    "headers with blank rows between": (
        f"PASS\n\nFrom: The Inn <inn@example.org>\n\nSent: 30 November 2026 10:00\n\nTo: Anna\n\nSubject: x\n\n{STATE}",
        ("PASS",),
    ),
    "a header that is folded": (
        "PASS\n\nFrom: The Inn <inn@example.org>\nSent: 30 November 2026 10:00\nTo: Anna; Bob;\n Chen\nSubject: x\n\n"
        + STATE,
        ("PASS",),
    ),
    "the host's mark and no boundary": (
        f"PASS\n\n{STATE[STATE.index('=====') :]}",
        ("PASS",),
    ),
    "a signature that looks like a command": (f"PASS\n-- \nRESIGN\nAnna\n\n{QUOTE}", ("PASS",)),
    "a signature whose space was lost": ("PASS\n--\nRESIGN\n", ("PASS",)),
    "rows of dashes and equal signs": (
        "LODGE 3\n-----\n+---+---+\n=======\nPASS\n- - -\nBURY baron UNDER barn",
        ("LODGE 3", "PASS", "BURY baron UNDER barn"),
    ),
    "an order between rows of dashes": ("---------\nPASS\n---------\nLODGE 1", ("PASS", "LODGE 1")),
    "a heading in dashes": ("--- my orders ---\nPASS", ("--- my orders ---", "PASS")),
    "prose": ("Thanks, that was fun!\n\nBye", ("Thanks, that was fun!", "Bye")),
    "prose that ends in a colon": ("My orders:\nPASS\n", ("My orders:", "PASS")),
    "prose with a time and a colon": ("As we said at 10:00:\nPASS\n", ("As we said at 10:00:", "PASS")),
    "prose with an address and a date above an order": (
        f"Bob <bob@example.net> wrote to me on 30.11.2026\nPASS\n{marked(STATE)}",
        ("Bob <bob@example.net> wrote to me on 30.11.2026", "PASS"),
    ),
    "prose with an address and a date, then a colon": (
        "Your mail of 30.11.2026 from inn@example.org came\nSo please do this:\nPASS\n",
        ("Your mail of 30.11.2026 from inn@example.org came", "So please do this:", "PASS"),
    ),
    "an order that ends in a colon": ("PASS:\n", ("PASS:",)),
    "a long line": (f"PASS\n{'x' * 100_000}\nLODGE 1", ("PASS",)),
    "typography": (
        "\ufeffBURY\u00a0baron UNDER Anna\u2019s\u200b cellar\n\uff30\uff21\uff33\uff33 \uff11\uff10\nPASS \u2014 now",
        ("BURY baron UNDER Anna's cellar", "PASS 10", "PASS - now"),
    ),
    "empty": ("", ()),
    "a quotation alone": (QUOTE, ()),
    "pgp inline": (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nPASS\n- -- \nRESIGN\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQEzBAEBCAAdFiEE\nPASS\n-----END PGP SIGNATURE-----\n",
        ("PASS",),
    ),
}


@pytest.mark.parametrize(("text", "own"), TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("sent", [None, STATE], ids=["sent-unknown", "sent-known"])
def test_own_lines_are_read_and_no_others(text: str, own: tuple[str, ...], sent: str | None) -> None:
    if len(text) < 60_000:
        assert read(mail(text), sent).own == own


# What more clients set between the answer and a quotation without marks.
BOUNDARIES: dict[str, str] = {
    "yahoo": "    On Monday, November 30, 2026 at 10:00:00 AM GMT+1, The Inn <inn@example.org> wrote:\n ",
    "blue mail": "On Nov 30, 2026, at 10:00, The Inn <inn@example.org> wrote:",
    "wp.pl": "Dnia 30 listopada 2026 10:00 The Inn <inn@example.org> napisał(a):",
    "libero": "Il 30/11/2026 10:00 CET The Inn <inn@example.org> ha scritto:\n\n",
    "mail.ru": "Понедельник, 30 ноября 2026, 10:00 +03:00 от The Inn <inn@example.org>:",
    "yandex": '30.11.2026, 10:00, "The Inn" <inn@example.org>:',
    "tutanota": "30. Nov. 2026, 10:00 von inn@example.org:",
    "t-online": '-----Original-Nachricht-----\nBetreff: x\nDatum: 2026-11-30T10:00:00+0100\nVon: "The Inn" <inn@example.org>\n',
    "seznam": "---------- Původní e-mail ----------\nOd: The Inn <inn@example.org>\nKomu: a@b.c\nDatum: 30. 11. 2026 10:00\n",
    "orange": "envoyé : 30 novembre 2026 à 10:00\nde : The Inn <inn@example.org>\nà : a@b.c\nobjet : x\n",
    "yahoo japan": "----- Original Message -----\n\nFrom: The Inn\nTo: Anna\nDate: 2026/11/30, Mon 10:00\nSubject: x\n",
    "naver": '-----Original Message-----\nFrom: "The Inn"<inn@example.org>\nTo: <a@b.c>;\nCc:\nSent: 2026-11-30 (월) 10:00\n',
    "sina": "----- 原始邮件 -----\n发件人：The Inn <inn@example.org>\n收件人：a@b.c\n日期：2026年11月30日 10点00分\n",
    "139": "----邮件原文----\n发件人：The Inn <inn@example.org>\n收件人：a@b.c\n抄 送： (无)\n发送时间：2026-11-30 10:00\n",
    "dashes in no known language": "---- Blorp zarf ----\nBlarg: The Inn <inn@example.org>\nZend: 30 zarf 2026 10:00\nNaz: Anna\n",
    "orange on a telephone": "---- The Inn a écrit ----\n",
    "a telephone": "-original message-\nSubject: x\nFrom: The Inn <inn@example.org>\nDate: 30/11/2026 10:00 am\n",
    "zoho": "---- On Mon, 30 Nov 2026 10:00:00 +0100 The Inn <inn@example.org> wrote ----\n",
    "HCL": "From:        The Inn <inn@example.org>\nTo:        a@b.c\nDate:        30-11-2026 10:00\n" + "_" * 32,
}


@pytest.mark.parametrize("sent", [None, STATE], ids=["sent-unknown", "sent-known"])
@pytest.mark.parametrize("boundary", BOUNDARIES.values(), ids=BOUNDARIES)
def test_whatever_stands_above_an_unmarked_quotation_ends_the_senders_text(boundary: str, sent: str | None) -> None:
    assert read(mail(f"PASS\n\n{boundary}\n{STATE}"), sent).own == ("PASS",)


def test_a_line_beyond_the_cap_is_refused_by_name_and_the_rest_is_read() -> None:
    found = read(mail(f"PASS\n{'x' * 3_000}\nLODGE 1"))
    assert found.own == ("PASS", "LODGE 1")
    assert [ignored.reason for ignored in found.ignored] == [Reason.LONG_LINE]


FOOTERS = """\
Sent from my iPhone
Sent from Yahoo Mail on Android
Sent with Proton Mail secure email.
Get Outlook for iOS
Get Outlook for Android<https://aka.ms/AAb9ysg>
Sent from Outlook for Android
Verzonden vanaf mijn iPhone
Verstuurd vanaf mijn iPad
Verstuurd met Outlook voor iOS
Outlook voor iOS downloaden
Von meinem iPhone gesendet
Von meinem Samsung Galaxy Smartphone gesendet.
Diese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.
Gesendet von Outlook für Android
Gesendet mit der GMX Mail App
Outlook für iOS beziehen
Envoyé de mon iPhone
Envoyé depuis mon mobile Orange
Envoyé à partir de Outlook pour Android
Télécharger Outlook pour iOS
Enviado desde mi iPhone
Enviado do meu iPhone
Obtener Outlook para Android
Inviato da iPhone
Inviato dal mio iPhone
Scarica Outlook per iOS
Sendt fra min iPhone
Hent Outlook til iOS
Skickat från min iPhone
Hämta Outlook för iOS
Lähetetty iPhonesta
Hanki Outlook for iOS
Wysłane z iPhone'a
Odesláno z iPhonu
Odesláno ze Seznam Emailu
Отправлено с iPhone
Отправлено из мобильной Почты Mail.ru
iPhone'umdan gönderildi
Gửi từ iPhone của tôi
发自我的iPhone
發自我的 iPhone
从我的iPhone发送
iPhoneから送信
나의 iPhone에서 보냄
Obtenha o Outlook para iOS<https://aka.ms/o0ukef>
Получить Outlook для iOS
Outlook for iOS を入手
透過 Proton Mail 安全電子郵件傳送。
Provenance : Courrier pour Windows
Virus-free.www.avast.com
Diese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft.
""".splitlines()


@pytest.mark.parametrize("footer", FOOTERS)
def test_what_a_device_or_service_adds_is_no_line_of_the_sender(footer: str) -> None:
    found = read(mail(f"PASS\n\n{footer}\n\n{QUOTE}"))
    assert found.own == ("PASS",)
    assert Reason.FOOTER in {ignored.reason for ignored in found.ignored}


# What people say that has words of programs in it.
SAID = """\
Sorry for the typos, I am on my iPhone.
My Outlook is broken, so I use the Galaxy of my sister.
Can I get this on Android?
Sent by mistake, please ignore
Sent with love
Envoyé par erreur, désolée
Enviado por error, perdón
Lähetetty vahingossa, anteeksi
Verzonden met liefde
来自北京的问候
发自内心地感谢大家
Virus-free at last!
Get the baron!
Original plan: kill the baron
Please invite bob@example.net at 10:00:
Bob <bob@example.net>:
From: now on I will be quicker.
On Friday 4 December 2026 I wrote that I would pass.
""".splitlines()


@pytest.mark.parametrize("said", SAID)
def test_what_people_say_is_theirs_though_programs_say_the_like(said: str) -> None:
    assert read(mail(f"{said}\n\nPASS\n\n{QUOTE}")).own == (said, "PASS")
    assert read(mail(f"PASS\n\n{said}\n\n{QUOTE}")).own == ("PASS", said)


def test_two_lines_of_prose_that_begin_like_headers_are_no_heading() -> None:
    said = ("From: now on I will be quicker.", "Date: see you on 5.12.2026", "PASS")
    assert read(mail(f"{said[0]}\n{said[1]}\n\n{said[2]}\n\n{QUOTE}")).own == said


@pytest.mark.parametrize("remains", ["[image: Afbeelding]", "[cid:image001.png@01DB4567.89ABCDEF]", "<#DAB4FAD8-2DD7>"])
def test_what_is_left_of_a_picture_is_no_line_of_the_sender(remains: str) -> None:
    assert read(mail(f"PASS\n\n{remains}\n\n{QUOTE}")).own == ("PASS",)


ORDERS = """\
LODGE 3 1 5 2 4
BRIBE landscaper WITH peasant, novice, newsboy
BUILD concierge WITH novice, abbot ROOM 5
KILL baron, novice IN 2 WITH major
BURY count UNDER Anna's cellar WITH novice, abbot
BURY baron UNDER barn, count UNDER cellar WITH abbot
PASS LAUNDER 20 (cash into checks)
PAY 2 CHECKS
DISMISS novice, peasant
ACT AS 2: PASS
REPLACE 2 dora@example.org
NEW bloody-inn bob@example.org chen@example.org
DEADLINE 2026-12-01 18:00
TIMEZONE Europe/Brussels
1. PASS
* KILL baron ELSE PASS
""".splitlines()


@pytest.mark.parametrize("order", ORDERS)
def test_no_order_looks_like_anything_but_an_order(order: str) -> None:
    wanted = (" ".join(order.split()),)
    assert read(mail(f"{order}\n\n{QUOTE}")).own == wanted
    assert read(mail(f"{QUOTE}\n\n{order}\n"), STATE).own == wanted
    assert read(mail(f"{order}\n{QUOTE}")).own == wanted


TORN = """\
PASS

On Mon, 30 Nov 2026 at 10:00, The Inn <inn@example.org> wrote:
> or both actions of the night at once, the second to wait for its
turn:
>   KILL brigadier WITH peasant ELSE PASS
> HELP explains the rest. RULES kill, CARD monk look things
up.
"""


def test_the_torn_off_end_of_a_quoted_line_is_no_order() -> None:
    torn = "> Chen killed the Count in room 4 with Peasant and Major; the Major\nPASS back.\n> THE INN\n"
    for sent in (None, STATE):
        assert read(mail(f"LODGE 1\n\n{ATTRIBUTION}\n{torn}"), sent).own == ("LODGE 1",)


def test_a_quoted_line_torn_twice_is_known_where_the_answered_mail_is() -> None:
    torn = "> Chen killed the Count in\nroom 4 with Peasant and\nMajor; Major came back.\nPASS\n"
    assert read(mail(f"{ATTRIBUTION}\n{torn}"), STATE).own == ("PASS",)


def test_where_the_answered_mail_is_known_torn_ends_of_any_length_are_told_from_answers() -> None:
    assert read(mail(TORN), STATE).own == ("PASS",)
    answered = TORN.replace("up.\n", "up.\nLODGE 1\n")
    assert read(mail(answered), STATE).own == ("PASS", "LODGE 1")


def test_an_example_copied_below_the_quoted_mail_is_an_order() -> None:
    assert read(mail(f"{QUOTE}\nBURY novice UNDER barn (8F for you)\n"), STATE).own == (
        "BURY novice UNDER barn (8F for you)",
    )


def test_a_line_repeated_behind_a_boundary_that_no_mark_accounts_for_is_quotation() -> None:
    half_marked = marked(STATE).replace("> " + "  KILL brigadier WITH peasant ELSE", "KILL brigadier WITH peasant ELSE")
    found = read(mail(f"LODGE 1\n\n{ATTRIBUTION}\n{half_marked}"), STATE)
    assert found.own == ("LODGE 1",)
    assert ("KILL brigadier WITH peasant ELSE PASS", Reason.REPEATED) in {(i.line, i.reason) for i in found.ignored}


def test_two_lines_copied_from_the_sent_mail_are_meant_and_three_in_their_order_are_a_quotation() -> None:
    lines = [line for line in STATE.splitlines() if " WITH " in line or "LAUNDER" in line]
    assert len(read(mail("\n".join(lines[:2])), STATE).own) == 2
    found = read(mail("LODGE 1\n" + "\n".join(STATE.splitlines()[19:22])), STATE)
    assert found.own == ("LODGE 1",)
    assert {ignored.reason for ignored in found.ignored} == {Reason.REPEATED}


def test_a_reply_token_in_quoted_headers_is_never_shown() -> None:
    text = (
        f"PASS\n\nFrom: The Inn <inn+{TOKEN}@example.org>\nSent: 30 November 2026 10:00\nSubject: [inn-7 {TOKEN}] x\n"
    )
    assert not [ignored for ignored in read(mail(text)).ignored if TOKEN in ignored.line]


def test_a_long_line_that_a_client_may_have_broken_is_told() -> None:
    text = "BURY baron UNDER barn, count UNDER Anna's cellar WITH novice, abbot, newsboy,\nmechanic\nPASS\n"
    found = read(mail(text))
    assert len(found.own) == 3
    assert found.open_ends == {0}


def test_short_lines_are_never_taken_for_broken_ones() -> None:
    assert read(mail("LODGE 3\nPASS\nBURY novice UNDER barn\n")).open_ends == frozenset()


def test_an_answer_that_begins_like_the_quoted_line_below_it_does_not_set_that_line_free() -> None:
    lines = STATE.splitlines()
    at = next(number for number, line in enumerate(lines) if "PASS LAUNDER" in line)
    assert read(mail("\n".join((*lines[:at], "PASS", *lines[at:]))), STATE).own == ("PASS",)
