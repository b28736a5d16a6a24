"""A small web server in a thread of its own, which may cost the host little, whoever asks how often and how slowly."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from threading import BoundedSemaphore, Thread
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

import structlog

App = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
"""As WSGI has it."""
AT_ONCE: Final = 8
"""Connections; others are closed at once."""

log = structlog.get_logger()


class _Handler(WSGIRequestHandler):
    timeout = 10.0
    """Seconds that a client may be silent."""

    def log_message(self, format: str, *args: Any) -> None:
        """Who asks is nobody's business."""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def __init__(self, address: str, port: int) -> None:
        self.address_family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self._room = BoundedSemaphore(AT_ONCE)
        super().__init__((address, port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no trouble."""


@contextmanager
def serving(address: str, port: int, app: App) -> Iterator[None]:
    """Let `app` answer at `port` while the context lasts. `OSError` if the port cannot be had."""
    server = _Server(address, port)
    server.set_app(_careful(app))
    thread = Thread(target=server.serve_forever, name="numbers", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _careful(app: App) -> App:
    """`app`, whose faults stand in our log like all others."""

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        try:
            return app(environ, start)
        except Exception:
            log.exception("the numbers could not be taken")
            start("500 Internal Server Error", [("Content-Type", "text/plain")])
            return [b"Look into the log of pbem.\n"]

    return answer
