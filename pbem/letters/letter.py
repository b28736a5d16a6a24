"""A letter: what a mail says of itself and what text it holds."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from email.message import Message
from typing import Final

from pbem.letters.author import sender
from pbem.letters.body import Body
from pbem.letters.headers import MAX_HEAD, addresses, field, fields, message_ids, parsed_head, raw_fields
from pbem.letters.identity import Carriers, HostAddress, carriers
from pbem.letters.message import Content, Problem, content, forms
from pbem.letters.mime import split_head
from pbem.letters.robots import Automatic, automatic
from pbem.letters.sent import FORM_FEED
from pbem.names import canonical
from pbem.tongues import language_of_tag

_RECIPIENT_FIELDS: Final = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
_LANGUAGE_FIELDS: Final = ("Content-Language", "Accept-Language")
_DIGESTED: Final = ("Message-ID", "From", "Date", "Subject")
_MAX_REFERENCES: Final = 50


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail as the host sees it. Addresses stand as given; compare them with `canonical`, send to them as they are."""

    digest: str
    """SHA-256 in hex over Message-ID, From, Date, Subject and body: what makes two mails the same."""
    message_id: str
    """With its angles; empty when there is none."""
    sender: str
    """The address in From; empty when there is none, and then nobody can be answered."""
    sender_name: str
    recipients: tuple[str, ...]
    """Where it was delivered, then To and Cc, each address once."""
    subject: str
    references: tuple[str, ...]
    """Message-IDs that it answers, the newest first."""
    language: str
    """What its program says that it is written in, or that its sender reads; empty when that is none of `LANGUAGES`."""
    automatic: Automatic | None
    """Why it is no person's mail; None when it may be one."""
    problem: Problem | None
    """Why it holds nothing to read; nothing of it is done then."""
    body: Body

    @property
    def canonical_sender(self) -> str:
        """The sender's address in the form in which addresses are compared."""
        return canonical(self.sender)

    def carriers(self, host: HostAddress, *, subject_tokens: bool = False) -> Carriers:
        """What it carries to say which seat and decision it is about."""
        return carriers(self.recipients, self.subject, self.references, host, subject_tokens=subject_tokens)


def read_letter(raw: bytes, host: HostAddress | str | None = None) -> Letter:
    """The letter in a mail's bytes. Never raises, whatever they are.

    `host` is the host's own address: mail from it is automatic.
    """
    plain = _line_feeds(raw)
    return _letter(plain, content(plain), _host(host))


def read_head(head: bytes, host: HostAddress | str | None = None) -> Letter:
    """The letter of a mail that is too large to be fetched, from its header block: enough to answer its sender.

    Of a whole mail it tells all but the text, in a third of the time.
    """
    return _letter(_line_feeds(head), Content(Body(), Problem.TOO_LARGE), _host(host))


def shown_text(raw: bytes) -> str:
    """What a mail of the host shows, in every form it has, as `own_text` wants it for `sent`."""
    return FORM_FEED.join(body.text for body in forms(_line_feeds(raw)))


def _host(host: HostAddress | str | None) -> HostAddress | None:
    return HostAddress.of(host) if isinstance(host, str) else host


def _line_feeds(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _letter(plain: bytes, found: Content, host: HostAddress | None) -> Letter:
    head_bytes, body = split_head(plain)
    head = parsed_head(head_bytes[:MAX_HEAD] + b"\n\n")
    author = sender(head)
    return Letter(
        digest=_digest(head, body),
        message_id=next(iter(message_ids(field(head, "Message-ID"))), ""),
        sender=author.address,
        sender_name=author.name,
        recipients=_recipients(head),
        subject=field(head, "Subject"),
        references=_references(head),
        language=_language(head),
        automatic=automatic(head, author.address, host),
        problem=found.problem,
        body=found.body,
    )


def _digest(head: Message, body: bytes) -> str:
    """Length before each value, so that no two lists of values give one text."""
    values = [b"\n".join(raw_fields(head, name)).strip() for name in _DIGESTED]
    sha = hashlib.sha256()
    for value in (*values, body.strip(b"\n")):
        sha.update(b"%d:" % len(value) + value)
    return sha.hexdigest()


def _recipients(head: Message) -> tuple[str, ...]:
    found = (address for name in _RECIPIENT_FIELDS for address in addresses(head, name))
    return tuple(dict.fromkeys(found))


def _language(head: Message) -> str:
    """Some programs give one tag, others several in order of preference, with weights: ``nl-BE, en;q=0.8``."""
    tags = (tag.partition(";")[0] for name in _LANGUAGE_FIELDS for tag in field(head, name).split(","))
    return next(filter(None, map(language_of_tag, tags)), "")


def _references(head: Message) -> tuple[str, ...]:
    answered = [found for value in fields(head, "In-Reply-To") for found in message_ids(value)]
    thread = [found for value in fields(head, "References") for found in message_ids(value)]
    return tuple(dict.fromkeys((*answered, *reversed(thread))))[:_MAX_REFERENCES]
