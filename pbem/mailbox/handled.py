"""Handled mail that has lain long enough is taken away, where the keeper wants it so: no mailbox is without end."""

from __future__ import annotations

from contextlib import closing, suppress
from datetime import datetime

from pbem.config import Imap, Maildir, Settings
from pbem.mailbox.checkup import ImapCheckup, handled_files
from pbem.mailbox.imap_session import LOST, ranges_of


def take_away(settings: Settings, before: datetime, most: int) -> int:
    """Take away handled mails that came before the day of `before`, at most so many, for ever; how many there were.

    Only the folder for handled mail is touched, over a connection of its own. `Trouble`.
    """
    if settings.imap is not None:
        return _from_server(settings.imap, before, most)
    return _from_folder(settings.maildir, before, most)


class _Handled(ImapCheckup):
    """A mailbox whose folder for handled mail is thinned out."""

    def thinned(self, before: datetime, most: int) -> int:
        folder = self.handled_folder()
        if folder in ("", self._settings.folder) or not self._client.has_capability("UIDPLUS"):
            return 0  # without UIDPLUS no mail can be taken away alone
        self._client.select_folder(folder)
        old = sorted(self._client.search(["BEFORE", before.date()]))[:most]
        for ranges in ranges_of(old):
            self._client.delete_messages(ranges, silent=True)
            self._client.uid_expunge(ranges)
        return len(old)


def _from_server(settings: Imap, before: datetime, most: int) -> int:
    with closing(_Handled.open(settings)) as mailbox:
        try:
            return mailbox.thinned(before, most)
        except LOST as error:
            raise mailbox.trouble(error) from None


def _from_folder(settings: Maildir, before: datetime, most: int) -> int:
    midnight, count = before.replace(hour=0, minute=0, second=0, microsecond=0), 0
    for file in handled_files(settings):
        with suppress(FileNotFoundError):
            if count < most and file.stat().st_mtime < midnight.timestamp():
                file.unlink()
                count += 1
    return count
