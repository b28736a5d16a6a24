"""Lines that devices, webmail and virus scanners add below what people write."""

from __future__ import annotations

import re
from typing import Final

from pbem.letters.phrases import ADDED, FOOTERS, MINE, PICTURES, PRODUCTS

_FOOTER: Final = re.compile("|".join(f"(?:{pattern})" for pattern in FOOTERS), re.IGNORECASE)
_PRODUCT: Final = re.compile("|".join(PRODUCTS), re.IGNORECASE)
_MINE: Final = re.compile("|".join(MINE), re.IGNORECASE)
_ADDED: Final = re.compile("|".join(ADDED), re.IGNORECASE)
# What is left of pictures and anchors where a program makes plain text of HTML.
_REMAINS: Final = re.compile(rf"<#[^<>]*>|\[(?:cid:|(?:inline )?(?:{'|'.join(PICTURES)})\b)[^\[\]]*\]", re.IGNORECASE)
_LONGEST: Final = 160
_MOST_WORDS: Final = 12
"""Of a line that is known only by what it speaks of; people say more when they speak of their telephone."""


def is_footer(text: str) -> bool:
    """Whether a line was added by a device or a service."""
    if len(text) > _LONGEST:
        return False
    if _REMAINS.fullmatch(text):
        return True
    bare = text.strip("*_[]() .")
    return (_FOOTER.fullmatch(bare) is not None and _names_something(bare)) or _speaks_of_a_product(text)


def is_misread(name: str) -> bool:
    """Whether lines that speak of somebody called `name` would be taken for such a line."""
    return any(is_footer(line) for line in (name, f"x {name}", f"x x {name}'s x"))


def _names_something(text: str) -> bool:
    """Whether a line says with what a mail was sent, and not how or why, as in "Sent by mistake"."""
    has_name = any(char.isupper() or char.isdigit() for char in text[1:])
    return has_name or _PRODUCT.search(text) is not None or _MINE.search(text) is not None


def _speaks_of_a_product(text: str) -> bool:
    said = len(text.split()) <= _MOST_WORDS and not text.endswith(("?", "!")) and _PRODUCT.search(text) is not None
    return said and _ADDED.search(text) is not None
