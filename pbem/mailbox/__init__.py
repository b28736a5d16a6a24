"""Where mail comes in and goes out: the ports that the host speaks to, and the values that cross them.

Nothing here opens a connection. `pbem.mailbox.imap` and `pbem.mailbox.smtp` do, against any server;
`pbem.mailbox.maildir` and `pbem.mailbox.outfolder` read and write folders on this machine instead.
`pbem.mailbox.loopback` is a server, for a demo that needs no account.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import TracebackType
from typing import Protocol, Self


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a folder has been done: every mail up to `uid` needs no look any more.

    It is a short cut. A folder with another UIDVALIDITY is another folder, and the mark says nothing of it.
    """

    uidvalidity: int
    uid: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail as it lies in the mailbox."""

    folder_key: str
    """Which folder in which life, as ``imap:INBOX:1700000000``: the last part is its UIDVALIDITY, or stands for one."""
    uid: int
    raw: bytes | None
    """The whole mail; None when it is larger than the host reads."""
    size: int
    """In bytes, as the server announces it."""
    received_at: datetime
    """The server's arrival time (INTERNALDATE, whole seconds), aware, UTC."""
    headers: bytes = b""
    """The header block where `raw` is None, so that the sender can be told."""


class Inbox(Protocol):
    """A folder that mail arrives in. One thread at a time, except `wake`."""

    @property
    def mark(self) -> Mark | None:
        """Past the last mail that is done with no undone one before it; None before the first `open`.

        Always None where the folder itself tells what is done.
        """

    def open(self) -> None:
        """Connect, so that a wrong setting shows at once. The other calls connect by themselves. `Trouble`."""

    def close(self) -> None:
        """Say goodbye; never raises."""

    def fetch(self, limit: int) -> list[Arrival]:
        """The next mails after those already fetched, oldest first, at most `limit`; empty when there is none.

        Fewer than `limit` may come although more wait: only an empty answer says that all is read. `Trouble`.
        """

    def done(self, arrivals: Sequence[Arrival]) -> None:
        """These are handled, and what they did is committed: mark them on the server. `Trouble`.

        Until then a mail is work, and comes again to the next process and after every lost connection.
        """

    def rewind(self) -> None:
        """Let `fetch` give once more what was fetched and is not done."""

    def wait(self, seconds: float) -> bool:
        """Sleep until mail may have come, `wake` is called, or the time is over; True if mail may have come."""

    def wake(self) -> None:
        """End the present `wait`, or the next one, at once. For signal handlers and other threads."""

    def __enter__(self) -> Self:
        """`open`."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """`close`."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """A mail on its way out: whose it is, to whom, and its bytes as they stay for ever."""

    envelope_from: str
    envelope_to: str
    raw: bytes


class Outcome(StrEnum):
    """What became of a parcel."""

    ACCEPTED = "accepted"
    """The server has taken it over."""
    RETRY = "retry"
    """Not now: refused for a while, or the connection was lost; the same parcel may be sent again."""
    BAD_ADDRESS = "bad-address"
    """The recipient does not exist: sending again is no use."""
    TOO_LARGE = "too-large"
    """This one mail is larger than a server takes: sending it again is no use, and no other mail is concerned."""
    HOST_TROUBLE = "host-trouble"
    """Quota or policy: the keeper of the host has to mend it, and no player is to blame."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the server said to a parcel."""

    parcel: Parcel
    outcome: Outcome
    code: int
    """The SMTP reply code; 0 where there was no reply."""
    text: str
    """The server's words on one line, with the enhanced status code if it gave one."""


class Sender(Protocol):
    """Takes mail out."""

    def send(self, parcels: Iterable[Parcel]) -> Iterator[Receipt]:
        """Send each parcel once, in order, a receipt for each as soon as it is known; one connection for all.

        `Trouble` when the server cannot be reached or refuses the host altogether: what has no receipt by
        then was not sent.
        """
