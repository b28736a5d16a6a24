"""Logs on standard error, one line an event, without addresses, tokens, hands or texts of mails."""

from __future__ import annotations

import logging
import sys

import structlog


def set_up_logs(level: int = logging.INFO) -> None:
    """Write events with their time in UTC; our own faults with a traceback."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
