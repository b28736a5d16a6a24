"""Mail without any server: a Maildir for each user, and a program that carries what lies in an outbox folder.

Written with the standard library's `mailbox`, so that it shares no code with what it tests. What arrives has the
line ends of this machine, as local delivery writes it.
"""

from __future__ import annotations

import mailbox
import os
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from pbem.mailbox import Parcel, Receipt
from pbem.mailbox.maildir import MaildirInbox
from pbem.mailbox.outfolder import FolderSender

HANDLED = "Handled"
LARGEST = 1_000_000


class MaildirPost:
    """Maildirs in `folder`, made when a user is added, and one outbox folder for all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.outbox = folder / "outbox"
        mailbox.Maildir(self.outbox, create=True)
        self.undeliverable: list[Parcel] = []
        """What was sent to nobody; a mail program would send it back."""

    def add_user(self, address: str, _password: str) -> None:
        """One more Maildir. Whoever may read the folder needs no password."""
        mailbox.Maildir(self.path(address), create=True)

    def deliver(self, address: str, raw: bytes, at: datetime | None = None) -> None:
        """Lay a mail into somebody's Maildir, now or `at` another time. `KeyError` if nobody has that address."""
        path = self.path(address)
        if not path.exists():
            raise KeyError(address)
        key = mailbox.Maildir(path).add(raw.replace(b"\r\n", b"\n"))
        if at is not None:
            os.utime(path / "new" / key, (at.timestamp(), at.timestamp()))

    def inbox(self, address: str, largest_mail: int = LARGEST) -> MaildirInbox:
        """This user's Maildir."""
        return MaildirInbox(self.path(address), HANDLED, largest_mail)

    def sender(self, _address: str) -> CarriedSender:
        """Sends through the outbox folder, which is emptied at once."""
        return CarriedSender(FolderSender(self.outbox), self)

    def handled(self, address: str) -> list[bytes]:
        """What lies in the folder for handled mail, if there is one yet."""
        user = mailbox.Maildir(self.path(address))
        folder = user.get_folder(HANDLED) if HANDLED in user.list_folders() else mailbox.Maildir(self._folder / "none")
        return [folder.get_bytes(key) for key in folder.iterkeys()]

    def path(self, address: str) -> Path:
        """Where mail to this address, or to a plus address of it, lies."""
        local, _, domain = address.casefold().rpartition("@")
        return self._folder / f"{local.partition('+')[0]}@{domain}"

    def carry(self) -> None:
        """Deliver what lies in the outbox, and note that it was sent, as mail programs do: by moving it to ``cur``."""
        for path in sorted((self.outbox / "new").iterdir(), key=lambda path: path.stat().st_mtime_ns):
            self._deliver(_taken_apart(path.read_bytes()))
            path.rename(self.outbox / "cur" / f"{path.name}:2,S")

    def _deliver(self, parcel: Parcel) -> None:
        try:
            self.deliver(parcel.envelope_to, parcel.raw)
        except KeyError:
            self.undeliverable.append(parcel)


class CarriedSender:
    """A sender into a folder that is emptied before each receipt, so that tests need not wait."""

    def __init__(self, sender: FolderSender, post: MaildirPost) -> None:
        self._sender = sender
        self._post = post

    def send(self, parcels: Iterable[Parcel]) -> Iterator[Receipt]:
        """As `FolderSender.send`."""
        for receipt in self._sender.send(parcels):
            self._post.carry()
            yield receipt


def _taken_apart(contents: bytes) -> Parcel:
    """The envelope in the first two lines of a file, and the mail behind them."""
    sender, recipient, raw = contents.split(b"\n", 2)
    envelope_from = sender.removeprefix(b"Return-Path: <").removesuffix(b">").decode()
    return Parcel(envelope_from, recipient.removeprefix(b"X-Original-To: ").decode(), raw)
