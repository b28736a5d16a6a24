"""A host that leaves its work to others: what they do, in which order, and what waits for what."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from engine.record import By, Move
from pbem.archiving import UNPUBLISHED
from pbem.store import HOST_LANE
from pbem.table import Status
from tests.conversations.conftest import LODGE, SIGN_UP, START
from tests.conversations.crewed import CrewedWorld
from tests.conversations.transcript import play
from tests.conversations.world import World

DEADLINE = timedelta(hours=24)


@pytest.fixture
def crewed(tmp_path: Path) -> CrewedWorld:
    return CrewedWorld(tmp_path, deadline=DEADLINE)


@pytest.fixture
def at_night(crewed: CrewedWorld) -> CrewedWorld:
    for script in (SIGN_UP, START, LODGE):
        play(crewed, script)
    return crewed


def told(world: World) -> list[tuple[str, str]]:
    return sorted((mail.to, mail.subject) for mail in world.mails)


def test_a_crew_tells_what_a_host_alone_tells(at_night: CrewedWorld, tmp_path: Path) -> None:
    (tmp_path / "alone").mkdir()
    alone = World(tmp_path / "alone", deadline=DEADLINE)
    for script in (SIGN_UP, START, LODGE):
        play(alone, script)
    for world in (at_night, alone):
        world.answer("anna", "PASS", "PASS")
        world.tick()
        world.wait(hours=25)
        world.tick()
    assert told(at_night) == told(alone)
    assert [entry.hash for entry in at_night.entries()] == [entry.hash for entry in alone.entries()]


def test_mails_of_a_table_are_done_in_its_lane_in_order_and_others_in_that_of_the_host(at_night: CrewedWorld) -> None:
    at_night.answer("anna", "PASS")
    at_night.answer("bob", "PASS")
    at_night.write("dora", "REGISTER Dora")
    at_night.host.tick(at_night.now)
    assert at_night.pile.jobs.keys() == {"inn-1", HOST_LANE}
    before = at_night.table().running.n
    at_night.work("inn-1")
    assert at_night.table().running.n == before + 2, "Anna's pass came first, so that Bob's was in time"


def test_a_mail_waits_for_the_earlier_one_of_its_sender_in_another_lane(at_night: CrewedWorld) -> None:
    at_night.write("anna", "GAMES")
    at_night.answer("anna", "PASS")
    before = at_night.table().running.n
    at_night.host.tick(at_night.now)
    at_night.work("inn-1")
    assert at_night.table().running.n == before
    at_night.work(HOST_LANE)
    at_night.tick()
    assert at_night.table().running.n == before + 1


def test_no_deadline_acts_while_a_mail_waits_that_may_bear_on_its_table(at_night: CrewedWorld) -> None:
    before = at_night.table().running.n
    at_night.wait(hours=23)
    at_night.write("anna", "GAMES")
    at_night.wait(hours=2)
    at_night.host.tick(at_night.now)
    at_night.work("inn-1")
    assert at_night.table().running.n == before
    at_night.tick()
    assert at_night.table().running.n == before + 1, "it was about nothing, and her time is up"


def test_a_deadline_that_came_before_a_mail_acts_before_it(at_night: CrewedWorld) -> None:
    before = at_night.table().running.n
    at_night.wait(hours=25)
    at_night.answer("anna", "PASS")
    at_night.tick()
    assert at_night.table().running.n == before + 1
    last = at_night.entries()[-1].what
    assert isinstance(last, Move)
    assert last.by is not By.SEAT


def test_a_mail_that_ends_each_worker_is_put_aside_after_so_many(
    at_night: CrewedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_night.answer("anna", "PASS")
    with monkeypatch.context() as patch:

        def die(*_: object) -> None:
            raise SystemExit

        patch.setattr("pbem.labor.Arrived", die)
        for _ in range(at_night.store.attempts):
            at_night.host.tick(at_night.now)
            with pytest.raises(SystemExit):
                at_night.work("inn-1")
    at_night.tick()
    assert len(at_night.store.parked()) == 1
    assert "it is my fault, not yours" in at_night.last("anna").text


def test_a_lane_that_is_looked_after_twice_does_nothing_twice(at_night: CrewedWorld) -> None:
    at_night.answer("anna", "PASS")
    at_night.host.tick(at_night.now)
    job = at_night.pile.jobs["inn-1"]
    before = at_night.table().running.n
    at_night.work("inn-1")
    at_night.worker.look_after(job)
    assert at_night.table().running.n == before + 1
    assert sum(mail.to == "anna" for mail in at_night.tick()) == 1


def test_the_foreman_writes_the_archive_that_workers_ask_for(at_night: CrewedWorld) -> None:
    at_night.answer("modi", "END WITH RESULT")
    at_night.tick()
    (confirming,) = re.findall(r"END WITH RESULT [A-Z]{5}", at_night.last("modi").text)
    at_night.answer("modi", confirming)
    at_night.tick()
    assert at_night.table().status is not Status.RUNNING
    assert at_night.store.mark(UNPUBLISHED) == ""
    assert (at_night.settings.archive.folder / "inn-1" / "record.json").exists()
