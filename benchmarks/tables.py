"""Tables that wait for an order, and the orders that people would mail."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.utils import format_datetime
from itertools import count
from typing import Any, Final

import sqlalchemy as sa

from engine.bloody_inn import GAME
from engine.game import AnyGame
from engine.record import By
from pbem.parties import Changed, Decided
from pbem.store import Store
from pbem.store.tables import GAME as GAMES
from pbem.store.tables import OUTBOX
from pbem.table import Chair, Person, Status, Table, Written, begin, play
from pbem.tokens import Tokens

NOW: Final = datetime(2026, 11, 30, 12, tzinfo=UTC)
KINDS: Final[Mapping[str, AnyGame]] = {GAME.name: GAME}
DOMAIN: Final = "example.org"
HOST: Final = f"inn@{DOMAIN}"
TOKENS: Final = Tokens(b"a key of at least 32 bytes to measure with")
SEATS: Final = ("Anna", "Bob", "Chen", "Dora")

Action = Any
Choice = Callable[[Table, int], Action]
"""What the player of a seat does."""

_PLAIN: Final = {
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Transfer-Encoding": "8bit",
}
_numbers = count(1)


def the_table(store: Store, name: str) -> Table:
    """A table that is there."""
    table = store.table(name, KINDS)
    assert table is not None
    return table


def fallback(table: Table, seat: int) -> Action:
    """What a missed deadline does: it lodges everybody, passes, and pays in checks."""
    return table.game.fallback(table.running.state, seat)


def one_by_one(table: Table, seat: int) -> Action:
    """The same with a single traveler an order."""
    action = fallback(table, seat)
    first = next(table.game.legal(table.running.state, seat))
    return first if type(first) is type(action) and hasattr(first, "rooms") else action


def opened(store: Store, count: int, options: Mapping[str, str] | None = None, entries: int = 0) -> list[str]:
    """Seat four new people at each of `count` new tables and deal; the names of the tables.

    With `entries` each game goes on until so many have been written and a seat is to act at night, not the last one.
    """
    tables = [Changed(None, *_played(after, list(written), entries)) for after, written in begun(store, count, options)]
    store.write(Decided(tables=tuple(tables)), inbox=None, now=NOW)
    return [change.after.name for change in tables]


def begun(
    store: Store, count: int, options: Mapping[str, str] | None = None
) -> Iterator[tuple[Table, tuple[Written, ...]]]:
    """`count` new tables with four new people at each, as they are dealt; they are not written."""
    first = store.next_number()
    numbers = range(first, first + count)
    people = _registered(store, [f"{name}{number}" for number in numbers for name in SEATS])
    for number in numbers:
        mine = [people[f"{name}{number}"] for name in SEATS]
        yield begin(_table(f"inn-{number}", mine, dict(options or {})))


def _registered(store: Store, names: Sequence[str]) -> dict[str, Person]:
    wanted = tuple(Person(0, name, f"{name.lower()}@{DOMAIN}") for name in names)
    store.write(Decided(people=wanted), inbox=None, now=NOW)
    found = (store.person_by_name(name) for name in names)
    return {person.name: person for person in found if person}


def _table(name: str, people: Sequence[Person], options: dict[str, str]) -> Table:
    defaults = {option.name: option.default for option in GAME.options}
    return Table(
        id=0,
        name=name,
        game=GAME,
        options=defaults | options,
        places=len(people),
        status=Status.OPEN,
        moderator=people[0],
        # The same deals at every table: what one costs another costs.
        secret=hashlib.sha256(b"benchmark").hexdigest(),
        chairs=tuple(Chair(seat, person) for seat, person in enumerate(people, 1)),
    )


def _played(table: Table, written: list[Written], entries: int) -> tuple[Table, tuple[Written, ...]]:
    while len(written) < entries or (entries and not _in_mid_night(table)):
        seat = table.waiting[0].seat
        table, more = play(table, seat, one_by_one(table, seat), By.SEAT)
        written.extend(more)
    return replace(table), tuple(written)


def _in_mid_night(table: Table) -> bool:
    decision = table.waiting[0]
    return (decision.kind, decision.ordinal) == ("act", 1) and decision.seat == table.running.state.first


# Orders


@dataclass(frozen=True, slots=True)
class _Asked:
    """The last mail that a seat got."""

    message_id: str
    subject: str
    raw: bytes


def orders(store: Store, names: Iterable[str], choice: Choice = fallback) -> list[bytes]:
    """For each of the tables `names` a mail that answers its open decision, above the whole mail that asked."""
    return [_order(store, the_table(store, name), choice) for name in names]


def _order(store: Store, table: Table, choice: Choice) -> bytes:
    seat = table.waiting[0].seat
    text = table.game.write(choice(table, seat), table.view(seat))
    return letter(table, seat, text, _asked(store, table, seat))


def _asked(store: Store, table: Table, seat: int) -> _Asked:
    mails = (
        sa.select(*OUTBOX.c["message_id", "subject", "raw"])
        .join(GAMES, GAMES.c.id == OUTBOX.c.game_id)
        .where(GAMES.c.name == table.name, OUTBOX.c.seat == seat)
        .order_by(OUTBOX.c.id.desc())
    )
    with store.engine.connect() as connection:
        return _Asked(*connection.execute(mails.limit(1)).one())


def letter(table: Table, seat: int, text: str, asked: _Asked | None = None) -> bytes:
    """A mail from the player of `seat` with the line `text`; above the mail it answers, if it answers one."""
    person = table.chair(seat).person
    assert person is not None
    local, _, domain = HOST.partition("@")
    headers = {
        "From": f"{person.name} <{person.address}>",
        "To": f"{local}+{TOKENS.seat(table.name, seat, person.id, 0)}@{domain}",
        "Subject": f"Re: {asked.subject.encode('ascii', 'replace').decode()}" if asked else "My turn",
        "Date": format_datetime(NOW),
        "Message-ID": f"<{next(_numbers)}.order@{DOMAIN}>",
        **({"In-Reply-To": asked.message_id, "References": asked.message_id} if asked else {}),
    }
    return as_bytes(headers, [text, "", *(_quoted(asked) if asked else ())])


def as_bytes(headers: Mapping[str, str], lines: Iterable[str]) -> bytes:
    """A mail of plain text, as a program writes it."""
    head = {**headers, **_PLAIN}
    return "\r\n".join((*(f"{name}: {value}" for name, value in head.items()), "", *lines, "")).encode()


def _quoted(asked: _Asked) -> list[str]:
    plain = message_from_bytes(asked.raw, policy=policy.default).get_body(("plain",))
    lines = plain.get_content().splitlines() if plain else []
    return [f"On Mon, 30 Nov 2026 at 12:00, The inn <{HOST}> wrote:", "", *(f"> {line}" for line in lines)]
