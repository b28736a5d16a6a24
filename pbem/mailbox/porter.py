"""Mail on its way out while other work goes on: a thread of its own that speaks to the mail server and to nothing else.

Nearly all that sending takes is waiting for the server's word. What became of each mail is for whoever gave it away to
ask and to note, so that nothing but the mails themselves is shared between threads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue
from typing import Final

from pbem.mailbox import Outcome, Parcel, Receipt, Sender

_NO_MORE: Final = None
"""Behind the last parcel, and behind the last receipt."""


class Porter:
    """Carries parcels to the mail server, over one connection until it may `rest`. For one owner, in one thread."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._walk: _Walk | None = None

    def carry(self, parcels: Sequence[Parcel], enough: Callable[[], bool]) -> None:
        """Set out with these, behind those that are on their way. Behind each it is asked whether that is `enough`:
        then the rest has no receipt."""
        if self._walk is None:
            self._walk = _Walk(self._sender, enough)
        self._walk.add(parcels)

    @property
    def is_back(self) -> bool:
        """Whether `receipts` need not wait any more."""
        return self._walk is None or self._walk.is_back

    def receipts(self) -> Iterator[Receipt]:
        """What became of each parcel, in order, as soon as it is known; what has no receipt was not sent.

        That ends with the first one that is no player's fault (`Outcome.HOST_TROUBLE`), for the server would say the
        same to the next. `Trouble` as of a `Sender`.
        """
        if self._walk is not None:
            yield from self._walk.receipts()

    def rest(self) -> None:
        """Hang up, once what is on its way has arrived. Without it the next parcels go over the same connection."""
        if self._walk is not None:
            self._walk.end()
            self._walk = None


class _Walk:
    """One connection's worth of a porter's work."""

    def __init__(self, sender: Sender, enough: Callable[[], bool]) -> None:
        self._sender = sender
        self._enough = enough
        self._given: SimpleQueue[Parcel | None] = SimpleQueue()
        self._told: SimpleQueue[Receipt | BaseException | None] = SimpleQueue()
        self._awaited = 0
        self._over = False
        self._thread = threading.Thread(target=self._run, name="porter", daemon=True)
        self._thread.start()

    def add(self, parcels: Sequence[Parcel]) -> None:
        self._awaited += len(parcels)
        for parcel in parcels:
            self._given.put(parcel)

    @property
    def is_back(self) -> bool:
        return self._told.qsize() >= self._awaited or not self._thread.is_alive()

    def receipts(self) -> Iterator[Receipt]:
        while self._awaited and not self._over:
            told = self._told.get()
            if isinstance(told, Receipt):
                self._awaited -= 1
                yield told
                continue
            self._over = True
            if told is not None:
                raise told

    def end(self) -> None:
        self._given.put(_NO_MORE)
        self._thread.join()

    def _run(self) -> None:
        """Whatever ends it is told to the owner, in whose thread it counts."""
        try:
            for receipt in self._sender.send(iter(self._given.get, _NO_MORE)):
                self._told.put(receipt)
                if receipt.outcome is Outcome.HOST_TROUBLE or self._enough():
                    break
        except BaseException as error:
            self._told.put(error)
        else:
            self._told.put(_NO_MORE)
