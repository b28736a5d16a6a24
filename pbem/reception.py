"""From the bytes of a mail to what is decided about it: who wrote it, what it may concern, and then the desk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import structlog

from engine.game import AnyGame
from pbem import letters, lines
from pbem.commands import costly, grammar
from pbem.commands.grammar import Command
from pbem.commands.mentions import addresses_given, tables_named
from pbem.commands.naming import forms_of, names_given
from pbem.commands.opening import tongue
from pbem.commands.overriding import (
    Clone,
    ListNotes,
    Rollback,
    RollbackTo,
    Rollforward,
)
from pbem.config import Identity as Proof
from pbem.desk import decide, misdirected
from pbem.draft import HouseRules, Invited, Known, Mail
from pbem.gate import Gate
from pbem.identity import Door, Identity
from pbem.letters import HostAddress, Letter, OwnText, Problem
from pbem.loops import USUAL, Allowance, Worth, worth
from pbem.names import ascii_address, canonical, folded
from pbem.parties import Decided, Notice, Party, Reference, Role, moderator_party
from pbem.schedule import Schedule
from pbem.sections import joined, sections, tables_after
from pbem.settle import Logged
from pbem.spoken import gathered
from pbem.store import Store
from pbem.table import Person, Status, Table
from pbem.tongues import ENGLISH
from pbem.unreachable import unreachable
from pbem.verdicts import Reason

TOO_LARGE_HEADER: Final = b"X-PBEM-Too-Large: yes\r\n"
"""Set before the header block of a mail that was refused by its announced size."""

PROBLEMS: Final[Mapping[Problem, Reason]] = {
    Problem.EMPTY: Reason.EMPTY,
    Problem.ONLY_ATTACHMENT: Reason.NO_TEXT,
    Problem.ENCRYPTED: Reason.NO_TEXT,
    Problem.INCOMPLETE: Reason.INCOMPLETE,
    Problem.TOO_LARGE: Reason.TOO_LARGE,
}
OPEN_HOUSE: Final = HouseRules()
COMING_IN: Final = frozenset({grammar.Register, grammar.Join, grammar.StartAgain})
"""Commands that an invitation bears upon."""
ABOUT_ADDRESSES: Final = frozenset({grammar.AddAddress, grammar.RemoveAddress, grammar.MainAddress})
ABOUT_ALL_TABLES: Final = frozenset(
    {grammar.Stop, grammar.Forget, grammar.GoAway, grammar.ComeBack, grammar.ResetToken}
)
"""Commands that concern every table of their sender."""
OPENING: Final = frozenset({grammar.New, grammar.Practice, grammar.Rematch, Clone})
"""Commands that open a table."""
BEGINNING: Final = frozenset({grammar.Start, grammar.Practice, grammar.Join, grammar.Rematch})
"""Commands with which somebody's first game may begin."""
TALKING: Final = frozenset({grammar.Say, grammar.Tell})
"""Commands of which a player may give so many a day."""
LOOKING_BACK: Final = frozenset({Rollback, RollbackTo, Rollforward, ListNotes})
"""Commands that need the whole log of their table."""


log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Arrived:
    """One mail out of the inbox."""

    id: int
    raw: bytes
    received_at: datetime
    first: datetime | None = None
    """When the same mail came before, if it did."""


def letter_of(raw: bytes, host: HostAddress) -> Letter:
    """The letter in what the mailbox gave: a whole mail, or the headers of one that is too large."""
    if raw.startswith(TOO_LARGE_HEADER):
        return letters.read_head(raw[len(TOO_LARGE_HEADER) :], host)
    return letters.read_letter(raw, host)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reception:
    """Reads mails against what is stored. It writes nothing."""

    store: Store
    games: Mapping[str, AnyGame]
    host: HostAddress
    subject_tokens: bool
    schedule: Schedule
    """For tables whose opener says nothing."""
    entropy: Callable[[], str]
    """Gives 256 random bits in hex."""
    chosen: bool = False
    """The bits were chosen, not drawn."""
    house: HouseRules = OPEN_HOUSE
    authserv_id: str = ""
    """What the mail server that takes our mail calls itself; without it nobody's verdict on a sender counts."""
    proof: Proof = Proof.TOKEN_AND_FROM
    allowance: Allowance = USUAL
    contact: str = ""
    """The keeper's own address, where whoever is locked may object."""
    mails_a_day: int = 0
    """Of one sender, that are heard; 0: all."""

    @property
    def gate(self) -> Gate:
        """Where it is asked who is not heard at all."""
        return Gate(self.store, self.contact, self.mails_a_day)

    def table_of(self, letter: Letter) -> str:
        """The table that a mail is for, by its token or the mail that it answers; nothing where they name none."""
        carriers = letter.carriers(self.host, subject_tokens=self.subject_tokens)
        party = self.store.party(carriers.token) if carriers.token else None
        if party is not None and party.table:
            return party.table
        reference = self.store.reference(carriers.references) if carriers.references else None
        return reference.table if reference is not None else ""

    def decided(self, arrived: Arrived, now: datetime) -> Decided:
        """All that follows from a mail; nothing at all from a robot's, or from one without a sender."""
        with self.store.looking() as seen:
            return replace(self, store=seen)._decided(arrived, now)

    def _decided(self, arrived: Arrived, now: datetime) -> Decided:
        letter = letter_of(arrived.raw, self.host)
        if letter.automatic in letters.BOUNCING:
            return self._returned(arrived)
        if letter.automatic is not None or not ascii_address(letter.sender):
            return Decided()  # a robot's, or from an address to which no answer could be written
        answer = self._answered if arrived.first is None else self._again
        return self._unless_looping(answer(letter, arrived, now), letter, arrived)

    def _answered(self, letter: Letter, arrived: Arrived, now: datetime) -> Decided:
        found = self._found(arrived)
        forged, vouched = found is letters.Verdict.FAIL, found is letters.Verdict.PASS
        identity = self._identity(letter, arrived, forged)
        mail = replace(_mail(arrived, letter, _own(letter, identity.reference)), forged=forged, vouched=vouched)
        bare = Known(now=now, party=identity.party, games=self.games)
        if (shut := self.gate.shut(identity.party, letter.sender)) is not None:
            return shut
        if identity.fault is not None:
            return misdirected(bare, mail, identity.party, identity.fault)
        reference = identity.reference
        if reference is not None and reference.parts and identity.party.role is Role.PERSON:
            decided = self._by_sections(identity, reference, mail, now)
        else:
            decided = decide(self._known(identity, mail, now), mail)
        return self.gate.within_a_day(decided, bare, mail, identity.party)

    def _again(self, letter: Letter, arrived: Arrived, now: datetime) -> Decided:
        """A player who sends the same mail another time is told when it came first; others get nothing."""
        identity = self._identity(letter, arrived, self._is_forged(arrived))
        known = Known(now=now, party=identity.party, games=self.games)
        locked = self.gate.shut(identity.party, letter.sender) is not None
        if known.outsider or locked or identity.fault is not None or arrived.first is None:
            return Decided()
        mail = _mail(arrived, letter, OwnText())
        return misdirected(known, mail, identity.party, Reason.REPEATED, at=arrived.first.isoformat())

    def _by_sections(self, identity: Identity, digest: Reference, mail: Mail, now: datetime) -> Decided:
        """What follows from an answer to a digest: what stands below a game's name is for the sender's seat there."""
        seats = {part.table: part for part in digest.parts}
        decided: list[Decided] = []
        for section in sections(mail.lines, seats):
            whose = identity
            if section.table:
                whose = replace(identity, party=self._seated(identity.party, seats[section.table]))
                whose = replace(whose, reference=seats[section.table])
            open_ends, adjoining = section.joints(mail.open_ends), section.joints(mail.adjoining)
            part = replace(mail, lines=section.lines, open_ends=open_ends, adjoining=adjoining)
            known = self._known(whose, part, now)
            said = sum(len(each.spoken) for each in decided)
            known = replace(known, tables={**known.tables, **tables_after(decided)}, pressed=known.pressed + said)
            decided.append(decide(known, part))
        return joined(decided) if decided else decide(self._known(identity, mail, now), mail)

    def _seated(self, party: Party, part: Reference) -> Party:
        """`party` on the seat that a part of its digest was for; as himself where somebody else sits by now."""
        table = self.store.table(part.table, self.games)
        if table is None or party.person is None or table.seat_of(party.person) != part.seat:
            return replace(party, table=part.table)
        return replace(party, role=Role.SEAT, table=part.table, seat=part.seat)

    def _identity(self, letter: Letter, arrived: Arrived, forged: bool) -> Identity:
        door = Door(
            store=self.store,
            games=self.games,
            host=self.host,
            subject_tokens=self.subject_tokens,
            proof=self.proof,
        )
        signed = self.proof is Proof.DKIM and letters.is_signed(arrived.raw, self.authserv_id)
        return door.identity(letter, signed=signed, forged=forged)

    def _is_forged(self, arrived: Arrived) -> bool:
        return self._found(arrived) is letters.Verdict.FAIL

    def _found(self, arrived: Arrived) -> letters.Verdict:
        """What our own server found of the sender."""
        return letters.sender_verdict(arrived.raw, self.authserv_id)

    def _unless_looping(self, decided: Decided, letter: Letter, arrived: Arrived) -> Decided:
        """`decided`, or nothing of it where the sender writes as only a robot does. Moves of a game always count, and
        so does the wish for silence. What bears no proof is counted apart, for anybody may forge it."""
        value = worth(decided)
        if value is Worth.MOVE or decided.verdict is None or decided.silenced:
            return decided
        before = self.store.written(arrived.id, proved=decided.proved)
        if not self.allowance.is_spent(value, before):
            return decided
        told = self.allowance.is_just_spent(value, before)
        return Decided(notices=self._robot(letter) if told else (), proved=decided.proved)

    def _robot(self, letter: Letter) -> tuple[Notice, ...]:
        """The moderators of the sender's games are told, once, that he is not answered for a while."""
        person = self.store.person_by_address(letter.sender)
        log.warning("an address writes too much and is not answered", known=person is not None)
        if person is None:
            return ()
        names = (each.name for each in self.store.listed(person.id, self.games) if each.mine)
        tables = (table for name in names if (table := self.store.table(name, self.games)))
        facts = {"name": person.name}
        return tuple(
            Notice(moderator_party(table), "robot", {**facts, "game": table.name})
            for table in tables
            if table.status is Status.RUNNING and table.moderator.id != person.id
        )

    def _returned(self, arrived: Arrived) -> Decided:
        """What follows from a mail of ours that came back. Only what it brings back of our headers says which."""
        bounce = letters.bounce(arrived.raw, self.host)
        if bounce is None or bounce.failure is letters.Failure.DELAY:
            return Decided()
        if bounce.failure is letters.Failure.HOST_TROUBLE:
            log.warning("a mail came back, and no player is to blame", status=bounce.status)
            return Decided()
        decided = [
            found
            for name, seat, address in self._sent_to(bounce)
            if name and seat and (table := self.store.table(name, self.games))
            if (found := unreachable(table, seat, address)) is not None
        ]
        return joined(decided) if decided else Decided()

    def _sent_to(self, bounce: letters.Bounce) -> list[tuple[str, int, str]]:
        """Table, seat and address of the mail that came back, or of each part of it."""
        if bounce.references and (reference := self.store.reference(bounce.references)):
            return [(each.table, each.seat, reference.address) for each in reference.parts or (reference,)]
        party = self.store.party(bounce.tokens[0]) if bounce.tokens else None
        return [(party.table, party.seat, party.address)] if party else []

    def failed(self, arrived: Arrived, now: datetime) -> Decided:
        """What is told when the host itself cannot handle a mail: its sender and the moderator learn of it.

        The headers are enough to know them; its text may be what could not be handled.
        """
        letter = letters.read_head(arrived.raw.removeprefix(TOO_LARGE_HEADER), self.host)
        if letter.automatic is not None or not letter.sender:
            return Decided()
        identity = self._identity(letter, arrived, self._is_forged(arrived))
        known = Known(now=now, party=identity.party, games=self.games)
        if known.outsider:
            return Decided()
        told = misdirected(known, _mail(arrived, letter, OwnText()), identity.party, Reason.FAILED)
        return replace(told, notices=self._alarm(identity.party))

    def _alarm(self, party: Party) -> tuple[Notice, ...]:
        table = self.store.table(party.table, self.games) if party.table else None
        if table is None or party.role is Role.MODERATOR:
            return ()
        facts = {"name": party.person.name if party.person else "", "game": table.name}
        return tuple(Notice(moderator_party(table, each), "failed", facts) for each in table.moderators)

    def _known(self, identity: Identity, mail: Mail, now: datetime) -> Known:
        """What the lines of the mail ask for, loaded; nothing more."""
        party, person = identity.party, identity.party.person
        language = person.language if person else self.house.language
        commands = lines.commands(mail.lines, language)
        asks = {type(command) for command in commands}
        listed = self.store.listed(person.id if person else 0, self.games) if _asks_for_list(party, asks) else ()
        mine = tuple(each.name for each in listed if each.mine)
        whole = len(mine) == 1 or not asks.isdisjoint(ABOUT_ALL_TABLES)
        tables = self._tables([party.table, *tables_named(commands), *(mine if whole else ())])
        rematches = self.store.rematches(tables) if grammar.Rematch in asks else {}
        tables |= self._tables(rematches.values())
        opens = not asks.isdisjoint(OPENING)
        known = Known(
            now=now,
            party=party if party.table in tables else replace(party, table=""),
            games=self.games,
            tables=tables,
            mine=mine,
            reference=identity.reference,
            taken=self.store.names_taken(names) if (names := forms_of(names_given(commands))) else frozenset(),
            misread=frozenset(folded(name) for name in names_given(commands) if letters.is_misread(name)),
            invited=self.store.invitations_to(party.address) if not asks.isdisjoint(COMING_IN) else (),
            open_tables=listed,
            next_number=self.store.next_number() if opens else 1,
            entropy=self.entropy() if opens else "",
            chosen=self.chosen,
            rematches=rematches,
            newcomers=self._newcomers(person, tables) if not asks.isdisjoint(BEGINNING) else frozenset(),
            schedule=self.schedule,
            logs=self._logs(tables) if not asks.isdisjoint(LOOKING_BACK) else {},
            moderator_seen=self._moderator_seen(tables, party) if grammar.Vote in asks else None,
            house=replace(self.house, language=_read_by(mail) or self.house.language),
            read_from=self._read_from(tables.get(party.table), party, identity.reference, now),
            pressed=self.store.pressed(person.id, now) if person and not asks.isdisjoint(TALKING) else 0,
            codes=self._codes(person, tables) if not asks.isdisjoint(costly.ASKING) else {},
        )
        known = self._with_addresses(known, addresses_given(commands), asks)
        return self._with_outsider(known) if known.outsider and (commands or person) else known

    def _with_addresses(self, known: Known, addresses: Sequence[str], asks: set[type[Command]]) -> Known:
        """`known` with what concerns the addresses that the mail names, and the one it asks to be forgotten."""
        person = known.party.person
        if person is not None and grammar.Forget in asks:
            known = replace(known, code_word=self.store.code_word(person))
        if person is not None and not asks.isdisjoint(ABOUT_ADDRESSES):
            codes = {canonical(each): self.store.address_code(person, each) for each in addresses}
            offers = self.store.offered_aliases(addresses)
            known = replace(known, aliases=self.store.aliases(person), offers=offers, address_codes=codes)
        if person is None and grammar.ConfirmAddress in asks:
            known = self._with_offer(known)
        if not addresses:
            return known
        open_offers = (offer for name in known.tables for offer in self.store.invitations(name))
        return replace(
            known,
            others=self.store.people(addresses),
            silent=self.store.silent(addresses) | {canonical(each) for each in addresses if self.host.owns(each)},
            invitees=frozenset(canonical(o.address) for o in open_offers) if grammar.Invite in asks else frozenset(),
            inviting=self.store.invitations_made(person.id, known.now) if person else Invited(),
        )

    def _with_offer(self, known: Known) -> Known:
        """`known` with whose address the sender's is to become."""
        offer = next(iter(self.store.offered_aliases([known.party.address])), None)
        if offer is None:
            return known
        code = self.store.address_code(offer.person, offer.address)
        return replace(known, offer=offer, address_codes={canonical(offer.address): code})

    def _with_outsider(self, known: Known) -> Known:
        """`known` with how often the sender's address was answered, and whether it wants that at all."""
        address = known.party.address
        silent = known.silent | self.store.silent([address])
        return replace(known, silent=silent, answered=self.store.strangers_answered(address, known.now))

    def _tables(self, names: Iterable[str]) -> dict[str, Table]:
        wanted = [name for name in dict.fromkeys(names) if name]
        return self.store.tables(wanted, self.games) if wanted else {}

    def _codes(self, person: Person | None, tables: Mapping[str, Table]) -> dict[tuple[str, str], str]:
        """The codes for costly words of `person` at the tables that run."""
        if person is None:
            return {}
        seats = {name: table.seat_of(person) for name, table in tables.items() if table.status is Status.RUNNING}
        costs = [(costly.RESIGN, name, seat) for name, seat in seats.items() if seat]
        costs += [(costly.END, name, 0) for name in seats]
        return {(word, name): self.store.confirmation(word, tables[name], seat) for word, name, seat in costs}

    def _newcomers(self, person: Person | None, tables: Mapping[str, Table]) -> frozenset[int]:
        """Who, of the sender and the people of `tables`, has not played yet."""
        seated = {chair.person.id for table in tables.values() for chair in table.chairs if chair.person}
        return self.store.newcomers(seated | ({person.id} if person else set()))

    def _read_from(
        self, table: Table | None, party: Party, reference: Reference | None, now: datetime
    ) -> datetime | None:
        """Asked only of a mail that says of no decision that it answers it, and that may repeat the last orders."""
        answers = reference is not None and reference.decision
        if table is None or party.person is None or party.role is not Role.SEAT or answers:
            return None
        if table.chair(party.seat).orders is None:
            return None
        return self.store.read_from(table, party.person, party.seat) or now

    def _logs(self, tables: Mapping[str, Table]) -> dict[str, tuple[Logged, ...]]:
        return {name: self.store.log(table) for name, table in tables.items()}

    def _moderator_seen(self, tables: Mapping[str, Table], party: Party) -> datetime | None:
        table = tables.get(party.table)
        if table is None:
            return None
        free = [each for each in table.moderators if self.store.locked([each.address]) is None]
        return max(filter(None, map(self.store.last_seen, free)), default=None)


def _own(letter: Letter, reference: Reference | None) -> OwnText:
    """The sender's own text, told from quotation by what the answered mail showed where that may make a difference.

    That mail may be kept no more.
    """
    own = letters.own_text(letter.body)
    if own.certain or reference is None or not reference.raw:
        return own
    return letters.own_text(letter.body, letters.shown_text(reference.raw))


def _mail(arrived: Arrived, letter: Letter, own: OwnText) -> Mail:
    long_lines = sum(ignored.reason is letters.Reason.LONG_LINE for ignored in own.ignored)
    said = gathered(own.own, own.open_ends, own.adjoining)
    return Mail(
        lines=said.lines,
        open_ends=said.open_ends,
        adjoining=said.adjoining,
        received_at=arrived.received_at,
        inbox=arrived.id,
        subject=letter.subject,
        message_id=letter.message_id,
        language=letter.language,
        caps=tuple(cap.value for cap in letter.body.caps),
        ignored=len(own.ignored) - long_lines,
        too_long=long_lines,
        problem=PROBLEMS[letter.problem] if letter.problem else None,
    )


def _read_by(mail: Mail) -> str:
    """The language of who wrote `mail`, or nothing: other than English words tell it better than the program's header,
    which often says what the program was made in."""
    words = (tongue(lines.bare(line)) for line in mail.lines)
    return next((each for each in words if each not in ("", ENGLISH)), mail.language)


def _asks_for_list(party: Party, asks: set[type[Command]]) -> bool:
    about_all = not asks.isdisjoint(ABOUT_ALL_TABLES)
    lists = not asks.isdisjoint({grammar.Games, grammar.New, grammar.Practice})
    return lists or (party.person is not None and (about_all or not party.table))
