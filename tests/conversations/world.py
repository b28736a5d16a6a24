"""A host and the world around it, in one process and with a clock that is moved by hand.

All of the host is real: its database, templates and games. The mail server is two lists, which can be made to
fail, and people are addresses that write and answer as mail programs do.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, cast

from engine.game import AnyGame
from engine.record import Entry
from pbem.bootstrap import assemble, store_of
from pbem.config import Archive, Clock, Database, Host, Imap, Limits, Registration, Running, Security, Settings, Smtp
from pbem.errors import Unreachable
from pbem.files import resource
from pbem.games import games
from pbem.mailbox import Arrival, Mark, Outcome, Parcel, Receipt
from pbem.passes import Pass
from pbem.render import Renderer
from pbem.table import Table
from tests import databases
from tests.end_to_end.client import above

KEY = "k" * 32
INN: Final = "inn@example.org"
NOON: Final = datetime(2026, 12, 1, 12, tzinfo=UTC)
"""A Tuesday: when every conversation begins."""
SEED: Final = "ab" * 32
"""Every deal follows from it, so that a conversation is the same each time."""
_FOLDER: Final = "imap:INBOX:1"


class Mailbox:
    """An `Inbox` in memory. A mail that is not done comes again after `rewind`, as after a lost connection."""

    def __init__(self) -> None:
        self.arrivals: list[Arrival] = []
        self.handled: list[int] = []
        self.down = False
        self.laid = 0
        """How many have been laid into it."""
        self._read = 0

    @property
    def mark(self) -> Mark | None:
        return None

    def fetch(self, limit: int) -> list[Arrival]:
        self._answer()
        batch = [each for each in self.arrivals if each.uid > self._read and each.uid not in self.handled][:limit]
        self._read = max((each.uid for each in batch), default=self._read)
        return batch

    def done(self, arrivals: Sequence[Arrival]) -> None:
        self._answer()
        self.handled += (each.uid for each in arrivals)

    def rewind(self) -> None:
        self._read = 0

    def forget(self) -> None:
        """Throw away what is handled, as a year would bring too much of it."""
        handled = set(self.handled)
        self.arrivals = [each for each in self.arrivals if each.uid not in handled]
        self.handled = []

    def open(self) -> None:
        self._answer()

    def close(self) -> None: ...

    def wait(self, seconds: float) -> bool:
        raise AssertionError(f"nobody waits here, and not for {seconds} s")

    def wake(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def _answer(self) -> None:
        if self.down:
            raise Unreachable("the imap server is away", "Wait")


class Courier:
    """A `Sender` in memory: it keeps what it takes, and takes no mail while it is down."""

    def __init__(self) -> None:
        self.taken: list[Parcel] = []
        self.refusals: dict[str, tuple[Outcome, int, str]] = {}
        """What is said to a mail for an address."""
        self.largest = 10_000_000
        """Bytes of the largest mail that it takes."""
        self.down = False

    def send(self, parcels: Iterable[Parcel]) -> Iterator[Receipt]:
        for parcel in parcels:
            if self.down:
                raise Unreachable("the smtp server is away", "Wait")
            yield self._answer(parcel)

    def _answer(self, parcel: Parcel) -> Receipt:
        if parcel.envelope_to in self.refusals:
            return Receipt(parcel, *self.refusals[parcel.envelope_to])
        if len(parcel.raw) > self.largest:
            return Receipt(parcel, Outcome.TOO_LARGE, 552, "5.3.4 Message size exceeds fixed limit")
        self.taken.append(parcel)
        return Receipt(parcel, Outcome.ACCEPTED, 250, "2.0.0 Taken")


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail that the host sent."""

    to: str
    """The name before the @."""
    message: EmailMessage

    @property
    def subject(self) -> str:
        return " ".join(self.message["Subject"].split())

    @property
    def text(self) -> str:
        """The text on one line, so that it does not matter where its lines end."""
        return " ".join(self.lines.split())

    @property
    def lines(self) -> str:
        """The text as it is."""
        part = self.message.get_body(("plain",))
        assert part is not None
        text: str = part.get_content()
        return text

    @property
    def html(self) -> str:
        part = self.message.get_body(("html",))
        assert part is not None
        sheet: str = part.get_content()
        return sheet

    @property
    def id(self) -> str:
        return str(self.message["Message-ID"])


class World:
    """A host on a database in `folder`, everybody who writes to it, and the time."""

    def __init__(
        self,
        folder: Path,
        deadline: timedelta | None = timedelta(hours=48),
        registration: Registration = Registration.OPEN,
        authserv_id: str = "",
        limits: Limits | None = None,
        outage: timedelta | None = None,
    ) -> None:
        self._folder = folder
        server = {"host": "localhost", "security": Security.NONE, "user": INN, "password": "secret"}
        self.settings = Settings(
            host=Host(address=INN, secret=cast(Any, KEY), registration=registration, authserv_id=authserv_id),
            imap=Imap(port=143, **cast(Any, server)),
            smtp=Smtp(port=587, **cast(Any, server)),
            database=Database(url=databases.url_in(folder)),
            clock=Clock(deadline=deadline, outage=outage),
            archive=Archive(folder=folder / "archive", running=Running.NONE),
            limits=limits or Limits(),
        )
        self.now = NOON
        self.mailbox, self.courier = Mailbox(), Courier()
        self.mails: list[Mail] = []
        """All that was sent, oldest first."""
        self._count = 0
        self.begin()

    def set(self, section: str, **values: Any) -> None:
        """Other settings in a section, from now on."""
        changed = getattr(self.settings, section).model_copy(update=values)
        self.settings = self.settings.model_copy(update={section: changed})
        self.restart()

    def restart(self) -> None:
        """Another process, on the same database and the same mail servers, when this one is gone."""
        self.store.close()
        self.begin()

    def begin(self) -> None:
        """A process, beside any that there is."""
        self.store = store_of(self.settings)
        self.mailbox.rewind()
        # Templates are compiled once for all worlds: that takes longer than most conversations.
        renderer = _renderer(tuple(games().values()))
        self.host = assemble(self.settings, self.store, self.mailbox, self.courier, SEED, renderer)

    def copied(self, folder: Path) -> World:
        """Another world where all the same has happened, on a database in `folder`."""
        self.store.close()
        shutil.copytree(self._folder, folder, dirs_exist_ok=True)
        databases.copied(self._folder, folder)
        other = World(folder, self.settings.clock.deadline, outage=self.settings.clock.outage)
        other.now, other._count, other.mails = self.now, self._count, [*self.mails]
        other.mailbox.laid = self.mailbox.laid
        other.mailbox.arrivals, other.mailbox.handled = [*self.mailbox.arrivals], [*self.mailbox.handled]
        other.courier.taken = [*self.courier.taken]
        return other

    # Mail to the host

    def write(self, name: str, *lines: str, to: str = INN, subject: str = "Hello", **headers: str) -> bytes:
        """Somebody writes a mail of his own; its bytes."""
        mail = self._begun(name, to, subject, headers)
        mail.set_content("\n".join((*lines, "")))
        return self.deliver(mail.as_bytes())

    def answer(self, name: str, *lines: str, to: Mail | None = None, sender: str = "", **headers: str) -> bytes:
        """Somebody answers his last mail, or the mail `to`, with all of it quoted; the bytes.

        `sender` is another who uses the private address of that mail.
        """
        answered = (to or self.last(name)).message
        mail = self._begun(sender or name, answered["Reply-To"], f"Re: {answered['Subject']}", headers)
        for header in ("In-Reply-To", "References"):
            mail[header] = answered["Message-ID"]
        above(mail, answered, lines)
        return self.deliver(mail.as_bytes())

    def deliver(self, raw: bytes, at: datetime | None = None) -> bytes:
        """Lay a mail into the mailbox; it arrived now, or `at` another time."""
        self.mailbox.laid += 1
        arrived = (at or self.now).replace(microsecond=0)
        self.mailbox.arrivals.append(Arrival(_FOLDER, self.mailbox.laid, raw, len(raw), arrived))
        return raw

    def _begun(self, name: str, to: str, subject: str, headers: dict[str, str]) -> EmailMessage:
        self._count += 1
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = address(name), to, subject
        mail["Date"] = format_datetime(self.now)
        mail["Message-ID"] = headers.pop("Message_ID", f"<{self._count}@client.example.org>")
        for header, value in headers.items():
            mail[header.replace("_", "-")] = value
        return mail

    # Time

    def wait(self, **span: float) -> None:
        """Let time pass; the host does not look meanwhile."""
        self.now += timedelta(**span)

    def tick(self) -> list[Mail]:
        """The host makes a pass; what it sent."""
        return self.passed()[1]

    def passed(self) -> tuple[Pass, list[Mail]]:
        """The same, with what the pass says of itself."""
        before = len(self.courier.taken)
        done = self.host.tick(self.now)
        sent = [mail_in(parcel) for parcel in self.courier.taken[before:]]
        self.mails += sent
        return done, sent

    # What there is

    def last(self, name: str) -> Mail:
        """The newest mail that somebody has got."""
        return next(mail for mail in reversed(self.mails) if mail.to == name)

    def table(self, name: str = "inn-1") -> Table:
        table = self.store.table(name, self.host.games)
        assert table is not None
        return table

    def entries(self, name: str = "inn-1") -> list[Entry]:
        """The record of a table so far."""
        return [logged.entry for logged in self.store.log(self.table(name))]


@cache
def _renderer(_games: tuple[AnyGame, ...]) -> Renderer:
    """One for each set of games that is installed; a game in another form, under the same name, is another one."""
    return Renderer(games(), resource("templates"))


def address(name: str) -> str:
    """Whoever has no address of his own is at home at example.org."""
    return name if "@" in name else f"{name}@example.org"


def mail_in(parcel: Parcel) -> Mail:
    message = message_from_bytes(parcel.raw, policy=policy.default)
    return Mail(parcel.envelope_to.removesuffix("@example.org"), message)
