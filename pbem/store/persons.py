"""Who somebody is, and whether he may use the host."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from pbem.draft import Answered, Invited
from pbem.names import canonical
from pbem.parties import Alias, Lock, Party, Reference
from pbem.store import aliases, exporting, inbox, locks, outbox, people, press, silence
from pbem.store.connected import Connected
from pbem.store.database import writing
from pbem.table import Person, Table


class Persons(Connected):
    """People, their addresses, tokens and wishes. Times are aware."""

    def party(self, token: str) -> Party | None:
        """As whom somebody writes who has `token`; ``None`` when it is unknown or was withdrawn."""
        with self._reading() as connection:
            return people.party(connection, token)

    def is_ours(self) -> bool:
        """Whether the reply addresses of these players were made with our key; so it is where there is no player.

        Each player has one under no table. Some may be older than the key, when a lost one was replaced.
        """
        with self._reading() as connection:
            return people.made_with(connection, self._tokens)

    def person_by_address(self, address: str) -> Person | None:
        return self.people([address]).get(canonical(address))

    def people(self, addresses: Iterable[str]) -> dict[str, Person]:
        """Those who are registered with one of `addresses`, by canonical address."""
        with self._reading() as connection:
            return people.people(connection, addresses)

    def person_by_name(self, name: str) -> Person | None:
        with self._reading() as connection:
            return people.person_by_name(connection, name)

    def pressed(self, person: int, now: datetime) -> int:
        """How often a person has said something in the last day."""
        with self._reading() as connection:
            return press.count(connection, person, now)

    def aliases(self, person: Person) -> tuple[Alias, ...]:
        """The further addresses of `person`, confirmed or not."""
        with self._reading() as connection:
            return aliases.of(connection, person)

    def offered_aliases(self, addresses: Iterable[str]) -> tuple[Alias, ...]:
        """Whose each of `addresses` is to become, once it has answered."""
        with self._reading() as connection:
            return aliases.offered(connection, addresses)

    def address_code(self, person: Person, address: str) -> str:
        """What has to come back from `address` to make it another one of `person`."""
        return self._tokens.address_code(person.id, person.epoch, address)

    def names_taken(self, names: Iterable[str]) -> frozenset[str]:
        """Those of `names`, folded, that somebody has."""
        with self._reading() as connection:
            return people.names_taken(connection, names)

    def last_seen(self, person: Person) -> datetime | None:
        """When the last mail of `person` came in, from whichever of his addresses, as far as one is known."""
        with self._reading() as connection:
            further = (alias.address for alias in aliases.of(connection, person) if alias.confirmed)
            return inbox.last_seen(connection, (person.address, *further))

    def read_from(self, table: Table, person: Person, seat: int) -> datetime | None:
        """When the newest mail to a seat was accepted for sending; nothing while it waits, or without any."""
        with self._reading() as connection:
            return outbox.read_from(connection, person.id, table.id, seat)

    def reference(self, message_ids: Sequence[str]) -> Reference | None:
        """The first of `message_ids` (the newest stands first) that is a mail of this host."""
        with self._reading() as connection:
            return outbox.reference(connection, message_ids)

    # Who may use the host

    def silent(self, addresses: Iterable[str]) -> frozenset[str]:
        """Those of `addresses`, in canonical form, that want no mail."""
        with self._reading() as connection:
            return silence.silent(connection, addresses)

    def locked(self, addresses: Iterable[str]) -> Lock | None:
        """The keeper's lock on one of `addresses`, if there is any."""
        with self._reading() as connection:
            return locks.found(connection, addresses)

    def lock(self, addresses: Iterable[str], why: str, now: datetime) -> None:
        """Let mails from `addresses` be read by nobody."""
        with writing(self.engine) as connection:
            locks.lock(connection, addresses, why, now)

    def unlock(self, addresses: Iterable[str]) -> bool:
        """Let mails from `addresses` be read again; whether one of them was locked."""
        with writing(self.engine) as connection:
            return locks.unlock(connection, addresses)

    def day_before(self, id: int, received_at: datetime, *, proved: bool) -> tuple[int, datetime | None]:
        """How many mails its sender wrote in the 24 hours before a mail, with proof or without, and when the first."""
        with self._reading() as connection:
            return inbox.day_before(connection, id, received_at, proved=proved)

    def strangers_answered(self, address: str, now: datetime) -> Answered:
        """Answers of the last day to `address`, and to all addresses that nobody has confirmed."""
        with self._reading() as connection:
            return silence.strangers_answered(connection, address, now)

    def invitations_made(self, person: int, now: datetime) -> Invited:
        """Invitations of a person in the last day, and those that nobody has answered yet."""
        with self._reading() as connection:
            return silence.invitations_made(connection, person, now)

    def code_word(self, person: Person) -> str:
        """What `person` has to repeat to be forgotten."""
        return self._tokens.code_word(person.id, person.epoch)

    def confirmation(self, word: str, table: Table, seat: int) -> str:
        """What confirms a costly word of `seat` (0: the moderator) at a table that runs."""
        return self._tokens.confirmation(word, table, seat)

    def export(self, person: Person) -> exporting.Export:
        """Everything that is kept about `person`."""
        with self._reading() as connection:
            return exporting.export(connection, person)
