"""What grows with the years and must cost nothing: many games, a long game, a full folder, a long day."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import trustme
from imapclient import IMAPClient  # type: ignore[import-untyped]

from benchmarks.house import NOWHERE, Drain, Pile, house, in_memory, settings
from benchmarks.multiply import multiply
from benchmarks.rounds import ROUNDS, Cost, Work, middle, say, side_by_side, time_over
from benchmarks.tables import DOMAIN, NOW, opened, orders
from pbem.config import Imap
from pbem.host import Host
from pbem.mailbox import Mark
from pbem.mailbox.imap import ImapInbox
from pbem.passes import Pass
from pbem.store import Store
from tests.servers.dovecot import DovecotServer

FEW: Final = 10
MANY: Final = 100_000
"""Games in the database."""
EARLY: Final = 10
LATE: Final = 200
"""Entries of a game."""
SMALL: Final = 100
FULL: Final = 30_000
"""Mails left in the folder."""
ORDERS: Final = 10
"""In a round."""
POLLS: Final = 20
"""In a round."""
LEFT: Final = b"Subject: Left where it lies\r\n\r\nHandled long ago.\r\n"


def measured() -> dict[str, float]:
    """The more over the less, four times; less is better, and 1 is all that can be had."""
    return {"many_games": _many_games(), "long_game": _long_game(), "full_folder": _full_folder(), "memory": _memory()}


def _say(what: str, pairs: Sequence[tuple[Cost, Cost]]) -> None:
    """The last round in milliseconds."""
    one, other = (cost.each * 1000 for cost in pairs[-1])
    say(f"growth: {what}: {one:.1f} and {other:.1f} ms")


# Many games


def _many_games() -> float:
    with tempfile.TemporaryDirectory() as few, tempfile.TemporaryDirectory() as many, ExitStack() as stack:
        with in_memory(Path(few)) as (host, store, pile):
            names = opened(store, FEW)
            host.tick(NOW)
            _answering(host, store, pile, names)()
        shutil.copy(Path(few) / "pbem.db", many)
        say(f"growth: filling a database with {MANY:,} games")
        multiply(Path(many) / "pbem.db", MANY // FEW)
        small, big = (stack.enter_context(in_memory(Path(folder))) for folder in (few, many))
        pairs = side_by_side(lambda: _answering(*big, names), lambda: _answering(*small, names))
    _say("an order among many games and among few", pairs)
    return middle(pairs, time_over)


def _answering(host: Host, store: Store, pile: Pile, names: Sequence[str]) -> Work:
    """The next order of each game arrives."""
    pile.put(orders(store, names))

    def work() -> int:
        done = host.tick(NOW)
        assert done.handled == len(names), done
        return done.handled

    return work


# A long game


def _long_game() -> float:
    with ExitStack() as stack:
        late, early = (stack.enter_context(_games_at(entries)) for entries in (LATE, EARLY))
        pairs = side_by_side(lambda: next(late), lambda: next(early))
    _say(f"move {LATE} and move {EARLY}", pairs)
    return middle(pairs, time_over)


@contextmanager
def _games_at(entries: int) -> Iterator[Iterator[Work]]:
    """Work for each round: an order in each of some new games in which so many moves were made."""
    with tempfile.TemporaryDirectory() as folder, in_memory(Path(folder)) as (host, store, pile):
        names = opened(store, ORDERS * (ROUNDS + 1), {"length": "long"}, entries)
        host.tick(NOW)
        yield (_answering(host, store, pile, names[at : at + ORDERS]) for at in range(0, len(names), ORDERS))


# A full folder


def _full_folder() -> float:
    with tempfile.TemporaryDirectory() as folder, DovecotServer(trustme.CA()) as dovecot, ExitStack() as stack:
        full, small = (stack.enter_context(polled(dovecot, Path(folder), count)) for count in (FULL, SMALL))
        pairs = side_by_side(lambda: lambda: _poll(full), lambda: lambda: _poll(small))
    _say("a poll of a full folder and of a small one", pairs)
    return middle(pairs, time_over)


def _poll(host: Host) -> int:
    for _ in range(POLLS):
        done = host.tick(NOW)
        assert done == Pass(), done
    return POLLS


@contextmanager
def polled(dovecot: DovecotServer, folder: Path, count: int) -> Iterator[Host]:
    """A host that has read a folder to its end, where everything was left."""
    address = f"inn{count}@{DOMAIN}"
    dovecot.add_user(address, "secret")
    dovecot.deliver(address, LEFT)
    home = folder / str(count)
    home.mkdir()
    imap = dovecot.imap(address).model_copy(update={"handled_folder": ""})
    wanted = settings(home, imap, NOWHERE)
    inbox = ImapInbox(imap, wanted.limits.largest_mail, after=_filled(imap, count))
    with inbox, house(wanted, inbox, Drain()) as host:
        yield host


def _filled(imap: Imap, count: int) -> Mark:
    """Copy the one mail that is there until there are `count`; the end of the folder."""
    with IMAPClient(imap.host, imap.port, ssl=False) as client:
        client.login(imap.user, imap.password.get_secret_value())
        validity = client.select_folder(imap.folder)[b"UIDVALIDITY"]
        there = 1
        while there < count:
            more = min(there, count - there)
            client.copy(f"1:{more}", imap.folder)
            there += more
        return Mark(validity, count)


# A long day


def _memory() -> float:
    """Measured in a process of its own: the peak of this one is that of everything before."""
    done = subprocess.run([sys.executable, "-m", "benchmarks.memory"], stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout)
