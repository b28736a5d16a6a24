"""What has to hold of a host after all its deaths, from its database, its archive, and what people got."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import sqlalchemy as sa

from engine.record import By, Move, entry_of, load
from pbem.bootstrap import store_of
from pbem.config import load as settings_in
from pbem.errors import Trouble
from pbem.store import Store
from pbem.store.tables import OUTBOX, Sending
from pbem.verifying import verify_file
from tests.kills.house import House
from tests.private import told


def judged(house: House, counts: Counter[str]) -> list[str]:
    """Everything that is not as it should be; what was looked at is counted in `counts`."""
    with store_of(settings_in(house.config)) as store:
        faults = [*_parked(store), *_sent(store, house, counts)]
    faults += _answered(house, counts)
    faults += _orders(house, counts)
    faults += _archived(house, counts)
    faults += judged_log(house.folder, house.secrets())
    return faults


def _parked(store: Store) -> Iterator[str]:
    for mail in store.parked():
        yield f"mail {mail.id} was put aside: {mail.problem}"


def _sent(store: Store, house: House, counts: Counter[str]) -> Iterator[str]:
    """Every mail of the outbox was delivered, under its one Message-ID, and none that is not in it."""
    with store.engine.connect() as connection:
        rows = connection.execute(sa.select(*OUTBOX.c["message_id", "status"])).all()
    counts["mails"] += len(rows)
    for row in rows:
        if row.status != Sending.SENT or not house.post.copies[row.message_id]:
            yield f"the mail {row.message_id} is {row.status}, and came {house.post.copies[row.message_id]} times"
        counts["came twice"] += house.post.copies[row.message_id] > 1
    unknown = house.post.sent_by(house.address) - {row.message_id for row in rows}
    yield from (f"the mail {id} is not in the outbox" for id in unknown)
    yield from (f"the mail {id} came again with other bytes" for id in house.post.changed)


def _answered(house: House, counts: Counter[str]) -> Iterator[str]:
    """Every mail of a player was answered by one mail."""
    counts["mails from players"] += len(house.written)
    for id in house.written:
        if house.post.answers[id] != 1:
            yield f"the mail {id} was answered {house.post.answers[id]} times"


def _orders(house: House, counts: Counter[str]) -> Iterator[str]:
    """Every order that a player sent is in the record, once."""
    for guest in house.guests:
        seat = guest.seat
        if seat is None:
            continue
        entries = load(_record(house, seat.table).read_bytes()).entries
        moves = [entry.what for entry in entries if isinstance(entry.what, Move) and entry.what.seat == seat.number]
        own = sum(move.by is By.SEAT for move in moves)
        counts["orders"] += guest.orders
        counts["moves of others"] += len(moves) - own
        if own != guest.orders:
            yield f"{guest.name} sent {guest.orders} orders, and {own} are in the record of {seat.table}"


def _archived(house: House, counts: Counter[str]) -> Iterator[str]:
    """The record of each game holds, and every head that its players were told is in it; nothing half written lies
    there."""
    heads = {(guest.seat.table, head) for guest in house.guests if guest.seat for head in guest.heads}
    tables = sorted({table for table, _ in heads})
    counts["records"] += len(tables)
    for table in tables:
        try:
            whole = verify_file(_record(house, table)).record
        except Trouble as trouble:
            yield f"{table}: {trouble}"
            continue
        lost = [head for name, head in heads if name == table and entry_of(whole, head) is None]
        yield from (f"{table} has no head {head} any more" for head in lost)
    for file in _archive(house).rglob(".*"):
        yield f"{file} was left behind"


def judged_log(folder: Path, secrets: Iterable[str]) -> Iterator[str]:
    """What should not stand in the log of the host in `folder`: failures, anything private, and the `secrets`."""
    log = (folder / "host.log").read_text()
    yield from (line for line in log.splitlines() if "Traceback" in line or "level='error'" in line)
    yield from (f"the log tells {each}" for each in told(log, secrets))


def _archive(house: House) -> Path:
    return house.folder / "archive"


def _record(house: House, table: str) -> Path:
    return _archive(house) / table / "record.json"
