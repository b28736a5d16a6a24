"""A host on Dovecot, SMTP and SQLite, or with workers on PostgreSQL, and the tables of programs that play there."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import sqlalchemy as sa
import trustme

from pbem import config
from pbem.archiving import UNPUBLISHED
from pbem.player import Character
from pbem.store import Store
from pbem.store.database import connect
from pbem.store.tables import INBOX
from pbem.tokens import Tokens
from tests.end_to_end.keeper import edited
from tests.kills.guests import BOT, PASSWORD, Box, Guest, Post, Sleeper
from tests.servers.dovecot import DovecotServer
from tests.servers.smtp_sink import SmtpSink

INN: Final = "inn@example.org"
SHORT: Final = "1s"
"""How long a decision may take at a table where all sleep."""
GAME: Final = "bloody-inn"
_numbers = count(1)


class Street:
    """The mail servers that all houses of a run share. A context manager."""

    def __init__(self) -> None:
        authority = trustme.CA()
        self.post = Post()
        self.dovecot = DovecotServer(authority)
        self.sink = SmtpSink(self.post, authority)

    def carry(self, address: str, raw: bytes) -> None:
        """Bring a mail to the host. What the server does not take at once is brought again, as any server does."""
        self.dovecot.deliver(address, raw)

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self.dovecot)
            stack.enter_context(self.sink)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()


class House:
    """One host with a mailbox, a database and a folder of its own, and everybody who plays there."""

    def __init__(self, street: Street, folder: Path, database: str = "") -> None:
        self.folder = folder
        self.config = folder / "pbem.toml"
        self.address = f"inn{next(_numbers)}@example.org"
        self.database = database or f"sqlite:///{folder / 'pbem.db'}"
        self.guests: list[Guest] = []
        self._street = street
        self.post = street.post
        street.dovecot.add_user(self.address, PASSWORD)
        config.create(self.config)
        self.config.write_text(edited(self.config.read_text(), dict(self._settings())))

    def set(self, section: str, **values: Any) -> None:
        """Other settings in a section, for processes that begin from now on."""
        wanted = {(section, name): json.dumps(value) for name, value in values.items()}
        self.config.write_text(edited(self.config.read_text(), wanted))

    def seat(self, players: int, *, asleep: bool = False) -> list[Guest]:
        """New players register; the first one opens a table for them all."""
        names = [f"Guest{next(_numbers)}" for _ in range(players)]
        invited = " ".join(map(_address, names[1:]))
        clock = "" if asleep else " deadline=none"
        opening = f"NEW {GAME} seats={players}{clock} {invited}"
        kind = Sleeper if asleep else Guest
        seated = [
            kind(Character(name, BOT, name, "" if at else opening), self._box(name), self.address)
            for at, name in enumerate(names)
        ]
        for guest in seated:
            guest.register()
        self.guests += seated
        return seated

    def turn(self) -> int:
        """Everybody reads and answers; how many mails were new."""
        return sum([guest.turn() for guest in self.guests if not guest.over])

    def secrets(self) -> Collection[str]:
        """What its log must not tell, beside what can be seen to be private: its keys, its people and their words."""
        key = (self.folder / "pbem.secret").read_text().strip()
        return {PASSWORD, key, "REGISTER ", *(f"{guest.name} " for guest in self.guests)}

    @property
    def written(self) -> list[str]:
        """The Message-IDs of all mails to the host."""
        return [id for guest in self.guests for id in guest.box.written]

    def is_quiet(self) -> bool:
        """Whether the host has taken in, handled and told everything, as its database shows."""
        return not self.waiting()

    def waiting(self) -> str:
        """What it has still to do, for whoever waits for it; nothing when all is done."""
        with closing(Store(connect(self.database), Tokens(b""))) as store, store.engine.connect() as connection:
            taken = connection.execute(sa.select(sa.func.count()).select_from(INBOX)).scalar_one()
            left = {
                "mails to be taken in": len(self.written) - taken,
                "mails to be handled": len(store.work(99)) + len(store.worn_out(99)),
                "tables to be settled": len(store.restless(99)),
                "answers to be written": len(store.unanswered_people()),
                "a mail to be sent": store.is_mail_waiting(),
                "an archive to be written": bool(store.mark(UNPUBLISHED)),
            }
        return ", ".join(f"{count:d} {what}" for what, count in left.items() if count)

    def _box(self, name: str) -> Box:
        return Box(_address(name), self.post, self._street.carry)

    def _settings(self) -> Iterator[tuple[tuple[str, str], str]]:
        """What differs from the example: servers without TLS, short waits, and no bounds on who writes much."""
        (self.folder / "password").write_text(f"{PASSWORD}\n")
        settings: dict[str, dict[str, Any]] = {
            "database": {"url": self.database, "workers": not self.database.startswith("sqlite")},
            "host": {"address": self.address, "registration": "open"},
            "imap": _server(self._street.dovecot.imap(self.address)),
            "smtp": _server(self._street.sink.smtp(self.address)),
            "clock": {"interval": "1s", "deadline": SHORT, "reminder": "none"},
            # A mail that dies with the host so often is put aside, as it should be; here it is not its fault.
            "limits": {
                "attempts": 100,
                "mails_a_day": 0,
                "all_stranger_answers": 10_000,
                "idle_mails_an_hour": 10_000,
                "talk_an_hour": 10_000,
            },
        }
        for section, values in settings.items():
            for name, value in values.items():
                yield (section, name), json.dumps(value)


def _server(server: config.Connection) -> dict[str, Any]:
    return {
        "host": server.host,
        "port": server.port,
        "security": server.security.value,
        "user": server.user,
        "password_file": "password",
    }


def _address(name: str) -> str:
    return f"{name.lower()}@example.org"
