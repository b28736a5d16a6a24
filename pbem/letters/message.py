"""From a mail's bytes to the one text in it that is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pbem.letters.armour import without_armour
from pbem.letters.body import MAX_LINE, MAX_TEXT, Body, Cap, Kind, Line, capped
from pbem.letters.charsets import decoded
from pbem.letters.flowed import unflowed
from pbem.letters.html import MAX_HTML, html_lines
from pbem.letters.mime import Part, part_tree
from pbem.letters.normalise import line_ends
from pbem.letters.smime import signed_content

_MAX_BYTES: Final = 4 * MAX_HTML
"""Bytes of one part that are decoded: no character of any encoding in use is longer than four."""
_PKCS7: Final = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_TEXTS: Final = frozenset({"text/plain", "text/html", "text/enriched"})
_LOOKS_LIKE_HTML: Final = re.compile(r"\s*<(?:!doctype html|html|head|body|div|p|table|meta)\b[^<>]*>", re.IGNORECASE)
_NO_HTML_NOTE: Final = re.compile(r"\bhtml\b", re.IGNORECASE)


class Problem(StrEnum):
    """Why a letter as a whole says nothing. Nothing of such a letter is done."""

    EMPTY = "empty"
    """Neither text nor anything attached."""
    ONLY_ATTACHMENT = "only-attachment"
    """A calendar invitation, winmail.dat, a picture: things, but no text."""
    ENCRYPTED = "encrypted"
    INCOMPLETE = "incomplete"
    """The closing boundary is missing: the end of the mail was lost on the way."""
    TOO_LARGE = "too-large"
    """Only its headers were fetched."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a mail holds: its text, or the problem it has instead."""

    body: Body
    problem: Problem | None = None


def content(raw: bytes) -> Content:
    """The text of a whole mail with line feeds only."""
    root = _opened(part_tree(raw))
    caps = _tree_caps(root)
    if not root.closed:
        return Content(Body(caps=caps), Problem.INCOMPLETE)
    body = _body(root, caps)
    return Content(body, None if body.text.strip() else _what_instead(root))


def forms(raw: bytes) -> Iterator[Body]:
    """Every form in which a mail with line feeds only shows itself: its plain text, and its HTML as text."""
    for part in part_tree(raw).walk():
        if part.type == "text/plain":
            yield Body(tuple(map(Line, _plain_lines(part))), Kind.PLAIN)
        elif part.type == "text/html":
            yield _html_body(_text(part), ())


def _opened(root: Part) -> Part:
    """The mail inside an opaque S/MIME signature, or the mail as it is."""
    if root.type in _PKCS7 and (inner := signed_content(root.content())) is not None:
        return part_tree(inner.replace(b"\r\n", b"\n"))
    return root


def _tree_caps(root: Part) -> tuple[Cap, ...]:
    capped_parts = [part for part in root.walk() if part.capped]
    return tuple({Cap.PARTS if part.parts else Cap.DEPTH: None for part in capped_parts})


def _what_instead(root: Part) -> Problem:
    leaves = [part for part in root.walk() if not part.parts]
    if any(part.type in _PKCS7 or part.type == "application/pgp-encrypted" for part in leaves):
        return Problem.ENCRYPTED
    things = (part for part in leaves if part.data.strip() and not part.type.startswith("multipart/"))
    return Problem.ONLY_ATTACHMENT if any(_is_thing(part) for part in things) else Problem.EMPTY


def _is_thing(part: Part) -> bool:
    return part.is_file or not part.type.startswith("text/") or part.type == "text/calendar"


def _body(root: Part, caps: tuple[Cap, ...]) -> Body:
    """Plain text when there is some; else HTML. Never both: they may differ, and then an order would run twice."""
    texts = list(_inline_texts(root)) if root.parts else _lone_text(root)
    html = next((part for part in texts if part.type == "text/html"), None)
    lines = [line for part in texts if part.type != "text/html" for line in _plain_lines(part)]
    start = "\n".join(lines[:4])
    if html is not None and _is_stand_in(lines):
        return _html_body(_text(html), caps)
    if _LOOKS_LIKE_HTML.match(start):
        return _html_body("\n".join(lines), caps)
    kept, reached = capped(without_armour(map(Line, lines)), caps)
    return Body(kept, Kind.PLAIN if kept else Kind.NONE, reached)


def _lone_text(root: Part) -> list[Part]:
    # The only part of a mail is its text, also when a client gave it a file name.
    return [root] if root.type in _TEXTS and not root.is_kept_apart else []


def _inline_texts(part: Part) -> Iterator[Part]:
    """Text parts that a client shows as the mail's text. Forwarded mails and files are none of them.

    Of alternatives the first plain text counts and no other; beside each other (Apple Mail puts a picture between
    two texts) all of them do.
    """
    if part.type == "multipart/alternative":
        texts = [text for below in part.parts for text in _inline_texts(below)]
        plain = [text for text in texts if text.type != "text/html" and _text(text).strip()]
        yield from plain[:1]
        yield from (text for text in texts if text.type == "text/html")
    elif part.type == "multipart/signed":
        for below in part.parts[:1]:
            yield from _inline_texts(below)
    elif part.parts:
        for below in part.parts:
            yield from _inline_texts(below)
    elif part.type in _TEXTS and not part.is_file:
        yield part


def _text(part: Part) -> str:
    return line_ends(decoded(part.content()[:_MAX_BYTES], part.charset))


def _plain_lines(part: Part) -> list[str]:
    """The lines of a plain part as typed; one more than the cap allows, so that the cap is noticed."""
    lines = _text(part)[: MAX_TEXT + 2].split("\n")
    if (part.parameter("format") or "").lower() == "flowed":
        return unflowed(lines, delsp=(part.parameter("delsp") or "").lower() == "yes")
    return lines


def _is_stand_in(lines: list[str]) -> bool:
    """Whether a plain part is empty, or only says that one should look at the HTML."""
    filled = [line for line in lines if line.strip()]
    return not filled or (len(filled) <= 3 and any(_NO_HTML_NOTE.search(line[:MAX_LINE]) for line in filled))


def _html_body(html: str, caps: tuple[Cap, ...]) -> Body:
    reached = (*caps, Cap.HTML) if len(html) > MAX_HTML else caps
    lines, all_caps = capped(html_lines(html), reached)
    return Body(lines, Kind.HTML, all_caps)
