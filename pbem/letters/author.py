"""Who wrote a mail, by its From fields (RFC 5322): one address, or nobody.

Programs disagree about fields that are put together wrongly, and somebody may count on that: a server that checks one
address while another one is read. So a field that can be taken in two ways names nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from itertools import groupby
from typing import Final

from pbem.letters.headers import ADDRESS, comments, decoded_words, unfolded, without_comments
from pbem.names import canonical

MAX_AUTHOR: Final = 2_000
"""Characters of a From field; no longer one is read."""

_TOKEN: Final = re.compile(
    r"""(?P<angle><(?:"[^"]*"|[^<>"])*>)
      | (?P<address>"(?:[^"\\]|\\.)*"@[^\s<>,;:"]+)
      | (?P<name>"(?:[^"\\]|\\.)*")
      | (?P<end>[,;:])
      | (?P<word>[^\s<>,;:"]+)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An address as its owner writes it, and the name that stands beside it."""

    address: str = ""
    name: str = ""


NOBODY: Final = Mailbox()


def sender(message: Message) -> Mailbox:
    """The one mailbox that the From fields name; `NOBODY` when there is none, or more than one.

    Encoded words are read only after the address was found: they could hold another one.
    """
    values = unfolded(message, "From")
    if any(len(value) > MAX_AUTHOR for value in values):
        return NOBODY
    found = [address for value in values for address in _addresses(without_comments(value))]
    if not found or len({canonical(address) for address in found}) > 1 or not ADDRESS.fullmatch(found[0]):
        return NOBODY
    return Mailbox(found[0], _name(values[0], found[0]))


def _addresses(value: str) -> Iterator[str]:
    """Everything in a field without comments that stands where an address does, be it one or not."""
    tokens = [(token.lastgroup or "", token[0]) for token in _TOKEN.finditer(value)]
    for ends, mailbox in groupby(tokens, key=lambda token: token[0] == "end"):
        if not ends:
            yield from _of_mailbox(list(mailbox))


def _of_mailbox(tokens: list[tuple[str, str]]) -> Iterator[str]:
    """The address in angles. Names in front of it may look like addresses; behind it nothing may."""
    first = next((index for index, (kind, _) in enumerate(tokens) if kind == "angle"), 0)
    for kind, text in tokens[first:]:
        if kind == "angle":
            yield text[1:-1].strip()
        elif kind == "address" or (kind == "word" and "@" in text):
            yield text


def _name(value: str, address: str) -> str:
    """What stands in front of the address in angles, else a comment."""
    before = value.rpartition(address)[0].rstrip()
    name = before[:-1] if before.endswith("<") else next(iter(comments(value)), "")
    return decoded_words(name).strip(' "')
