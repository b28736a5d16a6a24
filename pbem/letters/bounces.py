"""Mail that came back: which of our mails it was, and whether its address is no good.

Reports (RFC 3464) say it in fields; what older servers write in prose is left to flufl.bounce. Our mail is found by the
headers that come back with it, never by the text: anybody can write a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from enum import StrEnum
from typing import Final

from pbem.letters.headers import MAX_HEAD, addresses, field, message_ids, parsed_head
from pbem.letters.identity import HostAddress
from pbem.letters.mime import Part, part_tree, split_head
from pbem.letters.robots import Automatic
from pbem.letters.status import NOBODY, STATUS, blames_address

BOUNCING: Final = frozenset({Automatic.REPORT, Automatic.EMPTY_RETURN_PATH, Automatic.DAEMON})
"""Kinds of automatic mail that may be one."""
MAX_PROSE: Final = 64_000
"""Bytes of a bounce without fields that are looked through."""
VAGUE: Final = frozenset({"5.0.0", "5.3.0", "5.5.0"})
"""What servers say that know no better; the reason then stands in the reply that they got."""
_RETURNED: Final = frozenset({"message/rfc822", "message/global", "text/rfc822-headers", "message/global-headers"})
_STATUS_PARTS: Final = frozenset({"message/delivery-status", "message/global-delivery-status"})
_OWN_MESSAGE_ID: Final = re.compile(rb"^[> \t]*message-id:[ \t]*(?:\n[ \t]+)?(<[^<>\s]{1,250}>)", re.I | re.M)
_OWN_REPLY_TO: Final = re.compile(rb"^[> \t]*reply-to:[ \t]*(?:\n[ \t]+)?([^\n]{1,500})", re.I | re.M)


class Failure(StrEnum):
    """What a bounce means."""

    BAD_ADDRESS = "bad-address"
    """The address does not exist: whoever sits there cannot be reached."""
    HOST_TROUBLE = "host-trouble"
    """Quota, policy, size: no player is to blame."""
    DELAY = "delay"
    """It is still being tried."""


@dataclass(frozen=True, slots=True)
class Bounce:
    """A mail that came back."""

    failure: Failure
    status: str
    """As ``5.1.1``; empty where none was given."""
    references: tuple[str, ...]
    """Message-IDs in the headers that came back."""
    tokens: tuple[str, ...]
    """Reply tokens in those headers."""


def bounce(raw: bytes, host: HostAddress) -> Bounce | None:
    """The bounce that a mail is; ``None`` if it tells of no failure. Never raises."""
    plain = raw.replace(b"\r\n", b"\n")
    tree = part_tree(plain)
    statuses = [part for part in tree.walk() if part.type in _STATUS_PARTS]
    judged = _by_fields(statuses) if statuses else _by_prose(plain, tree)
    if judged is None:
        return None
    references, tokens = _carried_back(plain, tree, host)
    return Bounce(*judged, references, tokens)


Judged = tuple[Failure, str]


def _by_fields(statuses: list[Part]) -> Judged | None:
    """The worst that a report says of any recipient."""
    blocks = [block for part in statuses for block in part.content()[:MAX_PROSE].split(b"\n\n") if block.strip()]
    found = [judged for block in blocks[:50] if (judged := _recipient(block))]
    return min(found, key=lambda judged: _WORST.index(judged[0]), default=None)


_WORST: Final = (Failure.BAD_ADDRESS, Failure.HOST_TROUBLE, Failure.DELAY)


def _recipient(block: bytes) -> Judged | None:
    """What a block of fields says of one recipient; nothing of one who has got the mail."""
    head = parsed_head(block[:MAX_HEAD] + b"\n\n")
    action = field(head, "Action").partition("(")[0].strip().lower()
    if action not in ("failed", "delayed"):
        return None
    status = STATUS.search(field(head, "Status")) or STATUS.search(field(head, "Diagnostic-Code"))
    if action == "delayed" or (status and status[1] == "4"):
        return Failure.DELAY, status[0] if status else ""
    detailed = STATUS.search(field(head, "Diagnostic-Code"))
    vague = status is None or status[0] in VAGUE
    return _failed(detailed if vague and detailed else status, field(head, "Diagnostic-Code"))


def _failed(status: re.Match[str] | None, said: str) -> Judged:
    if status is not None and status[0] not in VAGUE:
        bad = blames_address(status)
    else:
        bad = NOBODY.search(said[:2_000]) is not None
    return Failure.BAD_ADDRESS if bad else Failure.HOST_TROUBLE, status[0] if status else ""


def _by_prose(plain: bytes, tree: Part) -> Judged | None:
    """What an older server's words mean, where flufl.bounce knows them."""
    if len(plain) > 4 * MAX_PROSE or any(part.capped for part in tree.walk()):
        return None
    from flufl.bounce import all_failures  # it takes 0.1 s to load, and few mails need it

    try:
        delayed, failed = all_failures(message_from_bytes(plain[:MAX_PROSE]))
    except Exception:
        return None
    if failed:
        text = plain[:MAX_PROSE].decode("utf-8", "replace")
        return _failed(next((each for each in STATUS.finditer(text) if each[1] == "5"), None), text)
    return (Failure.DELAY, "") if delayed else None


def _carried_back(plain: bytes, tree: Part, host: HostAddress) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Message-IDs and reply tokens of the mail that came back."""
    blocks = list(_returned(plain, tree))
    references = [found for block in blocks for found in message_ids(_joined(_OWN_MESSAGE_ID, block))]
    replies = (address for block in blocks for address in _addresses(_joined(_OWN_REPLY_TO, block)))
    tokens = (host.token_in(address) for address in replies)
    return tuple(dict.fromkeys(references))[:10], tuple(dict.fromkeys(filter(None, tokens)))[:10]


def _joined(pattern: re.Pattern[bytes], block: bytes) -> str:
    return " ".join(found.decode("utf-8", "replace") for found in pattern.findall(block))


def _addresses(text: str) -> list[str]:
    return addresses(parsed_head(f"To: {text}\n\n".encode()), "To")


def _returned(plain: bytes, tree: Part) -> Iterator[bytes]:
    """The header blocks that came back: a part of their own, or below the words of an older server."""
    own = [part for part in tree.walk() if part.type in _RETURNED]
    for part in own:
        yield split_head(part.content())[0][:MAX_HEAD]
    if not own:
        yield split_head(plain)[1][:MAX_PROSE]
