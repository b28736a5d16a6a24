"""Lines that a newcomer can copy: plans, what they may ask, and what can be settled beforehand.

The plans name no guest, so that they can be read whoever sleeps in the inn.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

EXAMPLES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "plans": (
            "KILL PEASANT ELSE BRIBE PEASANT ELSE PASS",
            "IF POLICE PASS ELSE WAIT",
            "PASS UNTIL CASH >= 10",
        ),
        "conditions": (
            "baron IN INN",
            "baron IN 3",
            "peasant IN HAND",
            "POLICE",
            "CASH >= 10",
            "CHECKS",
            "HAND",
            "CORPSES",
            "ROUND >= 5",
            "ANNA KILLED",
        ),
        "choices": (
            "LODGE ANY",
            "LODGE 3 1 5",
            "PAY CHECKS",
            "DISMISS peasants, novice",
            "RETURNING FIRST",
            "KEEP abbot",
        ),
    }
)
