"""Words as they are compared: without case, accents and the typography of mail programs."""

from __future__ import annotations

import unicodedata


def folded(text: str) -> str:
    """`text` for comparison: compatibility forms, no accents, no case, single spaces."""
    wide = unicodedata.normalize("NFKD", text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    plain = "".join(char for char in wide if not unicodedata.combining(char))
    return " ".join(plain.casefold().split())


def canonical(address: str) -> str:
    """An address for comparison; mails go to the address as it was written."""
    return address.strip().casefold()
