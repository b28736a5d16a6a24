"""Mail out, into a Maildir on this machine, from where another program sends it.

A parcel becomes one file in ``new``: two header lines that say what an SMTP server would be told, ``Return-Path``
and ``X-Original-To``, and then the mail, with the line ends of this machine. docs/mailboxes.md shows such a program.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from pbem.mailbox import Outcome, Parcel, Receipt
from pbem.mailbox.folder import Folder
from pbem.mailbox.wire import is_address

_MESSAGE_ID: Final = re.compile(rb"^message-id:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
_LINE_END: Final = re.compile(rb"\r\n?|\n")
_NAME_LENGTH: Final = 32
_TAKEN: Final = ("", ":2,", ":2,S")
"""What may stand behind the name of a mail in ``cur`` that somebody has sent."""


class FolderSender:
    """A `Sender` into the Maildir at `path`, which another program empties.

    A mail counts as accepted once its file is safe on the disk. The name of the file comes from the Message-ID and
    the recipient, so that a mail which is sent again is no second file as long as the first one is in the folder.
    """

    def __init__(self, path: Path) -> None:
        self._folder = Folder(path, "folder in [outbox]")

    def check(self) -> None:
        """Look whether the folder is there and can be written, so that a wrong setting shows. `MailboxTrouble`."""
        self._folder.check()

    def send(self, parcels: Iterable[Parcel]) -> Iterator[Receipt]:
        """Lay each parcel into the folder, in order. `MailboxTrouble` when that cannot be: a full disk, no such folder.

        Who does not exist nobody knows here; only what is no address at all is refused.
        """
        for parcel in parcels:
            yield self._receipt(parcel)

    def _receipt(self, parcel: Parcel) -> Receipt:
        if not is_address(parcel.envelope_to):
            return Receipt(parcel, Outcome.BAD_ADDRESS, 0, "not an address")
        name = _name(parcel)
        try:
            if not self._holds(name):
                self._write(name, _contents(parcel))
        except OSError as error:
            raise self._folder.trouble(error) from None
        return Receipt(parcel, Outcome.ACCEPTED, 0, "")

    def _holds(self, name: str) -> bool:
        sent = (self._folder.cur / f"{name}{info}" for info in _TAKEN)
        return any(path.exists() for path in (self._folder.new / name, *sent))

    def _write(self, name: str, contents: bytes) -> None:
        """Whole and on the disk, or not at all. Two processes that write the same mail leave it there once."""
        begun = self._folder.tmp / f"{name}.{os.getpid()}"
        try:
            with open(os.open(begun, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(contents)
                file.flush()
                os.fsync(file.fileno())
            os.rename(begun, self._folder.new / name)
        except OSError:
            with suppress(OSError):
                begun.unlink()
            raise
        _to_disk(self._folder.new)


def _name(parcel: Parcel) -> str:
    head = parcel.raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    found = _MESSAGE_ID.search(head)
    identity = found[1] if found else parcel.raw
    return hashlib.sha256(identity + b"\n" + parcel.envelope_to.encode()).hexdigest()[:_NAME_LENGTH]


def _contents(parcel: Parcel) -> bytes:
    envelope = f"Return-Path: <{parcel.envelope_from}>\nX-Original-To: {parcel.envelope_to}\n"
    return envelope.encode() + _LINE_END.sub(b"\n", parcel.raw)


def _to_disk(folder: Path) -> None:
    """A new name is safe only when its folder is written as well."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
