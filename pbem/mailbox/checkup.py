"""What a keeper wants to know of a mailbox beyond whether it opens: what the server can do, its clock, and whether a
mail that was sent has come.

Nothing of the players' mail is touched: what is taken away again is only what the check itself has laid there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from email import message_from_bytes
from pathlib import Path
from typing import Final, Protocol

from pbem.config import Imap, Maildir
from pbem.mailbox.imap_session import LOST, ImapSession

_NAMES: Final = ("Message-ID", "References")
"""Where a mail has its Message-ID that was sent with it in both: some servers, as that of Outlook.com, give another."""
_LAID: Final = re.compile(rb"APPENDUID \d+ (\d+)")
_ARRIVED: Final = "INTERNALDATE"
_HEADERS: Final = 16 * 1024
"""Bytes of a mail in which its Message-ID is looked for."""


class Checkup(Protocol):
    """A mailbox that a mail may be looked for in."""

    def take(self, message_id: str) -> datetime | None:
        """When the mail arrived that was sent with this Message-ID, also in References, handled meanwhile or not; it is
        taken away. ``None``: not yet."""


class ImapCheckup(ImapSession):
    """An open folder with a few more questions. Every call may raise what `LOST` lists."""

    @property
    def idles(self) -> bool:
        """Whether the server announces new mail by itself."""
        return self._idles

    @property
    def moves(self) -> bool:
        """Whether handled mail is moved, as the settings want it and the server can."""
        return self._movable

    def handled_folder(self) -> str:
        """What the server calls the folder for handled mail; empty while there is none."""
        if not self._handled:
            return ""
        return next((name for name in self._handled_names() if self._client.folder_exists(name)), "")

    def lying(self, folder: str) -> int:
        """How many mails lie in `folder`."""
        return int(self._client.folder_status(folder, ["MESSAGES"])[b"MESSAGES"])

    def share_used(self) -> float | None:
        """How full the mailbox is, 1.0 being full, by what is nearest to its limit; ``None`` if the server does not
        say."""
        if not self._client.has_capability("QUOTA"):
            return None
        quotas = self._client.get_quota_root("INBOX")[1]
        return max((int(each.usage) / int(each.limit) for each in quotas if int(each.limit)), default=None)

    def clock(self, letter: bytes) -> datetime | None:
        """What time it is for the server: the arrival time of `letter`, laid into the folder for handled mail and taken
        away again. ``None`` where there is no such folder, or the server cannot take away one mail alone."""
        folder = self.handled_folder()
        if not folder or not self._client.has_capability("UIDPLUS"):
            return None
        laid = _LAID.search(self._client.append(folder, letter))
        return self._taken(folder, int(laid[1])) if laid else None

    def take(self, message_id: str) -> datetime | None:
        """As `Checkup` has it. A server that cannot take away one mail alone keeps it; the host passes over it."""
        for folder in filter(None, (self._settings.folder, self.handled_folder())):
            self._client.select_folder(folder)
            headers = [["HEADER", name, message_id] for name in _NAMES]
            if uids := self._client.search(["OR", *headers[0], *headers[1]]):
                return self._taken(folder, uids[-1])
        return None

    def _taken(self, folder: str, uid: int) -> datetime | None:
        self._client.select_folder(folder)
        arrived = self._client.fetch([uid], [_ARRIVED]).get(uid, {}).get(_ARRIVED.encode())
        if self._client.has_capability("UIDPLUS"):
            self._client.delete_messages([uid], silent=True)
            self._client.uid_expunge([uid])
        return arrived.astimezone(UTC) if arrived else None


class MaildirCheckup:
    """The Maildir of the settings, and the folder for handled mail in it."""

    def __init__(self, settings: Maildir) -> None:
        assert settings.path is not None
        self._homes = (settings.path, _handled(settings))

    def take(self, message_id: str) -> datetime | None:
        """As `Checkup` has it."""
        for file in _files(*self._homes):
            with suppress(FileNotFoundError):
                if message_id in _ids_of(file):
                    arrived = datetime.fromtimestamp(file.stat().st_mtime, UTC)
                    file.unlink()
                    return arrived
        return None


def handled_files(settings: Maildir) -> Iterator[Path]:
    """Each mail in the folder for handled mail."""
    return _files(_handled(settings))


def _handled(settings: Maildir) -> Path:
    assert settings.path is not None
    return settings.path / f".{settings.handled_folder}"


def _files(*homes: Path) -> Iterator[Path]:
    for home in homes:
        for place in ("new", "cur"):
            with suppress(FileNotFoundError), os.scandir(home / place) as entries:
                yield from (Path(entry.path) for entry in entries if entry.is_file(follow_symlinks=False))


def _ids_of(file: Path) -> set[str]:
    with file.open("rb") as opened:
        mail = message_from_bytes(opened.read(_HEADERS))
    return {str(mail.get(name, "")).strip() for name in _NAMES}


def imap_checkup(settings: Imap) -> closing[ImapCheckup]:
    """The folder of [imap], open while the context lasts. `Trouble` says what keeps it from being opened."""
    return closing(ImapCheckup.open(settings))


__all__ = ["LOST", "Checkup", "ImapCheckup", "MaildirCheckup", "handled_files", "imap_checkup"]
