"""A mail as a mail program shows it: its headers, text, HTML and source; and an answer to it."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from enum import StrEnum
from functools import cached_property
from typing import Final

from pbem import compose
from pbem.explain import readable
from pbem.lines import Kind

_REMARK: Final = re.compile(r"\s+\([^()]*\)$")
_COLUMNS: Final = re.compile(r"\S {2,}\S")
"""In rows of a table, which may begin as orders do."""
_STOP: Final = "。"
"""At the end of a sentence in Chinese; no order has it."""
_CID: Final = re.compile(r"cid:([^\s\"'<>)]+)")
_PNG: Final = "image/png"
_TABLE: Final = re.compile(r"\[([a-z][\w-]*-\d+(?:-trial-\d+)?)\]")


class Quoting(StrEnum):
    """What an answer does with the mail that it answers."""

    BELOW = "below"
    """The own text stands on top, as most mail programs have it."""
    ABOVE = "above"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Mail:
    """One mail of somebody's. It has no slots, so that it is taken apart once."""

    number: int
    """From 1, in the order of his mailbox."""
    raw: bytes
    sent: bool
    """He wrote it himself."""

    @cached_property
    def message(self) -> EmailMessage:
        return message_from_bytes(self.raw, policy=policy.default)

    @property
    def subject(self) -> str:
        return " ".join(str(self.message["Subject"] or "").split())

    @property
    def id(self) -> str:
        return str(self.message["Message-ID"] or "")

    @property
    def mark(self) -> str:
        """By which the host knows one of its mails again."""
        return compose.mark(self.id)

    @property
    def table(self) -> str:
        """The name of the table that the subject tells of; nothing if it tells of none."""
        found = _TABLE.search(self.subject)
        return found[1] if found else ""

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """Those that a mail program shows."""
        shown = ("From", "To", "Reply-To", "Date", "Subject")
        return tuple((name, " ".join(str(self.message[name]).split())) for name in shown if self.message[name])

    @cached_property
    def text(self) -> str:
        return self._part("plain")

    @cached_property
    def html(self) -> str:
        """Nothing for a mail that is text alone. Pictures that it brings along stand in it."""
        return with_pictures(self._part("html"), self._pictures)

    @property
    def source(self) -> str:
        return self.raw.decode("utf-8", "replace").replace("\r\n", "\n")

    @property
    def attached(self) -> tuple[str, ...]:
        """The names of its files."""
        return tuple(name for part in self.message.iter_attachments() if (name := part.get_filename()))

    @cached_property
    def suggestions(self) -> tuple[str, ...]:
        """The lines of the text that can be copied into an answer, without remarks: a game's orders first."""
        indented = (line.strip() for line in self.text.splitlines() if line.startswith("  "))
        lines = dict.fromkeys(_REMARK.sub("", line) for line in indented)
        kinds = {line: readable(line) for line in lines if _is_to_copy(line)}
        return tuple(line for kind in (Kind.ORDER, Kind.COMMAND) for line in kinds if kinds[line] is kind)

    @property
    def _pictures(self) -> Mapping[str, bytes]:
        """Those that it brings along, by their Content-IDs."""
        parts = (part for part in self.message.walk() if part["Content-ID"] and part.get_content_type() == _PNG)
        return {str(part["Content-ID"]).strip("<> "): part.get_content() for part in parts}

    def _part(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        text: str = part.get_content() if part else ""
        return text.replace("\r\n", "\n")


def _is_to_copy(line: str) -> bool:
    """Whether a line of a mail looks as those do: its first word in capitals, no row of a table, and in Chinese, which
    has no capitals, no whole sentence."""
    if not line or line.endswith(_STOP) or _COLUMNS.search(line):
        return False
    first = line.split()[0]
    return first == first.upper()


def with_pictures(html: str, pictures: Mapping[str, bytes]) -> str:
    """`html` with the `pictures`, PNG by their Content-IDs, written into it: a page cannot ask a mail for them."""

    def address(found: re.Match[str]) -> str:
        data = pictures.get(found[1])
        return f"data:{_PNG};base64,{base64.b64encode(data).decode('ascii')}" if data else found[0]

    return _CID.sub(address, html)


# Writing


def begun(sender: str, to: str, subject: str, text: str, now: datetime) -> EmailMessage:
    """A mail of somebody's own."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, subject
    mail["Date"], mail["Message-ID"] = format_datetime(now), make_msgid(domain=sender.rpartition("@")[2])
    mail.set_content(text.replace("\r\n", "\n").rstrip("\n") + "\n")
    return mail


def answer(sender: str, to: Mail, text: str, quoting: Quoting, now: datetime) -> EmailMessage:
    """An answer to the mail `to`, where that wants its answers."""
    asked = to.message
    where = str(asked["Reply-To"] or asked["From"])
    subject = to.subject if to.subject.lower().startswith("re:") else f"Re: {to.subject}"
    mail = begun(sender, where, subject, _QUOTED[quoting](text.replace("\r\n", "\n").strip("\n"), to), now)
    mail["In-Reply-To"] = mail["References"] = to.id
    return mail


def _quoted(to: Mail) -> str:
    lines = (f"> {line}".rstrip() for line in to.text.splitlines())
    return "\n".join((f"On {to.message['Date']}, {to.message['From']} wrote:", *lines))


_QUOTED: Final[Mapping[Quoting, Callable[[str, Mail], str]]] = {
    Quoting.BELOW: lambda text, to: f"{text}\n\n{_quoted(to)}",
    Quoting.ABOVE: lambda text, to: f"{_quoted(to)}\n\n{text}",
    Quoting.NOTHING: lambda text, _: text,
}
