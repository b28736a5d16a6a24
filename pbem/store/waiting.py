"""Whether there is anything to do at all: most passes of a host find nothing, and one question says so."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.store import answers, games, inbox, outbox, people, press

_QUESTIONS: Final[Iterable[sa.Select[Any]]] = (
    inbox.NEW,
    games.HELD,
    games.DUE,
    games.TO_REMIND,
    games.ABSENT,
    games.RESTLESS,
    people.ANY_DIGEST,
    press.DUE,
    *answers.OF_NONE,
    outbox.DUE,
)
"""Of all that a pass looks for beside the mailbox: the same that it asks one by one when any has an answer."""
_ANY: Final = sa.select(sa.or_(*(query.order_by(None).exists() for query in _QUESTIONS)))


def any_work(connection: Connection, now: datetime) -> bool:
    """Whether one of the questions that a pass asks at `now` would be answered by more than nothing."""
    return bool(connection.execute(_ANY, {"now": now}).scalar_one())
