"""Withdrawing a person: the name and the address go, what was played stays provable, since records hold seats.

What other people were told at the same tables goes as well, since it names him; and each of these tables is
looked at once more, so that its page in the archive is written anew.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.names import canonical, folded
from pbem.press import Delivery
from pbem.store import aliases, press
from pbem.store.tables import (
    CHAIR,
    CO_MODERATOR,
    CREDENTIAL,
    GAME,
    INBOX,
    INVITATION,
    NOTICE,
    OUTBOX,
    PERSON,
    REMARK,
    VERDICT,
    WATCHER,
    Sending,
    Stage,
)
from pbem.table import Mails, Person, Status

NOWHERE: Final = "forgotten.invalid"
"""No mail can go there (RFC 2606)."""
_EMPTY: Final = "{}"
_NO_MAIL: Final = {"raw": b"", "subject": "", "error": ""}


def pseudonym(person: int) -> str:
    """What somebody is called who was forgotten; nobody else can take such a name."""
    return f"Somebody {person}"


def forget(connection: Connection, person: Person) -> None:
    """Withdraw the name and address of `person` wherever they stand. He sits in no running game."""
    address = canonical(person.address)
    games = _games(connection, person.id, address)
    others = _company(connection, games)
    _blank_mails(connection, person.id, address, games, others)
    _blank_told(connection, person.id, games, others)
    _blank_nameless(connection, person, address)
    _blank_invitations(connection, person.id, address)
    connection.execute(CHAIR.update().where(CHAIR.c.person_id == person.id).values(phrase="", called=""))
    connection.execute(REMARK.update().where(REMARK.c.game_id.in_(games)).values(why="", facts=_EMPTY))
    connection.execute(CREDENTIAL.update().where(CREDENTIAL.c.person_id == person.id).values(active=False))
    connection.execute(GAME.update().where(GAME.c.id.in_(games)).values(label=""))
    again = GAME.update().where(GAME.c.id.in_(games), GAME.c.status != Status.OPEN)
    connection.execute(again.values(restless=True, version=GAME.c.version + 1))
    connection.execute(WATCHER.delete().where(WATCHER.c.person_id == person.id))
    press.forget(connection, person.id)
    aliases.forget(connection, person)
    _anonymise(connection, person.id, person.epoch)


def lapse(connection: Connection, before: datetime, limit: int) -> None:
    """Free at most `limit` names that were asked for before `before`, and whose addresses have not confirmed them.

    Anybody may have asked. So nothing of the address's owner is touched but what the asking brought: not what he is
    invited to, nor that he wants no mail. Whoever sits, moderates or watches anywhere is left alone.
    """
    busy = (*(table.c.person_id for table in (CHAIR, CO_MODERATOR, WATCHER)), GAME.c.moderator_id)
    idle = (~sa.exists().where(each == PERSON.c.id) for each in busy)
    waits = sa.select(PERSON.c.id, PERSON.c.epoch).where(PERSON.c.unconfirmed_since < before, *idle)
    for row in connection.execute(waits.order_by(PERSON.c.unconfirmed_since).limit(limit)).all():
        _blank_told(connection, row.id, [], [])
        _blank_sent(connection, row.id)
        connection.execute(CREDENTIAL.update().where(CREDENTIAL.c.person_id == row.id).values(active=False))
        _anonymise(connection, row.id, row.epoch)


def _games(connection: Connection, person: int, address: str) -> list[int]:
    """Every table at which he was, or to which he was invited."""
    where = sa.union(
        sa.select(CHAIR.c.game_id).where(CHAIR.c.person_id == person),
        sa.select(GAME.c.id).where(GAME.c.moderator_id == person),
        sa.select(CO_MODERATOR.c.game_id).where(CO_MODERATOR.c.person_id == person),
        sa.select(WATCHER.c.game_id).where(WATCHER.c.person_id == person),
        sa.select(INVITATION.c.game_id).where(INVITATION.c.canonical == address, INVITATION.c.game_id.is_not(None)),
        sa.select(OUTBOX.c.game_id).where(OUTBOX.c.person_id == person, OUTBOX.c.game_id.is_not(None)),
    )
    return list(connection.execute(where).scalars())


def _company(connection: Connection, games: list[int]) -> list[int]:
    """Everybody at `games`."""
    where = sa.union(
        sa.select(CHAIR.c.person_id).where(CHAIR.c.game_id.in_(games), CHAIR.c.person_id.is_not(None)),
        sa.select(GAME.c.moderator_id).where(GAME.c.id.in_(games)),
        sa.select(CO_MODERATOR.c.person_id).where(CO_MODERATOR.c.game_id.in_(games)),
        sa.select(WATCHER.c.person_id).where(WATCHER.c.game_id.in_(games)),
    )
    return list(connection.execute(where).scalars())


def _about(table: sa.Table, games: list[int], people: list[int]) -> tuple[sa.ColumnElement[bool], ...]:
    """Conditions under which a row of `table` may name him: it is about his tables, or to their people about none."""
    return table.c.game_id.in_(games), sa.and_(table.c.person_id.in_(people), table.c.game_id.is_(None))


def _blank_told(connection: Connection, person: int, games: list[int], others: list[int]) -> None:
    """What he was told and is still to be told, and what others were told of him."""
    for table, column in ((VERDICT, "data"), (NOTICE, "facts")):
        own = table.update().where(table.c.person_id == person)
        connection.execute(own.values(**{column: _EMPTY, "address": "", "settled": True}))
        for about in _about(table, games, others):
            told = table.update().where(about, table.c.settled == sa.true())
            connection.execute(told.values(**{column: _EMPTY}))


def _blank_mails(connection: Connection, person: int, address: str, games: list[int], others: list[int]) -> None:
    """Mails from and to him, and those of others that may name him."""
    _blank_received(connection, INBOX.c.sender == address)
    connection.execute(INBOX.update().where(INBOX.c.sender == address).values(sender=""))
    for about in _about(VERDICT, games, others):
        _blank_received(connection, INBOX.c.id.in_(sa.select(VERDICT.c.inbox_id).where(about)))
    sent = OUTBOX.update().where(OUTBOX.c.person_id.in_(others), OUTBOX.c.status != Sending.QUEUED)
    for about in (OUTBOX.c.game_id.in_(games), OUTBOX.c.game_id.is_(None)):
        connection.execute(sent.where(about).values(**_NO_MAIL))
    _blank_sent(connection, person)


def _blank_sent(connection: Connection, person: int) -> None:
    """All mails to him, also those that wait to be sent."""
    own = OUTBOX.update().where(OUTBOX.c.person_id == person)
    connection.execute(own.where(OUTBOX.c.status == Sending.QUEUED).values(status=Sending.FAILED))
    connection.execute(own.values(address="", **_NO_MAIL))


def _blank_received(connection: Connection, whose: sa.ColumnElement[bool]) -> None:
    """Mails that wait to be handled are left alone."""
    connection.execute(INBOX.update().where(whose, INBOX.c.stage != Stage.NEW).values(raw=b"", problem=""))


def _blank_nameless(connection: Connection, person: Person, address: str) -> None:
    """What went to the address before it had a name, in every spelling in which he was invited."""
    written = sa.select(INVITATION.c.address).where(INVITATION.c.canonical == address)
    spellings = {address, person.address, *connection.execute(written).scalars()}
    for table, column, nothing in ((VERDICT, "data", _EMPTY), (NOTICE, "facts", _EMPTY), (OUTBOX, "raw", b"")):
        nameless = table.update().where(table.c.person_id.is_(None), table.c.address.in_(spellings))
        connection.execute(nameless.values(**{column: nothing, "address": ""}))


def _blank_invitations(connection: Connection, person: int, address: str) -> None:
    """Invitations to him, with their tokens."""
    to_him = sa.select(INVITATION.c.id).where(INVITATION.c.canonical == address)
    tokens = CREDENTIAL.update().where(CREDENTIAL.c.invitation_id.in_(to_him))
    connection.execute(tokens.values(active=False))
    offers = INVITATION.update().where(INVITATION.c.canonical == address)
    connection.execute(offers.values(open=False, address="", canonical=_nowhere(person)))


def _anonymise(connection: Connection, person: int, epoch: int) -> None:
    name, nowhere = pseudonym(person), _nowhere(person)
    connection.execute(
        PERSON.update()
        .where(PERSON.c.id == person)
        .values(
            name=name,
            folded=folded(name),
            address=nowhere,
            canonical=nowhere,
            confirmed=False,
            unconfirmed_since=None,
            zone="UTC",
            away_from=None,
            away_until=None,
            away_bot=False,
            calendar=False,
            plain=False,
            brief=False,
            pictures=True,
            press=Delivery.NEXT,
            mails=Mails.TURN,
            epoch=epoch + 1,
            stopped=True,
        )
    )


def _nowhere(person: int) -> str:
    return f"somebody-{person}@{NOWHERE}"
