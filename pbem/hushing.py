"""What a foreign program says of its trouble, fit to be shown: one line, and nothing in it that looks like a secret."""

from __future__ import annotations

import re
from typing import Final

HIDDEN: Final = "(hidden)"
_LONGEST: Final = 240
_MOST: Final = 2_000
"""Characters of a line that are looked at."""
_NAMED: Final = re.compile(
    r"(?P<name>(?<![A-Za-z])(?:pass\w*|secret|token|bearer|code|key|assertion|verifier)[\"']?(?:\s*[:=]\s*[\"']?|\s+(?=\S*[\d_-])))"
    r"(?P<value>[^\s\"',;&()]+)",
    re.IGNORECASE,
)
_LONG: Final = re.compile(r"[\w~+/=.-]{16,}", re.ASCII)
_WORD: Final = r"(?:[A-Z]{0,5}[a-z]{2,15}(?:[A-Z]{1,5}[a-z]{2,15}){0,2}|[A-Z]{1,5}|[a-z]?\d{1,4}|[a-z]{2,9}\d)"
_WORDS: Final = re.compile(rf"[./_-]*{_WORD}(?:[./_-]+{_WORD})*[.]?")
"""What people write: words, names of errors, hosts. No token is made of so little."""


def hushed(text: str) -> str:
    """The last line of `text` that says anything, cut to some 240 characters, with what may be a secret left out:
    what is called one, and every long run of characters that is not made of words."""
    said = [line for line in text.splitlines() if line.strip()]
    line = " ".join("".join(each if each.isprintable() else " " for each in said[-1][:_MOST]).split()) if said else ""
    shown = _LONG.sub(_unless_words, _NAMED.sub(_unless_said, line))
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST].rstrip()}..."


def _unless_said(found: re.Match[str]) -> str:
    """Behind "token:" a word such as "expired" is what is to be known; behind "password:" nothing is."""
    is_word = bool(_WORDS.fullmatch(found["value"])) and not found["name"].casefold().startswith(("pass", "secret"))
    return found[0] if is_word else f"{found['name']}{HIDDEN}"


def _unless_words(found: re.Match[str]) -> str:
    return found[0] if _WORDS.fullmatch(found[0]) else HIDDEN
