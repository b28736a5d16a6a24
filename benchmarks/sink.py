"""The tests' SMTP server in a process of its own: it takes everything."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import trustme

from pbem.config import Security, Smtp
from tests.servers.dovecot import HOST
from tests.servers.smtp_sink import SmtpSink


class _Everybody:
    """Mailboxes for anybody, into which nothing is put."""

    def has_user(self, address: str) -> bool:  # noqa: ARG002
        return True

    def password(self, address: str) -> str:  # noqa: ARG002
        return "secret"

    def deliver(self, address: str, raw: bytes) -> None: ...


@contextmanager
def sink() -> Iterator[Smtp]:
    """The settings that lead to such a process while the context lasts."""
    with subprocess.Popen([sys.executable, "-m", "benchmarks.sink"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Smtp(host=HOST, port=int(process.stdout.readline()), security=Security.NONE, user="")
        finally:
            process.terminate()


if __name__ == "__main__":
    with SmtpSink(_Everybody(), trustme.CA()) as server:
        print(server.smtp("").port, flush=True)
        threading.Event().wait()
