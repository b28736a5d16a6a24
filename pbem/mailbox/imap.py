"""Mail in, by IMAP, from any server.

Everything in the folder after the mark is work. A look asks for the bodies in a window of UIDs, so that a
mail costs one round trip to fetch and a share of one to mark, whatever else lies in the folder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final, Self, TypeVar

from pbem.config import Imap
from pbem.mailbox import Arrival, Mark
from pbem.mailbox.bell import Bell
from pbem.mailbox.imap_session import LOST, WINDOW, Beginning, ImapSession
from pbem.mailbox.progress import Progress

_FIRST_PART: Final = 256 * 1024
"""Bytes of each mail that a look brings at once; nearly every mail is shorter."""
_STRIDE: Final = 8
"""How much wider each next look across unused UIDs is."""

T = TypeVar("T")


class ImapInbox:
    """An `Inbox` on an IMAP folder.

    Handled mail is moved to `settings.handled_folder`; where that is empty or the server will not move, it
    stays, flagged as seen, and the mark is what tells it from work. Hand in the mark of the last run as
    `after`. Mails of more than `largest_mail` bytes are given without their body.
    """

    def __init__(self, settings: Imap, largest_mail: int, after: Mark | None = None) -> None:
        self._settings = settings
        self._largest = largest_mail
        self._first_part = min(_FIRST_PART, largest_mail + 1)
        self._bell = Bell()
        self._session: ImapSession | None = None
        self._uidvalidity = after.uidvalidity if after else None
        self._progress = Progress(after.uid if after else 0)
        self._seems_all = False

    @property
    def mark(self) -> Mark | None:
        """Past the last mail that is done with no undone one before it; None before the first `open`."""
        return None if self._uidvalidity is None else Mark(self._uidvalidity, self._progress.done_up_to)

    def open(self) -> None:
        """Connect, log in and open the folder, unless that is done. `Trouble`."""
        if self._session is None:
            self._connect()

    def close(self) -> None:
        """Log out; never raises. The inbox may be opened again."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def fetch(self, limit: int) -> list[Arrival]:
        """The next mails, oldest first, at most `limit`.

        One round trip after a `wait` that gave True, and within a backlog; otherwise two more, to ask for news.
        """
        return self._steadily(lambda session: self._next(session, min(limit, WINDOW)))

    def done(self, arrivals: Sequence[Arrival]) -> None:
        """Mark these as handled, as many as possible with one command."""
        if arrivals:
            self._steadily(lambda session: self._put_away(session, arrivals))

    def rewind(self) -> None:
        """Let `fetch` give once more what was fetched and is not done."""
        self._progress = Progress(self._progress.done_up_to)
        self._seems_all = False

    def wait(self, seconds: float) -> bool:
        """Sleep until mail may have come, `wake` is called, or `seconds` are over; True if mail may have come.

        A lost connection counts as True, for the look that follows finds out; so does any wait without IDLE.
        """
        session = self._session
        if session is None:
            self._bell.wait(seconds)
            return True
        try:
            # What came before IDLE may be announced together with its beginning, where imapclient overlooks it.
            news = _newest(session) > self._progress.read_up_to or session.idle(seconds, self._bell)
        except LOST:
            self._drop()
            return True
        self._seems_all = self._seems_all and not news
        return news

    def wake(self) -> None:
        """End the present `wait`, or the next one, at once. Safe in signal handlers and from other threads."""
        self._bell.ring()

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _steadily(self, work: Callable[[ImapSession], T]) -> T:
        """Do `work`; if the connection turns out to be lost, once more on a new one. Lost again is a trouble."""
        if self._session is not None:
            try:
                return work(self._session)
            except LOST:
                self._drop()
        session = self._connect()
        try:
            return work(session)
        except LOST as error:
            self._drop()
            raise session.trouble(error) from None

    def _connect(self) -> ImapSession:
        """Open the folder and go back to the mark; in another life of the folder, to its very beginning."""
        session = self._session = ImapSession.open(self._settings)
        same_life = session.uidvalidity == self._uidvalidity
        self._uidvalidity = session.uidvalidity
        self._progress = Progress(self._progress.done_up_to if same_life else 0)
        self._seems_all = False
        return session

    def _drop(self) -> None:
        if self._session is not None:
            self._session.drop()
            self._session = None

    def _next(self, session: ImapSession, count: int) -> list[Arrival]:
        if not self._seems_all and (arrivals := self._window(session, count)):
            # Servers show new mail only when asked for news, so behind a short window there is likely no more.
            self._seems_all = len(arrivals) < count
            return arrivals
        newest = _newest(session)
        self._seems_all = newest <= self._progress.read_up_to
        if self._seems_all:
            return []
        return self._window(session, count) or self._behind_gap(session, count, newest)

    def _window(self, session: ImapSession, count: int) -> list[Arrival]:
        found = session.beginnings(self._progress.read_up_to + 1, count, self._first_part)
        arrivals = [self._arrival(session, beginning) for beginning in found]
        self._progress.read(arrival.uid for arrival in arrivals)
        return arrivals

    def _behind_gap(self, session: ImapSession, count: int, newest: int) -> list[Arrival]:
        """Cross UIDs that no mail has any more, in growing strides; what lies behind them, if anything."""
        first, width = self._progress.read_up_to + 1, count
        while first <= newest:
            if found := session.between(first, first + width - 1):
                self._progress.skipped(found[0] - 1)
                return self._window(session, count)
            first += width
            width *= _STRIDE
        return []

    def _arrival(self, session: ImapSession, beginning: Beginning) -> Arrival:
        raw = self._completed(session, beginning)
        headers = b"" if raw is not None else beginning.start.partition(b"\r\n\r\n")[0]
        return Arrival(self._folder_key, beginning.uid, raw, beginning.size, beginning.received_at, headers)

    def _completed(self, session: ImapSession, beginning: Beginning) -> bytes | None:
        """The whole mail, or None if it is too large. A server gave less than was asked when there is no more."""
        if len(beginning.start) < self._first_part:
            return beginning.start
        if beginning.size > self._largest:
            return None
        # One byte more than allowed shows a server that announces less than it has.
        whole = session.whole(beginning.uid, self._largest + 1)
        return whole if len(whole) <= self._largest else None

    def _put_away(self, session: ImapSession, arrivals: Sequence[Arrival]) -> None:
        """Mails of another life of the folder are left alone: their numbers mean other mails now."""
        uids = [arrival.uid for arrival in arrivals if arrival.folder_key == self._folder_key]
        if uids:
            session.put_away(uids)
            self._progress.done(uids)

    @property
    def _folder_key(self) -> str:
        return f"imap:{self._settings.folder}:{self._uidvalidity}"


def _newest(session: ImapSession) -> int:
    session.refresh()
    return session.newest()
