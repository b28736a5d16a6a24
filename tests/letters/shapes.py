# ruff: noqa: RUF001  (what clients write, in many scripts)
"""Replies as mail clients shape them, made from the host's mail below and what the player typed."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from typing import Final

from pbem.letters import OwnText, own_text, read_letter

TOKEN: Final = "k7q2m7x4aaaabbbbcccc"
STATE: Final = """\
The Bloody Inn, table inn-7: round 3, season 1, night
Anna, it is your turn (1st of 2 actions), until Thursday 3 December, 18:00
in Brussels (1 day 7 hours from now). After you: Bob, Chen.

===== answer above this line, one order per line ===== pbem-k7q2m7x4

SINCE YOUR LAST MAIL
  Bob lodged five travelers.
  Chen killed the Count in room 4 with Peasant and Major; Major came back.

THE INN
  room key    guest       rank does   F   as an annex
   1   Anna   Landscaper   3   build  26  Park: 4F, at the end 4F per red
                                          card in the exit stack
   2   Bob    -

YOU MAY, for example
  BURY novice UNDER barn          (8F for you)
  BRIBE monk WITH peasant         (the Monk joins your hand)
  KILL brigadier WITH peasant     (no police tonight)
  PASS LAUNDER 10                 (10F cash become a check)
or both actions of the night at once, the second to wait for its turn:
  KILL brigadier WITH peasant ELSE PASS
HELP explains the rest. RULES kill, CARD monk look things up.
"""
"""What the host sent; every order in it is one that must never run by being quoted."""

GMAIL: Final[Mapping[str, str]] = {
    "en": "On Mon, Nov 30, 2026 at 10:00 AM The Inn <inn@example.org> wrote:",
    "nl": "Op ma 30 nov 2026 om 10:00 schreef The Inn <inn@example.org>:",
    "fr": "Le lun. 30 nov. 2026 à 10:00, The Inn <inn@example.org> a écrit :",
    "de": "Am Mo., 30. Nov. 2026 um 10:00 Uhr schrieb The Inn <inn@example.org>:",
    "zh_TW": "The Inn <inn@example.org> 於 2026年11月30日 週一 上午10:00寫道：",
    "zh_CN": "The Inn <inn@example.org> 于2026年11月30日周一 10:00写道：",
    "ja": "2026年11月30日(月) 10:00 The Inn <inn@example.org>:",
    "da": "Den man. 30. nov. 2026 kl. 10.00 skrev The Inn <inn@example.org>:",
    "nb": "man. 30. nov. 2026 kl. 10:00 skrev The Inn <inn@example.org>:",
    "sv": "Den mån 30 nov. 2026 kl 10:00 skrev The Inn <inn@example.org>:",
    "fi": "ma 30. marrask. 2026 klo 10.00 The Inn (inn@example.org) kirjoitti:",
    "it": "Il giorno lun 30 nov 2026 alle ore 10:00 The Inn <inn@example.org> ha scritto:",
    "es": "El lun, 30 nov 2026 a las 10:00, The Inn (<inn@example.org>) escribió:",
    "pt": "Em seg., 30 de nov. de 2026 às 10:00, The Inn <inn@example.org> escreveu:",
    "pl": "pon., 30 lis 2026 o 10:00 The Inn <inn@example.org> napisał(a):",
    "cs": "po 30. 11. 2026 v 10:00 odesílatel The Inn <inn@example.org> napsal:",
    "ru": "пн, 30 нояб. 2026 г. в 10:00, The Inn <inn@example.org>:",
    "tr": "The Inn <inn@example.org>, 30 Kas 2026 Pzt, 10:00 tarihinde şunu yazdı:",
    "vi": "Vào Th 2, 30 thg 11, 2026 vào lúc 10:00 The Inn <inn@example.org> đã viết:",
    "ko": "2026년 11월 30일 (월) 오전 10:00, The Inn <inn@example.org>님이 작성:",
    "xx": "Quux 30 zarf 2026 10:00, The Inn <inn@example.org> blorped:",
}
THUNDERBIRD: Final[Mapping[str, str]] = {
    "en": "On 11/30/26 10:00, The Inn wrote:",
    "nl": "Op 30-11-2026 om 10:00 schreef The Inn:",
    "fr": "Le 30/11/2026 à 10:00, The Inn a écrit :",
    "de": "Am 30.11.26 um 10:00 schrieb The Inn:",
    "zh_TW": "The Inn 於 2026/11/30 10:00 寫道:",
    "zh_CN": "在 2026/11/30 10:00, The Inn 写道:",
    "ja": "On 2026/11/30 10:00, The Inn wrote:",
    "da": "Den 30-11-2026 kl. 10.00 skrev The Inn:",
    "nb": "Den 30.11.2026 10:00, skrev The Inn:",
    "sv": "Den 2026-11-30 kl. 10:00, skrev The Inn:",
    "fi": "The Inn kirjoitti 30.11.2026 klo 10.00:",
    "it": "Il 30/11/2026 10:00, The Inn ha scritto:",
    "es": "El 30/11/2026 a las 10:00, The Inn escribió:",
    "pt": "Em 30/11/2026 10:00, The Inn escreveu:",
    "pl": "W dniu 30.11.2026 o 10:00, The Inn pisze:",
    "cs": "Dne 30. 11. 26 v 10:00 The Inn napsal(a):",
    "ru": "30.11.2026 10:00, The Inn пишет:",
    "tr": "30.11.2026 10:00 tarihinde The Inn yazdı:",
    "vi": "Vào 30/11/2026 10:00, The Inn đã viết:",
}
APPLE: Final[Mapping[str, str]] = {
    "en": "> On 30 Nov 2026, at 10:00, The Inn <inn@example.org> wrote:",
    "nl": "> Op 30 nov. 2026, om 10:00 heeft The Inn <inn@example.org> het volgende geschreven:",
    "fr": "> Le 30 nov. 2026 à 10:00, The Inn <inn@example.org> a écrit :",
    "de": "> Am 30.11.2026 um 10:00 schrieb The Inn <inn@example.org>:",
    "zh_CN": "> 2026年11月30日 10:00，The Inn <inn@example.org> 写道：",
}
OUTLOOK: Final[Mapping[str, str]] = {
    "en": "From: {} / Sent: Monday, November 30, 2026 10:00 AM / To: Anna / Cc: Bob <bob@example.net> / Subject: {}",
    "nl": "Van: {} / Verzonden: maandag 30 november 2026 10:00 / Aan: Anna / CC: Bob / Onderwerp: {}",
    "fr": "De : {} / Envoyé : lundi 30 novembre 2026 10:00 / À : Anna / Objet : {}",
    "de": "Von: {} / Gesendet: Montag, 30. November 2026 10:00 / An: Anna / Cc: Bob / Betreff: {}",
    "zh_TW": "寄件者: {} / 寄件日期: 2026年11月30日 上午 10:00 / 收件者: Anna / 主旨: {}",
    "zh_CN": "发件人: {} / 发送时间: 2026年11月30日 10:00 / 收件人: Anna / 抄送: Bob / 主题: {}",
    "ja": "差出人: {} / 送信日時: 2026年11月30日 10:00 / 宛先: Anna / 件名: {}",
    "da": "Fra: {} / Sendt: 30. november 2026 10:00 / Til: Anna / Emne: {}",
    "nb": "Fra: {} / Sendt: mandag 30. november 2026 10:00 / Til: Anna / Kopi: Bob / Emne: {}",
    "sv": "Från: {} / Skickat: den 30 november 2026 10:00 / Till: Anna / Ämne: {}",
    "fi": "Lähettäjä: {} / Lähetetty: maanantai 30. marraskuuta 2026 10.00 / Vastaanottaja: Anna / Aihe: {}",
    "it": "Da: {} / Inviato: lunedì 30 novembre 2026 10:00 / A: Anna / Oggetto: {}",
    "es": "De: {} / Enviado: lunes, 30 de noviembre de 2026 10:00 / Para: Anna / Asunto: {}",
    "pt": "De: {} / Enviada em: segunda-feira, 30 de novembro de 2026 10:00 / Para: Anna / Assunto: {}",
    "pl": "Od: {} / Wysłano: poniedziałek, 30 listopada 2026 10:00 / Do: Anna / DW: Bob / Temat: {}",
    "cs": "Od: {} / Odesláno: pondělí 30. listopadu 2026 10:00 / Komu: Anna / Předmět: {}",
    "ru": "От: {} / Отправлено: 30 ноября 2026 г. 10:00 / Кому: Anna / Тема: {}",
    "tr": "Kimden: {} / Gönderildi: 30 Kasım 2026 Pazartesi 10:00 / Kime: Anna / Konu: {}",
    "vi": "Từ: {} / Đã gửi: Thứ Hai, 30 tháng 11, 2026 10:00 / Đến: Anna / Chủ đề: {}",
    "xx": "Blarg: {} / Zend: 30 zarf 2026 10:00 / Naz: Anna / Hem: {}",
}

Shape = Callable[[str, str], str]
"""From what was typed and from the client's line or headers, the text of a reply."""


def marked(text: str, mark: str = "> ") -> str:
    return "".join(f"{mark}{line}".rstrip() + "\n" for line in text.splitlines())


def headers(template: str, bold: bool = False) -> str:
    filled = template.format(f"The Inn <inn+{TOKEN}@example.org>", "[inn-7] Round 3, night: your 1st action")
    lines = filled.split(" / ")
    return "\n".join(f"*{line.replace(':', ':*', 1)}" if bold else line for line in lines)


def top(typed: str, attribution: str) -> str:
    return f"{typed}\n\n{attribution}\n\n{marked(STATE)}"


def top_wrapped(typed: str, attribution: str) -> str:
    return f"{typed}\n\n{textwrap.fill(attribution, 60)}\n\n{marked(STATE)}"


def top_close(typed: str, attribution: str) -> str:
    return f"{typed}\n{attribution}\n{marked(STATE)}"


def bottom(typed: str, attribution: str) -> str:
    return f"{attribution}\n{marked(STATE)}\n{typed}\n"


def inline(typed: str, attribution: str) -> str:
    lines = marked(STATE).splitlines()
    first, *rest = typed.split("\n")
    return "\n".join([attribution, *lines[:12], first, "", *lines[12:18], "", *rest, "", *lines[18:]])


def outlook(typed: str, template: str) -> str:
    return f"{typed}\n\n{headers(template)}\n\n{STATE}"


def outlook_ruled(typed: str, template: str) -> str:
    return f"{typed}\n\n{'_' * 32}\n{headers(template)}\n\n{STATE}"


def outlook_bold(typed: str, template: str) -> str:
    return f"{typed}\n\n{headers(template, bold=True)}\n\n{STATE}"


def outlook_bottom(typed: str, template: str) -> str:
    return f"{headers(template)}\n\n{STATE}\n{typed}\n"


def outlook_inline(typed: str, template: str) -> str:
    lines = STATE.splitlines()
    first, *rest = typed.split("\n")
    return "\n".join([headers(template), "", *lines[:12], first, *lines[12:18], *rest, *lines[18:]])


def mail(text: str, content_type: str = "text/plain; charset=utf-8", encoding: str = "8bit") -> bytes:
    """A whole mail of one part; `text` is what its body holds, already in its transfer encoding."""
    return (
        "From: Anna <anna@example.net>\n"
        f"To: The Inn <inn+{TOKEN}@example.org>\n"
        "Subject: Re: [inn-7] Round 3, night: your 1st action\n"
        "Date: Mon, 30 Nov 2026 10:00:00 +0100\n"
        "Message-ID: <reply@example.net>\n"
        "In-Reply-To: <state@example.org>\n"
        f"MIME-Version: 1.0\nContent-Type: {content_type}\nContent-Transfer-Encoding: {encoding}\n\n{text}"
    ).encode()


def read(raw: bytes, sent: str | None = None) -> OwnText:
    return own_text(read_letter(raw).body, sent)
