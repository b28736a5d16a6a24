"""What positions, moves and events are made of."""

from __future__ import annotations

import msgspec


class Value(msgspec.Struct, frozen=True, gc=False):
    """A value that never changes, and so is never part of a circle: the collector of garbage need not look at it.

    A replay keeps thousands of them, and spent a twentieth of its time on looking.
    """
