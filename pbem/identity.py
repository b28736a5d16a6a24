"""Who wrote a mail, from what it carries and what is stored.

A token says as whom somebody writes; what has to stand beside it is the keeper's choice (`config.Identity`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.game import AnyGame
from pbem.config import Identity as Proof
from pbem.letters import Carriers, HostAddress, Letter
from pbem.names import canonical
from pbem.parties import Party, Reference, Role
from pbem.store import Store
from pbem.table import Person, Table
from pbem.verdicts import Reason


@dataclass(frozen=True, slots=True)
class Identity:
    """Who wrote a mail, and what is wrong with that."""

    party: Party
    reference: Reference | None
    fault: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """Where it is asked who is there. It looks up and writes nothing."""

    store: Store
    games: Mapping[str, AnyGame]
    host: HostAddress
    subject_tokens: bool
    proof: Proof

    def identity(self, letter: Letter, *, signed: bool, forged: bool) -> Identity:
        """As whom the sender writes. A right token that is not his to use is answered to its owner alone.

        `signed`: our server found that the domain of his address signed the mail; `forged`: that somebody else sent it.
        """
        carriers = letter.carriers(self.host, subject_tokens=self.subject_tokens)
        reference = self.store.reference(carriers.references) if carriers.references else None
        party = self.store.party(carriers.token) if carriers.token else None
        if party is None:
            by_address = self._by_address(letter, carriers, reference, signed)
            fault = Reason.CARRIERS if len(carriers.tokens) > 1 else None
            return Identity(by_address, self._own(reference, by_address), fault)
        party = replace(party, address=party.person.address if party.person else party.address)
        if fault := self._fault(party, letter, signed=signed, forged=forged):
            return Identity(party, None, fault)
        party = self._registered(party)
        if party.role in (Role.SEAT, Role.MODERATOR) and _disagree(party, reference, carriers.subject_games):
            return Identity(party, None, Reason.CARRIERS)
        reference = self._own(reference, party)
        return Identity(_about(party, reference, carriers.subject_games), reference)

    def _own(self, reference: Reference | None, party: Party) -> Reference | None:
        """The mail that is answered, if it went to the sender himself.

        He may know the Message-ID of another one's mail, and must learn nothing by it: not which table it is about,
        nor, by what is then taken for quotation, what stands in it. Of a seat that has changed hands the decision
        counts all the same.
        """
        if reference is None or canonical(reference.address) == canonical(party.address):
            return reference
        owner = self.store.person_by_address(reference.address) if party.person else None
        if owner is not None and party.person is not None and owner.id == party.person.id:
            return reference
        return replace(reference, raw=b"") if party.role in (Role.SEAT, Role.MODERATOR) else None

    def _fault(self, party: Party, letter: Letter, *, signed: bool, forged: bool) -> Reason | None:
        """Why the sender may not use the token of `party`."""
        if self.proof is Proof.TOKEN:
            return None
        if not self._is_his_address(party, letter):
            return Reason.OTHER_ADDRESS
        if self.proof is Proof.DKIM and not signed:
            return Reason.UNSIGNED
        return Reason.FORGED if forged else None

    def _is_his_address(self, party: Party, letter: Letter) -> bool:
        if canonical(party.address) == letter.canonical_sender:
            return True
        person = self.store.person_by_address(letter.sender) if party.person else None
        return person is not None and party.person is not None and person.id == party.person.id

    def _registered(self, party: Party) -> Party:
        """Whoever is invited and has a name already writes as himself."""
        person = self.store.person_by_address(party.address) if party.role is Role.INVITED else None
        return replace(party, role=Role.PERSON, person=person, seat=0) if person else party

    def _by_address(self, letter: Letter, carriers: Carriers, reference: Reference | None, signed: bool) -> Party:
        """Who writes without a token; where signatures prove an address, that is enough to order."""
        person = self.store.person_by_address(letter.sender)
        if person is None:
            return Party(Role.STRANGER, letter.sender)
        party = Party(Role.KNOWN, person.address, person)
        reference = self._own(reference, party)
        party = _about(party, reference, carriers.subject_games)
        if self.proof is not Proof.DKIM or not signed or len(carriers.tokens) > 1:
            return party
        table = self.store.table(party.table, self.games) if party.table else None
        return _placed(replace(party, role=Role.PERSON), person, table, reference)


def _placed(party: Party, person: Person, table: Table | None, reference: Reference | None) -> Party:
    """`party` on his seat at `table`; a moderator who plays is one only in answer to a mail that he got as such."""
    if table is None or table.position is None:
        return party
    seat = table.seat_of(person)
    moderates = table.moderates(person)
    answers_seat = reference is not None and reference.table == table.name and reference.seat > 0
    if seat and (answers_seat or not moderates or reference is None):
        return replace(party, role=Role.SEAT, seat=seat)
    return replace(party, role=Role.MODERATOR) if moderates else party


def _about(party: Party, reference: Reference | None, names: Sequence[str]) -> Party:
    """`party` with the table that its mail is about, when its token does not say so."""
    if party.table:
        return party
    return replace(party, table=(reference.table if reference else "") or next(iter(names), ""))


def _disagree(party: Party, reference: Reference | None, names: Sequence[str]) -> bool:
    """Whether the carriers of a mail point at different seats."""
    if reference is not None and reference.table and (reference.table, reference.seat) != (party.table, party.seat):
        return True
    return bool(names) and party.table not in names
