"""What makes two spellings of a word the same: case, accents, quote marks, hyphens, width, spaces."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_ACCENTS: Final = range(0x300, 0x370)
"""Combining marks of the European scripts; marks that other scripts need to read stay."""
_SAME: Final = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u02b9\u00b4\u0060\u055a", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u30fb\ufe63\uff0d", "-")
    | {"\u00f8": "o", "\u0142": "l", "\u0111": "d", "\u00e6": "ae", "\u0153": "oe", "\u0131": "i"}
    | {"\u3001": ",", "\u3002": ".", "\uff64": ",", "\uff61": "."}
)
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufe00-\ufe0f]")
_SPACES: Final = re.compile(r"\s+")


def fold(text: str) -> str:
    """`text` as it is compared: lower case, no accents, plain quotes and hyphens, single spaces.

    Folding twice changes nothing more.
    """
    if text.isascii():
        return " ".join(text.replace("`", "'").lower().split())
    # The quote marks come first: NFKC turns the acute accent that stands for one into a space and a mark.
    plain = unicodedata.normalize("NFKD", _UNSEEN.sub("", text).translate(_SAME)).casefold().translate(_SAME)
    bare = "".join(mark for mark in unicodedata.normalize("NFKD", plain) if ord(mark) not in _ACCENTS)
    return _SPACES.sub(" ", unicodedata.normalize("NFC", bare)).strip()
