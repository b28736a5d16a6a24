"""Who wants no mail, and how often those are written to who have not said that they want any."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.draft import Answered, Invited
from pbem.names import address_hash, canonical
from pbem.store.database import insert_or
from pbem.store.tables import GAME, INVITATION, OUTBOX, SILENCE, STRANGER, Sending
from pbem.table import Status

DAY: Final = timedelta(days=1)
UNWANTED: Final = "the address wants no mail"


def silent(connection: Connection, addresses: Iterable[str]) -> frozenset[str]:
    """Those of `addresses`, in canonical form, that want no mail."""
    hashes = {address_hash(address): canonical(address) for address in addresses}
    found = connection.execute(sa.select(SILENCE.c.hash).where(SILENCE.c.hash.in_(hashes))).scalars()
    return frozenset(hashes[each] for each in found)


def silence(connection: Connection, address: str, now: datetime) -> None:
    """No mail to `address` from now on; what is queued for it is not sent."""
    insert = insert_or(connection, SILENCE).values(hash=address_hash(address), since=now)
    connection.execute(insert.on_conflict_do_nothing(index_elements=["hash"]))
    queued = (OUTBOX.c.status == Sending.QUEUED, sa.func.lower(OUTBOX.c.address) == canonical(address))
    connection.execute(OUTBOX.update().where(*queued).values(status=Sending.FAILED, error=UNWANTED, raw=b""))


def end_silence(connection: Connection, address: str) -> None:
    """`address` wants mail again."""
    connection.execute(SILENCE.delete().where(SILENCE.c.hash == address_hash(address)))


# Counting


def count_stranger(connection: Connection, address: str, now: datetime) -> None:
    """An address that nobody has confirmed is answered."""
    connection.execute(STRANGER.insert(), {"hash": address_hash(address), "at": now})


def strangers_answered(connection: Connection, address: str, now: datetime) -> Answered:
    """Answers of the last day to `address`, and to all addresses that nobody has confirmed."""
    own = sa.func.count().filter(STRANGER.c.hash == address_hash(address))
    query = sa.select(own, sa.func.count()).select_from(STRANGER).where(STRANGER.c.at > now - DAY)
    return Answered(*connection.execute(query).one())


_LIVING: Final = sa.or_(GAME.c.id.is_(None), GAME.c.status.in_((Status.OPEN, Status.RUNNING)))
_INVITED: Final = sa.select(
    sa.select(sa.func.count())
    .where(INVITATION.c.inviter_id == sa.bindparam("person"), INVITATION.c.created_at > sa.bindparam("since"))
    .scalar_subquery(),
    sa.select(sa.func.count())
    .select_from(INVITATION.outerjoin(GAME, GAME.c.id == INVITATION.c.game_id))
    .where(INVITATION.c.inviter_id == sa.bindparam("person"), INVITATION.c.open, _LIVING)
    .scalar_subquery(),
)


def invitations_made(connection: Connection, person: int, now: datetime) -> Invited:
    """Invitations of a person in the last day, and those that nobody has answered yet."""
    return Invited(*connection.execute(_INVITED, {"person": person, "since": now - DAY}).one())
