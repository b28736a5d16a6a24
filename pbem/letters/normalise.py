"""Typographic input made plain, before anything is compared with anything."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_TO_APOSTROPHE: Final = "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\uff07"
_TO_QUOTE: Final = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02"
_TO_DASH: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_TO_SPACE: Final = (
    "\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_DROPPED: Final = (
    "\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
)

_TABLE: Final = str.maketrans(
    {
        **dict.fromkeys(_TO_APOSTROPHE, "'"),
        **dict.fromkeys(_TO_QUOTE, '"'),
        **dict.fromkeys(_TO_DASH, "-"),
        **dict.fromkeys(_TO_SPACE, " "),
        **dict.fromkeys(map(chr, (*range(0x20), *range(0x7F, 0xA0)))),
        "\t": " ",
        **dict.fromkeys(_DROPPED),
        **dict.fromkeys(map(chr, range(0xE0000, 0xE0080))),
        **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code) not in "\uff07\uff02\uff0d"},
        "\u2026": "...",
        "\u3001": ",",
        "\u3002": ".",
    }
)
# A joiner beside ASCII hides in an order; between other characters it makes an emoji or a Persian word.
_STRAY_JOINER: Final = re.compile(r"(?<![^\x00-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\x7f])")
_LINE_END: Final = re.compile(r"\r\n|[\r\u0085\u2028\u2029]")
_SPACES: Final = re.compile(r" {2,}")


def line_ends(text: str) -> str:
    """The text with every form of line end as a line feed."""
    return _LINE_END.sub("\n", text)


def normalised(line: str) -> str:
    """One line in plain characters: spaces, quotes, dashes, full-width forms; nothing invisible; no outer space."""
    if line.isascii() and line.isprintable():
        return _SPACES.sub(" ", line).strip()  # as most lines are: there is nothing else to make plain
    plain = _STRAY_JOINER.sub("", line).translate(_TABLE)
    return unicodedata.normalize("NFC", _SPACES.sub(" ", plain).strip())
