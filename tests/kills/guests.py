"""Who plays while the host is killed: programs that answer each decision with one order, and never twice."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr
from threading import Lock
from typing import Final, NamedTuple

from pbem.games import game_called
from pbem.player import Asked, Character, Mailbox, Player, Told, bot_of

PASSWORD: Final = "correct-horse-battery"
"""Of every mailbox: a word that nothing else is called by, so that logs can be searched for it."""
BOT: Final = "random"
LISTED: Final = 20
"""Of so many legal orders one is chosen."""


class Post:
    """What an SMTP server hands its mail to: it keeps what was delivered, by Message-ID, and to whom.

    It is written to from the server's thread.
    """

    def __init__(self) -> None:
        self.copies: Counter[str] = Counter()
        """How often each mail was delivered, by Message-ID."""
        self.changed: list[str] = []
        """Mails that came again with other bytes."""
        self.answers: Counter[str] = Counter()
        """How many mails answer each mail to the host, by its Message-ID."""
        self._senders: defaultdict[str, set[str]] = defaultdict(set)
        self._kept: dict[str, int] = {}
        self._waiting: defaultdict[str, deque[EmailMessage]] = defaultdict(deque)
        self._lock = Lock()

    def has_user(self, address: str) -> bool:  # noqa: ARG002
        """Everybody has a mailbox here."""
        return True

    def password(self, address: str) -> str:  # noqa: ARG002
        """The same for all."""
        return PASSWORD

    def deliver(self, address: str, raw: bytes) -> None:
        """A mail has come; one that came before is only counted."""
        mail = message_from_bytes(raw, policy=policy.default)
        id, print_ = str(mail["Message-ID"]), hash(raw)
        with self._lock:
            self.copies[id] += 1
            if self._kept.setdefault(id, print_) != print_:
                self.changed.append(id)
            if self.copies[id] == 1:
                self.answers.update(str(mail["References"] or "").split())
                self._senders[parseaddr(str(mail["From"]))[1]].add(id)
            self._waiting[address].append(mail)

    def sent_by(self, address: str) -> frozenset[str]:
        """The Message-IDs of what came from `address`."""
        with self._lock:
            return frozenset(self._senders[address])

    def taken(self, address: str) -> list[EmailMessage]:
        """What has come for `address` since it was last asked."""
        with self._lock:
            return list(self._waiting.pop(address, ()))


class Box(Mailbox):
    """A mailbox that reads what was delivered to `address`, and gives what is sent to `carry`."""

    def __init__(self, address: str, post: Post, carry: Callable[[str, bytes], None]) -> None:
        self._own, self._post, self._carry = address, post, carry
        self.written: list[str] = []
        """The Message-IDs of what was sent."""

    @property
    def address(self) -> str:
        return self._own

    def unread(self) -> list[EmailMessage]:
        return self._post.taken(self._own)

    def send(self, mail: EmailMessage) -> None:
        self._carry(mail["To"], mail.as_bytes(policy=policy.SMTP))
        self.written.append(mail["Message-ID"])


class Seat(NamedTuple):
    """A place at a table."""

    table: str
    number: int


class Guest(Player):
    """Plays one game, and counts what it orders."""

    def __init__(self, character: Character, box: Box, host: str) -> None:
        super().__init__(character, box, host)
        self.box = box
        self.orders = 0
        """How many were sent."""
        self.heads: list[str] = []
        """Of the record, as each mail printed it."""
        self._newest: EmailMessage | None = None

    @property
    def seat(self) -> Seat | None:
        return Seat(self.told.game, self.told.seat) if self.told else None

    def ask(self, *lines: str) -> None:
        """Write of his own accord, in answer to his newest mail."""
        assert self._newest is not None
        self._answer(self._newest, lines)

    def _lines(self, mail: EmailMessage) -> Iterator[str]:
        self._newest = mail
        lines = tuple(super()._lines(mail))
        if self.told is not None and (not self.heads or self.heads[-1] != self.told.head):
            self.heads.append(self.told.head)
        yield from filter(None, lines)

    def _order(self, told: Told, asked: Asked) -> str:
        self.orders += 1
        game = game_called(told.kind)
        view = game.decode_view(bytes(told.view))
        return game.write(bot_of(game, BOT).choose(view, (), LISTED, self._stream(asked.key)), view)


class Sleeper(Guest):
    """Signs up, and never moves."""

    def _order(self, told: Told, asked: Asked) -> str:  # noqa: ARG002
        return ""
