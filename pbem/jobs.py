"""The queue of lanes to look after, on PostgreSQL by Procrastinate: a lock for each lane, and one job that waits in it.

It lives in a schema of its own, which is made, and made anew for another version of Procrastinate, when a process
begins: what it holds are hints, and the next pass of the host gives them again.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import datetime
from typing import Any, Final

import procrastinate
import psycopg
import structlog
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.jobs import Status
from procrastinate.schema import SchemaManager

from pbem.crew import Job
from pbem.errors import DatabaseTrouble

SCHEMA: Final = "pbem_jobs"
BELL: Final = "pbem_foreman"
"""The channel that tells the foreman that a job is gone: there may be something to send, or to hand out."""
TASK: Final = "look after"
HEARTBEAT: Final = 2.0
"""Seconds between two signs of life of a worker."""
STALLED: Final = 20.0
"""Seconds without one after which its lanes are free for others."""
RELIEF: Final = 3.0
"""Seconds between two looks for workers that are gone."""
_GLANCE: Final = 0.5
"""Seconds between two looks whether the bell has to be listened to any more."""
_KEY: Final = int.from_bytes(b"pbemjobs") >> 1
"""Of the lock under which the schema is made."""
_VERSION: Final = procrastinate.__version__
_RING: Final = f"""
CREATE FUNCTION pbem_ring() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN PERFORM pg_notify('{BELL}', ''); RETURN NULL; END $$;
CREATE TRIGGER pbem_ring AFTER DELETE ON procrastinate_jobs FOR EACH STATEMENT EXECUTE FUNCTION pbem_ring();
"""
"""The bell rings once a job is gone, and not before: its lane is free when the foreman hears it."""
_BUSY: Final = "SELECT lock FROM procrastinate_jobs WHERE status IN ('todo', 'doing')"

log = structlog.get_logger()


def prepare(url: str) -> None:
    """Make the schema of the queue unless it is there in this version. `DatabaseTrouble`."""
    with _in_plain_words(), psycopg.connect(url) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [_KEY])
        said = "SELECT obj_description(to_regnamespace(%s), 'pg_namespace')"
        row = connection.execute(said, [SCHEMA]).fetchone()
        if row is not None and row[0] == _VERSION:
            return
        for statement in (f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE", f"CREATE SCHEMA {SCHEMA}"):
            connection.execute(statement.encode())
        connection.execute(f"SET LOCAL search_path = {SCHEMA}".encode())
        connection.execute(SchemaManager.get_schema())
        connection.execute(_RING.encode())
        connection.execute(f"COMMENT ON SCHEMA {SCHEMA} IS '{_VERSION}'".encode())


class Lanes:
    """The queue as the foreman has it. A context manager."""

    def __init__(self, url: str) -> None:
        self._connector = procrastinate.SyncPsycopgConnector(conninfo=url, kwargs=_kwargs(), min_size=1, max_size=2)
        self._app = procrastinate.App(connector=self._connector)

    def __enter__(self) -> Lanes:
        with _in_plain_words():
            self._app.open()
        return self

    def __exit__(self, *_: object) -> None:
        self._app.close()

    def lay(self, jobs: Iterable[Job]) -> None:
        """Let these be done, unless one waits already for the same lane, or is being done: when that is over the bell
        rings. `DatabaseTrouble`."""
        with _in_plain_words():
            busy = {row["lock"] for row in self._connector.execute_query_all(_BUSY)}
            for job in jobs:
                lock = f"lane {job.lane}"
                if lock not in busy:
                    busy.add(lock)
                    with suppress(AlreadyEnqueued):  # by one that believed to have the turn as well
                        self._app.configure_task(TASK, lock=lock, queueing_lock=lock).defer(**_arguments(job))


def _arguments(job: Job) -> dict[str, Any]:
    return {"lane": job.lane, "looked": job.looked.isoformat() if job.looked else "", "away": job.away}


def _job(lane: str, looked: str, away: bool) -> Job:
    return Job(lane, datetime.fromisoformat(looked) if looked else None, away)


@contextmanager
def listening(url: str, heard: Callable[[], None]) -> Iterator[None]:
    """Call `heard` whenever a worker rings, from a thread of its own, while the context lasts."""
    over = threading.Event()
    thread = threading.Thread(target=_listen, args=(url, heard, over), daemon=True, name="bell")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(2 * _GLANCE)


def _listen(url: str, heard: Callable[[], None], over: threading.Event) -> None:
    """A connection that is lost is made anew; meanwhile the host looks at its interval."""
    while not over.is_set():
        try:
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"LISTEN {BELL}".encode())
                while not over.is_set():
                    for _ in connection.notifies(timeout=_GLANCE):
                        heard()
        except psycopg.Error as error:
            log.warning("the bell of the workers cannot be heard", trouble=type(error).__name__)
            over.wait(RELIEF)


def work(url: str, look_after: Callable[[Job], None], stopping: Callable[[Callable[[], None]], None]) -> None:
    """Do jobs until the process is asked to end; the one at hand is done first. `DatabaseTrouble`.

    `stopping` is told what ends it, from a signal handler.
    """
    with _in_plain_words():
        asyncio.run(_working(url, look_after, stopping))


async def _working(url: str, look_after: Callable[[Job], None], stopping: Callable[[Callable[[], None]], None]) -> None:
    connector = procrastinate.PsycopgConnector(conninfo=url, kwargs=_kwargs(), min_size=1, max_size=4)
    app = procrastinate.App(connector=connector)

    async def looked_after(lane: str, looked: str, away: bool) -> None:
        try:
            await asyncio.to_thread(look_after, _job(lane, looked, away))
        except DatabaseTrouble as trouble:
            log.error("the database failed", trouble=str(trouble))

    app.task(name=TASK)(looked_after)
    async with app.open_async(), _relieving(app):
        loop, working = asyncio.get_running_loop(), asyncio.create_task(_run(app))

        def end() -> None:
            loop.call_soon_threadsafe(working.cancel)

        stopping(end)
        with suppress(asyncio.CancelledError):
            await working


async def _run(app: procrastinate.App) -> None:
    await app.run_worker_async(
        install_signal_handlers=False,
        delete_jobs="always",
        fetch_job_polling_interval=RELIEF,
        update_heartbeat_interval=HEARTBEAT,
        stalled_worker_timeout=STALLED,
    )


@asynccontextmanager
async def _relieving(app: procrastinate.App) -> AsyncIterator[None]:
    """While the context lasts, free the lanes of workers that are gone."""
    relief = asyncio.create_task(_relieve(app))
    try:
        yield
    finally:
        relief.cancel()


async def _relieve(app: procrastinate.App) -> None:
    """Their jobs are thrown away, not begun again: another may wait in the lane already, and else the foreman lays
    one, for he sees in the inbox what is left."""
    manager = app.job_manager
    while True:
        with suppress(ConnectorException):
            for job in await manager.get_stalled_jobs(seconds_since_heartbeat=STALLED):
                log.warning("a worker is gone; its lane is free again", lane=job.lock)
                await manager.finish_job(job, status=Status.FAILED, delete_job=True)
        await asyncio.sleep(RELIEF)


def _kwargs() -> dict[str, Any]:
    return {"options": f"-c search_path={SCHEMA}"}


@contextmanager
def _in_plain_words() -> Iterator[None]:
    try:
        yield
    except (psycopg.Error, ConnectorException) as error:
        cause = error.__cause__ or error
        mend = "Check its URL, that it runs, and that this user may create a schema in it"
        raise DatabaseTrouble(f"The queue of the workers cannot be used: {cause}", mend) from None
