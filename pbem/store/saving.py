"""Writing a table: what differs between before and after, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from pbem.names import canonical
from pbem.parties import Changed, Role
from pbem.schedule import Clock
from pbem.store import codec
from pbem.store.people import Place, grant, withdraw
from pbem.store.tables import CHAIR, CO_MODERATOR, ENTRY, GAME, OUTBOX, PLAN, REMARK, WATCHER, Sending
from pbem.store.values import Conflict
from pbem.table import Chair, Person, Plan, Remark, Status, Table, Written
from pbem.tokens import Tokens
from pbem.watcher import Watcher

_Values = dict[str, Any]
WITHDRAWN: Final = "somebody else has the seat"

# What is set comes with the values, by the names of columns.
_GAME_AS_SEEN: Final = GAME.update().where(GAME.c.id == sa.bindparam("game"), GAME.c.version == sa.bindparam("seen"))
_CHAIR: Final = CHAIR.update().where(
    CHAIR.c.game_id == sa.bindparam("in_game"), CHAIR.c.seat == sa.bindparam("at_seat")
)


@dataclass(frozen=True, slots=True)
class Writing:
    """What a transaction knows while it is being written."""

    connection: Connection
    now: datetime
    tokens: Tokens
    people: Mapping[str, int]
    """The ids of people who are new in it, by canonical address."""

    def id_of(self, person: Person) -> int:
        return person.id or self.people[canonical(person.address)]


def save(writing: Writing, change: Changed) -> int:
    """Insert or update a table and all that belongs to it; its id. `Conflict` when it has moved on."""
    before, after = change.before, change.after
    game_id = _insert(writing, after) if before is None else _update(writing, before, after)
    save_chairs(writing, game_id, before.chairs if before else (), after.chairs)
    save_watchers(writing, game_id, before.watchers if before else (), after.watchers)
    _save_plans(writing.connection, game_id, before.plans if before else (), after.plans)
    _append(writing, game_id, after, change.written)
    _save_tokens(writing, game_id, before, after)
    return game_id


# The game itself


def _insert(writing: Writing, table: Table) -> int:
    row = {"name": table.name, "kind": table.game.name, "version": 1, "created_at": writing.now, "ended_at": None}
    try:
        found = writing.connection.execute(
            GAME.insert().returning(GAME.c.id), {**row, "restless": True, **_game_values(writing, table)}
        )
    except IntegrityError as error:
        raise Conflict(f"{table.name} exists by now") from error
    return int(found.scalar_one())


def _update(writing: Writing, before: Table, after: Table) -> int:
    values = _game_values(writing, after)
    if after.status in (Status.OVER, Status.ENDED) and before.status is not after.status:
        values["ended_at"] = writing.now
    compare_and_set(writing.connection, before, restless=True, **values)
    return before.id


def compare_and_set(connection: Connection, before: Table, **values: Any) -> None:
    """Update the row of a table unless it has moved on since `before` was read: then `Conflict`."""
    row = {"game": before.id, "seen": before.version, "version": before.version + 1, **values}
    if connection.execute(_GAME_AS_SEEN, row).rowcount != 1:
        raise Conflict(f"{before.name} has moved on from version {before.version}")


def _game_values(writing: Writing, table: Table) -> dict[str, Any]:
    position, hold = table.position, table.hold
    return {
        "label": table.label,
        "rematch_of": table.rematch_of,
        "options": codec.text(table.options),
        "places": table.places,
        "status": table.status,
        "moderator_id": writing.id_of(table.moderator),
        "moderator_epoch": table.moderator_epoch,
        "secret": table.secret,
        "chosen": table.chosen,
        "schedule": codec.text(table.schedule),
        "watchable": table.schedule.watchers and table.status is Status.RUNNING and not table.is_trial,
        "header": codec.text(table.header) if table.header else None,
        "state": table.game.encode(position.state) if position else None,
        "n": position.n if position else 0,
        "deals": position.deals if position else 0,
        "paused": position.paused if position else False,
        "ended": position.ended if position else False,
        "head": table.head,
        "sealed": table.sealed,
        "rolled": table.rolled,
        "witnesses": codec.text(sorted(table.witnesses)),
        "undone_to": table.undone[0],
        "undone_at": table.undone[1],
        "held": codec.text(replace(hold, before=None)) if hold else None,
        "held_state": table.game.encode(hold.before) if hold else None,
        "held_until": hold.until if hold else None,
    }


# Chairs, plans, entries


def save_chairs(writing: Writing, game_id: int, before: Sequence[Chair], after: Sequence[Chair]) -> None:
    """Write the columns that differ. A deadline that began in the meantime stays as it is."""
    old = {chair.seat: _chair_values(writing, chair) for chair in before}
    new = {chair.seat: _chair_values(writing, chair) for chair in after}
    execute = writing.connection.execute
    for seat in old.keys() - new.keys():
        execute(PLAN.delete().where(PLAN.c.game_id == game_id, PLAN.c.seat == seat))
        execute(CHAIR.delete().where(CHAIR.c.game_id == game_id, CHAIR.c.seat == seat))
    for rows in _changes(game_id, old, new):
        execute(_CHAIR, rows)
    if rows := [{"game_id": game_id, "seat": seat, **new[seat]} for seat in sorted(new.keys() - old.keys())]:
        execute(CHAIR.insert(), rows)


def _changes(game_id: int, old: Mapping[int, _Values], new: Mapping[int, _Values]) -> Iterable[list[_Values]]:
    """Rows that change: those in which the same columns do are written together."""
    alike: dict[tuple[str, ...], list[_Values]] = {}
    for seat in sorted(old.keys() & new.keys()):
        changed = {name: value for name, value in new[seat].items() if value != old[seat][name]}
        if changed:
            alike.setdefault(tuple(changed), []).append({"in_game": game_id, "at_seat": seat, **changed})
    return alike.values()


def _chair_values(writing: Writing, chair: Chair) -> dict[str, Any]:
    return {
        "person_id": writing.id_of(chair.person) if chair.person else None,
        "epoch": chair.epoch,
        "machine": chair.machine,
        "phrase": chair.phrase,
        "told": chair.told,
        "asked": chair.asked,
        "phase": chair.phase,
        "kind": chair.kind,
        "bank_seconds": int(chair.bank.total_seconds()),
        "misses": chair.misses,
        **clock_values(chair.clock),
        "mailed_at": chair.mailed_at,
        "orders": codec.text(chair.orders) if chair.orders else None,
        "given_up": chair.given_up,
        "unreachable": chair.unreachable,
        "level": chair.bot,
        "free": chair.free,
        "lessons": " ".join(chair.lessons),
        "called": chair.called,
        "ballot": codec.text(chair.ballot) if chair.ballot else None,
    }


def clock_values(clock: Clock | None) -> dict[str, Any]:
    """The columns of a running clock, or of none."""
    return {
        "began_at": clock.began_at if clock else None,
        "due_at": clock.due_at if clock else None,
        "lapses_at": clock.lapses_at if clock else None,
        "remind_at": clock.remind_at if clock else None,
        "referred": clock.referred if clock else False,
    }


def save_watchers(writing: Writing, game_id: int, before: Sequence[Watcher], after: Sequence[Watcher]) -> None:
    """Write who watches, and what he has been told: those that differ."""
    old, new = set(before), set(after)
    changed = {writing.id_of(each.person) for each in old ^ new}
    if changed:
        where = (WATCHER.c.game_id == game_id, WATCHER.c.person_id.in_(sorted(changed)))
        writing.connection.execute(WATCHER.delete().where(*where))
    if rows := [_watcher_values(writing, game_id, each) for each in after if each not in old]:
        writing.connection.execute(WATCHER.insert(), rows)


def _watcher_values(writing: Writing, game_id: int, watcher: Watcher) -> _Values:
    return {
        "game_id": game_id,
        "person_id": writing.id_of(watcher.person),
        "told": watcher.told,
        "round": watcher.round,
        "mailed_at": watcher.mailed_at,
    }


def _save_plans(connection: Connection, game_id: int, before: Sequence[Plan], after: Sequence[Plan]) -> None:
    """A plan never changes: it is made, and it goes."""
    if gone := {plan.id for plan in before} - {plan.id for plan in after}:
        connection.execute(PLAN.delete().where(PLAN.c.game_id == game_id, PLAN.c.id.in_(sorted(gone))))
    fresh = [
        {
            "game_id": game_id,
            "seat": plan.seat,
            "decision": plan.decision,
            "text": plan.text,
            "inbox_id": plan.inbox or None,
            "line": plan.line,
        }
        for plan in after
        if not plan.id
    ]
    if fresh:
        connection.execute(PLAN.insert(), fresh)


def _append(writing: Writing, game_id: int, table: Table, written: Sequence[Written]) -> None:
    rows = [
        {
            "game_id": game_id,
            "n": each.entry.n,
            "what": codec.text(each.entry.what),
            "hash": each.entry.hash,
            "events": codec.events_text(table.game, each.events),
            "at": writing.now,
        }
        for each in written
    ]
    if rows:
        writing.connection.execute(ENTRY.insert(), rows)
    remarks = [_remark_values(game_id, each.entry.n, each.remark) for each in written if each.remark is not None]
    if remarks:
        writing.connection.execute(REMARK.insert(), remarks)


def _remark_values(game_id: int, n: int, remark: Remark) -> dict[str, Any]:
    person = remark.by or None
    return {"game_id": game_id, "n": n, "person_id": person, "why": remark.why, "facts": codec.text(remark.facts)}


# Tokens


def _save_tokens(writing: Writing, game_id: int, before: Table | None, after: Table) -> None:
    old = {chair.seat: _holder(writing, chair) for chair in before.chairs} if before else {}
    new = {chair.seat: _holder(writing, chair) for chair in after.chairs}
    for seat in sorted(old.keys() | new.keys()):
        holder, next_one = old.get(seat), new.get(seat)
        if holder != next_one:
            _seat_token(writing, game_id, after.name, seat, next_one)
        if holder and (next_one is None or holder[0] != next_one[0]):
            _withdraw_mails(writing.connection, game_id, seat, holder[0])
    _save_moderators(writing, game_id, before, after)


def _save_moderators(writing: Writing, game_id: int, before: Table | None, after: Table) -> None:
    """Who moderates beside the moderator, and the tokens of all who moderate."""
    old = {writing.id_of(each): before.moderator_epoch for each in before.moderators} if before else {}
    new = {writing.id_of(each): after.moderator_epoch for each in after.moderators}
    for person in old.keys() - new.keys():
        withdraw(writing.connection, Place(Role.MODERATOR, person, game_id))
    for person, epoch in sorted(new.items() - old.items()):
        place = Place(Role.MODERATOR, person, game_id)
        grant(writing.connection, place, writing.tokens.moderator(after.name, person, epoch))
    if before is not None and before.co_moderators != after.co_moderators:
        writing.connection.execute(CO_MODERATOR.delete().where(CO_MODERATOR.c.game_id == game_id))
        if rows := [{"game_id": game_id, "person_id": writing.id_of(each)} for each in after.co_moderators]:
            writing.connection.execute(CO_MODERATOR.insert(), rows)


def _holder(writing: Writing, chair: Chair) -> tuple[int, int] | None:
    """Who holds the token of a chair, and its epoch."""
    return (writing.id_of(chair.person), chair.epoch) if chair.person else None


def _withdraw_mails(connection: Connection, game_id: int, seat: int, old: int) -> None:
    """Mails of a seat that its last player, `old`, has not got yet are not sent: they show what is his no more."""
    queued = (OUTBOX.c.game_id == game_id, OUTBOX.c.role == Role.SEAT, OUTBOX.c.seat == seat, OUTBOX.c.person_id == old)
    withdrawn = OUTBOX.update().where(*queued, OUTBOX.c.status == Sending.QUEUED)
    connection.execute(withdrawn.values(status=Sending.FAILED, error=WITHDRAWN, raw=b""))


def _seat_token(writing: Writing, game_id: int, name: str, seat: int, holder: tuple[int, int] | None) -> None:
    if holder is None:
        withdraw(writing.connection, Place(Role.SEAT, None, game_id, seat))
    else:
        place = Place(Role.SEAT, holder[0], game_id, seat)
        grant(writing.connection, place, writing.tokens.seat(name, seat, *holder))
