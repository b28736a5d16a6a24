"""A program that plays a whole game by mail, made of Python's standard library alone.

    PBEM_PASSWORD=... python3 examples/player.py --address eve@example.org --host inn@example.org \\
        --imap imap.example.org --smtp smtp.example.org --name Eve

It takes a name, begins a game against bots (or writes what `--opening` says), asks for its position as data, and
answers each decision with one of the orders that its mail offers. It knows no rule of any game: to make it play well,
choose better in `Player.choice`, from ``told["view"]``. What it reads is described in docs/machine.md.
"""

from __future__ import annotations

import argparse
import imaplib
import json
import os
import random
import re
import smtplib
import ssl
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, localtime, make_msgid
from typing import Any

FORMAT = 1
"""Of ``pbem.json``: with another number its fields mean something else."""
DATA_NAME = "pbem.json"
NOT_TAKEN = frozenset({"unread", "refused"})
"""What is said of a line that did nothing."""
SECONDS_BETWEEN_LOOKS = 30
_CONFIRM = re.compile(r"^ +CONFIRM\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Account:
    """A mail account with one password for both servers."""

    address: str
    password: str
    imap: tuple[str, int]
    smtp: tuple[str, int]
    tls: ssl.SSLContext | None
    """IMAP in TLS and SMTP with STARTTLS; ``None`` for servers on this machine."""


class Mailbox:
    """An account: what is new in its inbox, and a way to send."""

    def __init__(self, account: Account) -> None:
        self.address = account.address
        self._account = account

    def unread(self) -> list[EmailMessage]:
        """The mails that were not read yet, oldest first; they count as read from now on."""
        account = self._account
        imap = (
            imaplib.IMAP4_SSL(*account.imap, ssl_context=account.tls) if account.tls else imaplib.IMAP4(*account.imap)
        )
        with imap:
            imap.login(account.address, account.password)
            imap.select("INBOX")
            _, found = imap.uid("SEARCH", "UNSEEN")
            return [self._fetched(imap, uid.decode()) for uid in found[0].split()]

    def _fetched(self, imap: imaplib.IMAP4, uid: str) -> EmailMessage:
        _, parts = imap.uid("FETCH", uid, "(RFC822)")
        raw = next(part[1] for part in parts if isinstance(part, tuple))
        return message_from_bytes(raw, policy=policy.default)

    def send(self, mail: EmailMessage) -> None:
        """Send `mail` with this account's login."""
        account = self._account
        with smtplib.SMTP(*account.smtp, local_hostname="localhost") as smtp:
            if account.tls:
                smtp.starttls(context=account.tls)
            smtp.login(account.address, account.password)
            smtp.send_message(mail)


class Player:
    """Plays one game at the address `host`, from taking a name to the end."""

    def __init__(self, mailbox: Mailbox, host: str, name: str, opening: str, seed: int) -> None:
        self.told: dict[str, Any] | None = None
        """What the last mail of the game said."""
        self._mailbox, self._host = mailbox, host
        self._name, self._opening = name, opening
        self._random = random.Random(seed)
        self._seen: set[str] = set()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.told is not None and bool(self.told["over"])

    def register(self) -> None:
        """Write the first mail, to the address of the host itself."""
        self._send(self._host, "Hello", [f"REGISTER {self._name}"])

    def turn(self) -> None:
        """Read what is new, and answer what asks for an answer."""
        for mail in self._mailbox.unread():
            # A mail may come twice, then with the same Message-ID.
            if mail["Message-ID"] in self._seen:
                continue
            self._seen.add(mail["Message-ID"])
            lines = self._lines(mail)
            if lines:
                self._send(mail["Reply-To"], f"Re: {mail['Subject']}", lines, mail["Message-ID"])

    def _lines(self, mail: EmailMessage) -> list[str]:
        """What there is to say to a mail."""
        data = attached(mail)
        if data is None:
            return [self._opening, "MACHINE ON"] if _CONFIRM.search(text_of(mail)) else []
        self.told = told = json.loads(data)
        if told["format"] != FORMAT:
            raise SystemExit(f"The host writes {DATA_NAME} in format {told['format']}; this program reads {FORMAT}")
        refused = any(line["said"] in NOT_TAKEN for line in told["lines"])
        # Asked once, answered once: a later mail may show the same decision while the answer is on its way.
        if told["decision"] and (told["decision"]["new"] or refused):
            return [self.choice(told)]
        return []

    def choice(self, told: dict[str, Any]) -> str:
        """One of the orders that are legal now, as the mail offers them."""
        order: str = self._random.choice(told["orders"])
        return order

    def _send(self, to: str, subject: str, lines: Sequence[str], answered: str = "") -> None:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self._mailbox.address, to, subject
        mail["Date"] = format_datetime(localtime())
        mail["Message-ID"] = make_msgid(domain=self._mailbox.address.rpartition("@")[2])
        if answered:
            # By this the host knows which decision the order is for.
            mail["In-Reply-To"] = mail["References"] = answered
        mail.set_content("\n".join((*lines, "")))
        self._mailbox.send(mail)


def attached(mail: EmailMessage) -> bytes | None:
    """What the mail holds for programs, or nothing."""
    for part in mail.iter_attachments():
        if part.get_filename() == DATA_NAME:
            data: bytes = part.get_content()
            return data
    return None


def text_of(mail: EmailMessage) -> str:
    """The plain text of a mail."""
    part = mail.get_body(("plain",))
    return str(part.get_content()).replace("\r\n", "\n") if part else ""


def main() -> None:
    """Play one game to its end."""
    parser = argparse.ArgumentParser(description="Play a game by mail.")
    for name in ("address", "host", "imap", "smtp", "name"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--opening", default="NEW PRACTICE", help="how a game is begun, as JOIN inn-7")
    said = parser.parse_args()
    password, tls = os.environ["PBEM_PASSWORD"], ssl.create_default_context()
    account = Account(said.address, password, (said.imap, 993), (said.smtp, 587), tls)
    player = Player(Mailbox(account), said.host, said.name, said.opening, random.randrange(2**32))
    player.register()
    while not player.over:
        time.sleep(SECONDS_BETWEEN_LOOKS)
        player.turn()
    assert player.told is not None
    print(json.dumps(player.told["outcome"]), file=sys.stdout)


if __name__ == "__main__":
    main()
