"""Mails are not kept for ever: they hold hands and tokens. What they were about stays, their bytes go."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.store import press
from pbem.store.silence import DAY
from pbem.store.tables import INBOX, OUTBOX, STRANGER, Sending, Stage

# As the partial indexes have it: with a bound value SQLite would not use them.
_INBOX_KEPT: Final = sa.func.length(INBOX.c.raw) > sa.literal_column("0")
_OUTBOX_KEPT: Final = sa.func.length(OUTBOX.c.raw) > sa.literal_column("0")


def sweep(connection: Connection, before: datetime, limit: int) -> int:
    """Take the bytes from mails of before `before`, at most `limit` in and `limit` out; how many there were.

    With those that came in goes whoever sent them: most were strangers. What waits to be handled or sent keeps
    its bytes. What players told some alone goes likewise.
    """
    old = (_INBOX_KEPT, INBOX.c.received_at < before, INBOX.c.stage != Stage.NEW)
    mails = sa.select(INBOX.c.id).where(*old).order_by(INBOX.c.received_at).limit(limit)
    came = connection.execute(INBOX.update().where(INBOX.c.id.in_(mails)).values(raw=b"", sender=""))
    old = (_OUTBOX_KEPT, OUTBOX.c.created_at < before, OUTBOX.c.status != Sending.QUEUED)
    mails = sa.select(OUTBOX.c.id).where(*old).order_by(OUTBOX.c.created_at).limit(limit)
    went = connection.execute(OUTBOX.update().where(OUTBOX.c.id.in_(mails)).values(raw=b""))
    press.sweep(connection, before, limit)
    return came.rowcount + went.rowcount


def sweep_strangers(connection: Connection, now: datetime) -> None:
    """Forget whom a stranger's answer went to, once it does not count any more."""
    connection.execute(STRANGER.delete().where(STRANGER.c.at <= now - DAY))
