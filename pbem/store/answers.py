"""Verdicts and notices: kept when something is decided, settled when a mail that tells them is queued."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.names import canonical
from pbem.parties import Notice, Party, Role, Unsent
from pbem.settle import Answers
from pbem.store import codec, outbox
from pbem.store.database import Among
from pbem.store.outbox import ids_of, start_clocks
from pbem.store.people import PERSON_COLUMNS, person_of
from pbem.store.saving import Writing
from pbem.store.silence import UNWANTED, silent
from pbem.store.tables import GAME, NOTICE, OUTBOX, PERSON, PRESS, VERDICT, Sending
from pbem.store.values import Conflict, Pending, Posting
from pbem.verdicts import Verdict

_Key = tuple[object, ...]


def _settling(table: sa.Table) -> Among:
    """Settles rows by their ids; a stranger's address is needed no more."""
    address = sa.case((table.c.role == Role.STRANGER, ""), else_=table.c.address)
    told_by = sa.select(OUTBOX.c.id).where(OUTBOX.c.message_id == sa.bindparam("told_by")).scalar_subquery()
    told = table.update().where(table.c.settled == sa.false())
    return Among(told.values(settled=True, outbox_id=told_by, address=address), table.c.id)


# Statements are built once: building one takes longer than running it.
_KEEP_VERDICT: Final = VERDICT.insert()
_KEEP_NOTICES: Final = NOTICE.insert()
_QUEUE: Final = OUTBOX.insert()
_SETTLE_VERDICTS: Final = _settling(VERDICT)
_SETTLE_NOTICES: Final = _settling(NOTICE)
_GAME_IDS: Final = sa.select(GAME.c.name, GAME.c.id).where(GAME.c.name.in_(sa.bindparam("names", expanding=True)))


def party_row(party: Party, person: int | None, game: int | None) -> dict[str, Any]:
    """The columns of a row that is for `party`."""
    return {
        "role": party.role,
        "address": party.address,
        "person_id": person,
        "game_id": game,
        "seat": party.seat,
    }


def _row(writing: Writing, to: Party, games: dict[str, int]) -> dict[str, Any]:
    person = writing.id_of(to.person) if to.person else None
    return party_row(to, person, games[to.table] if to.table else None)


def keep_verdict(writing: Writing, to: Party, verdict: Verdict, inbox: int | None, games: dict[str, int]) -> None:
    """Keep an answer; `games` are the ids of the tables that are named."""
    writing.connection.execute(
        _KEEP_VERDICT,
        {
            **_row(writing, to, games),
            "inbox_id": inbox or verdict.inbox or None,
            "data": codec.text(verdict),
            "settled": False,
        },
    )


def keep_notices(writing: Writing, notices: Sequence[Notice], games: dict[str, int], press: int | None = None) -> None:
    """Keep news, or who is to read the words `press`."""
    same = {"settled": False, "press_id": press}
    rows = [
        {**_row(writing, each.to, games), "kind": each.kind, "facts": codec.text(each.facts), **same}
        for each in notices
    ]
    if rows:
        writing.connection.execute(_KEEP_NOTICES, rows)


# What waits to be told


class _Collected:
    """Verdicts and notices of one party, while they are being gathered."""

    def __init__(self, to: Party) -> None:
        self.to = to
        self.verdicts: dict[int, Verdict] = {}
        self.notices: dict[int, Notice] = {}

    def pending(self) -> Pending:
        answers = Answers(self.to, tuple(self.verdicts.values()), tuple(self.notices.values()))
        return Pending(answers, tuple(self.verdicts), tuple(self.notices))


def _unsettled(table: sa.Table, about: sa.ColumnElement[bool]) -> sa.Select[Any]:
    return (
        sa.select(table, *PERSON_COLUMNS)
        .outerjoin(PERSON, PERSON.c.id == table.c.person_id)
        .where(about, table.c.settled == sa.false())
        .order_by(table.c.id)
    )


def _unsettled_notices(about: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """With the words that they bring, once these go out."""
    query = _unsettled(NOTICE, about).add_columns(PRESS.c.words)
    return query.outerjoin(PRESS, PRESS.c.id == NOTICE.c.press_id).where(PRESS.c.due_at.is_(None))


_GAME: Final = sa.select(GAME.c.id).where(GAME.c.name == sa.bindparam("name")).scalar_subquery()
_OF_TABLE: Final = (_unsettled(VERDICT, VERDICT.c.game_id == _GAME), _unsettled_notices(NOTICE.c.game_id == _GAME))
OF_NONE: Final = (_unsettled(VERDICT, VERDICT.c.game_id.is_(None)), _unsettled_notices(NOTICE.c.game_id.is_(None)))


def unanswered(connection: Connection, name: str) -> tuple[Pending, ...]:
    """What waits to be told about the table called `name`, by party, in the order in which it arose."""
    verdicts, notices = (connection.execute(query, {"name": name}) for query in _OF_TABLE)
    return _gathered(verdicts, notices, name)


def unanswered_people(connection: Connection) -> tuple[Pending, ...]:
    """What waits to be told that is about no table, by party."""
    verdicts, notices = (connection.execute(query) for query in OF_NONE)
    return _gathered(verdicts, notices, "")


def _gathered(verdicts: Iterable[Any], notices: Iterable[Any], name: str) -> tuple[Pending, ...]:
    collected: dict[_Key, _Collected] = {}
    for row in verdicts:
        _of(collected, row, name).verdicts[row.id] = codec.verdict(row.data)
    for row in notices:
        mine = _of(collected, row, name)
        words = {"lines": row.words.split("\n")} if row.words is not None else {}
        mine.notices[row.id] = Notice(mine.to, row.kind, codec.mapping(row.facts) | words)
    return tuple(each.pending() for each in collected.values())


def _of(collected: dict[_Key, _Collected], row: Any, name: str) -> _Collected:
    """The party of a row: a person is one at whatever address he wrote from, a stranger is his address."""
    key = (row.role, row.seat, row.person_id or row.address)
    if key not in collected:
        collected[key] = _Collected(Party(row.role, row.address, person_of(row), name, row.seat))
    return collected[key]


# Telling it


def post(connection: Connection, postings: Sequence[Posting], games: Mapping[str, int], now: datetime) -> None:
    """Queue mails and settle what they tell; `games` are the ids of the tables that they are about.

    `Conflict` when some of it is settled by now.

    What would go to an address that wants no mail is kept back; the clock of what it asks runs all the same, so
    that the game goes on.
    """
    mails = [posting.mail for posting in postings if posting.mail]
    unwanted = _unwanted(connection, mails)
    if mails:
        connection.execute(_QUEUE, [_outbox_row(mail, games, now, mail.message_id in unwanted) for mail in mails])
    for posting in postings:
        for pending in posting.settles:
            _settle(connection, _SETTLE_VERDICTS, pending.verdicts, posting.mail)
            _settle(connection, _SETTLE_NOTICES, pending.notices, posting.mail)
    if unwanted:
        start_clocks(connection, ids_of(connection, unwanted), now)


def bundle(connection: Connection, mail: Unsent, ids: Sequence[int], now: datetime) -> None:
    """Queue a digest in the place of the mails `ids`. `Conflict` when one of them was sent in the meantime."""
    connection.execute(_QUEUE, _outbox_row(mail, {}, now, unwanted=False))
    outbox.bundle(connection, ids, *ids_of(connection, [mail.message_id]))


def _unwanted(connection: Connection, mails: Sequence[Unsent]) -> frozenset[str]:
    """The Message-IDs of those of `mails` that their readers do not want."""
    outside = {mail.to.address for mail in mails if not mail.to.person}
    silent_ones = silent(connection, outside) if outside else frozenset()
    return frozenset(mail.message_id for mail in mails if _is_unwanted(mail, silent_ones))


def _is_unwanted(mail: Unsent, silent_ones: frozenset[str]) -> bool:
    if mail.last_word:
        return False
    return mail.to.person.stopped if mail.to.person else canonical(mail.to.address) in silent_ones


def game_ids(connection: Connection, names: set[str]) -> dict[str, int]:
    """The ids of the tables called `names`."""
    rows = connection.execute(_GAME_IDS, {"names": sorted(names)})
    return {row.name: row.id for row in rows}


def _outbox_row(mail: Unsent, games: Mapping[str, int], now: datetime, unwanted: bool) -> dict[str, Any]:
    to = mail.to
    row = party_row(to, to.person.id if to.person else None, games[to.table] if to.table else None)
    return {
        **row,
        "message_id": mail.message_id,
        "subject": mail.subject,
        "raw": b"" if unwanted else mail.raw,
        "decision": mail.decision,
        "n": mail.n,
        "asks": mail.asks,
        "status": Sending.FAILED if unwanted else Sending.QUEUED,
        "attempts": 0,
        "created_at": mail.created_at or now,
        "next_try_at": now,
        "error": UNWANTED if unwanted else "",
    }


def _settle(connection: Connection, settling: Among, ids: Sequence[int], mail: Unsent | None) -> None:
    """Nobody's mail tells what is settled without one."""
    if ids and settling.run(connection, ids, told_by=mail.message_id if mail else None).rowcount != len(ids):
        raise Conflict(f"of {ids} some were settled by now")
