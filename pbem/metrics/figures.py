"""The numbers themselves, as values: what they are called, what they say, and where each comes from."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from importlib.metadata import version
from typing import Final

import structlog

from pbem.counting import Counts, Label, MailIn, PassEnd, Shut, Way
from pbem.errors import DatabaseTrouble
from pbem.mailbox import Outcome
from pbem.store import Store, Vitals

HANDLING: Final = "pbem_mail_handling_seconds"
FAULTS: Final = "pbem_faults_total"
LAST_PASS: Final = "pbem_pass_timestamp_seconds"

log = structlog.get_logger()


class Kind(StrEnum):
    """How a number behaves."""

    COUNTER = "counter"
    """It only grows, and begins anew with the process."""
    GAUGE = "gauge"


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, or one for each value of a label."""

    name: str
    """With its unit, and `_total` at the end of a counter."""
    kind: Kind
    says: str
    values: Mapping[str, float]
    """By the value of `label`; that of a number without one stands under nothing."""
    label: str = ""


COUNTED: Final[Mapping[type[Label], tuple[str, str, str]]] = {
    PassEnd: ("pbem_passes_total", "outcome", "Passes, by how they ended."),
    MailIn: ("pbem_mails_in_total", "outcome", "Mails that came in, by what became of them."),
    Outcome: ("pbem_mails_out_total", "outcome", "Tries to send a mail, by what the mail server said."),
    Way: ("pbem_mail_server_troubles_total", "way", "Times that the mail server on this way could not be used."),
    Shut: (
        "pbem_logins_refused_total",
        "way",
        "Those times in which it refused the login, or there was no token for it.",
    ),
}
"""By kind of label: name, label and meaning."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """All numbers of a host, taken when they are asked for; by any thread."""

    counts: Counts
    store: Store
    folders: Mapping[str, str]
    """What lies where, whose disk may become full."""
    now: Callable[[], datetime]

    def figures(self) -> Iterator[Figure]:
        """Each number; of a database that cannot be looked at, that it cannot."""
        yield _one("pbem_build_info", "The version of pbem.", 1, "version", version("pbem"))
        yield from _counted(self.counts)
        vitals = self._vitals()
        yield _one("pbem_database_up", "Whether the database can be read.", vitals is not None)
        if vitals is not None:
            yield from _found(vitals)
        free = dict(_free(self.folders))
        yield Figure("pbem_disk_free_bytes", Kind.GAUGE, "Room on the disk of each folder.", free, "folder")

    def _vitals(self) -> Vitals | None:
        try:
            return self.store.vitals(self.now())
        except DatabaseTrouble as trouble:
            log.warning("the database cannot be looked at for numbers", trouble=str(trouble))
            return None


def _counted(counts: Counts) -> Iterator[Figure]:
    for kind, (name, label, says) in COUNTED.items():
        yield Figure(name, Kind.COUNTER, says, counts.of[kind], label)
    yield Figure(FAULTS, Kind.COUNTER, "Failures of the host's own; each is in its log.", {"": counts.faults})
    ended = {end.value: seconds for end, seconds in counts.last.items()}
    yield Figure(LAST_PASS, Kind.GAUGE, "When a pass last ended so.", ended, "outcome")


def _found(vitals: Vitals) -> Iterator[Figure]:
    by_status = {status.value: count for status, count in vitals.games.items()}
    yield Figure("pbem_games", Kind.GAUGE, "Tables, by their state.", by_status, "state")
    yield _one("pbem_games_overdue", "Games in which a deadline has passed and nothing followed.", vitals.overdue)
    yield _one("pbem_games_untold", "Tables with news that no mail was written about.", vitals.restless)
    yield _one("pbem_mails_parked", "Mails that could not be handled and were put aside.", vitals.parked)
    waiting = {Way.IN: vitals.to_handle, Way.OUT: vitals.to_send}
    counted = {way.value: queue.count for way, queue in waiting.items()}
    yield Figure("pbem_mails_waiting", Kind.GAUGE, "Mails to be handled (in) or sent (out).", counted, "way")
    since = {way.value: queue.since.timestamp() for way, queue in waiting.items() if queue.since}
    says = "When the mail came, or was written, that has waited longest; none where no mail waits."
    yield Figure("pbem_mails_waiting_since_timestamp_seconds", Kind.GAUGE, says, since, "way")
    yield _one("pbem_database_size_bytes", "Size of the database.", vitals.size)
    backed_up = {"": vitals.backed_up.timestamp()} if vitals.backed_up else {}
    yield Figure("pbem_backup_timestamp_seconds", Kind.GAUGE, "When the last backup was written.", backed_up)


def _one(name: str, says: str, value: float, label: str = "", of: str = "") -> Figure:
    return Figure(name, Kind.GAUGE, says, {of: value}, label)


def _free(folders: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    """Bytes free for each folder that can be looked at."""
    for what, folder in folders.items():
        try:
            yield what, shutil.disk_usage(folder).free
        except OSError:
            continue
