"""Whether our own mail server found that the domain in From has signed a mail: the only verdict that grants anything.

Only the topmost Authentication-Results counts, and only if it is ours: what stands below may have come with the mail.
Whatever is not plainly a pass is none: no header, another server's, two addresses in From, a signature of somebody
else's domain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from typing import Final

from pbem.letters.authentication import parts
from pbem.letters.author import sender
from pbem.letters.headers import MAX_HEAD, addresses, fields, parsed_head
from pbem.letters.mime import split_head
from pbem.names import canonical

_PASS: Final = re.compile(r"\s*(dkim|dmarc)\s*(?:/\s*\d+\s*)?=\s*pass(?![\w-])", re.IGNORECASE)
_DOMAINS: Final = {
    "dkim": re.compile(r"\bheader\.(?:d|i)\s*=\s*(?:[^\s@;]*@)?([\w.-]+)", re.IGNORECASE),
    "dmarc": re.compile(r"\bheader\.from\s*=\s*(?:[^\s@;]*@)?([\w.-]+)", re.IGNORECASE),
}
"""What each method names: the domain that signed, and the domain in From that was judged."""


def is_signed(raw: bytes, authserv_id: str) -> bool:
    """Whether the server that calls itself `authserv_id` says that the domain in From signed this mail."""
    if not authserv_id:
        return False
    head, _ = split_head(raw.replace(b"\r\n", b"\n"))
    return is_signed_head(parsed_head(head[:MAX_HEAD] + b"\n\n"), authserv_id)


def is_signed_head(head: Message, authserv_id: str) -> bool:
    """The same, from a header block."""
    domain = canonical(sender(head).address).rpartition("@")[2]
    if not domain or len(fields(head, "From")) != 1 or len(addresses(head, "From")) != 1:
        return False
    topmost = next(iter(fields(head, "Authentication-Results")), "")
    server, results = parts(topmost)
    if server != authserv_id.lower():
        return False
    return any(_is_aligned(method, named, domain) for method, named in _passed(results))


def _passed(results: list[str]) -> Iterator[tuple[str, str]]:
    """Each method that passed, with a domain that it names."""
    for result in results:
        if found := _PASS.match(result):
            method = found[1].lower()
            yield from ((method, name.lower().strip(".")) for name in _DOMAINS[method].findall(result))


def _is_aligned(method: str, named: str, domain: str) -> bool:
    """Whether what passed speaks for `domain`: the same name, or, of a signature, one above it.

    A domain below does not, since `user.host.example` may be anybody's.
    """
    return named == domain or (method == "dkim" and "." in named and domain.endswith(f".{named}"))
