"""A mail client made of nothing but the standard library: it reads one mailbox, and answers over the quoted mail.

It knows nothing of the host. What it sends is what the programs of people send: the quotation whole, the own
text above it, below it, or in HTML alone.
"""

from __future__ import annotations

import html
import imaplib
import re
import smtplib
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, localtime, make_msgid
from typing import Final

Reply = Callable[[EmailMessage, EmailMessage, Sequence[str]], None]
"""Fills an answer with own lines and the quotation of the mail that is answered."""

ATTRIBUTION: Final = "On Thu, 3 Dec 2026 at 18:02, the inn <inn@example.org> wrote:"
_BODY: Final = re.compile(r"<body\b[^>]*>(.*)</body>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody's mail account: IMAP with TLS, SMTP with STARTTLS, the same password for both."""

    address: str
    password: str
    imap_port: int
    smtp_port: int
    ca_file: str
    host: str = "localhost"


class MailClient:
    """One account, open until `close`. A mail is shown once, however often it is delivered.

    What lies in the mailbox already is another test's: the server serves them all.
    """

    def __init__(self, account: Account) -> None:
        self.account = account
        self._trust = ssl.create_default_context(cafile=account.ca_file)
        self._imap = imaplib.IMAP4_SSL(account.host, account.imap_port, ssl_context=self._trust)
        self._imap.login(account.address, account.password)
        self._imap.select("INBOX")
        self._imap.uid("STORE", "1:*", "+FLAGS", r"(\Seen)")
        self.received: list[EmailMessage] = []
        """Every mail once, oldest first."""
        self.repeated: list[EmailMessage] = []
        """Mails that came again, with a Message-ID that was known."""
        self.sent: list[EmailMessage] = []

    def close(self) -> None:
        self._imap.logout()

    def look(self) -> list[EmailMessage]:
        """The mails that are new since the last look."""
        self._imap.noop()
        _, found = self._imap.uid("SEARCH", "UNSEEN")
        mails = [self._fetch(uid) for uid in found[0].split()]
        return [mail for mail in mails if self._is_new(mail)]

    def send(self, to: str, subject: str, text: str) -> None:
        """Write a mail that answers none."""
        mail = self._begun(to, subject)
        mail.set_content(text)
        self._send(mail)

    def answer(self, mail: EmailMessage, lines: Sequence[str], reply: Reply) -> None:
        """Answer `mail` to where it wants its answers, with own `lines` and all of it quoted."""
        answer = self._begun(mail["Reply-To"], f"Re: {mail['Subject']}")
        answer["In-Reply-To"] = mail["Message-ID"]
        answer["References"] = mail["Message-ID"]
        reply(answer, mail, lines)
        self._send(answer)

    def _begun(self, to: str, subject: str) -> EmailMessage:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self.account.address, to, subject
        mail["Date"], mail["Message-ID"] = format_datetime(localtime()), make_msgid(domain="client.example.org")
        return mail

    def _send(self, mail: EmailMessage) -> None:
        with smtplib.SMTP(self.account.host, self.account.smtp_port) as smtp:
            smtp.starttls(context=self._trust)
            smtp.login(self.account.address, self.account.password)
            smtp.send_message(mail)
        self.sent.append(mail)

    def _fetch(self, uid: bytes) -> EmailMessage:
        _, answer = self._imap.uid("FETCH", uid.decode(), "(RFC822)")
        raw = next(part[1] for part in answer if isinstance(part, tuple))
        return message_from_bytes(raw, policy=policy.default)

    def _is_new(self, mail: EmailMessage) -> bool:
        known = {each["Message-ID"] for each in self.received}
        (self.repeated if mail["Message-ID"] in known else self.received).append(mail)
        return mail["Message-ID"] not in known


def text_of(mail: EmailMessage, kind: str = "plain") -> str:
    """The text of a mail as its reader sees it, or its HTML."""
    part = mail.get_body((kind,))
    assert part is not None, f"no {kind} text in {mail['Subject']!r}"
    text: str = part.get_content()
    return text


def above(answer: EmailMessage, mail: EmailMessage, lines: Sequence[str]) -> None:
    """Own text first, then the quotation: most clients."""
    answer.set_content("\n".join((*lines, "", ATTRIBUTION, *_quoted(mail), "")))


def below(answer: EmailMessage, mail: EmailMessage, lines: Sequence[str]) -> None:
    """The quotation first, own text last: the old custom."""
    answer.set_content("\n".join((ATTRIBUTION, *_quoted(mail), "", *lines, "")))


def in_html(answer: EmailMessage, mail: EmailMessage, lines: Sequence[str]) -> None:
    """HTML and nothing else, the quotation in a blockquote: some phones."""
    own = "".join(f"<div>{html.escape(line)}</div>" for line in lines)
    found = _BODY.search(text_of(mail, "html"))
    assert found is not None
    quoted = f"<div>{html.escape(ATTRIBUTION)}<br></div><blockquote type='cite'>{found[1]}</blockquote>"
    answer.set_content(f"<html><body>{own}<div><br></div>{quoted}</body></html>", subtype="html")


def _quoted(mail: EmailMessage) -> list[str]:
    return [f"> {line}".rstrip() for line in text_of(mail).splitlines()]
