"""Logging in with an access token in place of a password, as large providers ask for it: what is sent, and to whom.

The token comes from a command and is asked for anew for each connection, since it is good for an hour or so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pbem.config import Connection, Login
from pbem.mailbox.wire import Server
from pbem.passwords import token_from_command

Exchange = Callable[[bytes], str]
"""Gives what is said to a challenge of the server; the first one is empty."""


def exchange(settings: Connection, server: Server) -> tuple[str, Exchange]:
    """The name of the mechanism and what to say in it. `TokenTrouble` if the command gives none.

    A server that refuses a token says why in a challenge, and waits for one more word before it says no.
    """
    token = token_from_command(f"[{server.section}] token_command", settings.token_command, settings.home)
    first, last = _WORDS[settings.login]
    opening = first(settings, token)
    said: list[bytes] = []

    def respond(challenge: bytes) -> str:
        said.append(challenge)
        return opening if len(said) == 1 else last

    return settings.login.value.upper(), respond


def _xoauth2(settings: Connection, token: str) -> str:
    return f"user={settings.user}\1auth=Bearer {token}\1\1"


def _oauthbearer(settings: Connection, token: str) -> str:
    """RFC 7628, with the name written as RFC 5801 has it."""
    name = settings.user.replace("=", "=3D").replace(",", "=2C")
    return f"n,a={name},\1host={settings.host}\1port={settings.port}\1auth=Bearer {token}\1\1"


_WORDS: Final[Mapping[Login, tuple[Callable[[Connection, str], str], str]]] = {
    Login.XOAUTH2: (_xoauth2, ""),
    Login.OAUTHBEARER: (_oauthbearer, "\1"),
}
"""For each kind of login what is said first, and what to a refusal."""
