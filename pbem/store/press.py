"""What players say to each other: kept beside the record, told with notices, and withdrawn with whoever said it."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.parties import Spoken
from pbem.press import Said
from pbem.store.answers import keep_notices
from pbem.store.saving import Writing
from pbem.store.silence import DAY
from pbem.store.tables import CHAIR, GAME, KEPT_TELL, NOTICE, PERSON, PRESS

_KEEP: Final = PRESS.insert().returning(PRESS.c.id)
DUE: Final = sa.select(PRESS.c.id).where(PRESS.c.due_at <= sa.bindparam("now"))
_ANY_DUE: Final = DUE.limit(1)
_RELEASE: Final = (
    PRESS.update().where(PRESS.c.due_at <= sa.bindparam("now")).values(due_at=None).returning(PRESS.c.game_id)
)
_COUNT: Final = (
    sa.select(sa.func.count())
    .select_from(PRESS)
    .where(PRESS.c.person_id == sa.bindparam("person"), PRESS.c.at > sa.bindparam("since"))
)
_NAME: Final = sa.func.coalesce(sa.func.nullif(CHAIR.c.called, ""), PERSON.c.name).label("name")
"""What somebody is called at the table."""
_SAID: Final = (
    sa.select(*PRESS.c["words", "private", "anonymous", "at"], GAME.c.name.label("table"), _NAME)
    .join(GAME, GAME.c.id == PRESS.c.game_id)
    .join(PERSON, PERSON.c.id == PRESS.c.person_id)
    .outerjoin(CHAIR, sa.and_(CHAIR.c.game_id == PRESS.c.game_id, CHAIR.c.person_id == PRESS.c.person_id))
    .where(PRESS.c.words != "")
    .order_by(PRESS.c.at, PRESS.c.id)
)
_TO_ALL: Final = _SAID.where(
    GAME.c.name == sa.bindparam("table"), PRESS.c.private == sa.false(), PRESS.c.due_at.is_(None)
)
_BY: Final = _SAID.where(PRESS.c.person_id == sa.bindparam("person"))


def keep(writing: Writing, spoken: Spoken, games: dict[str, int]) -> None:
    """Keep words, and a notice for everybody who is to read them."""
    values = {
        "game_id": games[spoken.table],
        "person_id": writing.id_of(spoken.by),
        "words": "\n".join(spoken.lines),
        "private": spoken.private,
        "anonymous": spoken.anonymous,
        "at": spoken.at,
        "due_at": spoken.at if spoken.at > writing.now else None,
    }
    id = int(writing.connection.execute(_KEEP, values).scalar_one())
    keep_notices(writing, spoken.notices, games, press=id)


def is_due(connection: Connection, now: datetime) -> bool:
    """Whether there are words to go out now."""
    return connection.execute(_ANY_DUE, {"now": now}).first() is not None


def release(connection: Connection, now: datetime) -> None:
    """Let words that are due go out: their tables have something to tell."""
    games = set(connection.execute(_RELEASE, {"now": now}).scalars())
    moved = GAME.update().where(GAME.c.id.in_(sorted(games)))
    connection.execute(moved.values(restless=True, version=GAME.c.version + 1))


def count(connection: Connection, person: int, now: datetime) -> int:
    """How often somebody has said something in the last 24 hours."""
    return int(connection.execute(_COUNT, {"person": person, "since": now - DAY}).scalar_one())


def said_to_all(connection: Connection, table: str) -> tuple[Said, ...]:
    """What was said to everybody at a table and has gone out, as anybody may read it once the game is over."""
    rows = connection.execute(_TO_ALL, {"table": table})
    said = (
        Said(
            table=row.table,
            name="" if row.anonymous else row.name,
            lines=tuple(row.words.split("\n")),
            private=False,
            at=row.at,
        )
        for row in rows
    )
    return tuple(sorted(said, key=lambda each: (each.at, "" if each.name else each.lines)))


def said_by(connection: Connection, person: int) -> tuple[Said, ...]:
    """Everything that somebody has said and that is still kept, for himself."""
    rows = connection.execute(_BY, {"person": person})
    return tuple(
        Said(table=row.table, name=row.name, lines=tuple(row.words.split("\n")), private=row.private, at=row.at)
        for row in rows
    )


def forget(connection: Connection, person: int) -> None:
    """Withdraw the words of somebody, from those too who have not read them yet."""
    his = sa.select(PRESS.c.id).where(PRESS.c.person_id == person)
    told = NOTICE.update().where(NOTICE.c.press_id.in_(his))
    connection.execute(told.values(facts="{}", settled=True))
    connection.execute(PRESS.update().where(PRESS.c.person_id == person).values(words="", due_at=None))


def sweep(connection: Connection, before: datetime, limit: int) -> None:
    """Take the words from what was said to some alone before `before`: they go with the mails that brought them."""
    ids = sa.select(PRESS.c.id).where(KEPT_TELL, PRESS.c.at < before).order_by(PRESS.c.at).limit(limit)
    connection.execute(PRESS.update().where(PRESS.c.id.in_(ids)).values(words=""))
