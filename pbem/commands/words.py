"""The host's own words as values: what each command says, once its line is read."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.ballot import Motion
from pbem.commands.overriding import ListNotes, Moderating
from pbem.press import Delivery
from pbem.table import Mails


@dataclass(frozen=True, slots=True)
class Register:
    name: str


@dataclass(frozen=True, slots=True)
class Confirm:
    pass


@dataclass(frozen=True, slots=True)
class New:
    kind: str
    options: tuple[tuple[str, str], ...]
    addresses: tuple[str, ...]
    playing: bool


@dataclass(frozen=True, slots=True)
class Practice:
    """A game against bots, or `alone`, that begins at once."""

    kind: str
    """Nothing: the game that the host offers to newcomers."""
    options: tuple[tuple[str, str], ...]
    alone: bool


@dataclass(frozen=True, slots=True)
class Join:
    table: str
    name: str


@dataclass(frozen=True, slots=True)
class Leave:
    table: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Resign:
    table: str
    code: str


@dataclass(frozen=True, slots=True)
class ResetToken:
    pass


@dataclass(frozen=True, slots=True)
class AddAddress:
    address: str


@dataclass(frozen=True, slots=True)
class ConfirmAddress:
    """From the new address."""

    code: str


@dataclass(frozen=True, slots=True)
class RemoveAddress:
    address: str


@dataclass(frozen=True, slots=True)
class MainAddress:
    address: str


@dataclass(frozen=True, slots=True)
class Start:
    table: str


@dataclass(frozen=True, slots=True)
class Rematch:
    """The same people once more."""

    table: str


@dataclass(frozen=True, slots=True)
class Games:
    pass


@dataclass(frozen=True, slots=True)
class State:
    """STATUS and RESEND: the newest state."""

    table: str


@dataclass(frozen=True, slots=True)
class History:
    table: str


@dataclass(frozen=True, slots=True)
class Who:
    """Who is awaited, and until when."""

    table: str


@dataclass(frozen=True, slots=True)
class Help:
    topic: str


@dataclass(frozen=True, slots=True)
class Examples:
    """Lines to copy."""


@dataclass(frozen=True, slots=True)
class Rules:
    topic: str


@dataclass(frozen=True, slots=True)
class LookUpCard:
    name: str


@dataclass(frozen=True, slots=True)
class SetZone:
    zone: str


@dataclass(frozen=True, slots=True)
class SetLanguage:
    language: str
    """As its name was written, in whatever language."""


@dataclass(frozen=True, slots=True)
class SetMails:
    choice: Mails


@dataclass(frozen=True, slots=True)
class SetForm:
    """In which form mails come."""

    form: str
    """``text`` alone, ``short``, which is text in few lines, or ``html``, which is both."""


@dataclass(frozen=True, slots=True)
class SetPictures:
    """Whether mails in HTML show the position as a picture."""

    on: bool


@dataclass(frozen=True, slots=True)
class SetGuide:
    """Whether this seat's mails explain the game."""

    on: bool


@dataclass(frozen=True, slots=True)
class SetPress:
    choice: Delivery


@dataclass(frozen=True, slots=True)
class Say:
    """Words for everybody at the table."""

    words: str
    """Several lines, if they came as a block."""


@dataclass(frozen=True, slots=True)
class Tell:
    """Words for those named alone."""

    names: str
    """As they were written, with commas between them."""
    words: str


@dataclass(frozen=True, slots=True)
class SetMachine:
    on: bool


@dataclass(frozen=True, slots=True)
class SetCalendar:
    on: bool


@dataclass(frozen=True, slots=True)
class GoAway:
    begins: str
    """A day as it was written; nothing: now."""
    ends: str
    bot: bool = False
    """A bot is to play meanwhile."""


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Earlier than was announced."""


@dataclass(frozen=True, slots=True)
class AddPhrase:
    words: str


@dataclass(frozen=True, slots=True)
class ShowPlan:
    pass


@dataclass(frozen=True, slots=True)
class CancelPlan:
    number: int = 0
    """Of a line as PLAN numbers them; 0: every plan."""
    standing: bool = False
    """Every standing choice, and no plan."""


@dataclass(frozen=True, slots=True)
class SetDigest:
    on: bool
    at: str
    """A time of day, for a daily one."""


@dataclass(frozen=True, slots=True)
class AboutGame:
    """The lines below are for this table."""

    table: str


@dataclass(frozen=True, slots=True)
class Undo:
    pass


@dataclass(frozen=True, slots=True)
class Always:
    """A choice settled beforehand."""

    choice: str


@dataclass(frozen=True, slots=True)
class Try:
    """What a line would bring."""

    order: str


@dataclass(frozen=True, slots=True)
class Invite:
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stop:
    """No mail any more."""


@dataclass(frozen=True, slots=True)
class StartAgain:
    pass


@dataclass(frozen=True, slots=True)
class Export:
    pass


@dataclass(frozen=True, slots=True)
class Forget:
    code: str


@dataclass(frozen=True, slots=True)
class Vote:
    """A player's, for something that the table can do without its moderator."""

    motion: Motion
    name: str
    """Whom it is about; nothing for nobody."""


@dataclass(frozen=True, slots=True)
class Watch:
    table: str


@dataclass(frozen=True, slots=True)
class Unwatch:
    table: str


@dataclass(frozen=True, slots=True)
class Unvote:
    pass


Command = (
    Register
    | Confirm
    | New
    | Practice
    | Join
    | Leave
    | Resign
    | ResetToken
    | AddAddress
    | ConfirmAddress
    | RemoveAddress
    | MainAddress
    | Start
    | Rematch
    | Games
    | State
    | History
    | Who
    | Examples
    | Help
    | Rules
    | LookUpCard
    | SetZone
    | SetLanguage
    | SetMails
    | SetForm
    | SetPictures
    | SetGuide
    | SetPress
    | Say
    | Tell
    | SetMachine
    | SetCalendar
    | GoAway
    | ComeBack
    | AddPhrase
    | ShowPlan
    | CancelPlan
    | Always
    | Try
    | Undo
    | SetDigest
    | AboutGame
    | Invite
    | Moderating
    | ListNotes
    | Stop
    | StartAgain
    | Export
    | Forget
    | Vote
    | Unvote
    | Watch
    | Unwatch
)
