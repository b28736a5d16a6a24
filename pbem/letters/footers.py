"""Lines that devices, webmail and virus scanners add below what people write."""

from __future__ import annotations

import re
from typing import Final

from pbem.letters.phrases import ADDED, FOOTERS, PRODUCTS

_FOOTER: Final = re.compile("|".join(f"(?:{pattern})" for pattern in FOOTERS), re.IGNORECASE)
_PRODUCT: Final = re.compile("|".join(PRODUCTS), re.IGNORECASE)
_ADDED: Final = re.compile("|".join(ADDED), re.IGNORECASE)
_LONGEST: Final = 160
_MOST_WORDS: Final = 12
"""Of a line that is known only by what it speaks of; people say more when they speak of their telephone."""


def is_footer(text: str) -> bool:
    """Whether a line was added by a device or a service."""
    if len(text) > _LONGEST:
        return False
    return _FOOTER.fullmatch(text.strip("*_[]() .")) is not None or _speaks_of_a_product(text)


def _speaks_of_a_product(text: str) -> bool:
    said = len(text.split()) <= _MOST_WORDS and _PRODUCT.search(text) is not None
    return said and _ADDED.search(text) is not None
