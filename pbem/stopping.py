"""How a process is asked to end: by a signal, after what is at hand; by a second one, at once."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Final

from pbem.mailbox.bell import Bell

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""SIGHUP, as of a terminal that is closed, means the same: settings are read at the start alone."""


class Stopped(BaseException):
    """The process was asked to end while it had not begun anything yet."""


def _nobody() -> None: ...


@dataclass(slots=True, eq=False)
class Stop:
    """Whether, and by what, the process was asked to end. What a signal does here takes no lock, and logs nothing: the
    thread that it interrupts may hold any."""

    asked: str = ""
    """The name of the signal; empty until one comes."""
    wake: Callable[[], None] = _nobody
    """Ends what the process may be waiting in."""
    starting: bool = False
    """Nothing has been begun that could be finished: a signal ends it by `Stopped`, also out of a long wait."""
    _bell: Bell = field(default_factory=Bell)

    def ask(self, by: str) -> None:
        """From now on only what is at hand is done."""
        self.asked = by
        self._bell.ring()
        self.wake()

    def wait(self, seconds: float) -> None:
        """Sleep, unless the process is asked to end."""
        if not self.asked:
            self._bell.wait(seconds)

    def listen(self) -> None:
        """Be asked by signals from now on; one that whoever started the process wants ignored, as nohup does, is."""
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._heard)

    def _heard(self, number: int, _frame: FrameType | None) -> None:
        if self.asked:
            _end_at_once(number)
        self.ask(signal.Signals(number).name)
        if self.starting:
            raise Stopped


@contextmanager
def listening() -> Iterator[Stop]:
    """Be asked to end by signals, from the start of the process on. Before all is ready, one ends it there."""
    stop = Stop(starting=True)
    stop.listen()
    try:
        yield stop
    except Stopped:
        print(f"pbem: stopped by {stop.asked} before it had begun", file=sys.stderr)


def _end_at_once(number: int) -> None:
    """As if nobody had listened: what was not committed is undone by the database."""
    os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, b"pbem: asked twice to stop, so it ends at once\n")
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
