"""Troubles of the host itself: what went wrong and how to mend it, one line each.

They are for whoever runs the host, never for a player. `str` gives both lines as one, without secrets, so
that a command line can print it as it is and leave with an exit code.
"""

from __future__ import annotations

from typing import Final

_ENDS: Final = (".", "?", "!")


class Trouble(Exception):
    """Something that the keeper of the host has to mend. No traceback is needed to understand it.

    `what` and `mend` are one line each, without a full stop at the end of `what`.
    """

    def __init__(self, what: str, mend: str) -> None:
        self.what = _line(what)
        self.mend = _line(mend)
        super().__init__(self.what, self.mend)

    def __str__(self) -> str:
        return f"{self.what}{'' if self.what.endswith(_ENDS) else '.'} {self.mend}"


class ConfigurationTrouble(Trouble):
    """A setting is missing, misspelt or impossible, or an optional part is not installed."""


class Unreachable(Trouble):
    """A server does not answer, or stopped answering. It may be back later."""


class LoginRefused(Trouble):
    """A server answered and does not accept the user or the password."""


class TokenTrouble(LoginRefused):
    """There is no access token to log in with, so that no server was asked."""


class TlsTrouble(Trouble):
    """A connection could not be made private: unknown authority, wrong name, no TLS at all."""


class MailboxTrouble(Trouble):
    """The login worked, but the folder cannot be read."""


class DatabaseTrouble(Trouble):
    """The database cannot be read or written: its disk is full, somebody else holds it, its server is away."""


def _line(text: str) -> str:
    """The text on one line: what servers say may be folded."""
    return " ".join(text.split())
