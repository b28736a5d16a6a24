"""Mail that no person wrote (RFC 3834): it is never run and never answered."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import Message
from enum import StrEnum
from typing import Final

from pbem.letters.headers import field, fields
from pbem.letters.identity import HostAddress
from pbem.letters.phrases import AWAY_SUBJECTS
from pbem.names import canonical

HOST_HEADER: Final = "X-PBEM-Host"
"""Stands in every mail of a host, so that hosts never talk to themselves or to each other."""


class Automatic(StrEnum):
    """Why a mail counts as written by a machine."""

    OWN_MAIL = "own-mail"
    REPORT = "report"
    """A bounce or another report (multipart/report)."""
    EMPTY_RETURN_PATH = "empty-return-path"
    DAEMON = "daemon"
    AUTO_SUBMITTED = "auto-submitted"
    PRECEDENCE = "precedence"
    LIST = "list"
    NO_REPLY_WANTED = "no-reply-wanted"
    """X-Autoreply and its kind, and X-Auto-Response-Suppress."""
    AWAY_SUBJECT = "away-subject"
    """Only the subject says so; no header does."""


_DAEMONS: Final = re.compile(r"(?:mailer-?daemon|postmaster|no-?reply|do-?not-?reply|bounces?|mdaemon)(?:[+=-].*)?@")
_PRECEDENCES: Final = frozenset({"bulk", "list", "junk", "auto_reply", "auto-reply"})
_LIST_FIELDS: Final = ("List-Id", "List-Post", "List-Unsubscribe", "List-Help", "Mailing-List", "X-Mailing-List")
_ROBOT_FIELDS: Final = (
    "X-Autoreply",
    "X-Autorespond",
    "X-Auto-Reply-From",
    "X-Mail-Autoreply",
    "X-Vacation",
    "X-Failed-Recipients",
)
_AWAY: Final = re.compile("|".join(AWAY_SUBJECTS), re.IGNORECASE)


def automatic(head: Message, sender: str, host: HostAddress | None) -> Automatic | None:
    """Why a mail with these headers counts as automatic, the surest sign first; None for a person's mail.

    `sender` is the address in From. Without `host` only its header tells the host's own mail.
    """
    return next((kind for kind, applies in _SIGNS if applies(head, sender, host)), None)


Sign = Callable[[Message, str, HostAddress | None], bool]


def _is_own(head: Message, sender: str, host: HostAddress | None) -> bool:
    return HOST_HEADER in head or (host is not None and host.owns(sender))


def _is_report(head: Message, _sender: str, _host: HostAddress | None) -> bool:
    return field(head, "Content-Type").lower().startswith("multipart/report")


def _has_empty_return_path(head: Message, _sender: str, _host: HostAddress | None) -> bool:
    return any("".join(value.split()) == "<>" for value in fields(head, "Return-Path"))


def _is_daemon(_head: Message, sender: str, _host: HostAddress | None) -> bool:
    return _DAEMONS.match(canonical(sender)) is not None


def _is_auto_submitted(head: Message, _sender: str, _host: HostAddress | None) -> bool:
    return any(value and _keyword(value) != "no" for value in fields(head, "Auto-Submitted"))


def _has_precedence(head: Message, _sender: str, _host: HostAddress | None) -> bool:
    return any(_keyword(value) in _PRECEDENCES for value in fields(head, "Precedence"))


def _is_from_list(head: Message, _sender: str, _host: HostAddress | None) -> bool:
    return any(name in head for name in _LIST_FIELDS)


def _wants_no_reply(head: Message, _sender: str, _host: HostAddress | None) -> bool:
    robot = any(_keyword(value) not in ("", "no") for name in _ROBOT_FIELDS for value in fields(head, name))
    return robot or _keyword(field(head, "X-Auto-Response-Suppress")) not in ("", "none")


def _has_away_subject(head: Message, _sender: str, _host: HostAddress | None) -> bool:
    return _AWAY.match(field(head, "Subject").strip(" [(*")) is not None


def _keyword(value: str) -> str:
    return value.partition(";")[0].partition("(")[0].strip().lower()


_SIGNS: Final[tuple[tuple[Automatic, Sign], ...]] = (
    (Automatic.OWN_MAIL, _is_own),
    (Automatic.REPORT, _is_report),
    (Automatic.EMPTY_RETURN_PATH, _has_empty_return_path),
    (Automatic.DAEMON, _is_daemon),
    (Automatic.AUTO_SUBMITTED, _is_auto_submitted),
    (Automatic.PRECEDENCE, _has_precedence),
    (Automatic.LIST, _is_from_list),
    (Automatic.NO_REPLY_WANTED, _wants_no_reply),
    (Automatic.AWAY_SUBJECT, _has_away_subject),
)
