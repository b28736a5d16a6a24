"""A Maildir on this machine: where its mails lie, and its troubles in plain words."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pbem.errors import MailboxTrouble
from pbem.mailbox.wire import words

_PRIVATE: Final = 0o700
_EFFECTIVE: Final = os.access in os.supports_effective_ids


@dataclass(frozen=True, slots=True)
class Folder:
    """A Maildir (https://cr.yp.to/proto/maildir.html) and the setting that names it, as ``path in [maildir]``."""

    path: Path
    setting: str

    @property
    def new(self) -> Path:
        """Where mails lie that nobody has looked at."""
        return self.path / "new"

    @property
    def cur(self) -> Path:
        """Where mails lie that somebody has looked at, with flags behind their names."""
        return self.path / "cur"

    @property
    def tmp(self) -> Path:
        """Where a mail is written, before it is moved into `new` in one step."""
        return self.path / "tmp"

    def make(self) -> None:
        """Make what is missing of it, for its owner alone. `OSError`."""
        for place in (self.new, self.cur, self.tmp):
            place.mkdir(_PRIVATE, parents=True, exist_ok=True)

    def check(self) -> None:
        """`MailboxTrouble` unless it is there and mails may be moved into it and out of it."""
        for place in (self.new, self.cur, self.tmp):
            if not place.is_dir():
                raise self.trouble(FileNotFoundError(None, None, place))
            if not os.access(place, os.R_OK | os.W_OK | os.X_OK, effective_ids=_EFFECTIVE):
                raise self.trouble(PermissionError(None, "Permission denied", place))

    def trouble(self, error: OSError) -> MailboxTrouble:
        """What an error on one of its files means to the keeper of the host."""
        file = error.filename or self.path
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            mend = f"Check {self.setting}, or make it: mkdir -p {self.new} {self.cur} {self.tmp}"
            return MailboxTrouble(f"{self.path} is no Maildir: there is no folder {file}", mend)
        if isinstance(error, PermissionError):
            mend = "Give it to the user that pbem runs as, with chown or chmod"
            return MailboxTrouble(f"{file} cannot be used ({words(error)})", mend)
        return MailboxTrouble(f"{file} cannot be used ({words(error)})", f"Check {self.setting} and its disk")
