"""Further addresses of people. Nobody has one before it has answered the code that it got."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.names import canonical
from pbem.parties import Alias
from pbem.store.database import insert_or
from pbem.store.people import PERSON_COLUMNS, person_of
from pbem.store.tables import ALIAS, INBOX, PERSON, Stage
from pbem.table import Person


def of(connection: Connection, person: Person) -> tuple[Alias, ...]:
    """The further addresses of `person`, the oldest first."""
    rows = connection.execute(sa.select(ALIAS).where(ALIAS.c.person_id == person.id).order_by(ALIAS.c.id))
    return tuple(_alias(row, person) for row in rows)


def offered(connection: Connection, addresses: Iterable[str]) -> tuple[Alias, ...]:
    """Whose each of `addresses` is to become, once it has answered."""
    wanted = sorted(set(map(canonical, addresses)))
    query = (
        sa.select(ALIAS, *PERSON_COLUMNS)
        .join(PERSON, PERSON.c.id == ALIAS.c.person_id)
        .where(ALIAS.c.canonical.in_(wanted), sa.not_(ALIAS.c.confirmed))
    )
    rows = connection.execute(query).all()
    return tuple(_alias(row, person) for row in rows if (person := person_of(row)) is not None)


def _alias(row: Any, person: Person) -> Alias:
    return Alias(person, row.address, row.confirmed, row.created_at)


def keep(connection: Connection, alias: Alias, now: datetime) -> None:
    """Add an address, or confirm it. An address that nobody has confirmed is whose it was asked for last."""
    values = {
        "person_id": alias.person.id,
        "address": alias.address,
        "confirmed": alias.confirmed,
        "created_at": now,
    }
    insert = insert_or(connection, ALIAS).values(canonical=canonical(alias.address), **values)
    unclaimed = sa.or_(ALIAS.c.person_id == alias.person.id, sa.not_(ALIAS.c.confirmed))
    connection.execute(insert.on_conflict_do_update(index_elements=["canonical"], set_=values, where=unclaimed))


def drop(connection: Connection, address: str) -> None:
    """`address` is nobody's further address any more."""
    connection.execute(ALIAS.delete().where(ALIAS.c.canonical == canonical(address)))


def forget(connection: Connection, person: Person) -> None:
    """Withdraw all of them, with the mails that came from there."""
    own = sa.select(ALIAS.c.canonical).where(ALIAS.c.person_id == person.id)
    handled = INBOX.update().where(INBOX.c.sender.in_(own), INBOX.c.stage != Stage.NEW)
    connection.execute(handled.values(raw=b"", problem="", sender=""))
    connection.execute(ALIAS.delete().where(ALIAS.c.person_id == person.id))
