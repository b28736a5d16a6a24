"""The state of a mail being decided: what is known, and what has been decided so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from engine.game import AnyGame
from pbem.names import canonical
from pbem.parties import Alias, Changed, Invitation, Notice, Party, Reference, Role, Spoken
from pbem.schedule import NO_DEADLINE, Schedule
from pbem.settle import Logged
from pbem.table import Person, Status, Table, Written
from pbem.verdicts import Line, Reason, Said


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A mail as the desk reads it."""

    lines: tuple[str, ...]
    """The sender's own lines."""
    open_ends: frozenset[int] = frozenset()
    """Indices of lines so long that the client may have broken them in two."""
    adjoining: frozenset[int] = frozenset()
    """Indices of lines that the next one follows without a blank line."""
    received_at: datetime
    inbox: int = 0
    subject: str = ""
    message_id: str = ""
    language: str = ""
    """What its sender reads, as far as the mail's head tells."""
    caps: tuple[str, ...] = ()
    """Limits that it went over."""
    ignored: int = 0
    """Quoted lines and the like."""
    too_long: int = 0
    """Lines that were refused for their length."""
    problem: Reason | None = None
    """What was wrong with the mail as a whole, so that nothing of it is run."""
    forged: bool = False
    """The sender's own provider says that somebody else wrote it."""
    vouched: bool = False
    """Our own server found that it comes from the address in From; never together with `forged`."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A table as GAMES lists it."""

    name: str
    title: str
    status: Status
    seated: tuple[str, ...]
    places: int
    moderator: str
    mine: bool
    watched: bool = False
    """By whoever asks."""
    watchable: bool = False
    round: int = 0
    """The round that a running game is in; 0 where that is not known yet."""
    free: int = 0
    """Seats of a running game that anybody may take."""
    schedule: Schedule = NO_DEADLINE
    label: str = ""


@dataclass(frozen=True, slots=True)
class Invited:
    """How many invitations somebody has made."""

    today: int = 0
    """In the last 24 hours."""
    open: int = 0
    """Which nobody has answered yet."""


@dataclass(frozen=True, slots=True)
class Answered:
    """How many mails of the last 24 hours from addresses that nobody has confirmed were answered."""

    own: int = 0
    """From the sender's."""
    all: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """Who may use the host, and how much."""

    by_invitation: bool = False
    """Only who is invited may register."""
    invitations_a_day: int = 20
    """By one player."""
    open_invitations: int = 40
    """Of one player, which nobody has answered yet."""
    stranger_answers: int = 3
    """A day, to one address that nobody has confirmed."""
    all_stranger_answers: int = 100
    """A day, to all such addresses."""
    games_of_a_moderator: int = 0
    """Which are not over; 0: as many as he likes."""
    press_a_day: int = 20
    """How often one player may say something in 24 hours."""
    press_characters: int = 2000
    """At once."""
    press_lines: int = 40
    """At once."""
    longest_absence_days: int = 60
    zone: str = "UTC"
    """Of players who have not chosen one."""
    language: str = "en"
    """Likewise; in what concerns one mail, that of the mail where it tells of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """All that a mail is decided upon, loaded before."""

    now: datetime
    party: Party
    games: Mapping[str, AnyGame]
    tables: Mapping[str, Table] = field(default_factory=dict)
    """The tables the mail may be about, by name."""
    mine: tuple[str, ...] = ()
    """Names of the tables where the sender plays or moderates and that are not over."""
    reference: Reference | None = None
    taken: frozenset[str] = frozenset()
    """Folded names, of those the mail asks for, that somebody has."""
    misread: frozenset[str] = frozenset()
    """Folded names, of those the mail asks for, that a mail program's own words could be taken for."""
    invited: tuple[Invitation, ...] = ()
    """The sender's open invitations."""
    open_tables: tuple[Listed, ...] = ()
    """For GAMES."""
    rematches: Mapping[str, str] = field(default_factory=dict)
    """By the name of a table: the one at which its players sit again; asked only of a mail that wants a rematch."""
    newcomers: frozenset[int] = frozenset()
    """The ids of those, of the sender and the people of the mail's tables, who have never sat at one that has begun;
    asked only of a mail that may begin a game, or take a seat in one."""
    next_number: int = 1
    """Of the next table."""
    entropy: str = ""
    """256 random bits in hex for a table that this mail may open."""
    chosen: bool = False
    """They were chosen, not drawn."""
    schedule: Schedule = NO_DEADLINE
    """What a new table gets when its opener says nothing."""
    logs: Mapping[str, Sequence[Logged]] = field(default_factory=dict)
    """Whole logs, for what depends on the past."""
    keeper: bool = False
    """The keeper of the host says it, at a terminal, in the moderator's place; there a costly word is no mistake of a
    mail program."""
    moderator_seen: datetime | None = None
    """When the moderator of the table last wrote, for a vote on him."""
    others: Mapping[str, Person] = field(default_factory=dict)
    """Registered people, by canonical address, whom the mail names."""
    house: HouseRules = HouseRules()
    silent: frozenset[str] = frozenset()
    """Addresses in canonical form, of those the mail names and its sender's, that want no mail."""
    invitees: frozenset[str] = frozenset()
    """Addresses in canonical form with an open invitation to the table that the mail is about."""
    inviting: Invited = Invited()
    """The sender's own invitations."""
    answered: Answered = Answered()
    """Counted for an outsider alone."""
    read_from: datetime | None = None
    """When the newest mail to the sender's seat was accepted for sending, or now if it was not yet; asked only of a
    mail that may repeat the seat's last orders."""
    codes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """By word and table: what confirms a costly word there, for its sender."""
    aliases: tuple[Alias, ...] = ()
    """The sender's further addresses, where the mail is about them."""
    offer: Alias | None = None
    """For an address that nobody has registered: whose it is to become."""
    offers: tuple[Alias, ...] = ()
    """The addresses that the mail names which have not answered a code yet, whoever wanted them."""
    address_codes: Mapping[str, str] = field(default_factory=dict)
    """By canonical address: what has to come back from an address to confirm it."""
    pressed: int = 0
    """How often the sender has said something in the last 24 hours."""
    code_word: str = ""
    """What the sender has to repeat to be forgotten."""

    @property
    def by_token(self) -> bool:
        """Whether the mail answers one that only the owner of the address got."""
        return self.party.role not in (Role.STRANGER, Role.KNOWN)

    @property
    def language(self) -> str:
        """Whose words the sender means where they mean several things."""
        return self.party.person.language if self.party.person else self.house.language

    @property
    def outsider(self) -> bool:
        """Whether the sender's address has not shown that it wants mail: it may well be somebody else's.

        A mail with a token is never an outsider's; nor is one from a registered address, unless nobody ever
        confirmed it, or its owner has asked for silence.
        """
        person = self.party.person
        if self.party.role is Role.STRANGER:
            return True
        return self.party.role is Role.KNOWN and person is not None and (person.stopped or not person.confirmed)


class Refused(Exception):
    """A line that the host does not carry out, with the reason, its facts, and what would work."""

    def __init__(self, reason: Reason, near: Sequence[str] = (), said: Said = Said.REFUSED, **facts: Any) -> None:
        super().__init__(reason.value, facts)
        self.reason, self.near, self.said, self.facts = reason, tuple(near), said, facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is decided so far; every step gives a new one."""

    known: Known
    mail: Mail
    to: Party
    """Whom the answer goes to."""
    person: Person | None
    lines: tuple[Line, ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)
    """Tables as they are now."""
    written: Mapping[str, tuple[Written, ...]] = field(default_factory=dict)
    people: tuple[Person, ...] = ()
    invitations: tuple[Invitation, ...] = ()
    accepted: tuple[Invitation, ...] = ()
    notices: tuple[Notice, ...] = ()
    spoken: tuple[Spoken, ...] = ()
    silenced: tuple[str, ...] = ()
    unsilenced: tuple[str, ...] = ()
    aliases: tuple[Alias, ...] = ()
    dropped: tuple[str, ...] = ()
    forgotten: Person | None = None
    bound: tuple[str, ...] = ()
    """Decisions that lines of this mail have been given to."""
    heading: str = ""
    """The round that the lines below a heading are for."""
    foreseen: Any = None
    """The view behind the lines that this mail has planned, as far as it can be told."""
    state: bool = False
    prose: tuple[str, ...] = ()

    @property
    def language(self) -> str:
        """As of who writes, from the line on that sets it."""
        return self.person.language if self.person else self.known.language

    @property
    def sender(self) -> Person:
        """The registered person who writes."""
        if self.person is None:
            raise Refused(Reason.NOT_REGISTERED)
        return self.person

    def saying(self, line: Line) -> Draft:
        return replace(self, lines=(*self.lines, line))

    def answering(self, n: int, text: str, info: str, **facts: Any) -> Draft:
        """A question answered by the template `info`."""
        return self.saying(Line(n, text, Said.ANSWERED, info=info, facts=facts))

    def doing(self, n: int, text: str, info: str, **facts: Any) -> Draft:
        """A command that was carried out, told by the template `info`."""
        return self.saying(Line(n, text, Said.DONE, info=info, facts=facts))

    def changing(self, table: Table, written: tuple[Written, ...] = ()) -> Draft:
        return replace(
            self,
            tables={**self.tables, table.name: table},
            written={**self.written, table.name: (*self.written.get(table.name, ()), *written)},
        )

    def log(self, table: Table) -> tuple[Logged, ...]:
        """The whole log of `table`, with what the lines of this mail have done so far."""
        fresh = (
            Logged(written.entry, written.events, self.known.now, written.remark)
            for written in self.written.get(table.name, ())
        )
        return (*self.known.logs.get(table.name, ()), *fresh)

    def changed(self) -> tuple[Changed, ...]:
        """The tables that differ from what was loaded."""
        return tuple(
            Changed(self.known.tables.get(name), table, self.written.get(name, ()))
            for name, table in self.tables.items()
            if table != self.known.tables.get(name)
        )

    @property
    def subject(self) -> Table | None:
        """The table that the mail is about, if that is clear."""
        return self.tables.get(self._subject_name)

    @property
    def _subject_name(self) -> str:
        mine = tuple(dict.fromkeys((*self.known.mine, *self._entered())))
        return self.known.party.table or (mine[0] if len(mine) == 1 else "")

    def _entered(self) -> Iterator[str]:
        """The tables that a line of this mail has opened, or has given the sender a seat at."""
        for name, table in self.tables.items():
            before = self.known.tables.get(name)
            if before is None or (self.person and table.seat_of(self.person) and not before.seat_of(self.person)):
                yield name

    def about(self, name: str) -> Table:
        """The table called `name`, or, without a name, the one that the mail is about."""
        wanted = canonical(name) or self._subject_name
        if not wanted:
            raise Refused(Reason.WHICH_GAME if self.known.mine else Reason.NO_GAME, near=self.known.mine, game="")
        if wanted not in self.tables:
            raise Refused(Reason.NO_GAME, near=self.known.mine, game=name or wanted)
        return self.tables[wanted]

    def moderated(self, name: str = "") -> Table:
        """The same, for its moderators alone."""
        table = self.about(name)
        if self.person is None or not table.moderates(self.person):
            raise self.not_moderator(table.name)
        return table

    def not_moderator(self, name: str) -> Refused:
        """The refusal of a moderator's word at the table called `name`; who is at the table is told whose it is."""
        table = self.tables.get(name)
        if table is None or self.person is None:
            return Refused(Reason.NOT_MODERATOR, game=name)
        own = table.moderates(self.person)
        moderator = table.moderator.name if own or table.seat_of(self.person) else ""
        return Refused(Reason.NOT_MODERATOR, game=name, own=own, moderator=moderator)

    def running(self, table: Table) -> Table:
        if table.status is not Status.RUNNING:
            raise Refused(Reason.NOT_RUNNING, game=table.name, status=table.status.value)
        return table
