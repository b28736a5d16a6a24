"""A host that is asked to end finishes what it is at, and leaves the rest, untouched, to the next process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.mailbox import Arrival, Parcel, Receipt
from pbem.reception import Arrived, Reception
from pbem.store.tables import INBOX, OUTBOX, Sending, Stage
from tests.conversations.world import Courier, Mailbox, World

GUESTS = [f"guest{n}" for n in range(5)]


class Interrupted(Mailbox):
    """Has the host asked to end while it looks for the first time."""

    world: World

    def fetch(self, limit: int) -> list[Arrival]:
        self.world.host.stop.ask("SIGTERM")
        return super().fetch(limit)


class Halting(Courier):
    """Has the host asked to end while the first mail is on its way."""

    world: World

    def send(self, parcels: Iterable[Parcel]) -> Iterator[Receipt]:
        for receipt in super().send(parcels):
            self.world.host.stop.ask("SIGTERM")
            yield receipt


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    for name in GUESTS:
        world.write(name, f"REGISTER {name}")
    return world


def stages(world: World) -> list[tuple[Stage, int]]:
    with world.store.engine.connect() as connection:
        return [(row[0], row[1]) for row in connection.execute(sa.select(INBOX.c.stage, INBOX.c.attempts))]


def all_are_welcomed_once(world: World) -> bool:
    """By the next process, and whoever was not by the one before."""
    before, world.courier = world.courier.taken, Courier()
    world.courier.taken += before
    world.restart()
    world.tick()
    return sorted(parcel.envelope_to for parcel in world.courier.taken) == [f"{name}@example.org" for name in GUESTS]


def test_mails_that_were_read_and_not_begun_have_not_been_tried(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    decided = Reception.decided

    def once(reception: Reception, arrived: Arrived, *rest: object) -> object:
        world.host.stop.ask("SIGTERM")
        return decided(reception, arrived, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Reception, "decided", once)
    world.tick()
    assert stages(world) == [(Stage.DONE, 1), *[(Stage.NEW, 0)] * 4]
    monkeypatch.undo()
    assert all_are_welcomed_once(world)


def test_the_mail_on_its_way_is_sent_and_noted_and_those_behind_it_wait(world: World) -> None:
    world.courier = courier = Halting()
    courier.world = world
    world.restart()
    world.tick()
    with world.store.engine.connect() as connection:
        sent = [row[0] for row in connection.execute(sa.select(OUTBOX.c.status).order_by(OUTBOX.c.id))]
    assert sent == [Sending.SENT, *[Sending.QUEUED] * 4]
    assert all_are_welcomed_once(world)


def test_a_look_at_the_mailbox_that_is_cut_short_lets_no_deadline_act(at_night: World) -> None:
    at_night.wait(hours=50)
    before = len(at_night.entries())
    mailbox = Interrupted()
    mailbox.world, mailbox.laid = at_night, at_night.mailbox.laid
    at_night.mailbox = mailbox
    at_night.restart()
    at_night.tick()
    assert len(at_night.entries()) == before
    at_night.mailbox = Mailbox()
    at_night.restart()
    at_night.tick()
    assert len(at_night.entries()) > before
