"""The workers' queue on a real PostgreSQL: made by itself, one job a lane, and a worker that ends when he is told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import psycopg
import pytest

from pbem import jobs
from pbem.crew import Job
from pbem.errors import DatabaseTrouble
from pbem.store.database import conninfo
from tests.servers.postgresql import server

pytestmark = pytest.mark.slow

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
PATIENCE = 30.0


@pytest.fixture
def url() -> Iterator[str]:
    made = server().create()
    yield conninfo(made)
    server().drop(made)


def waiting(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*) FROM pbem_jobs.procrastinate_jobs WHERE status = 'todo'").fetchone()
        assert row is not None
        return int(row[0])


def lay(url: str, *laid: Job) -> None:
    with jobs.Lanes(url) as lanes:
        lanes.lay(laid)


def test_one_job_waits_in_each_lane_however_often_it_is_laid(url: str) -> None:
    jobs.prepare(url)
    lay(url, Job("inn-1", NOON, False), Job("", NOON, False), Job("inn-1", None, False))
    assert waiting(url) == 2


def test_the_queue_is_kept_as_long_as_its_version_is_that_of_the_program(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs.prepare(url)
    lay(url, Job("inn-1", NOON, False))
    jobs.prepare(url)
    assert waiting(url) == 1
    monkeypatch.setattr(jobs, "_VERSION", "another")
    jobs.prepare(url)
    assert waiting(url) == 0


def test_a_worker_does_what_is_laid_rings_and_ends_when_it_is_asked_to(url: str) -> None:
    jobs.prepare(url)
    laid = [Job("inn-1", NOON, False), Job("", None, True)]
    done: list[Job] = []
    ends: list[Callable[[], None]] = []
    rung = threading.Event()

    def look_after(job: Job) -> None:
        done.append(job)
        if len(done) == len(laid):
            ends[0]()

    with jobs.listening(url, rung.set):
        lay(url, *laid)
        jobs.work(url, look_after, ends.append)
        assert rung.wait(PATIENCE)
    assert done == laid
    assert waiting(url) == 0


def test_a_lane_of_a_worker_that_is_gone_is_free_for_the_next_one(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.prepare(url)
    monkeypatch.setattr(jobs, "RELIEF", 0.1)
    lay(url, Job("inn-1", NOON, False))
    with psycopg.connect(url, options="-c search_path=pbem_jobs") as connection:
        connection.execute("UPDATE procrastinate_jobs SET status = 'doing'")
    ends: list[Callable[[], None]] = []
    rung = threading.Event()

    def freed() -> None:
        lay(url, Job("inn-1", NOON, False))
        rung.set()

    with jobs.listening(url, freed):
        jobs.work(url, lambda _: ends[0](), ends.append)
    assert rung.is_set()


def test_a_queue_that_cannot_be_reached_is_a_trouble_in_one_line(url: str) -> None:
    gone = conninfo(url).replace("/test", "/nowhere")
    with pytest.raises(DatabaseTrouble, match="The queue of the workers cannot be used"):
        jobs.prepare(gone)
