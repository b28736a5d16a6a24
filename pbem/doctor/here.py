"""What can be examined on this machine: files and their rights, the database and what waits in it, the disk."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from pbem.bootstrap import store_of
from pbem.config import Connection
from pbem.doctor.findings import Finding, fault, note, ok
from pbem.doctor.patient import LITTLE_ROOM, NO_ROOM, SLOW, Patient
from pbem.games import games
from pbem.publish import check_folder
from pbem.pulse import HEARTBEAT
from pbem.store import Store, health
from pbem.store.health import Form
from pbem.stuck import why_stuck

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_KINDS: Final = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def secrets(patient: Patient) -> Iterator[Finding]:
    """Whether files with secrets can be read by their owner alone."""
    settings = patient.settings
    servers = [server for server in (settings.imap, settings.smtp) if server is not None]
    leaves = list(filter(None, map(_leave, servers)))
    kept = [*(server.password_file for server in servers), *leaves]
    named = dict.fromkeys((patient.file, settings.host.secret_file, *kept))
    open_ones = [file for file in named if file is not None and _is_open(file)]
    for file in open_ones:
        yield fault("secrets", f"{file} can be read by other users of this machine", f"Run: chmod 600 {file}")
    if not open_ones:
        yield ok("secrets", "the files that hold them are for their owner alone")
    yield from map(_renewable, dict.fromkeys(leaves))


def _renewable(leave: Path) -> Finding:
    """Many providers give new leave with each token and take the old one for void."""
    if os.access(leave.parent, os.W_OK):
        return ok("leave", f"{leave} can be renewed")
    mend = "Keep it where the host may write, as in the folder of the database, or the next renewal is lost."
    return fault("leave", f"{leave} cannot be written anew", mend)


def _leave(server: Connection) -> Path | None:
    """The file of `pbem login` that `pbem token` gives tokens by, if that is how this server is logged in to."""
    with suppress(ValueError):
        match shlex.split(server.token_command):
            case [*_, "token", file]:
                return server.home / file
    return None


def _is_open(file: Path) -> bool:
    try:
        return bool(file.stat().st_mode & _OTHERS)
    except OSError:
        return False


def database(patient: Patient) -> Iterator[Finding]:
    """The database, and, when it is of the newest form, what waits in it."""
    found = health.look(patient.settings.database.url)
    kind = _KINDS.get(found.kind, found.kind)
    if found.form is Form.NONE:
        yield note("database", "it is empty: no host has run on it yet", "The first pbem poll or pbem run fills it.")
    elif found.form is Form.OLDER:
        yield note(
            "database",
            f"{kind}, of form {found.revision}; this version of pbem has {found.newest}",
            "Run pbem backup FILE; the next pbem poll or pbem run brings it to the newest form.",
        )
    else:
        yield ok("database", f"{kind}, whole and writable, of the newest form ({found.revision})")
        with store_of(patient.settings) as store:
            yield from _work(patient, store)


def _work(patient: Patient, store: Store) -> Iterator[Finding]:
    now = patient.now()
    yield _passes(patient, store, now)
    yield from _games(store, now)
    yield _parked(store)
    yield _unsent(store, now)
    yield _newcomers(patient, store, now)


def _passes(patient: Patient, store: Store, now: datetime) -> Finding:
    outage = patient.settings.clock.outage
    kept = store.mark(HEARTBEAT)
    if outage is None:
        return note("passes", "they are not watched, since outage in [clock] is none")
    if kept is None:
        return note("passes", "no pass has gone well yet", "Start the host: pbem run, or pbem poll from a timer.")
    last = datetime.fromisoformat(kept)
    if now - last > outage:
        return fault(
            "passes",
            f"the last one that went well was {_said(last)}",
            "Start the host, or look into its log; no deadline acts meanwhile.",
        )
    if last - now > timedelta(minutes=1):
        return fault("passes", f"the last one was {_said(last)}, which is still to come", "Set this machine's clock.")
    return ok("passes", f"the last one that went well was {_said(last)}")


def _games(store: Store, now: datetime) -> Iterator[Finding]:
    names, found, stuck = store.living(), games(), 0
    for name in names:
        table = store.table(name, found)
        for why in why_stuck(table, now) if table is not None else ():
            stuck += 1
            yield note("games", f"{name} does not go on: {why}", f"pbem mod {name} helps its moderator.")
    if not stuck:
        yield ok("games", f"{len(names)} not over, and none is stuck")


def _parked(store: Store) -> Finding:
    count = len(store.parked())
    if not count:
        return ok("parked mails", "none")
    return fault(
        "parked mails",
        f"{count} could not be handled",
        "pbem parked lists them; --retry NUMBER or --drop NUMBER does something about one.",
    )


def _unsent(store: Store, now: datetime) -> Finding:
    late = store.late(now - SLOW)
    if late.since is None:
        return ok("outbox", "no mail has waited for more than an hour")
    return fault(
        "outbox",
        f"{late.count} wait to be sent, the oldest since {_said(late.since)}",
        "Look below at mail out, at max_per_hour and max_per_day in [limits], and into the log.",
    )


def _newcomers(patient: Patient, store: Store, now: datetime) -> Finding:
    """Whether whoever registers is answered: a flood from strangers takes the answers that newcomers need."""
    limit, count = patient.settings.limits.all_stranger_answers, store.strangers_answered("", now).all
    if count < limit:
        return ok("newcomers", f"{count} of {limit} answers in 24 hours went to addresses that nobody has confirmed")
    return note(
        "newcomers",
        f"all {limit} answers of these 24 hours to addresses that nobody has confirmed are used up",
        "Newcomers hear nothing until then: raise all_stranger_answers in [limits] if they are no flood.",
    )


def disk(patient: Patient) -> Iterator[Finding]:
    """Room where the database and the archive lie, and whether the archive can be written."""
    file, archive = health.file_of(patient.settings.database.url), patient.settings.archive.folder
    check_folder(archive)
    yield ok("archive", f"{archive} can be written")
    for folder in dict.fromkeys((archive, *((file.parent,) if file is not None else ()))):
        yield _room(folder)


def _room(folder: Path) -> Finding:
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return fault("disk", f"{folder} cannot be looked at: {error.strerror}", "Check that it is there.")
    says = f"{free // 2**20:,} MB are free for {folder}"
    if free < NO_ROOM:
        return fault("disk", says, "Make room: a full disk stops the host, and loses nothing.")
    return note("disk", says, "Make room before it is full.") if free < LITTLE_ROOM else ok("disk", says)


def _said(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M} UTC"
