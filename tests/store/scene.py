"""People and a table of Choices, written through the store as the desk would."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from engine.record import By
from pbem.parties import Changed, Decided, Notice, Party, Role, Unsent
from pbem.schedule import Schedule, Span
from pbem.store import Incoming, Pending, Posting, Store
from pbem.table import Chair, Person, Status, Table, begin, play
from pbem.verdicts import Line, Said, Verdict
from tests.games.choices import GAME, Pick

NOW = datetime(2026, 11, 30, 12, 0, 0, 250_000, tzinfo=UTC)
KINDS = {GAME.name: GAME}
NAMES = ("Anna", "Bob", "Chen")


def address(name: str) -> str:
    return f"{name}@Example.org"


def register(store: Store, *names: str) -> list[Person]:
    """Register people by name, and give them as the store has them."""
    store.write(Decided(people=tuple(Person(0, name, address(name)) for name in names)), inbox=None, now=NOW)
    found = store.people(address(name) for name in names)
    return [found[address(name).lower()] for name in names]


def schedule(deadline: timedelta | None) -> Schedule:
    """So long for each decision, and a reminder an hour before."""
    time = Span(seconds=int(deadline.total_seconds())) if deadline else None
    return Schedule(time=time, remind=(timedelta(hours=1),))


def new_table(people: list[Person], name: str = "choices-1", deadline: timedelta | None = None) -> Table:
    return Table(
        id=0,
        name=name,
        game=GAME,
        options={"bonus": "on"},
        places=4,
        status=Status.OPEN,
        moderator=people[0],
        secret="5e" * 32,
        schedule=schedule(deadline),
        chairs=tuple(Chair(seat, person) for seat, person in enumerate(people, 1)),
    )


def the_table(store: Store, name: str = "choices-1") -> Table:
    table = store.table(name, KINDS)
    assert table is not None
    return table


def open_table(store: Store, *names: str, name: str = "choices-1", deadline: timedelta | None = None) -> Table:
    """A table that waits for its start, with its people registered first."""
    people = register(store, *(names or NAMES))
    store.write(Decided(tables=(Changed(None, new_table(people, name, deadline)),)), inbox=None, now=NOW)
    return the_table(store, name)


def running_table(store: Store, *names: str, name: str = "choices-1", deadline: timedelta | None = None) -> Table:
    """A table whose first round waits for picks."""
    table = open_table(store, *names, name=name, deadline=deadline)
    after, written = begin(table)
    store.write(Decided(tables=(Changed(table, after, written),)), inbox=None, now=NOW)
    return the_table(store, name)


def pick(store: Store, table: Table, seat: int, number: int, inbox: int | None = None) -> Table:
    """A pick of a seat, written with its verdict."""
    after, written = play(table, seat, Pick(number), By.SEAT)
    verdict = Verdict((Line(1, f"PICK {number}", Said.DONE, entry=written[0].entry.n),), received_at=NOW)
    decided = Decided(verdict=verdict, to=seat_party(table, seat), tables=(Changed(table, after, written),))
    store.write(decided, inbox=inbox, now=NOW)
    return the_table(store, table.name)


def seat_party(table: Table, seat: int) -> Party:
    person = table.chair(seat).person
    assert person is not None
    return Party(Role.SEAT, person.address, person, table.name, seat)


def incoming(text: str = "PICK 3", uid: int = 1, received_at: datetime = NOW) -> Incoming:
    raw = f"Subject: {text}\r\n\r\n{text}\r\n".encode()
    return Incoming("imap:INBOX:1", uid, hashlib.sha256(raw).hexdigest(), address("Anna"), raw, received_at)


def notice(to: Party, kind: str = "joined") -> Notice:
    return Notice(to, kind, {"name": "Dora", "seats": [1, 2]})


def unsent(to: Party, message_id: str = "<1@inn>", asks: str = "", decision: str = "") -> Unsent:
    return Unsent(to, message_id, "[choices-1] Round 1", b"raw", decision=decision, n=1, asks=asks)


def settle(store: Store, table: Table, message: Callable[[Pending], Unsent | None]) -> None:
    """Post one mail for each party that has something to be told."""
    postings = [Posting(message(pending), (pending,)) for pending in store.unanswered(table.name)]
    store.post(postings, now=NOW, before=table, after=table)


def ask(store: Store, table: Table, seat: int, message_id: str = "<ask@inn>") -> Table:
    """Queue a mail that asks `seat` for its open decision."""
    decision = table.open_decision(seat)
    assert decision is not None
    after = table.with_chair(replace(table.chair(seat), asked=decision.key, kind=decision.kind, clock=None))
    mail = unsent(seat_party(table, seat), message_id, asks=decision.key, decision=decision.key)
    store.post([Posting(mail)], now=NOW, before=table, after=after)
    return the_table(store, table.name)
