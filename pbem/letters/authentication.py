"""What the host's own mail server says of a sender: Authentication-Results (RFC 8601), read tolerantly.

Anybody can write such a header. Ours is the topmost of those that name our own server, since a server puts its
header above what came with the mail. A fail keeps a mail from counting. A pass grants one thing alone: to be
asked, where the address wants no mail, whether it wants mail again.
"""

from __future__ import annotations

import re
from email.message import Message
from enum import StrEnum
from typing import Final

from pbem.letters.headers import MAX_HEAD, fields, parsed_head, without_comments
from pbem.letters.mime import split_head


class Verdict(StrEnum):
    """Whether the address in From is the writer's, as far as our server could tell."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"
    """No header of our server, or none that decides; it never means pass."""


_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_RESULT: Final = re.compile(r"\s*(spf|dkim|dmarc)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)", re.IGNORECASE)
Results = dict[str, frozenset[str]]


def sender_verdict(raw: bytes, authserv_id: str) -> Verdict:
    """The verdict on the sender of a mail, by the server that calls itself `authserv_id`; without one, unknown."""
    if not authserv_id:
        return Verdict.UNKNOWN
    head, _ = split_head(raw.replace(b"\r\n", b"\n"))
    return verdict_in(parsed_head(head[:MAX_HEAD] + b"\n\n"), authserv_id)


def verdict_in(head: Message, authserv_id: str) -> Verdict:
    """The same, from a header block."""
    for value in fields(head, "Authentication-Results"):
        server, results = parts(value)
        if server == authserv_id.lower():
            return _verdict(_results(results))
    return Verdict.UNKNOWN


def _verdict(results: Results) -> Verdict:
    """DMARC decides, where it does; else only that everything failed says something of From."""
    dmarc = results.get("dmarc", frozenset())
    if "pass" in dmarc:
        return Verdict.PASS
    if "fail" in dmarc or all(_failed(results.get(method, frozenset())) for method in ("spf", "dkim")):
        return Verdict.FAIL
    return Verdict.UNKNOWN


def _failed(outcomes: frozenset[str]) -> bool:
    """One good signature among broken ones is enough."""
    return "fail" in outcomes and "pass" not in outcomes


def parts(value: str) -> tuple[str, list[str]]:
    """The server that wrote a header, lower case, and its results one by one, without comments and text in quotes."""
    server, _, rest = without_comments(value).partition(";")
    return _server(server), _QUOTED.sub("", rest).split(";")


def _results(listed: list[str]) -> Results:
    """The outcomes of each method that a header lists."""
    results: Results = {}
    for part in listed:
        if found := _RESULT.match(part):
            method, outcome = found[1].lower(), found[2].lower()
            results[method] = results.get(method, frozenset()) | {outcome}
    return results


def _server(text: str) -> str:
    """The name of a server, which a version may follow."""
    quoted = _QUOTED.match(text.strip())
    words = text.split()
    return (quoted[1] if quoted else words[0] if words else "").lower()
