"""Lines that devices, webmail and virus scanners add below what people write."""

from __future__ import annotations

import re
from typing import Final

from pbem.letters.phrases import FOOTERS

_FOOTER: Final = re.compile("|".join(f"(?:{pattern})" for pattern in FOOTERS), re.IGNORECASE)
_LONGEST: Final = 160


def is_footer(text: str) -> bool:
    """Whether a line was added by a device or a service."""
    return len(text) <= _LONGEST and _FOOTER.fullmatch(text.strip("*_[]() .")) is not None
