"""Mail that no person wrote is known; mail that a person wrote is not taken for it."""

from __future__ import annotations

import pytest

from pbem.letters import Automatic, read_letter

HOST = "inn@example.org"


def with_headers(*lines: str) -> bytes:
    given = "".join(f"{line}\n" for line in lines)
    sender = "" if "From:" in given else "From: Anna <anna@example.net>\n"
    return f"{given}{sender}To: {HOST}\n\nPASS\n".encode()


AUTOMATIC: dict[str, Automatic] = {
    "X-PBEM-Host: inn@example.org": Automatic.OWN_MAIL,
    "From: The Inn <INN@Example.org>": Automatic.OWN_MAIL,
    "From: inn+k7q2m7x4aaaabbbbcccc@example.org": Automatic.OWN_MAIL,
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b": Automatic.REPORT,
    "Return-Path: <>": Automatic.EMPTY_RETURN_PATH,
    "Return-Path: < >": Automatic.EMPTY_RETURN_PATH,
    "From: MAILER-DAEMON@mx.example.net (Mail Delivery System)": Automatic.DAEMON,
    "From: Postmaster <postmaster@example.net>": Automatic.DAEMON,
    "From: no-reply@example.net": Automatic.DAEMON,
    "From: bounces+1234@lists.example.net": Automatic.DAEMON,
    "Auto-Submitted: auto-replied": Automatic.AUTO_SUBMITTED,
    "auto-submitted: Auto-Generated (rejected)": Automatic.AUTO_SUBMITTED,
    "Precedence: bulk": Automatic.PRECEDENCE,
    "Precedence: Junk": Automatic.PRECEDENCE,
    "Precedence: auto_reply": Automatic.PRECEDENCE,
    "List-Id: <players.example.net>": Automatic.LIST,
    "List-Unsubscribe: <mailto:x@example.net>": Automatic.LIST,
    "X-Autoreply: yes": Automatic.NO_REPLY_WANTED,
    "X-Auto-Response-Suppress: All": Automatic.NO_REPLY_WANTED,
    "X-Failed-Recipients: x@example.net": Automatic.NO_REPLY_WANTED,
    "Subject: Automatic reply: [inn-7] Round 3, night": Automatic.AWAY_SUBJECT,
    "Subject: Out of office: Re: [inn-7]": Automatic.AWAY_SUBJECT,
    "Subject: Automatische Antwort: [inn-7] Round 3": Automatic.AWAY_SUBJECT,
    "Subject: Abwesenheitsnotiz": Automatic.AWAY_SUBJECT,
    "Subject: Automatisch antwoord: [inn-7]": Automatic.AWAY_SUBJECT,
    "Subject: Afwezig: [inn-7]": Automatic.AWAY_SUBJECT,
    "Subject: =?utf-8?Q?R=C3=A9ponse_automatique_:_[inn-7]?=": Automatic.AWAY_SUBJECT,
    "Subject: 自动回复: [inn-7]": Automatic.AWAY_SUBJECT,
    "Subject: Автоответ: [inn-7]": Automatic.AWAY_SUBJECT,
}
PERSONAL = (
    "Subject: Re: [inn-7] Round 3, night",
    "Auto-Submitted: no",
    "auto-submitted: No (a person)",
    "Auto-Submitted:",
    "Precedence: normal",
    "Precedence: first-class",
    "Return-Path: <anna@example.net>",
    "X-Auto-Response-Suppress: None",
    "X-Vacation: no",
    "From: reply.anna@example.net",
    "From: inn@example.net",
    "From: innkeeper@example.org",
    "Subject: I am out of money",
    "Subject: Re: office hours",
    "List-Archive-Fan: yes",
)


@pytest.mark.parametrize(("header", "kind"), AUTOMATIC.items())
def test_a_robots_mail_is_known(header: str, kind: Automatic) -> None:
    assert read_letter(with_headers(header), HOST).automatic is kind


@pytest.mark.parametrize("header", PERSONAL)
def test_a_persons_mail_is_no_robots(header: str) -> None:
    assert read_letter(with_headers(header), HOST).automatic is None
