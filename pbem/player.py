"""A program that plays by mail: an example for anybody's own, and what the demo seats at its table.

It is a mail client like any other, made of the standard library's imaplib, smtplib and email and of a game's
contract: it reads one mailbox, its own, and writes what a person would write, above the quoted mail. It signs
up as people do; once the game has begun (``MACHINE ON``) the attachment ``pbem.json`` of its mails holds what
its seat may see, and a bot of the game's own chooses from that alone.
"""

from __future__ import annotations

import hashlib
import imaplib
import re
import smtplib
import ssl
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, localtime, make_msgid
from types import TracebackType
from typing import Final, Self

import msgspec

from engine.game import AnyGame, Bot, Outcome
from engine.shuffle import Stream
from pbem.games import game_called

DATA_NAME: Final = "pbem.json"
ITERATIONS: Final = 2000
"""How hard a bot thinks about an order."""

_CONFIRM: Final = re.compile(r"^ +CONFIRM$", re.MULTILINE)
_JOIN: Final = re.compile(r"^ +JOIN (\S+)", re.MULTILINE)
_START: Final = re.compile(r"^ +START (\S+)", re.MULTILINE)
_SEATED: Final = re.compile(r"\((\d+)\s+of\s+at\s+most\s+(\d+)\)")


@dataclass(frozen=True, slots=True)
class Account:
    """A mail account: a password for both servers, each given by host and port."""

    address: str
    password: str
    imap: tuple[str, int]
    smtp: tuple[str, int]
    tls: ssl.SSLContext | None = None
    """IMAP in TLS and SMTP with STARTTLS; ``None`` for servers on this machine."""


class Mailbox:
    """An account, open while the context lasts."""

    def __init__(self, account: Account) -> None:
        self._account = account

    def __enter__(self) -> Self:
        account = self._account
        self._imap = (
            imaplib.IMAP4_SSL(*account.imap, ssl_context=account.tls) if account.tls else imaplib.IMAP4(*account.imap)
        )
        self._imap.login(account.address, account.password)
        self._imap.select("INBOX")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._imap.logout()

    @property
    def address(self) -> str:
        return self._account.address

    def unread(self) -> list[EmailMessage]:
        """The mails that were not read yet, oldest first; they count as read from now on."""
        return [message_from_bytes(raw, policy=policy.default) for raw in self.unread_bytes()]

    def unread_bytes(self) -> list[bytes]:
        """The same mails, byte for byte."""
        self._imap.noop()
        _, found = self._imap.uid("SEARCH", "UNSEEN")
        return [self._fetched(uid.decode()) for uid in found[0].split()]

    def _fetched(self, uid: str) -> bytes:
        _, answer = self._imap.uid("FETCH", uid, "(RFC822)")
        raw: bytes = next(part[1] for part in answer if isinstance(part, tuple))
        return raw

    def send(self, mail: EmailMessage) -> None:
        account = self._account
        with smtplib.SMTP(*account.smtp, local_hostname="localhost") as smtp:
            if account.tls:
                smtp.starttls(context=account.tls)
            smtp.login(account.address, account.password)
            smtp.send_message(mail)


class Asked(msgspec.Struct, frozen=True):
    """A decision that the reader has to make."""

    key: str
    round: int
    new: bool
    """This mail is the first to ask for it."""


class Told(msgspec.Struct, frozen=True):
    """What a mail says in ``pbem.json``, as far as it is needed here."""

    game: str
    kind: str
    seat: int
    names: tuple[str, ...]
    decision: Asked | None
    over: bool
    outcome: Outcome | None
    head: str
    view: msgspec.Raw


@dataclass(frozen=True, slots=True)
class Character:
    """Who plays, and how."""

    name: str
    bot: str
    """One that the game has."""
    seed: str
    """All that the bot leaves to chance follows from it."""
    opening: str = ""
    """The line that opens a table, for whoever does; all others wait for their invitations."""

    @property
    def greeting(self) -> tuple[str, ...]:
        """What is settled on taking a seat: data in the mails, and words that go into every shuffle."""
        return ("MACHINE ON", f"PHRASE {self.name} was here")


class Player:
    """Plays one game, from signing up to its end, by `mailbox` and the address of the `host`."""

    def __init__(self, character: Character, mailbox: Mailbox, host: str) -> None:
        self.name = character.name
        self.told: Told | None = None
        """By the last mail of the game."""
        self.rounds = 0
        """The last round in which it was asked for something."""
        self._character = character
        self._mailbox = mailbox
        self._host = host
        self._known: set[str] = set()
        self._seated = False

    @property
    def over(self) -> bool:
        return self.told is not None and self.told.over

    @property
    def awaited(self) -> bool:
        """Whether its last mail asked it for an order."""
        return self.told is not None and self.told.decision is not None

    def register(self) -> None:
        """Write the first mail."""
        mail = self._begun(self._host, "Hello")
        mail.set_content(f"REGISTER {self.name}\n")
        self._mailbox.send(mail)

    def turn(self) -> int:
        """Read what is new and answer what asks for an answer; how many mails were new."""
        mails = [mail for mail in self._mailbox.unread() if self._is_new(mail)]
        for mail in mails:
            lines = tuple(self._lines(mail))
            if lines:
                self._answer(mail, lines)
        return len(mails)

    def _is_new(self, mail: EmailMessage) -> bool:
        """A mail may come twice, then with the same Message-ID."""
        known = mail["Message-ID"] in self._known
        self._known.add(mail["Message-ID"])
        return not known

    def _lines(self, mail: EmailMessage) -> Iterator[str]:
        """What there is to say to a mail."""
        data = _data(mail)
        if data is None:
            yield from self._signing_up(_text(mail))
            return
        self.told = told = msgspec.json.decode(data, type=Told)
        if told.decision and told.decision.new:
            self.rounds = max(self.rounds, told.decision.round)
            yield self._order(told, told.decision)

    def _signing_up(self, text: str) -> Iterator[str]:
        """The lines that a mail of the lobby shows to be copied, when their time has come."""
        if _CONFIRM.search(text):
            yield self._character.opening or "CONFIRM"
        elif table := _JOIN.search(text):
            yield f"JOIN {table[1]}"
            yield from self._character.greeting
        elif table := _START.search(text):
            if not self._seated:
                yield from self._character.greeting
                self._seated = True
            if _is_full(text):
                yield f"START {table[1]}"

    def _order(self, told: Told, asked: Asked) -> str:
        """The bot's order, from what this mail shows."""
        game = game_called(told.kind)
        view = game.decode_view(bytes(told.view))
        action = bot_of(game, self._character.bot).choose(view, (), ITERATIONS, self._stream(asked.key))
        return game.write(action, view)

    def _stream(self, decision: str) -> Stream:
        """Chance for one decision, whatever was asked before and however often."""
        words = ("pbem player 1", self._character.seed, self.name, decision)
        return Stream(hashlib.sha256("".join(f"{word}\n" for word in words).encode()).digest())

    def _answer(self, mail: EmailMessage, lines: Sequence[str]) -> None:
        """Answer to where the mail wants its answers, with all of it quoted below, as most clients do."""
        answer = self._begun(mail["Reply-To"], f"Re: {mail['Subject']}")
        answer["In-Reply-To"] = answer["References"] = mail["Message-ID"]
        quoted = (f"> {line}".rstrip() for line in _text(mail).splitlines())
        answer.set_content("\n".join((*lines, "", f"On {mail['Date']}, {mail['From']} wrote:", *quoted, "")))
        self._mailbox.send(answer)

    def _begun(self, to: str, subject: str) -> EmailMessage:
        address = self._mailbox.address
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = address, to, subject
        mail["Date"], mail["Message-ID"] = format_datetime(localtime()), make_msgid(domain=address.rpartition("@")[2])
        return mail


def bot_of(game: AnyGame, name: str) -> Bot:
    """The bot of `game` called `name`; `KeyError` if it has none of that name."""
    bot: Bot = game.capabilities["bots"][name]
    return bot


def _data(mail: EmailMessage) -> bytes | None:
    """What the mail holds for programs, or nothing."""
    for part in mail.iter_attachments():
        if part.get_filename() == DATA_NAME:
            data: bytes = part.get_content()
            return data
    return None


def _text(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    text: str = part.get_content() if part else ""
    return text.replace("\r\n", "\n")


def _is_full(text: str) -> bool:
    """Whether everybody who is expected sits at the table."""
    counted = _SEATED.findall(text)
    return bool(counted) and counted[-1][0] == counted[-1][1]
