"""Numbers about a host for Prometheus: at a port while it runs, or in a file behind each pass. No number, and no label,
tells of anybody: labels are of a few fixed values each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from pbem.config import Settings
from pbem.counting import Counts
from pbem.errors import ConfigurationTrouble
from pbem.metrics.figures import Figure, Numbers
from pbem.store import Store
from pbem.store.health import file_of

__all__ = ["Figure", "Numbers", "shown"]


def _nothing() -> None: ...


@contextmanager
def shown(
    settings: Settings, store: Store, counts: Counts, now: Callable[[], datetime], *, at_port: bool
) -> Iterator[Callable[[], None]]:
    """Show the numbers as [metrics] wants it while the context lasts, at its port only if `at_port`; what is to be
    called behind each pass. `ConfigurationTrouble` if the extra is not installed."""
    wanted = settings.metrics
    port = wanted.port if at_port else 0
    if not port and wanted.textfile is None:
        yield _nothing
        return
    try:
        from pbem.metrics import exposition
    except ModuleNotFoundError as error:
        raise ConfigurationTrouble(
            f"[metrics] needs the package {error.name}", "Install it with: pip install 'pbem[metrics]'"
        ) from error
    numbers = Numbers(counts, store, _folders(settings), now)
    if wanted.textfile is not None:
        exposition.go_on_from(wanted.textfile, counts)
    with exposition.served(wanted.address, port, numbers):
        yield lambda: exposition.write(wanted.textfile, numbers) if wanted.textfile is not None else None


def _folders(settings: Settings) -> dict[str, str]:
    """What lies where, whose disk may become full."""
    file = file_of(settings.database.url)
    database = {"database": str(file.parent)} if file is not None else {}
    return {**database, "archive": str(settings.archive.folder)}
