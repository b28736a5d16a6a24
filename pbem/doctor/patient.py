"""What is examined, and the limits by which it is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from pbem.config import Settings
from pbem.doctor.findings import Finding

SLOW: Final = timedelta(hours=1)
"""So long a mail may wait to be sent before the keeper is told."""
APART: Final = timedelta(minutes=2)
"""So far the clocks of host and mail server may be apart: arrival times decide who was late."""
MANY: Final = 20_000
"""Handled mails, that nothing takes away again, of which the keeper is told."""
NEARLY_FULL: Final = 0.9
"""The share of a mailbox that may be used."""
LITTLE_ROOM: Final = 1024 * 1024 * 1024
NO_ROOM: Final = 100 * 1024 * 1024
"""Bytes free on a disk below which it is noted, and below which it has to be mended."""


@dataclass(frozen=True, slots=True)
class Patient:
    """A host, from its settings. Nothing of it need be running."""

    file: Path
    """The configuration."""
    settings: Settings
    now: Callable[[], datetime]
    send: bool
    """Whether a mail may be sent to the host itself."""


Look = Callable[[Patient], Iterator[Finding]]
"""What is found of one part; a `Trouble` that it raises is a finding as well."""
