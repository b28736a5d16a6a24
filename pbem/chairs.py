"""The chairs of a table: who sits there, what he was told and asked, and his time.

Times are aware and in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.ballot import Ballot
from pbem.persons import Person
from pbem.schedule import NOTHING, Clock


@dataclass(frozen=True, slots=True)
class Orders:
    """The last orders of a seat that did or planned something."""

    digest: str
    """What tells them from others, whatever else stood in their mail."""
    decisions: tuple[str, ...]
    """The keys of the decisions that they were given to."""
    at: datetime
    """When their mail arrived."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat of a table and whoever sits there (nobody: a replaced player's seat, or a place still free)."""

    seat: int
    person: Person | None
    epoch: int = 0
    """Of the seat's token; raised when somebody else sits down."""
    machine: bool = False
    """Its mails carry its view as JSON."""
    phrase: str = ""
    told: int = 0
    """The entry up to which its mails have told the news."""
    asked: str = ""
    """The key of the open decision that its last mail asked for."""
    phase: str = ""
    """The round and phase that its last state mail was about, as ``3/night``."""
    kind: str = ""
    """The kind of that decision."""
    clock: Clock | None = None
    """Runs for the decision in `asked` since the mail that asks was accepted for sending."""
    bank: timedelta = NOTHING
    """Time that its player has saved."""
    misses: int = 0
    """Deadlines missed since its last order."""
    mailed_at: datetime | None = None
    """When the news were last told."""
    orders: Orders | None = None
    """Its last orders; nothing once something has been changed since."""
    given_up: bool = False
    """Its player has resigned, or it was empty for too long: its decisions are made at once, as if their deadlines had
    passed."""
    unreachable: bool = False
    """Mail to its player came back, and nothing has come from him since."""
    bot: str = ""
    """The level of the bot that answers for it, if one does."""
    free: bool = False
    """Anybody may take it with JOIN."""
    ballot: Ballot | None = None
    """What its player has voted for."""
    lessons: tuple[str, ...] = ()
    """What its player, in his first game, is still to be told."""
    called: str = ""
    """What whoever sits there is called at this table alone, by a moderator's word; nothing: by the own name."""

    @property
    def due_at(self) -> datetime | None:
        """Until when the decision in `asked` waits; nothing while its clock does not run."""
        return self.clock.due_at if self.clock else None

    @property
    def vacant(self) -> bool:
        """Whether nobody sits there, and nothing answers for it either."""
        return self.person is None and not self.bot and not self.given_up

    @property
    def unasked(self) -> Chair:
        """The same before its player was asked: he is asked anew, with a full clock."""
        return replace(self, asked="", kind="", clock=None)

    def for_another(self, person: Person | None) -> Chair:
        """The same chair for somebody else (or nobody yet): the old player's token, clock and misses are gone."""
        unasked = replace(
            self.unasked,
            phase="",
            orders=None,
            machine=False,
            bank=NOTHING,
            misses=0,
            given_up=False,
            unreachable=False,
        )
        return replace(
            unasked, person=person, epoch=self.epoch + 1, bot="", free=False, ballot=None, called="", lessons=()
        )

    @property
    def name(self) -> str:
        """What whoever sits there is called."""
        return self.called or self.own_name

    @property
    def own_name(self) -> str:
        """Of whoever sits there; of a bot that sits there for nobody, and of an empty chair, its number."""
        return self.person.name if self.person else f"{'Bot' if self.bot else 'Seat'} {self.seat}"
