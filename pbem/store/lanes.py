"""Lanes: what workers look after. A table is one, with the mails for it; so is the host, with the mails for no table.

In a lane mails are handled in order of intake. Across lanes a mail waits for the earlier ones that may bear on it:
those of its sender, and of the people at its table.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from pbem.store import games, inbox, people
from pbem.store.connected import Connected
from pbem.store.tables import ALIAS, CHAIR, CO_MODERATOR, GAME, INBOX, NOTICE, PERSON, VERDICT, Stage
from pbem.store.values import Work

HOST_LANE: Final = ""
"""The lane of what is about no table."""
_MOST: Final = 1000
"""Restless tables that are named at once."""

_NEW: Final = INBOX.c.stage == Stage.NEW
_IN_LANE: Final = (
    sa.select(*INBOX.c["id", "digest", "sender", "received_at", "attempts"])
    .where(_NEW, INBOX.c.lane == sa.bindparam("lane"), INBOX.c.id > sa.bindparam("after"))
    .order_by(INBOX.c.id)
    .limit(sa.bindparam("limit"))
)
_WITH_MAIL: Final = sa.select(INBOX.c.lane).where(_NEW).distinct()
_UNTOLD: Final = sa.select(
    sa.or_(*(sa.exists().where(each.c.game_id.is_(None), each.c.settled == sa.false()) for each in (VERDICT, NOTICE)))
)
_THE_TABLE: Final = sa.select(GAME.c.id).where(GAME.c.name == sa.bindparam("table")).scalar_subquery()
_AT_TABLE: Final = sa.union_all(
    sa.select(CHAIR.c.person_id).where(CHAIR.c.game_id == _THE_TABLE),
    sa.select(GAME.c.moderator_id).where(GAME.c.name == sa.bindparam("table")),
    sa.select(CO_MODERATOR.c.person_id).where(CO_MODERATOR.c.game_id == _THE_TABLE),
).subquery()
_THEIRS: Final = sa.union_all(
    sa.select(PERSON.c.canonical).where(PERSON.c.id.in_(sa.select(_AT_TABLE.c.person_id))),
    sa.select(ALIAS.c.canonical).where(ALIAS.c.person_id.in_(sa.select(_AT_TABLE.c.person_id))),
).subquery()
_OF_ITS_PEOPLE: Final = INBOX.c.sender.in_(sa.select(_THEIRS.c.canonical))
_EARLIER: Final = sa.select(INBOX.c.id).where(_NEW, INBOX.c.id < sa.bindparam("before")).limit(1)
_AWAITED: Final = _EARLIER.where(sa.or_(INBOX.c.lane == sa.bindparam("table"), _OF_ITS_PEOPLE))
_ELSEWHERE: Final = _EARLIER.where(
    INBOX.c.lane != sa.bindparam("table"), sa.or_(INBOX.c.sender == sa.bindparam("sender"), _OF_ITS_PEOPLE)
)
_NO_END: Final = 2**31 - 1
_RESTLESS: Final = sa.select(GAME.c.restless).where(GAME.c.name == sa.bindparam("table"))


class Lanes(Connected):
    """What waits in which lane. Times are aware."""

    @property
    def attempts(self) -> int:
        """How often a mail is begun before it is given up."""
        return self._attempts

    def lanes(self, now: datetime, *, clock: bool) -> tuple[str, ...]:
        """The lanes in which there is something to do; with the `clock`, what is due by `now` too."""
        with self._reading() as connection:
            found = dict.fromkeys(connection.execute(_WITH_MAIL).scalars())
            found |= dict.fromkeys(games.restless(connection, _MOST))
            if clock:
                for look in (games.held, games.due, games.to_remind, games.played_for_absent):
                    found |= dict.fromkeys(look(connection, now))
            if connection.execute(_UNTOLD).scalar_one() or people.digests_due(connection, now):
                found[HOST_LANE] = None
            return tuple(found)

    def in_lane(self, lane: str, after: int, limit: int) -> tuple[Work, ...]:
        """Mails of a lane behind mail `after`, in order of intake. `Work.attempts` are those made so far."""
        with self._reading() as connection:
            rows: Any = connection.execute(_IN_LANE, {"lane": lane, "after": after, "limit": limit})
            return inbox.works(rows)

    def must_wait(self, lane: str, mail: Work) -> bool:
        """Whether an earlier mail in another lane comes first: of the same sender, or of somebody at this table."""
        with self._reading() as connection:
            wanted = {"table": lane, "sender": mail.sender, "before": mail.id}
            return connection.execute(_ELSEWHERE, wanted).first() is not None

    def is_awaited(self, table: str, before: int = _NO_END) -> bool:
        """Whether a mail that may bear on a table, taken in before mail `before`, still waits to be handled."""
        with self._reading() as connection:
            return connection.execute(_AWAITED, {"table": table, "before": before}).first() is not None

    def is_restless(self, table: str) -> bool:
        """Whether something happened at a table since it was last settled."""
        with self._reading() as connection:
            return bool(connection.execute(_RESTLESS, {"table": table}).scalar_one_or_none())
