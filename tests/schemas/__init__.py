"""Databases of earlier forms, each as the code of then wrote it; ``python -m tests.schemas`` makes what is missing.

Every revision but the newest has one, with several games in their middle (`tests.schemas.life`).
"""

from __future__ import annotations

import json
import lzma
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final

from pbem.store import migrate
from tests.conversations.world import NOON, Mail, World

FOLDER: Final = Path(__file__).parent
_LATER: Final = 10_000
"""Where the numbers of mails begin that people write after the upgrade, so that none comes twice."""


def file_of(revision: str) -> Path:
    return FOLDER / f"{revision}.json.xz"


def earlier() -> tuple[str, ...]:
    """All revisions but the newest, oldest first."""
    return tuple(sorted(migrate.revisions() - {migrate.newest_revision()}))


@dataclass(frozen=True, slots=True)
class Kept:
    """A database that was kept, and what people and the mail server have of that time."""

    data: Mapping[str, Any]

    @classmethod
    def of(cls, revision: str) -> Kept:
        return cls(json.loads(lzma.decompress(file_of(revision).read_bytes())))

    @property
    def unread(self) -> bytes:
        """A mail that lay in the mailbox when the host was stopped."""
        return str(self.data["unread"]).encode()

    @property
    def again(self) -> bytes:
        """A mail with an order that was done long since."""
        return str(self.data["again"]).encode()

    def lay(self, folder: Path) -> str:
        """Lay the database into `folder`; its URL."""
        file = folder / "pbem.db"
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript("\n".join(self.data["database"]))
        return f"sqlite:///{file}"

    def woken(self, folder: Path) -> World:
        """A host of today on the database in `folder`; everybody has his mails of then."""
        world = World(folder)
        world.now = NOON + timedelta(hours=self.data["hours"])
        world.mails = [_mail(each) for each in self.data["mails"]]
        world.mailbox.laid, world._count = self.data["laid"], _LATER
        return world


def _mail(kept: Mapping[str, str]) -> Mail:
    message = EmailMessage()
    for header in ("Reply-To", "Subject", "Message-ID"):
        message[header] = kept[header]
    message.set_content(kept["text"])
    return Mail(kept["to"], message)
