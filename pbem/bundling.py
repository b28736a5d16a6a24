"""Several mails to one person made into one: what each says, without what stands in all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email import message_from_bytes, policy
from typing import Final

_MARK_LINE: Final = re.compile(r"^=+ .* =+ pbem-.*$\n?", re.MULTILINE)
_MARK_PARAGRAPH: Final = re.compile(r"<p [^>]*>\s*=+ [^<]* =+ pbem-[^<]*</p>", re.DOTALL)
_BODY: Final = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)
_PREHEADER: Final = re.compile(r'<div style="display:none[^>]*>[^<]*</div>')
_PICTURE: Final = re.compile(r"<img [^>]*>")
"""Many of them would make a mail too large for some programs to show it whole, and all else says the same."""
_ID: Final = re.compile(r"<[^<>\s]+>")


@dataclass(frozen=True, slots=True)
class Part:
    """One of the mails."""

    table: str
    subject: str
    text: str
    html: str
    """The inside of its body."""
    answers: tuple[str, ...]
    """Message-IDs of the mails that it answers."""


def parts(mails: Iterable[tuple[str, str, bytes]]) -> tuple[Part, ...]:
    """The parts of `mails` (table, subject and bytes of each) by table; of one that brings a file there is none."""
    found = (_part(table, subject, raw) for table, subject, raw in mails)
    return tuple(part for part in found if part is not None)


def _part(table: str, subject: str, raw: bytes) -> Part | None:
    message = message_from_bytes(raw, policy=policy.default)
    if message.get_content_type() == "multipart/mixed":
        return None
    bodies: Mapping[str, str] = {
        kind: body.get_content() if (body := message.get_body((kind,))) else "" for kind in ("plain", "html")
    }
    inner = _BODY.search(bodies["html"])
    return Part(
        table=table,
        subject=subject,
        text=_MARK_LINE.sub("", bodies["plain"]).strip("\n"),
        html=_without(inner[1], _PREHEADER, _MARK_PARAGRAPH, _PICTURE) if inner else "",
        answers=tuple(_ID.findall(str(message.get("References", "")))),
    )


def _without(html: str, *pieces: re.Pattern[str]) -> str:
    """`html` without what a digest says once, or not at all; its title is no longer the first."""
    for piece in pieces:
        html = piece.sub("", html)
    return html.replace("<h1 ", "<h2 ").replace("</h1>", "</h2>")
