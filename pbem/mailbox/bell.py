"""A bell that ends a wait from elsewhere: a signal handler, another thread."""

from __future__ import annotations

import os
import select
import weakref
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

_ROOM: Final = 4096


class Bell:
    """Rung at any time, heard by the present wait or else by the next one; several rings are one."""

    def __init__(self) -> None:
        self._heard, self._rung = os.pipe()
        os.set_blocking(self._heard, False)
        os.set_blocking(self._rung, False)
        weakref.finalize(self, _close, self._heard, self._rung)

    def ring(self) -> None:
        """Never blocks, never raises, takes no lock: safe in a signal handler."""
        with suppress(BlockingIOError):
            os.write(self._rung, b"!")

    def wait(self, seconds: float, connection: int | None = None) -> bool:
        """Wait until the bell rings, `seconds` are over, or the connection (a file descriptor) has something to read.

        True if the connection has. The kernel keeps the time, so that a frozen clock cannot make it return early.
        """
        return connection in self._awake(seconds, [] if connection is None else [connection])

    def rang(self, seconds: float) -> bool:
        """Wait until the bell rings or `seconds` are over; True if it rang."""
        return self._heard in self._awake(seconds, [])

    def _awake(self, seconds: float, connections: Sequence[int]) -> set[int]:
        poll = select.poll()
        for descriptor in (self._heard, *connections):
            poll.register(descriptor, select.POLLIN)
        awake = {descriptor for descriptor, _ in poll.poll(max(0.0, seconds) * 1000)}
        if self._heard in awake:
            os.read(self._heard, _ROOM)
        return awake


def _close(*descriptors: int) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
