"""Addresses that the keeper of the host has locked: their mails are read by nobody."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.names import address_hash
from pbem.parties import Lock
from pbem.store.database import Among, insert_or
from pbem.store.tables import LOCK

_FOUND: Final = Among(sa.select(LOCK), LOCK.c.hash)


def found(connection: Connection, addresses: Iterable[str]) -> Lock | None:
    """The lock on one of `addresses`, if there is any."""
    row = _FOUND.run(connection, _hashes(addresses)).first()
    return Lock(row.why, row.since, row.told) if row else None


def lock(connection: Connection, addresses: Iterable[str], why: str, now: datetime) -> None:
    """Lock `addresses`, or say another reason; whoever is locked anew is told once more."""
    values = {"why": why, "since": now, "told": False}
    for hash in _hashes(addresses):
        insert = insert_or(connection, LOCK).values(hash=hash, **values)
        connection.execute(insert.on_conflict_do_update(index_elements=["hash"], set_=values))


def unlock(connection: Connection, addresses: Iterable[str]) -> bool:
    """Whether there was a lock on one of `addresses`; there is none any more."""
    return connection.execute(LOCK.delete().where(LOCK.c.hash.in_(_hashes(addresses)))).rowcount > 0


def told(connection: Connection, addresses: Iterable[str]) -> None:
    """Whoever writes from one of `addresses` has been answered that it is locked."""
    connection.execute(LOCK.update().where(LOCK.c.hash.in_(_hashes(addresses))).values(told=True))


def _hashes(addresses: Iterable[str]) -> list[str]:
    return sorted(set(map(address_hash, addresses)))
