"""A wire between a client and a server: it counts what is asked, can be cut, and can hide what the server can."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from tests.servers.dovecot import HOST

_COMMAND: Final = re.compile(rb"^[A-Z]{4}\d+ (?:UID )?([A-Z]+)", re.MULTILINE)
"""An IMAP command as imaplib writes it: four letters and a number first."""
_PIECE: Final = 65536


class Proxy:
    """Listens on a free port of 127.0.0.1 and passes everything on to `port`. A context manager.

    The IMAP capabilities in `hidden` are taken out of what the server says.
    """

    def __init__(self, port: int, hidden: Sequence[str] = ()) -> None:
        self._hidden = re.compile(rb" (%s)(?=[ \]\r])" % "|".join(hidden or ["$^"]).encode())
        self._server_port = port
        self._listener = socket.create_server((HOST, 0))
        self._open: list[socket.socket] = []
        self._silent = threading.Event()
        self.port: int = self._listener.getsockname()[1]
        self.commands: list[str] = []
        """The names of the IMAP commands asked for, in order, as ``FETCH``."""
        self.connections = 0
        self.bytes_received = 0
        """What the client got, in all."""

    def cut(self) -> None:
        """End every connection, in both directions."""
        while self._open:
            _close(self._open.pop())

    def refuse(self) -> None:
        """Cut, and take no new connection."""
        _close(self._listener)
        self.cut()

    def swallow(self) -> None:
        """From now on say nothing to the client, with the connection left open, as a dead line does."""
        self._silent.set()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.refuse()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection((HOST, self._server_port))
                self.connections += 1
                self._open += [client, server]
                threading.Thread(target=self._to_server, args=(client, server), daemon=True).start()
                threading.Thread(target=self._to_client, args=(server, client), daemon=True).start()

    def _to_server(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while piece := client.recv(_PIECE):
                self.commands += [name.decode() for name in _COMMAND.findall(piece)]
                server.sendall(piece)
        _close(server)

    def _to_client(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while piece := server.recv(_PIECE):
                if not self._silent.is_set():
                    self.bytes_received += len(piece)
                    client.sendall(self._hidden.sub(b"", piece))
        _close(client)


def _close(connection: socket.socket) -> None:
    # Closing alone does not wake a thread that waits for the socket.
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
