"""The parts of a mail, in time linear in its size and never deeper than a cap.

The standard library reads header blocks and their parameters, with the compat32 policy. The tree is cut here: the
library's feed parser asks every open boundary about every line and recurses, so that a hostile megabyte costs minutes.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from typing import Final

from pbem.letters.headers import MAX_HEAD, base64_bytes, parsed_head

MAX_DEPTH: Final = 8
MAX_PARTS: Final = 100
_MAX_PARAMETERS: Final = 2_000
"""Characters of a Content-Type field; reading its parameters takes time square in them."""


@dataclass(frozen=True, slots=True)
class Part:
    """One node of the tree. A multipart has `parts`, everything else has `data`, still in its transfer encoding."""

    head: Message
    type: str
    data: bytes = b""
    parts: tuple[Part, ...] = ()
    closed: bool = True
    """False for a multipart whose closing boundary is missing."""
    capped: bool = False
    """True for a multipart of which some parts lie beyond the caps."""

    @property
    def charset(self) -> str | None:
        """The declared character set."""
        return self.parameter("charset")

    @property
    def is_kept_apart(self) -> bool:
        """Whether the sender's client said that the part is no text to show but a file to keep."""
        return str(self.head.get("Content-Disposition", "")).strip().lower().startswith("attachment")

    @property
    def is_file(self) -> bool:
        """Whether the part is a file, kept apart or shown: it then has a name."""
        named = self.parameter("name") is not None
        return self.is_kept_apart or named or "filename" in str(self.head.get("Content-Disposition", "")).lower()

    def parameter(self, name: str) -> str | None:
        """A parameter of the content type; None when it is missing or cannot be read."""
        return _parameter(self.head, name)

    def content(self) -> bytes:
        """The data without its transfer encoding."""
        encoding = str(self.head.get("Content-Transfer-Encoding", "")).strip().lower()
        decoder = _DECODERS.get(encoding)
        return decoder(self.data) if decoder else self.data

    def walk(self) -> Iterator[Part]:
        """This part and all below it, in the order of the mail."""
        yield self
        for part in self.parts:
            yield from part.walk()


_DECODERS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "base64": base64_bytes,
    "quoted-printable": quopri.decodestring,
}


@dataclass(slots=True)
class _Budget:
    """How many parts may still be cut."""

    parts: int = MAX_PARTS


def split_head(raw: bytes) -> tuple[bytes, bytes]:
    """Header block and body of a mail with line feeds only; the blank line belongs to neither."""
    if raw.startswith(b"\n"):
        return b"", raw[1:]
    head, _, body = raw.partition(b"\n\n")
    return head, body


def part_tree(raw: bytes) -> Part:
    """The tree of a whole mail whose line ends are line feeds."""
    return _part(raw, 0, _Budget())


def _part(raw: bytes, depth: int, budget: _Budget) -> Part:
    head_bytes, body = split_head(raw)
    head = parsed_head(head_bytes[:MAX_HEAD] + b"\n\n")
    # A line that is no header ends the block: the text began without its blank line.
    if strayed := str(head.get_payload()).strip("\n"):
        body = strayed.encode("utf-8", "surrogateescape") + b"\n\n" + body
    kind = _content_type(head)
    if not kind.startswith("multipart/"):
        return Part(head, kind, body)
    boundary = _parameter(head, "boundary")
    if not boundary:
        return Part(head, kind, closed=False)
    return _multipart(head, kind, _pieces(body, boundary), depth, budget)


def _multipart(head: Message, kind: str, pieces: _Pieces, depth: int, budget: _Budget) -> Part:
    if depth >= MAX_DEPTH:
        return Part(head, kind, closed=pieces.closed, capped=True)
    parts: list[Part] = []
    for piece in pieces.pieces:
        if budget.parts == 0:
            return Part(head, kind, parts=tuple(parts), closed=pieces.closed, capped=True)
        budget.parts -= 1
        parts.append(_part(piece, depth + 1, budget))
    return Part(head, kind, parts=tuple(parts), closed=pieces.closed)


@dataclass(frozen=True, slots=True)
class _Pieces:
    pieces: tuple[bytes, ...]
    closed: bool


def _pieces(body: bytes, boundary: str) -> _Pieces:
    """What stands between the boundary lines; neither preamble nor epilogue."""
    line = re.compile(rb"^--" + re.escape(boundary.encode("utf-8", "surrogateescape")) + rb"(--)?[ \t]*$", re.MULTILINE)
    pieces: list[bytes] = []
    start = -1
    for found in line.finditer(body):
        if start >= 0:
            pieces.append(body[start : max(start, found.start() - 1)])
        if found[1]:
            return _Pieces(tuple(pieces), closed=True)
        start = found.end() + 1
    if start >= 0:
        pieces.append(body[start:])
    return _Pieces(tuple(pieces), closed=False)


def _content_type(head: Message) -> str:
    declared = str(head.get("Content-Type", "text/plain"))[:200].partition(";")[0].strip().lower()
    return declared if declared.count("/") == 1 else "text/plain"


def _parameter(head: Message, name: str) -> str | None:
    declared = str(head.get("Content-Type", ""))
    if len(declared) > _MAX_PARAMETERS:
        return None
    try:
        value = head.get_param(name)
    except (ValueError, LookupError, TypeError):  # the last for charset*=a; charset*0=b, which cannot be sorted
        return None
    text = value[2] if isinstance(value, tuple) else value
    return text.strip() or None if isinstance(text, str) else None
