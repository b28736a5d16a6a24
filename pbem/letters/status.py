"""Status codes of mail systems (RFC 3463), and the words that stand for them where a server gives none."""

from __future__ import annotations

import re
from typing import Final

STATUS: Final = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
NOBODY: Final = re.compile(
    r"(?:user|recipient|mailbox|address|account)\W{1,4}(?:\S{1,80}\s{1,4}){0,3}?"
    r"(?:unknown|not found|not exist|doesn't exist|does not exist|invalid|unavailable|disabled)"
    r"|(?:unknown|no such|invalid|nonexistent|non-existent)\W{1,4}(?:local )?"
    r"(?:user|recipient|mailbox|address|account)",
    re.IGNORECASE,
)
"""Words for an address that does not exist. Every repetition is bounded: anybody may send a text to try it on."""
_SIZES: Final = frozenset({"5.3.4", "5.2.3"})
_TOO_LARGE: Final = re.compile(
    r"(?:message|mail|size)\W{1,4}(?:\S{1,40}\s{1,4}){0,4}?(?:too (?:large|big)|exceed\w{0,4}|larger than)"
    r"|exceed\w{0,4}\s(?:\S{1,40}\s{1,4}){0,5}?(?:message|mail) size",
    re.IGNORECASE,
)
"""Words for a mail that is too large; bounded as those above."""
_SENDERS_OWN: Final = frozenset({"7", "8"})
"""5.1.7 and 5.1.8 find fault with the sender's address, which is the host's."""


def blames_address(status: re.Match[str]) -> bool:
    """Whether a code, as `STATUS` finds it, says that the recipient's address is no good."""
    return status[1] == "5" and status[2] == "1" and status[3] not in _SENDERS_OWN


def blames_size(text: str) -> bool:
    """Whether a refusal finds fault with the size of the one mail, by its code or, where it has none, by its words."""
    if status := STATUS.search(text):
        return status.group() in _SIZES
    return bool(_TOO_LARGE.search(text))
