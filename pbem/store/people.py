"""People: finding and keeping them, and who a token stands for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from pbem.digest import Digest, daily
from pbem.names import canonical, folded
from pbem.parties import Party, Role
from pbem.schedule import Absence
from pbem.settle import OVER
from pbem.store.database import insert_or
from pbem.store.tables import ALIAS, CHAIR, CREDENTIAL, GAME, INVITATION, PERSON
from pbem.store.values import Conflict
from pbem.table import Person, Status
from pbem.tokens import Tokens, token_hash

_WHOSE: Final = PERSON.c.id.label("whose")
_FIELDS: Final = (
    *("name", "address", "confirmed", "zone", "language", "mails", "epoch", "stopped"),
    *(
        "away_from",
        "away_until",
        "away_bot",
        "calendar",
        "plain",
        "press",
        "digest",
        "digest_at",
        "digest_next",
        "pictures",
        "brief",
    ),
)
PERSON_COLUMNS: Final = (_WHOSE, *(PERSON.c[name].label(f"person_{name}") for name in _FIELDS))
"""For statements that join a person to something else; `person_of` reads them."""


def person_of(row: Any) -> Person | None:
    """The person in a row with `PERSON_COLUMNS`, if there is one."""
    if row.whose is None:
        return None
    return Person(
        id=row.whose,
        name=row.person_name,
        address=row.person_address,
        confirmed=row.person_confirmed,
        zone=row.person_zone,
        language=row.person_language,
        mails=row.person_mails,
        epoch=row.person_epoch,
        stopped=row.person_stopped,
        away=absence(row.person_away_from, row.person_away_until, bot=row.person_away_bot),
        calendar=row.person_calendar,
        plain=row.person_plain,
        press=row.person_press,
        pictures=row.person_pictures,
        brief=row.person_brief,
        digest=Digest(row.person_digest_at, row.person_digest_next) if row.person_digest else None,
    )


def absence(begins_at: datetime | None, ends_at: datetime | None, *, bot: bool = False) -> Absence | None:
    """An absence from its columns; `bot` matters to no clock."""
    return Absence(begins_at, ends_at, bot) if begins_at and ends_at else None


def people(connection: Connection, addresses: Iterable[str]) -> dict[str, Person]:
    wanted = {canonical(address) for address in addresses}
    main = sa.select(PERSON.c.canonical, *PERSON_COLUMNS).where(PERSON.c.canonical.in_(wanted))
    further = (
        sa.select(ALIAS.c.canonical, *PERSON_COLUMNS)
        .join(PERSON, PERSON.c.id == ALIAS.c.person_id)
        .where(ALIAS.c.canonical.in_(wanted), ALIAS.c.confirmed)
    )
    rows = connection.execute(sa.union_all(main, further))
    return {row.canonical: person for row in rows if (person := person_of(row))}


def person_by_name(connection: Connection, name: str) -> Person | None:
    row = connection.execute(sa.select(*PERSON_COLUMNS).where(PERSON.c.folded == folded(name))).one_or_none()
    return person_of(row) if row else None


def names_taken(connection: Connection, names: Iterable[str]) -> frozenset[str]:
    wanted = {folded(name) for name in names}
    found = connection.execute(sa.select(PERSON.c.folded).where(PERSON.c.folded.in_(wanted)))
    return frozenset(found.scalars())


_PARTY: Final = (
    sa.select(CREDENTIAL, GAME.c.name, INVITATION.c.address, INVITATION.c.seat.label("offered"), *PERSON_COLUMNS)
    .outerjoin(GAME, GAME.c.id == CREDENTIAL.c.game_id)
    .outerjoin(INVITATION, INVITATION.c.id == CREDENTIAL.c.invitation_id)
    .outerjoin(PERSON, PERSON.c.id == CREDENTIAL.c.person_id)
    .where(CREDENTIAL.c.hash == sa.bindparam("hash"), CREDENTIAL.c.active)
)


def made_with(connection: Connection, tokens: Tokens) -> bool:
    """Whether `tokens` gives a token that any player has, or none has one."""
    kept = sa.select(CREDENTIAL.c.hash, PERSON.c.id, PERSON.c.epoch).where(CREDENTIAL.c.role == Role.PERSON)
    rows = connection.execute(kept.join(PERSON, PERSON.c.id == CREDENTIAL.c.person_id)).all()
    return not rows or any(row.hash == token_hash(tokens.person(row.id, row.epoch)) for row in rows)


def party(connection: Connection, token: str) -> Party | None:
    """As whom somebody writes who has `token`; ``None`` for a token that is unknown or was withdrawn."""
    row = connection.execute(_PARTY, {"hash": token_hash(token)}).one_or_none()
    if row is None:
        return None
    person = person_of(row)
    address = person.address if person else row.address
    if not address:  # of an invitation to somebody who was forgotten: nothing could be answered to him
        return None
    return Party(row.role, address, person, row.name or "", row.offered or row.seat)


# Writing


@dataclass(frozen=True, slots=True)
class Place:
    """What a token stands for."""

    role: Role
    person: int | None = None
    game: int | None = None
    seat: int = 0
    invitation: int | None = None

    @property
    def row(self) -> dict[str, Any]:
        return {
            "role": self.role,
            "person_id": self.person,
            "game_id": self.game,
            "seat": self.seat,
            "invitation_id": self.invitation,
        }


_SCOPE: Final = {
    Role.PERSON: ("person_id",),
    Role.SEAT: ("game_id", "seat"),
    Role.MODERATOR: ("game_id", "person_id"),
    Role.INVITED: ("invitation_id",),
}
"""Within which columns there is one active token of a role."""


def grant(connection: Connection, place: Place, token: str) -> None:
    """Make `token` the only one for `place`.

    A token that is given again, as to an address that was forgotten and is invited anew, stands for the new place
    alone: what it stood for before may be withdrawn.
    """
    withdraw(connection, place)
    values = {"active": True, **place.row}
    insert = insert_or(connection, CREDENTIAL).values(hash=token_hash(token), **values)
    connection.execute(insert.on_conflict_do_update(index_elements=["hash"], set_=values))


def withdraw(connection: Connection, place: Place) -> None:
    """No token stands for `place` any more."""
    row = place.row
    same = (CREDENTIAL.c[name] == row[name] for name in _SCOPE[place.role])
    connection.execute(
        CREDENTIAL.update().where(CREDENTIAL.c.role == place.role, *same, CREDENTIAL.c.active).values(active=False)
    )


def save_person(connection: Connection, person: Person, now: datetime) -> int:
    """Insert or update `person` and give the id; `Conflict` when the name or address is another's by now.

    A name that is not confirmed is kept for a while from `now` on.
    """
    values = {
        "name": person.name,
        "folded": folded(person.name),
        "address": person.address,
        "canonical": canonical(person.address),
        "confirmed": person.confirmed,
        "unconfirmed_since": None if person.confirmed else now,
        "zone": person.zone,
        "language": person.language,
        "mails": person.mails,
        "epoch": person.epoch,
        "stopped": person.stopped,
        "away_from": person.away.begins_at if person.away else None,
        "away_until": person.away.ends_at if person.away else None,
        "away_bot": person.away is not None and person.away.bot,
        "calendar": person.calendar,
        "plain": person.plain,
        "press": person.press,
        "pictures": person.pictures,
        "brief": person.brief,
        "digest": person.digest is not None,
        "digest_at": person.digest.at if person.digest else None,
        "digest_next": person.digest.next_at if person.digest else None,
    }
    try:
        if person.id:
            connection.execute(PERSON.update().where(PERSON.c.id == person.id).values(**values))
            return person.id
        return int(connection.execute(PERSON.insert().returning(PERSON.c.id), values).scalar_one())
    except IntegrityError as error:
        raise Conflict(f"{person.name} is registered by now") from error


# Daily mails


_DAY_IS_OVER: Final = PERSON.c.digest_next <= sa.bindparam("now", type_=PERSON.c.digest_next.type)
_TELLING: Final = sa.or_(GAME.c.status == Status.RUNNING, sa.and_(GAME.c.status != Status.OPEN, CHAIR.c.asked != OVER))
_DIGESTS_DUE: Final = (
    sa.select(GAME.c.name)
    .join(CHAIR, CHAIR.c.game_id == GAME.c.id)
    .join(PERSON, PERSON.c.id == CHAIR.c.person_id)
    .where(_DAY_IS_OVER, _TELLING)
    .order_by(GAME.c.id)
)
ANY_DIGEST: Final = sa.select(PERSON.c.id).where(
    _DAY_IS_OVER, sa.exists().where(CHAIR.c.person_id == PERSON.c.id, GAME.c.id == CHAIR.c.game_id, _TELLING)
)
"""Whose daily mail is due: the same asked from the other end, so that SQLite begins with people, not chairs."""


def digests_due(connection: Connection, now: datetime) -> tuple[str, ...]:
    """Names of tables that may have something for a daily mail that is due: of a finished game only its end."""
    return tuple(dict.fromkeys(connection.execute(_DIGESTS_DUE, {"now": now}).scalars()))


def digests_done(connection: Connection, now: datetime) -> None:
    """Set the next time of each daily mail that was due, on its reader's clock."""
    due = sa.select(*PERSON.c["id", "digest_at", "zone"]).where(PERSON.c.digest_next <= now)
    for row in connection.execute(due).all():
        later = daily(row.digest_at, row.zone, now).next_at
        connection.execute(PERSON.update().where(PERSON.c.id == row.id).values(digest_next=later))
