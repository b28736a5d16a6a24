"""Writing what was decided: one mail, one release or one look at the clock, as a whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from sqlalchemy.engine import Connection

from pbem.loops import worth
from pbem.names import canonical
from pbem.parties import TO_ASSIST, Decided, Invitation, Role
from pbem.store import aliases, locks, press
from pbem.store import inbox as inboxes
from pbem.store.answers import game_ids, keep_notices, keep_verdict
from pbem.store.database import insert_or
from pbem.store.forgetting import forget
from pbem.store.people import Place, grant, save_person, withdraw
from pbem.store.saving import Writing, save
from pbem.store.silence import count_stranger, end_silence, silence
from pbem.store.tables import GAME, INVITATION, TO_HOST
from pbem.table import Person


def write(writing: Writing, decided: Decided, inbox: int | None, problem: str) -> None:
    """Write everything in `decided` and close its mail. `Conflict` when anything has moved on: write nothing."""
    if inbox is not None:
        inboxes.finish(writing.connection, inbox, problem, worth(decided), proved=decided.proved)
    writing = replace(writing, people=_save_people(writing, decided.people))
    saved = {change.after.name: save(writing, change) for change in decided.tables}
    games = saved | _others(writing.connection, _named(decided) - saved.keys())
    for invitation in decided.invitations:
        _invite(writing, invitation, games.get(invitation.table))
    for invitation in decided.accepted:
        _close(writing.connection, invitation, games.get(invitation.table))
    if decided.forgotten is not None:
        forget(writing.connection, decided.forgotten)  # before his last mail, which needs the address, is kept
    if decided.verdict is not None and decided.to is not None:
        keep_verdict(writing, decided.to, decided.verdict, inbox, games)
    for to, verdict in decided.further:
        keep_verdict(writing, to, verdict, inbox, games)
    keep_notices(writing, decided.notices, games)
    for spoken in decided.spoken:
        press.keep(writing, spoken, games)
    _mind(writing, decided)


def _mind(writing: Writing, decided: Decided) -> None:
    """What is kept about addresses rather than about people at tables."""
    for address in decided.silenced:
        silence(writing.connection, address, writing.now)
    for address in decided.unsilenced:
        end_silence(writing.connection, address)
    for address in decided.dropped:
        aliases.drop(writing.connection, address)
    for alias in decided.aliases:
        aliases.keep(writing.connection, alias, writing.now)
    if decided.told_locked:
        locks.told(writing.connection, decided.told_locked)
    if decided.stranger:
        count_stranger(writing.connection, decided.stranger, writing.now)


def _save_people(writing: Writing, people: tuple[Person, ...]) -> dict[str, int]:
    """Save people with their tokens; the ids by canonical address."""
    ids: dict[str, int] = {}
    for person in people:
        id = ids[canonical(person.address)] = save_person(writing.connection, person, writing.now)
        grant(writing.connection, Place(Role.PERSON, id), writing.tokens.person(id, person.epoch))
    return ids


def _named(decided: Decided) -> set[str]:
    """The tables that somebody is told about, or invited to."""
    told = [notice.to for notice in decided.notices] + ([decided.to] if decided.to and decided.verdict else [])
    told += [to for to, _ in decided.further]
    offers = (*decided.invitations, *decided.accepted)
    talking = {spoken.table for spoken in decided.spoken}
    return talking | {party.table for party in told if party.table} | {offer.table for offer in offers if offer.table}


def _others(connection: Connection, names: set[str]) -> dict[str, int]:
    """The ids of tables that did not change themselves; they move on too, so that what is told gets settled."""
    if not names:
        return {}
    moved = GAME.update().where(GAME.c.name.in_(sorted(names)))
    connection.execute(moved.values(restless=True, version=GAME.c.version + 1))
    return game_ids(connection, names)


def _invite(writing: Writing, invitation: Invitation, game_id: int | None) -> None:
    """Open an invitation, or open it again."""
    changing = {
        "address": invitation.address,
        "seat": invitation.seat,
        "open": True,
        "inviter_id": invitation.by or None,
        "created_at": writing.now,
    }
    insert = insert_or(writing.connection, INVITATION).values(
        game_id=game_id, canonical=canonical(invitation.address), **changing
    )
    unique = {"index_elements": ["game_id", "canonical"]} if game_id else _TO_HOST
    opened = insert.on_conflict_do_update(set_=changing, **unique)
    id = int(writing.connection.execute(opened.returning(INVITATION.c.id)).scalar_one())
    if invitation.seat not in (0, TO_ASSIST):
        _outbid(writing.connection, game_id, invitation.seat, id)
    token = writing.tokens.invited(invitation.table, invitation.address)
    grant(writing.connection, Place(Role.INVITED, game=game_id, invitation=id), token)


def _outbid(connection: Connection, game_id: int | None, seat: int, id: int) -> None:
    """Close older offers of the seat. Their tokens stay, so that who comes late is told what became of it."""
    older = (INVITATION.c.game_id == game_id, INVITATION.c.seat == seat, INVITATION.c.id != id)
    connection.execute(INVITATION.update().where(*older, INVITATION.c.open).values(open=False))


_TO_HOST: Final[dict[str, Any]] = {"index_elements": ["canonical"], "index_where": TO_HOST}


def _close(connection: Connection, invitation: Invitation, game_id: int | None) -> None:
    """An invitation is used up, and its token with it."""
    same = (INVITATION.c.game_id == game_id, INVITATION.c.canonical == canonical(invitation.address))
    closed = connection.execute(INVITATION.update().where(*same).values(open=False).returning(INVITATION.c.id))
    for id in closed.scalars():
        withdraw(connection, Place(Role.INVITED, game=game_id, invitation=id))
