"""Mails that are told apart by their subject, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.mailbox import Arrival

_SUBJECT = re.compile(rb"^Subject: (.*?)\r?$", re.MULTILINE)


def mail(subject: object, size: int = 0) -> bytes:
    """A mail of at least `size` bytes."""
    lines = b"filling line, seventy characters or so, that makes a mail a large one\r\n" * (size // 70 + 1)
    return b"From: anna@example.org\r\nSubject: %s\r\n\r\n%s" % (str(subject).encode(), lines if size else b"hello\r\n")


def subjects(arrivals: Sequence[Arrival]) -> list[str]:
    """The subject of each, also of one that came without its body."""
    texts = (arrival.headers if arrival.raw is None else arrival.raw for arrival in arrivals)
    return [b"".join(_SUBJECT.findall(text)).decode() for text in texts]


def unix(raw: bytes | None) -> bytes:
    """A mail with the line ends of this machine, as local delivery writes it."""
    assert raw is not None
    return raw.replace(b"\r\n", b"\n")
