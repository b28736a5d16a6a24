"""Everything that is kept: people, tables and their records, mails in and out. One class, values in and out.

SQLite by default; PostgreSQL with psycopg. Each writing method is one transaction and one commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime, timedelta
from typing import Final, Self

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from engine.game import AnyGame
from pbem.draft import Answered, Invited, Listed
from pbem.loops import Written
from pbem.names import canonical
from pbem.parties import Alias, Decided, Invitation, Lock, Party, Reference, Unsent
from pbem.settle import Logged
from pbem.store import (
    aliases,
    answers,
    deciding,
    exporting,
    games,
    inbox,
    listing,
    locks,
    outage,
    outbox,
    people,
    silence,
    sweeping,
)
from pbem.store.database import connect, insert_or, reading, writing
from pbem.store.inbox import ATTEMPTS
from pbem.store.migrate import upgrade
from pbem.store.saving import Writing, compare_and_set, save_chairs
from pbem.store.tables import GAME, HOST, INVITATION
from pbem.store.turns import turn
from pbem.store.values import Bundle, Conflict, Incoming, Outgoing, Parked, Pending, Posting, Work
from pbem.table import Person, Status, Table
from pbem.tokens import Tokens

__all__ = [
    "ATTEMPTS",
    "Bundle",
    "Conflict",
    "Incoming",
    "Outgoing",
    "Parked",
    "Pending",
    "Posting",
    "Store",
    "Work",
]


SWEPT: Final = 500
"""Mails in, and as many out, that one pass takes the bytes from."""
SWEEP_MARK: Final = "swept"
"""Under which the host keeps the day on which that was last done to the end."""


class Store:
    """The database. Times are aware; a `Conflict` means that nothing was written.

    `attempts`, 2 or more, is how often a mail is begun before it is given up.
    """

    def __init__(
        self, engine: Engine, tokens: Tokens, attempts: int = ATTEMPTS, *, look: Connection | None = None
    ) -> None:
        self.engine = engine
        self._tokens = tokens
        self._attempts = attempts
        self._look = look

    @classmethod
    def open(cls, url: str, tokens: Tokens, attempts: int = ATTEMPTS) -> Self:
        """The database at `url`, brought to the newest form first. `Trouble` says why it cannot be used."""
        upgrade(url)
        return cls(connect(url), tokens, attempts)

    def close(self) -> None:
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def turn(self) -> AbstractContextManager[bool]:
        """Whether no other process makes a pass; while the context lasts none can begin one."""
        return turn(self.engine)

    @contextmanager
    def looking(self) -> Iterator[Self]:
        """This store for several questions on end: it answers them over one connection, while the context lasts.

        On SQLite all answers are as of one moment. Nothing is written through it.
        """
        with self._reading() as connection:
            yield type(self)(self.engine, self._tokens, self._attempts, look=connection)

    def _reading(self) -> AbstractContextManager[Connection]:
        return nullcontext(self._look) if self._look is not None else reading(self.engine)

    # Mails in

    def intake(self, mails: Sequence[Incoming]) -> tuple[int, ...]:
        """Keep a batch of mails; the ids of those that are new, in order. Known ones are kept as they are, but once a
        day one that was sent again is new as a copy (`Work.again`).

        The first attempt at the new ones is counted by that; before any other there must be a `try_again`.
        """
        with writing(self.engine) as connection:
            return inbox.intake(connection, mails)

    def work(self, limit: int) -> tuple[Work, ...]:
        """Mails that wait to be handled, in order of intake, and were not begun too often."""
        with self._reading() as connection:
            return inbox.work(connection, limit, self._attempts)

    def worn_out(self, limit: int) -> tuple[Work, ...]:
        """Mails that were begun often enough and never handled: to be parked."""
        with self._reading() as connection:
            return inbox.worn_out(connection, limit, self._attempts)

    def raw(self, id: int) -> bytes:
        """The bytes of a mail that came in."""
        with self._reading() as connection:
            return inbox.raw(connection, id)

    def came_first(self, id: int) -> datetime | None:
        """When the mail came in of which `id` is a copy."""
        with self._reading() as connection:
            return inbox.came_first(connection, id)

    def try_again(self, id: int) -> None:
        """Count another attempt, before it is made: so a mail that ends the process cannot loop."""
        with writing(self.engine) as connection:
            inbox.begin_again(connection, id)

    def park(self, id: int, problem: str) -> None:
        """Give a mail up without an answer. `Conflict` when it was handled in the meantime."""
        with writing(self.engine) as connection:
            inbox.finish(connection, id, problem)

    def written(self, id: int, *, proved: bool) -> Written:
        """What the sender of a mail wrote in the hour before it, by its worth; only what was `proved` to be his, or
        only the rest."""
        with self._reading() as connection:
            return inbox.written(connection, id, proved=proved)

    def parked(self) -> tuple[Parked, ...]:
        """Mails that were put aside, in order of intake."""
        with self._reading() as connection:
            return inbox.parked(connection)

    def unpark(self, id: int) -> None:
        """Let a mail that was put aside be tried again. `Conflict` when it is not any more."""
        with writing(self.engine) as connection:
            inbox.unpark(connection, id)

    def drop(self, id: int) -> None:
        """Let a mail that was put aside be done without any effect. `Conflict` when it is not any more."""
        with writing(self.engine) as connection:
            inbox.drop(connection, id)

    # Who it is

    def party(self, token: str) -> Party | None:
        """As whom somebody writes who has `token`; ``None`` when it is unknown or was withdrawn."""
        with self._reading() as connection:
            return people.party(connection, token)

    def person_by_address(self, address: str) -> Person | None:
        return self.people([address]).get(canonical(address))

    def people(self, addresses: Iterable[str]) -> dict[str, Person]:
        """Those who are registered with one of `addresses`, by canonical address."""
        with self._reading() as connection:
            return people.people(connection, addresses)

    def person_by_name(self, name: str) -> Person | None:
        with self._reading() as connection:
            return people.person_by_name(connection, name)

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

    # Tables

    def table(self, name: str, kinds: Mapping[str, AnyGame]) -> Table | None:
        """The table called `name`; `kinds` are the games that are installed."""
        return self.tables([name], kinds).get(name)

    def tables(self, names: Sequence[str], kinds: Mapping[str, AnyGame]) -> dict[str, Table]:
        """Those of the tables called `names` that there are, for as many statements as one of them takes."""
        with self._reading() as connection:
            return games.load(connection, names, kinds)

    def listed(self, person: int, kinds: Mapping[str, AnyGame]) -> tuple[Listed, ...]:
        """Tables that are not over where a person (0: nobody) sits or which he moderates, and those that are open."""
        with self._reading() as connection:
            return listing.listed(connection, person, kinds)

    def invitations(self, name: str) -> tuple[Invitation, ...]:
        """The open invitations to the table called `name`."""
        with self._reading() as connection:
            return listing.invitations(connection, GAME.c.name == name)

    def invitations_to(self, address: str) -> tuple[Invitation, ...]:
        """The open invitations of an address."""
        with self._reading() as connection:
            return listing.invitations(connection, INVITATION.c.canonical == canonical(address))

    def next_number(self) -> int:
        """For the name of a new table. Two who ask at once get the same: the later one's `write` is a `Conflict`."""
        with self._reading() as connection:
            return listing.next_number(connection)

    def log(self, table: Table, after: int = 0, upto: int | None = None) -> tuple[Logged, ...]:
        """The entries of `table` behind entry `after`, up to `upto` or the last."""
        with self._reading() as connection:
            return games.log(connection, table, after, upto)

    def living(self, *status: Status) -> tuple[str, ...]:
        """Names of the tables that are not over, or of those with a `status`, oldest first."""
        with self._reading() as connection:
            return listing.living(connection, status or (Status.OPEN, Status.RUNNING))

    def restless(self, limit: int) -> tuple[str, ...]:
        """Names of tables where something happened since they were last settled."""
        with self._reading() as connection:
            return games.restless(connection, limit)

    def due(self, now: datetime) -> tuple[str, ...]:
        """Names of running games in which somebody's time was over by `now`, the longest first."""
        with self._reading() as connection:
            return games.due(connection, now)

    def held(self, now: datetime) -> tuple[str, ...]:
        """Names of games in which an order could be taken back until before `now`."""
        with self._reading() as connection:
            return games.held(connection, now)

    def to_remind(self, now: datetime) -> tuple[str, ...]:
        """Names of running games in which a reminder was due by `now`."""
        with self._reading() as connection:
            return games.to_remind(connection, now)

    def played_for_absent(self, now: datetime) -> tuple[str, ...]:
        """Names of running games that await somebody who is away and wants a bot to play for him."""
        with self._reading() as connection:
            return games.played_for_absent(connection, now)

    # Deciding

    def write(self, decided: Decided, *, inbox: int | None, now: datetime, problem: str = "") -> None:
        """Write everything that was decided, and with it that mail `inbox` is done (or parked, with a `problem`).

        `Conflict` when a table has moved on, a name was taken or the mail was handled in the meantime.
        """
        with writing(self.engine) as connection:
            deciding.write(Writing(connection, now, self._tokens, {}), decided, inbox, problem)

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

    def sweep(self, now: datetime, keep: timedelta, limit: int = SWEPT) -> int:
        """Once a day, take the bytes from mails that are older than `keep`: how many there were.

        At most `limit` in and `limit` out, so that no pass takes long; the next one goes on, until all is done.
        """
        today = now.date().isoformat()
        if self.mark(SWEEP_MARK) == today:
            return 0
        with writing(self.engine) as connection:
            sweeping.sweep_strangers(connection, now)
            swept = sweeping.sweep(connection, now - keep, limit)
            if swept < limit:
                _set_mark(connection, SWEEP_MARK, today)
            return swept

    # Settling

    def unanswered(self, name: str) -> tuple[Pending, ...]:
        """What waits to be told about the table called `name`, by party."""
        with self._reading() as connection:
            return answers.unanswered(connection, name)

    def unanswered_people(self) -> tuple[Pending, ...]:
        """What waits to be told that is about no table, by party."""
        with self._reading() as connection:
            return answers.unanswered_people(connection)

    def post(
        self,
        postings: Sequence[Posting],
        *,
        now: datetime,
        before: Table | None = None,
        after: Table | None = None,
        restless: bool = False,
    ) -> None:
        """Queue mails, settle what they tell, and let the table rest with the chairs as they are `after`.

        A table that is still `restless` has more to tell, and is settled again in the next pass.
        Without a table for what is about none. `Conflict` when something else was written in the meantime.
        """
        with writing(self.engine) as connection:
            if before is not None and after is not None:
                compare_and_set(connection, before, restless=restless)
                save_chairs(Writing(connection, now, self._tokens, {}), before.id, before.chairs, after.chairs)
            answers.post(connection, postings, {before.name: before.id} if before else {}, now)

    # Mails out

    def to_bundle(self, now: datetime) -> tuple[Bundle, ...]:
        """Mails to be sent now that their readers want in one, by reader."""
        with self._reading() as connection:
            return outbox.to_bundle(connection, now)

    def bundle(self, mail: Unsent, ids: Sequence[int], now: datetime) -> None:
        """Queue a digest in the place of the queued mails `ids`. `Conflict` when one of them is queued no more."""
        with writing(self.engine) as connection:
            answers.bundle(connection, mail, ids, now)

    def parts(self, digest: int) -> tuple[Reference, ...]:
        """What the mails were about that a digest was made of; nothing of any other mail."""
        with self._reading() as connection:
            return outbox.parts(connection, digest)

    def digests_due(self, now: datetime) -> tuple[str, ...]:
        """Names of tables that may have something to tell to somebody whose daily mail is due."""
        with self._reading() as connection:
            return people.digests_due(connection, now)

    def digests_done(self, now: datetime) -> None:
        """Set the next time of every daily mail that was due."""
        with writing(self.engine) as connection:
            people.digests_done(connection, now)

    def sent_since(self, when: datetime) -> int:
        """How many mails were accepted for sending after `when`."""
        with self._reading() as connection:
            return outbox.sent_since(connection, when)

    def queue(self, now: datetime, limit: int) -> tuple[Outgoing, ...]:
        """Mails to be sent now, the one that waits longest first."""
        with self._reading() as connection:
            return outbox.queue(connection, now, limit)

    def is_mail_waiting(self) -> bool:
        """Whether there is any mail to be sent, now or later."""
        with self._reading() as connection:
            return outbox.is_waiting(connection)

    def accepted(self, ids: Sequence[int], now: datetime) -> None:
        """Mails were accepted for sending: the clocks of the decisions that they ask for begin."""
        with writing(self.engine) as connection:
            outbox.accepted(connection, ids, now)

    def retry_later(self, id: int, when: datetime, error: str) -> None:
        """A mail was not accepted for now; it is tried again at `when`."""
        with writing(self.engine) as connection:
            outbox.retry_later(connection, id, when, error)

    def shorten(self, id: int, raw: bytes, error: str) -> None:
        """A mail was too large; `raw` goes out in its place, at once."""
        with writing(self.engine) as connection:
            outbox.shorten(connection, id, raw, error)

    def failed(self, id: int, error: str) -> None:
        """A mail was refused for good."""
        with writing(self.engine) as connection:
            outbox.failed(connection, id, error)

    # The host itself

    def mark(self, key: str) -> str | None:
        """What the host keeps in mind under `key`, as its heartbeat or how far a folder was read."""
        with self._reading() as connection:
            return connection.execute(sa.select(HOST.c.value).where(HOST.c.key == key)).scalar_one_or_none()

    def give_back(self, heartbeat: str, since: datetime, now: datetime) -> bool:
        """Give every running clock the time back that it lost while the host was away since the mark `heartbeat`.

        Whether any did; it is done once, however many processes try, and tells everybody concerned.
        """
        with writing(self.engine) as connection:
            return outage.give_back(connection, heartbeat, since, now)

    def set_mark(self, key: str, value: str) -> None:
        with writing(self.engine) as connection:
            _set_mark(connection, key, value)


def _set_mark(connection: Connection, key: str, value: str) -> None:
    insert = insert_or(connection, HOST).values(key=key, value=value)
    connection.execute(insert.on_conflict_do_update(index_elements=["key"], set_={"value": value}))
