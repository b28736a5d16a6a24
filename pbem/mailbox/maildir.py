"""Mail in, from a Maildir on this machine, whoever delivers there: procmail behind fetchmail, or a mail server.

Every mail in ``new`` and ``cur`` is work; handled mail is moved to a Maildir++ folder beside them, so there is
no mark to keep. A mail is known by its unique name, which it keeps while others move it and change its flags.
"""

from __future__ import annotations

import os
import re
import secrets
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from pbem.mailbox import Arrival, Mark
from pbem.mailbox.bell import Bell
from pbem.mailbox.folder import Folder
from pbem.mailbox.wire import arrived

_LONGEST_HEADERS: Final = 256 * 1024
"""Bytes that are read of a mail which is too large."""
_GLANCE: Final = 0.5
"""Seconds between two looks into the folder during a wait. An empty one costs some twenty microseconds."""
_BLANK_LINE: Final = re.compile(rb"\r?\n\r?\n")
_NUMBER: Final = re.compile(r"([0-9]+)")
_INFO: Final = ":2,"
"""Between the unique name and the flags."""
_SEEN: Final = "S"


@dataclass(frozen=True, slots=True)
class _Mail:
    """A file that holds a mail, as it was when the folder was listed."""

    path: str
    size: int
    arrived_ns: int

    @classmethod
    def of(cls, entry: os.DirEntry[str]) -> _Mail:
        found = entry.stat(follow_symlinks=False)
        return cls(entry.path, found.st_size, found.st_mtime_ns)

    @property
    def name(self) -> str:
        return _unique(os.path.basename(self.path))

    def age(self) -> tuple[int, list[str | int]]:
        """What sorts mails by arrival. File systems tell times to some milliseconds; then the numbers in names tell."""
        parts = _NUMBER.split(self.name)
        return self.arrived_ns, [int(part) if odd % 2 else part for odd, part in enumerate(parts)]


class MaildirInbox:
    """An `Inbox` on the Maildir at `path`.

    Handled mail is moved to the Maildir++ folder called `handled_folder`, made when it is missing. The arrival
    time of a mail is when its file was last written: so when it was delivered here. Mails of more than
    `largest_mail` bytes are given without their body.
    """

    def __init__(self, path: Path, handled_folder: str, largest_mail: int) -> None:
        self._folder = Folder(path, "path in [maildir]")
        self._handled = Folder(path / f".{handled_folder}", "handled_folder in [maildir]")
        self._largest = largest_mail
        self._bell = Bell()
        # No number outlives this object, so each object is another life of the folder.
        self._folder_key = f"maildir:{path}:{secrets.randbits(31)}"
        self._numbers = count(1)
        self._uids: dict[str, int] = {}
        self._given: dict[int, _Mail] = {}
        self._queue: deque[_Mail] = deque()
        self._unreadable: dict[str, OSError] = {}

    @property
    def mark(self) -> Mark | None:
        """Always None: where a mail lies tells whether it is done."""
        return None

    def open(self) -> None:
        """Look whether the folder is there, and make the one for handled mail. `MailboxTrouble`."""
        self._folder.check()
        try:
            self._handled.make()
        except OSError as error:
            raise self._handled.trouble(error) from None
        self._handled.check()

    def close(self) -> None:
        """Nothing to do."""

    def fetch(self, limit: int) -> list[Arrival]:
        """The next mails, oldest first, at most `limit`. The folder is listed when all that was listed is given.

        A mail that cannot be read is a trouble once everything else is given, and is tried again after that.
        """
        try:
            while mails := self._next(limit):
                if arrivals := [arrival for mail in mails if (arrival := self._arrival(mail))]:
                    return arrivals
        except OSError as error:
            raise self._folder.trouble(error) from None
        self._complain()
        return []

    def done(self, arrivals: Sequence[Arrival]) -> None:
        """Move these to the folder for handled mail; one that somebody took away meanwhile is done as well."""
        uids = {arrival.uid for arrival in arrivals if arrival.folder_key == self._folder_key}
        try:
            self._put_away(uids)
        except OSError as error:
            # What was not moved is work again, as after a lost connection.
            self.rewind()
            raise self._handled.trouble(error) from None

    def rewind(self) -> None:
        """Let `fetch` give once more what was fetched and is not done."""
        self._given.clear()
        self._queue.clear()
        self._unreadable.clear()

    def wait(self, seconds: float) -> bool:
        """Sleep until there is mail, `wake` is called, or `seconds` are over; True if there may be mail.

        A folder that is gone counts as True, for the look that follows finds out.
        """
        while not self._has_news():
            if seconds <= 0 or self._bell.rang(min(seconds, _GLANCE)):
                return False
            seconds -= _GLANCE
        return True

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

    def _next(self, limit: int) -> list[_Mail]:
        if not self._queue:
            self._queue.extend(self._listed())
        return [self._queue.popleft() for _ in range(min(limit, len(self._queue)))]

    def _listed(self) -> list[_Mail]:
        """What is not given yet, oldest first. A mail that is moved to ``cur`` meanwhile may be met twice."""
        found: dict[str, _Mail] = {}
        for entry in self._work():
            # Somebody may take it away between the listing and the look at it.
            with suppress(FileNotFoundError):
                found[_unique(entry.name)] = _Mail.of(entry)
        return sorted(found.values(), key=_Mail.age)

    def _work(self) -> Iterator[os.DirEntry[str]]:
        for entry in self._entries():
            name = _unique(entry.name)
            if self._uids.get(name) not in self._given and name not in self._unreadable:
                yield entry

    def _entries(self) -> Iterator[os.DirEntry[str]]:
        """All mails. First ``new``: mail is moved from there to ``cur``, and never back, so none is overlooked."""
        for place in (self._folder.new, self._folder.cur):
            with os.scandir(place) as entries:
                for entry in entries:
                    if not entry.name.startswith(".") and entry.is_file(follow_symlinks=False):
                        yield entry

    def _has_news(self) -> bool:
        try:
            return any(True for _ in self._work())
        except OSError:
            return True

    def _arrival(self, mail: _Mail) -> Arrival | None:
        """The mail, read; None if it is gone, or lies elsewhere by now, where the next listing finds it."""
        try:
            raw = self._read(mail)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._unreadable[mail.name] = error
            return None
        if mail.name not in self._uids:
            self._uids[mail.name] = next(self._numbers)
        uid = self._uids[mail.name]
        self._given[uid] = mail
        arrived_at = arrived(lambda: datetime.fromtimestamp(mail.arrived_ns // 10**9, UTC))
        if max(mail.size, len(raw)) <= self._largest:
            return Arrival(self._folder_key, uid, raw, len(raw), arrived_at)
        return Arrival(self._folder_key, uid, None, mail.size, arrived_at, _BLANK_LINE.split(raw, 1)[0])

    def _read(self, mail: _Mail) -> bytes:
        """All of a mail, up to one byte more than may be; of one that is too large, its beginning."""
        with open(mail.path, "rb") as file:
            return file.read(self._largest + 1 if mail.size <= self._largest else _LONGEST_HEADERS)

    def _complain(self) -> None:
        """Raise the trouble with a mail that could not be read, if there is one, and let all such be tried again."""
        if self._unreadable:
            _, error = self._unreadable.popitem()
            self._unreadable.clear()
            raise self._folder.trouble(error)

    def _put_away(self, uids: set[int]) -> None:
        self._handled.make()
        strayed = {uid for uid in uids if uid not in self._given or not self._moved(self._given[uid].path)}
        if strayed:
            for entry in self._entries():
                if self._uids.get(_unique(entry.name)) in strayed:
                    self._moved(entry.path)
        for uid in uids:
            if mail := self._given.pop(uid, None):
                del self._uids[mail.name]

    def _moved(self, path: str) -> bool:
        """Move a file to the folder for handled mail, as seen; False if it is not there any more."""
        name, _, flags = os.path.basename(path).partition(_INFO)
        seen = "".join(sorted({*flags, _SEEN}))
        try:
            os.rename(path, self._handled.cur / f"{name}{_INFO}{seen}")
        except FileNotFoundError:
            return False
        return True


def _unique(file_name: str) -> str:
    """The part of a file's name that stays for ever."""
    return file_name.partition(":")[0]
