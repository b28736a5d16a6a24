"""A host as it is assembled for anybody, with its database in a folder of its own."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import structlog
from pydantic import SecretStr

from benchmarks.tables import HOST, NOW, TOKENS
from pbem import config
from pbem.bootstrap import assemble, store_of
from pbem.config import Imap, Security, Settings, Smtp
from pbem.host import Host
from pbem.mailbox import Arrival, Inbox, Mark, Outcome, Parcel, Receipt, Sender
from pbem.store import Store

NOWHERE: Final = Smtp(host="localhost", security=Security.NONE, user="")
"""Where a `Drain` stands in for the server."""


class Pile:
    """An `Inbox` in memory: what lies on it is fetched once."""

    mark: Mark | None = None

    def __init__(self) -> None:
        self._mails: list[bytes] = []
        self._uid = 0

    def put(self, mails: Iterable[bytes]) -> None:
        """These arrive."""
        self._mails.extend(mails)

    def fetch(self, limit: int) -> list[Arrival]:
        """The next mails."""
        batch, self._mails = self._mails[:limit], self._mails[limit:]
        return [self._arrival(raw) for raw in batch]

    def _arrival(self, raw: bytes) -> Arrival:
        self._uid += 1
        return Arrival("pile:INBOX:1", self._uid, raw, len(raw), NOW)

    def open(self) -> None:
        """Nothing to open."""

    def close(self) -> None:
        """Nothing to close."""

    def done(self, arrivals: Sequence[Arrival]) -> None:
        """Nothing to mark."""

    def rewind(self) -> None:
        """Nothing comes again."""

    def wait(self, seconds: float) -> bool:
        """Nobody waits here."""
        raise NotImplementedError

    def wake(self) -> None:
        """Nobody sleeps here."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Drain:
    """A `Sender` that takes everything."""

    def send(self, parcels: Iterable[Parcel]) -> Iterator[Receipt]:
        """Take each parcel."""
        for parcel in parcels:
            yield Receipt(parcel, Outcome.ACCEPTED, 250, "")


def settings(folder: Path, imap: Imap, smtp: Smtp) -> Settings:
    """The settings of a host whose files are in `folder`."""
    return Settings(
        host=config.Host(name="The inn", address=HOST, secret=SecretStr(TOKENS.key.decode())),
        imap=imap,
        smtp=smtp,
        database=config.Database(url=f"sqlite:///{folder / 'pbem.db'}"),
        archive=config.Archive(folder=folder / "archive"),
    )


@contextmanager
def house(wanted: Settings, inbox: Inbox, sender: Sender) -> Iterator[Host]:
    """A host at work with these ports, while the context lasts; only its warnings are logged."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with store_of(wanted) as store:
        yield assemble(wanted, store, inbox, sender)


@contextmanager
def in_memory(folder: Path) -> Iterator[tuple[Host, Store, Pile]]:
    """A host without any mail server."""
    imap = Imap(host="localhost", security=Security.NONE, user="nobody")
    pile = Pile()
    with house(settings(folder, imap, NOWHERE), pile, Drain()) as host:
        yield host, host.store, pile
