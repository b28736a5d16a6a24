"""The settings: read once from a TOML file and the environment into frozen values.

Every setting may also come from the environment, which wins over the file: ``PBEM_``, the section, two
underscores, the setting, as in ``PBEM_IMAP__PASSWORD``. ``config.example.toml`` explains each of them.
"""

from pbem.config.loading import SECTIONS, load
from pbem.config.sections import (
    NO_SECRET,
    Archive,
    Clock,
    Connection,
    Database,
    Host,
    Identity,
    Imap,
    Limits,
    LogFormat,
    Login,
    LogLevel,
    Logs,
    Maildir,
    Metrics,
    Outbox,
    Registration,
    Running,
    Section,
    Security,
    Settings,
    Smtp,
    loopback,
)
from pbem.config.writing import create, example

__all__ = [
    "NO_SECRET",
    "SECTIONS",
    "Archive",
    "Clock",
    "Connection",
    "Database",
    "Host",
    "Identity",
    "Imap",
    "Limits",
    "LogFormat",
    "LogLevel",
    "Login",
    "Logs",
    "Maildir",
    "Metrics",
    "Outbox",
    "Registration",
    "Running",
    "Section",
    "Security",
    "Settings",
    "Smtp",
    "create",
    "example",
    "load",
    "loopback",
]
