"""Signatures: everything below the dash-dash line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.letters.quotes import Row

_DELIMITER: Final = "--"
"""Without its trailing space, which gets lost on the way. Longer rows of dashes are no signature."""


def signature_start(rows: Sequence[Row], own: Sequence[int]) -> int:
    """The index of the delimiter among the rows `own`; `len(rows)` when there is none."""
    return next((index for index in own if rows[index].bare == _DELIMITER), len(rows))
