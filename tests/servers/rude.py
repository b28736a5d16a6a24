"""Servers that misbehave: each takes one connection after the other and answers line by line, as a script says.

A script is a list of pairs: the beginning of a client's line, and what is said to it. A line that begins so is answered
with the first that fits; ``{tag}`` stands for the tag of an IMAP command. What comes before anything is asked has the
key of nothing, ``""``.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from tests.servers.dovecot import HOST

_LONGEST_LINE: Final = 65536


@dataclass(frozen=True, slots=True)
class Hangs:
    """Says so much, and then nothing more, with the connection left open."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Ends:
    """Says so much, and hangs up."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Slowly:
    """Says it piece by piece, so many seconds apart."""

    text: str
    pause: float = 0.02
    piece: int = 7


Answer = str | Hangs | Ends | Slowly
Script = Mapping[str, Answer]


class RudeServer:
    """Listens on a free port of 127.0.0.1 and follows its `script`. A context manager."""

    def __init__(self, script: Script, *, tagged: bool) -> None:
        self._script = dict(script)
        self._tagged = tagged
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        self.connections = 0
        self.lines: list[str] = []
        """What was asked."""

    def behave(self, key: str, answer: Answer) -> None:
        """From now on say this to lines that begin with `key`."""
        self._script[key] = answer

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self.connections += 1
                threading.Thread(target=self._talk, args=(client,), daemon=True).start()

    def _talk(self, client: socket.socket) -> None:
        with suppress(OSError), client, client.makefile("rb") as asked:
            open_ = _say(client, self._script.get("", ""), "")
            while open_ and (line := asked.readline(_LONGEST_LINE)):
                open_ = self._answer(client, line.decode("utf-8", "replace").rstrip())

    def _answer(self, client: socket.socket, line: str) -> bool:
        """Answer a line; False if the connection is over. What the script does not know is passed over."""
        self.lines.append(line)
        tag, _, rest = line.partition(" ") if self._tagged else ("", "", line)
        found = (self._script[key] for key in self._script if key and rest.upper().startswith(key))
        return _say(client, next(found, ""), tag)


def _say(client: socket.socket, answer: Answer, tag: str) -> bool:
    """Say it, each kind of answer in its way; whether the connection goes on."""
    return _WAYS[type(answer)](client, answer, tag)


def _plainly(client: socket.socket, answer: str, tag: str) -> bool:
    client.sendall(answer.replace("{tag}", tag).encode())
    return True


def _then_hanging(client: socket.socket, answer: Hangs, tag: str) -> bool:
    return _plainly(client, answer.text, tag)


def _then_ending(client: socket.socket, answer: Ends, tag: str) -> bool:
    _plainly(client, answer.text, tag)
    client.shutdown(socket.SHUT_RDWR)
    return False


def _slowly(client: socket.socket, answer: Slowly, tag: str) -> bool:
    text = answer.text.replace("{tag}", tag)
    for at in range(0, len(text), answer.piece):
        client.sendall(text[at : at + answer.piece].encode())
        time.sleep(answer.pause)
    return True


_WAYS: Final[Mapping[type, Callable[..., bool]]] = {
    str: _plainly,
    Hangs: _then_hanging,
    Ends: _then_ending,
    Slowly: _slowly,
}
