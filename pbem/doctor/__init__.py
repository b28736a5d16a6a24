"""`pbem doctor`: a check-up of all that a host stands on. It touches no game and no player's mail, and says how
to mend what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from pbem import config
from pbem.doctor import here, numbers, servers
from pbem.doctor.findings import Finding, Findings, State, broken, ok
from pbem.doctor.patient import Look, Patient
from pbem.errors import Trouble
from pbem.host import real_time

__all__ = ["Finding", "Findings", "State", "examine"]

_LOOKS: Final[tuple[tuple[str, Look], ...]] = (
    ("configuration", here.secrets),
    ("database", here.database),
    ("disk", here.disk),
    ("mail in", servers.mail_in),
    ("mail out", servers.mail_out),
    ("round trip", servers.round_trip),
    ("numbers", numbers.shown),
)


def examine(path: Path, *, send: bool = False, now: Callable[[], datetime] = real_time) -> Findings:
    """Examine the host of the configuration at `path`; with `send` a mail to itself too, which is waited for.

    What cannot be examined is a finding, never an error; without a configuration that can be read, the only one.
    """
    try:
        settings = config.load(path)
    except Trouble as trouble:
        return Findings((broken("configuration", trouble),))
    patient = Patient(path, settings, now, send)
    return Findings((ok("configuration", f"{path} can be read"), *_found(patient)))


def _found(patient: Patient) -> Iterator[Finding]:
    for about, look in _LOOKS:
        try:
            yield from look(patient)
        except Trouble as trouble:
            yield broken(about, trouble)
