"""Who plays, moderates or is about to: a person with a name and an address, and which mails he wants."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pbem.digest import Digest
from pbem.press import Delivery
from pbem.schedule import Absence


class Mails(StrEnum):
    """Which mails a player wants besides answers and his own turns."""

    ALL = "all"
    TURN = "turn"
    DAILY = "daily"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a name and an address."""

    id: int
    name: str
    address: str
    """As he writes it himself; compared only in canonical form."""
    confirmed: bool = True
    zone: str = "UTC"
    language: str = "en"
    mails: Mails = Mails.ALL
    epoch: int = 0
    """Of his token."""
    stopped: bool = False
    """He wants no mail any more."""
    away: Absence | None = None
    """The last absence that he announced."""
    plain: bool = False
    """His mails come as text alone, without HTML."""
    calendar: bool = False
    """His deadlines come as calendar files too."""
    digest: Digest | None = None
    """He wants the mails of all his games in one."""
    press: Delivery = Delivery.NEXT
    """When he reads what others say to him."""
    pictures: bool = True
    """His mails in HTML show the position as a picture."""
    brief: bool = False
    """Mails in text alone show the position in few lines."""
