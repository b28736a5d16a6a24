"""The bell ends a wait, from a thread or a signal handler, also when the clock stands still."""

from __future__ import annotations

import os
import signal
import socket
import threading
from datetime import datetime

from freezegun import freeze_time

from pbem.mailbox.bell import Bell

LONG = 60.0


def test_a_ring_before_the_wait_ends_it_at_once() -> None:
    bell = Bell()
    bell.ring()
    assert bell.wait(LONG) is False


def test_many_rings_are_one_and_a_wait_uses_it_up() -> None:
    bell, (mine, other) = Bell(), socket.socketpair()
    with mine, other:
        for _ in range(100_000):
            bell.ring()
        bell.wait(LONG)
        other.send(b"news")
        assert bell.wait(LONG, mine.fileno()) is True


def test_another_thread_ends_a_wait() -> None:
    bell = Bell()
    ringer = threading.Timer(0.05, bell.ring)
    ringer.start()
    assert bell.wait(LONG) is False
    ringer.join()


def test_a_signal_handler_ends_a_wait() -> None:
    bell = Bell()
    before = signal.signal(signal.SIGUSR1, lambda *_: bell.ring())
    try:
        sender = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR1))
        sender.start()
        assert bell.wait(LONG) is False
        sender.join()
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_time_runs_out_although_the_clock_is_frozen() -> None:
    with freeze_time(datetime(2026, 11, 30)):
        assert Bell().wait(0.01) is False
