"""Whether the numbers for Prometheus are there where [metrics] wants them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from pbem.config import Metrics, loopback
from pbem.doctor.findings import Finding, fault, note, ok
from pbem.doctor.patient import Patient

_ABOUT: Final = "numbers"
_PATIENCE: Final = 5.0
"""Seconds until an answer has to begin."""
_KNOWN: Final = b"\npbem_build_info{"
_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Where to ask a host that listens at all addresses."""


def shown(patient: Patient) -> Iterator[Finding]:
    """What [metrics] asks for, and whether it is so."""
    wanted = patient.settings.metrics
    if not wanted.port and wanted.textfile is None:
        yield ok(_ABOUT, "none are shown to Prometheus, since port and textfile in [metrics] are empty")
        return
    if find_spec("prometheus_client") is None:
        yield fault(_ABOUT, "they need a package that is not installed", "Run: pip install 'pbem[metrics]'")
        return
    if wanted.port:
        yield from _at_port(wanted)
    if wanted.textfile is not None:
        yield _in_file(wanted.textfile, patient)


def _at_port(wanted: Metrics) -> Iterator[Finding]:
    where = f"{wanted.address}:{wanted.port}"
    if not loopback(wanted.address):
        yield note(
            _ABOUT,
            f"any machine that reaches {where} can read them, without a password",
            "Let a firewall admit your Prometheus alone, or listen at 127.0.0.1.",
        )
    answer = _asked(_EVERYWHERE.get(wanted.address, wanted.address), wanted.port)
    if answer is None:
        yield note(_ABOUT, f"nobody answers at {where}", "They are there while pbem run runs; its log says if not.")
    elif _KNOWN in answer:
        yield ok(_ABOUT, f"Prometheus finds them at http://{where}/metrics")
    else:
        yield fault(_ABOUT, f"another program answers at {where}", "Set another port in [metrics], and start anew.")


def _asked(address: str, port: int) -> bytes | None:
    """What is answered there, or nothing."""
    connection = HTTPConnection(address, port, timeout=_PATIENCE)
    try:
        connection.request("GET", "/metrics")
        return connection.getresponse().read(1_000_000)
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()


def _in_file(file: Path, patient: Patient) -> Finding:
    if not os.access(file.parent, os.W_OK):
        return fault(_ABOUT, f"{file} cannot be written", f"Make {file.parent}, and let this user write there.")
    try:
        written = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    except FileNotFoundError:
        return note(_ABOUT, f"{file} is not there yet", "The next pass writes it.")
    late = patient.now() - written
    if late > max(timedelta(hours=1), 2 * patient.settings.clock.interval):
        return note(_ABOUT, f"{file} was last written at {written:%Y-%m-%d %H:%M} UTC", "Each pass writes it.")
    return ok(_ABOUT, f"each pass writes them into {file}")
