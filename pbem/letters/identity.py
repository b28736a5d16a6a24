"""What a letter carries to say which seat and which decision it is about. Whether it may is for others to judge."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from pbem.names import TOKEN, canonical

_GAME: Final = re.compile(rf"\[([^\W_][\w-]{{0,39}})(?: +({TOKEN}))?\]", re.IGNORECASE)
# A table's name ends in its number; mail gateways and lists, and our own mails about no table, set other words there.
_NUMBERED: Final = re.compile(r".*-\d+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class HostAddress:
    """The address a host plays from, as `inn@example.org`, and what parts a token from it."""

    local: str
    domain: str
    separator: str = "+"

    @classmethod
    def of(cls, address: str, separator: str = "+") -> Self:
        """The host address in canonical form."""
        local, _, domain = canonical(address).rpartition("@")
        return cls(local, domain, separator)

    def owns(self, address: str) -> bool:
        """Whether mail to `address` comes to this host: its address, with or without something after the separator."""
        local, _, domain = canonical(address).rpartition("@")
        return domain == self.domain and (local == self.local or local.startswith(self.local + self.separator))

    def token_in(self, address: str) -> str | None:
        """The token in a reply address of this host, in lower case; None when there is none."""
        if not self.owns(address):
            return None
        extension = canonical(address).rpartition("@")[0][len(self.local) + len(self.separator) :]
        return extension if re.fullmatch(TOKEN, extension) else None


@dataclass(frozen=True, slots=True)
class Carriers:
    """Signs of what a letter answers. They may disagree; the older decision then counts, and two seats are refused."""

    tokens: tuple[str, ...] = ()
    """Every different token, in the order of the recipients, lower case."""
    references: tuple[str, ...] = ()
    """Message-IDs that the letter answers, the newest first."""
    subject_games: tuple[str, ...] = ()
    """Names of tables in brackets in the subject, lower case; gateways' tags are none."""

    @property
    def token(self) -> str | None:
        """The only token; None when there is none, or when several disagree."""
        return self.tokens[0] if len(self.tokens) == 1 else None

    @property
    def subject_game(self) -> str | None:
        """The first name in brackets."""
        return self.subject_games[0] if self.subject_games else None


def carriers(
    recipients: Iterable[str],
    subject: str,
    references: tuple[str, ...],
    host: HostAddress,
    *,
    subject_tokens: bool = False,
) -> Carriers:
    """The carriers in a letter's headers.

    `subject_tokens` is for providers without plus addresses: then, and only then, `[inn-7 k7q2...]` carries a token.
    """
    names = [(found[1].lower(), (found[2] or "").lower()) for found in _GAME.finditer(subject[:1_000])]
    tokens = [host.token_in(address) for address in recipients]
    if subject_tokens:
        tokens += [token or None for _, token in names]
    games = (name for name, _ in names if _NUMBERED.fullmatch(name))
    return Carriers(tuple(dict.fromkeys(filter(None, tokens))), references, tuple(dict.fromkeys(games)))


_SHOWN_TOKEN: Final = re.compile(rf"(?<=[+ ]){TOKEN}(?=[@\]])", re.IGNORECASE)


def without_tokens(text: str) -> str:
    """The text with reply tokens blotted out, for whatever is shown, logged or kept."""
    return _SHOWN_TOKEN.sub("...", text)
