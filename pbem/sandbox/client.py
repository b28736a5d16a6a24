"""Somebody's mail program: his mailbox, read over IMAP, and what he sent, by SMTP, in one row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from email.message import EmailMessage
from typing import Final

from pbem.player import Mailbox
from pbem.sandbox.mail import Mail

Keep = Callable[[str, bytes], object]
"""Is told of each new mail: ``to`` or ``from`` him, and its bytes."""


class Client:
    """The mail program of `name`, which shares nothing with the host."""

    def __init__(self, name: str, mailbox: Mailbox, keep: Keep, known: Iterable[Mail] = ()) -> None:
        self.name: Final = name
        self.mails: list[Mail] = list(known)
        """All that he got and sent, oldest first."""
        self.seen = len(self.mails)
        """How many of them he has looked at, or could have."""
        self._mailbox = mailbox
        self._keep = keep
        self._ids = {mail.id for mail in self.mails if not mail.sent}

    @property
    def key(self) -> str:
        """What he is called in the address of a page."""
        return self.name.lower()

    @property
    def address(self) -> str:
        return self._mailbox.address

    @property
    def unseen(self) -> int:
        return sum(not mail.sent for mail in self.mails[self.seen :])

    def mail(self, number: int) -> Mail | None:
        """By its number; ``None`` if there is none."""
        return self.mails[number - 1] if 1 <= number <= len(self.mails) else None

    def newest(self, table: str = "") -> Mail | None:
        """The last mail that he got, of the table if one is named."""
        got = (mail for mail in reversed(self.mails) if not mail.sent)
        return next((mail for mail in got if not table or mail.table == table), None)

    def look(self) -> None:
        """Fetch what is new. A mail may come twice, then with the same Message-ID."""
        for raw in self._mailbox.unread_bytes():
            mail = self._as_mail(raw, sent=False)
            if mail.id not in self._ids:
                self._ids.add(mail.id)
                self._add(mail)

    def send(self, message: EmailMessage) -> None:
        """Send a mail and keep a copy, as mail programs do."""
        self._mailbox.send(message)
        self._add(self._as_mail(message.as_bytes(), sent=True))

    def _as_mail(self, raw: bytes, *, sent: bool) -> Mail:
        return Mail(len(self.mails) + 1, raw, sent)

    def _add(self, mail: Mail) -> None:
        self.mails.append(mail)
        self._keep("from" if mail.sent else "to", mail.raw)
