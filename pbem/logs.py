"""Logs on standard error, one line an event, without addresses, tokens, hands or texts of mails."""

from __future__ import annotations

import logging
import os
import re
import sys
import time
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, TextIO

import structlog

from pbem.config import LogFormat
from pbem.names import TOKEN_LENGTH

RECOVERED: Final = "all goes well again"
"""The event behind which every trouble is news again."""
HOUR: Final = 3600.0
"""Seconds in which the same trouble is told once."""
MOST: Final = 60
"""Lines of one event in that time, whatever else they say."""
_TROUBLE: Final = frozenset({"warning", "error", "critical"})
_PASSING: Final = frozenset({"attempt", "handled", "read", "sent", "exc_info", "level"})
"""Facts that differ although the trouble is the same."""
_PRIVATE: Final = (
    (re.compile(r"[\w.+=-]+@[\w.-]+"), "(an address)"),
    (re.compile(rf"(?<![a-z2-7])[a-z2-7]{{{TOKEN_LENGTH},}}(?![a-z2-7])"), "(a token)"),
    (re.compile(r"(?<![0-9a-f])[0-9a-f]{32,}(?![0-9a-f])"), "(a hash)"),
)
_PRIORITY: Final = {"debug": 7, "info": 6, "warning": 4, "error": 3, "critical": 2}
"""Of syslog, as journald reads them at the beginning of a line."""

Event = MutableMapping[str, Any]


@dataclass(slots=True)
class Sparing:
    """Tells a trouble when it is new, and after that once an hour with how often it has come. A server that is away for
    a week writes a line an hour."""

    steady: Callable[[], float] = time.monotonic
    _told: dict[tuple[Any, ...], tuple[float, int]] = field(default_factory=dict)
    """By what is told: when that was, or the hour began, and how often it came since."""

    def __call__(self, _logger: Any, _method: str, event: Event) -> Event:
        if event["event"] == RECOVERED:
            self._told = {key: told for key, told in self._told.items() if len(key) == 1}
        if event["level"] not in _TROUBLE:
            return event
        now = self.steady()
        spared = self._spared((event["event"], *_facts(event)), now, 1)
        if spared is None or self._spared((event["event"],), now, MOST) is None:
            raise structlog.DropEvent
        return {**event, "again": spared} if spared else event

    def _spared(self, key: tuple[Any, ...], now: float, most: int) -> int | None:
        """How many were kept back in the hour before; ``None`` if this one is to be as well."""
        since, came = self._told.get(key, (now, 0))
        if came and now - since >= HOUR:
            # What has not come for so long is forgotten, or the log would grow in memory instead.
            self._told = {each: told for each, told in self._told.items() if now - told[0] < 2 * HOUR}
            self._told[key] = (now, 1)
            return max(0, came - most)
        self._told[key] = (since, came + 1)
        return 0 if came < most else None


def _facts(event: Event) -> tuple[Any, ...]:
    facts = sorted((name, str(value)) for name, value in event.items() if name not in _PASSING)
    return (*facts, type(sys.exc_info()[1]).__name__ if event.get("exc_info") else "")


def masked(_logger: Any, _method: str, event: Event) -> Event:
    """Behind all care that is taken elsewhere: what a mail server or an error may have said of somebody is left out."""
    return {name: _without(value) if isinstance(value, str) else value for name, value in event.items()}


def _without(text: str) -> str:
    for shape, instead in _PRIVATE:
        text = shape.sub(instead, text)
    return text


@dataclass(frozen=True, slots=True)
class _Paper:
    """Takes lines. One that cannot be written, as on a full disk, stops no game."""

    file: TextIO

    def msg(self, line: str) -> None:
        with suppress(OSError, ValueError):
            print(line, file=self.file, flush=True)

    log = debug = info = warning = error = critical = exception = msg


_STAMPED: Final = structlog.processors.TimeStamper(fmt="iso", utc=True)
_PLAIN: Final = structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"])
_BARE: Final = structlog.processors.KeyValueRenderer(key_order=["event"])


def _journal(logger: Any, method: str, event: Event) -> str:
    """The journal has its own time, and takes the level from the front of the line."""
    return f"<{_PRIORITY[event.pop('level')]}>{_BARE(logger, method, event)}"


_RENDERING: Final[dict[LogFormat, tuple[Any, ...]]] = {
    LogFormat.TEXT: (_STAMPED, _PLAIN),
    LogFormat.JSON: (_STAMPED, structlog.processors.JSONRenderer(ensure_ascii=False, default=str)),
    LogFormat.JOURNAL: (_journal,),
}


def set_up_logs(level: int = logging.INFO, form: LogFormat = LogFormat.TEXT) -> None:
    """Write events from `level` on, in `form`; our own faults with a traceback, still on the one line."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            Sparing(),
            structlog.processors.format_exc_info,
            masked,
            *_RENDERING[_chosen(form)],
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_, paper=_Paper(sys.stderr): paper,
    )


def _chosen(form: LogFormat) -> LogFormat:
    if form is not LogFormat.AUTO:
        return form
    return LogFormat.JOURNAL if _is_journal() else LogFormat.TEXT


def _is_journal() -> bool:
    """Whether standard error is the journal's: systemd says which file that is."""
    try:
        there = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{there.st_dev}:{there.st_ino}"
