"""An SMTP server in a process of its own that takes everything and keeps nothing."""

from __future__ import annotations

import socketserver
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

HOST: Final = "127.0.0.1"
_REPLIES: Final = {b"EHLO": b"250 sink\r\n", b"QUIT": b"221 Bye\r\n"}
_YES: Final = b"250 Yes\r\n"


class _Conversation(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self) -> None:
        """Say yes to everything."""
        self.wfile.write(b"220 sink\r\n")
        for line in self.rfile:
            verb = line[:4].upper()
            if verb == b"DATA":
                self._swallow()
            self.wfile.write(_REPLIES.get(verb, _YES))
            if verb == b"QUIT":
                return

    def _swallow(self) -> None:
        self.wfile.write(b"354 Go on\r\n")
        while self.rfile.readline() not in (b".\r\n", b""):
            pass


@contextmanager
def sink() -> Iterator[int]:
    """The port of 127.0.0.1 where such a process listens while the context lasts."""
    with subprocess.Popen([sys.executable, "-m", "benchmarks.sink"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()


if __name__ == "__main__":
    with socketserver.ThreadingTCPServer((HOST, 0), _Conversation) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()
