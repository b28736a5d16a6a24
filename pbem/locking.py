"""The keeper's lock: whose mails are read by nobody, and who is told of it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pbem import config
from pbem.bootstrap import store_of
from pbem.errors import Trouble
from pbem.games import games
from pbem.host import real_time
from pbem.parties import Decided, Notice, moderator_party
from pbem.store import Store
from pbem.table import Person, Status

LONGEST_REASON: Final = 500
_LOCKED: Final = "player-locked"
"""To the moderators of his games."""


def lock(path: Path, whom: str, why: str) -> str:
    """Lock a player, by his name or one of his addresses, or an address that nobody has; what was done, in words.

    The next pass of the host tells the moderators of his games.
    """
    plain = " ".join(why.split())[:LONGEST_REASON]
    if not plain.isprintable():
        raise Trouble("The reason holds characters that cannot be shown", "Write it as plain text")
    with store_of(config.load(path)) as store:
        person, addresses = _meant(store, whom)
        now = real_time()
        store.lock(addresses, plain, now)
        notices = _told(store, person) if person else ()
        store.write(Decided(notices=notices), inbox=None, now=now)
    named = f"{person.name} ({', '.join(addresses)})" if person else whom
    return f"{named} is locked: mails from there are not read, and {len(notices)} moderators are told"


def unlock(path: Path, whom: str) -> str:
    """Let somebody's mails be read again, from the next one on; what was done, in words."""
    with store_of(config.load(path)) as store:
        _, addresses = _meant(store, whom)
        if not store.unlock(addresses):
            raise Trouble(f"{whom} is not locked", "Name the player, or the address that was locked")
    return f"{whom} is not locked any more: mails are read again, those that came meanwhile are not"


def _meant(store: Store, whom: str) -> tuple[Person | None, tuple[str, ...]]:
    """The player who is meant, if it is one, and all addresses that are his."""
    if "@" not in whom:
        person = store.person_by_name(whom)
        if person is None:
            raise Trouble(f"Nobody here is called {whom[:80]!r}", "Name a player, or an address as anna@example.org")
    elif (person := store.person_by_address(whom)) is None:
        return None, (whom,)
    further = (alias.address for alias in store.aliases(person) if alias.confirmed)
    return person, (person.address, *further)


def _told(store: Store, person: Person) -> tuple[Notice, ...]:
    found = games()
    names = (each.name for each in store.listed(person.id, found) if each.mine)
    tables = [table for name in names if (table := store.table(name, found)) is not None]
    return tuple(
        Notice(moderator_party(table), _LOCKED, {"name": person.name, "game": table.name})
        for table in tables
        if table.status in (Status.OPEN, Status.RUNNING) and table.seat_of(person) and table.moderator.id != person.id
    )
