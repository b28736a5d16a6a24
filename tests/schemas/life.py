"""A few games in their middle, and all that a host keeps beside them: what every kept database holds.

This runs under the code of earlier commits, so it imports nothing that one of them did not have. Words that a host
did not know then it refused by mail, and nothing came of them: the same story is told to all of them.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, Final

from pbem.reception import Reception
from tests.conversations.world import NOON, Mail, World

POISON: Final = b"A MAIL THAT NOBODY CAN READ"

STORY: Final = """
modi > REGISTER Modi
modi >> CONFIRM / NEW bloody-inn anna@example.org bob@example.org chen@example.org first=1 NOT PLAYING
anna >> JOIN AS Anna
bob >> JOIN AS Bob
chen >> JOIN AS Chen
modi inn-1 >> START
anna inn-1 >> LODGE 1 2 3 4 5 6
play inn-1 8

anna >> NEW bloody-inn bob@example.org dora@example.org
bob >> JOIN inn-2
dora >> JOIN AS Dora
anna inn-2 moderator >> START
anna inn-2 moderator >> OPTIONS hold=30m watchers=on
play inn-2 5

bob >> NEW bloody-inn anna@example.org
anna >> JOIN inn-3
bob inn-3 moderator >> START
play inn-3 4
bob inn-3 moderator >> BOT Anna
bob inn-3 moderator >> PAUSE because of the fair

chen >> NEW bloody-inn eve@example.org
eve >> JOIN AS Eve
eve >> WATCH inn-2
chen inn-4 moderator >> START
play inn-4 3
chen inn-4 moderator >> END
confirm chen END
chen inn-4 >> REMATCH

dora >> NEW bloody-inn frank@example.org
dora inn-5 moderator >> OPTIONS deadline=3d quiet=22-8 blind=no
modi inn-1 moderator >> NOTE Anna is slow / PROMOTE Anna / RENAME GAME TO Winter night / RULING Peasants return
modi inn-1 moderator >> RENAME Bob TO Robert
anna inn-1 player >> SAY Good evening!
anna inn-1 player >> TELL Chen: take care
anna >> ADD ADDRESS anna@work.example
chen inn-1 >> MACHINE ON / MAILS DAILY / TIMEZONE Asia/Taipei
chen inn-1 >> ALWAYS PAY CHECKS
bob inn-1 >> LANGUAGE Nederlands / DIGEST DAILY 18:00 / PICTURES OFF
dora inn-2 >> MAILS TEXT / PRESS NOW
dora inn-2 >> VOTE END
gert > REGISTER Gert
hans > REGISTER Hans
hans >> CONFIRM / STOP
modi inn-1 moderator >> ROLLBACK 1
play inn-1 2
modi inn-1 moderator >> REPLACE Chen ivo@example.org because he has gone
chen >> AWAY UNTIL 2026-12-20
dora >> AWAY UNTIL 2026-12-24 WITH BOT
wait 50
poison bob
plan inn-1
plan inn-2
"""
"""`play` moves by mail, `plan` orders ahead for whoever is not awaited, `confirm` sends back a code, `wait` hours."""

_MAIL: Final = re.compile(
    r"(?P<who>\w+)(?: (?P<table>inn-\d))?(?: (?P<role>moderator|player))? (?P<way>>>?) (?P<what>.*)"
)


class Life:
    """The story, as it happens to a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._choices = count()

    def tell(self, story: str) -> None:
        for line in filter(None, map(str.strip, story.splitlines())):
            word, *rest = line.split(" ")
            if mail := _MAIL.fullmatch(line):
                self._write(mail)
            else:
                getattr(self, word)(*rest)

    def _write(self, mail: re.Match[str]) -> None:
        lines = mail["what"].split(" / ")
        if mail["way"] == ">":
            self.world.write(mail["who"], *lines)
        elif answered := self.newest(mail["who"], mail["table"] or "", mail["role"] or ""):
            self.world.answer(mail["who"], *lines, to=answered)
        self.world.tick()

    def newest(self, who: str, table: str, role: str = "") -> Mail | None:
        """The newest mail to somebody, of a certain table and as what he is there; None where there is none."""
        mine = (mail for mail in reversed(self.world.mails) if mail.to == who and f"[{table}" in mail.subject)
        return next((mail for mail in mine if not role or role == role_of(mail)), None)

    def play(self, name: str, moves: str) -> None:
        """So many decisions are answered by mail, one of those that are awaited after the other."""
        for _ in range(int(moves)):
            self.world.wait(minutes=45)
            self.world.tick()
            table = self.world.table(name)
            seat = next((each.seat for each in table.waiting if table.chair(each.seat).person), 0)
            if not seat:
                return
            self._order(table, seat, tuple(table.game.suggest(table.view(seat), 6)))

    def plan(self, name: str) -> None:
        """Everybody who is not awaited orders what can be ordered at any time."""
        table = self.world.table(name)
        awaited = [each.seat for each in table.waiting]
        for chair in table.chairs:
            if chair.person and chair.seat not in awaited:
                self._answer(chair.person, name, "PASS")

    def _order(self, table: Any, seat: int, actions: tuple[Any, ...]) -> None:
        action = actions[next(self._choices) % len(actions)]
        self._answer(table.chair(seat).person, table.name, table.game.write(action, table.view(seat)))

    def _answer(self, person: Any, table: str, order: str) -> None:
        who = person.address.partition("@")[0]
        self.world.answer(who, order, to=self.newest(who, table, "player"))
        self.world.tick()

    def confirm(self, who: str, word: str) -> None:
        """Send back the code that a mail asks for, if it does."""
        if code := re.search(rf"^\s*({word} [A-Z2-7]{{5}})\s*$", self.world.mails[-1].lines, re.MULTILINE):
            self.world.answer(who, code[1])
            self.world.tick()

    def wait(self, hours: str) -> None:
        for _ in range(int(hours)):
            self.world.wait(hours=1)
            self.world.tick()

    def poison(self, who: str) -> None:
        """A mail that the host fails on until it puts it aside."""
        healthy = Reception.decided

        def decided(reception: Reception, arrived: Any, *rest: Any) -> Any:
            if POISON in arrived.raw:
                raise RuntimeError("this is our fault")
            return healthy(reception, arrived, *rest)

        Reception.decided = decided  # type: ignore[assignment, method-assign]
        self.world.write(who, POISON.decode())
        for _ in range(4):
            self.world.mailbox.rewind()
            self.world.tick()
        Reception.decided = healthy  # type: ignore[method-assign]


def role_of(mail: Mail) -> str:
    """Whether a mail is to somebody as a moderator, so that an answer to it moderates."""
    return "moderator" if re.search(r"moderator|a new player|table is open|\[inn-\d\] done", mail.subject) else "player"


def unfinished(world: World) -> bytes:
    """What lies about when a host is stopped: answers that it could not send, and a mail that it has not read."""
    world.courier.down = True
    world.write("modi", "STATUS")
    world.tick()
    return world.write("anna", "GAMES")


def _chance() -> Iterator[bytes]:
    """Bytes for Message-IDs and codes that are the same each time."""
    for n in count():
        yield hashlib.sha256(f"chance {n}".encode()).digest()


def main(folder: Path) -> None:
    """Live in `folder`, and write what is to be kept into `kept.json` there."""
    chance = _chance()
    secrets.token_bytes = lambda nbytes=32: next(chance)[: nbytes or 32]
    world = World(folder)
    life = Life(world)
    life.tell(STORY)
    unread = unfinished(world)
    world.store.close()
    kept = {
        "hours": (world.now - NOON).total_seconds() / 3600,
        "laid": len(world.mailbox.arrivals),
        "unread": unread.decode(),
        "again": _last_order(world).decode(),
        "mails": _newest(life),
        "database": _statements(folder / "pbem.db"),
    }
    (folder / "kept.json").write_text(json.dumps(kept))


def _statements(file: Path) -> list[str]:
    """The database, without the mails that are done with: a host takes their bytes as well, only later."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE inbox SET raw = x'' WHERE stage = 'done'")
        connection.execute("UPDATE outbox SET raw = x'' WHERE status <> 'queued'")
        return list(connection.iterdump())


def _last_order(world: World) -> bytes:
    """The last mail with an order that was done: a mail server may bring it once more."""
    return next(each.raw for each in reversed(world.mailbox.arrivals) if each.raw and b"\nPASS\n" in each.raw)


def _newest(life: Life) -> list[dict[str, str]]:
    """The last mail that everybody has of each table, as far as an answer needs it."""
    found = {(mail.to, _table(mail)): mail for mail in life.world.mails}
    headers = ("Reply-To", "Subject", "Message-ID")
    return [
        {"to": to, "table": table, "text": mail.lines, **{name: str(mail.message[name]) for name in headers}}
        for (to, table), mail in found.items()
    ]


def _table(mail: Mail) -> str:
    found = re.match(r"(?:Re: )*\[(inn-\d+)", mail.subject)
    return found[1] if found else ""


if __name__ == "__main__":
    main(Path(sys.argv[1]))
