"""From the bytes of a mail to who wrote it and what it is about, against what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.letters import HostAddress
from pbem.parties import Decided
from pbem.reception import Arrived, Reception
from pbem.schedule import Schedule
from pbem.store import Store
from pbem.table import Person
from pbem.tokens import Tokens
from pbem.verdicts import Said
from tests import databases
from tests.games.choices import GAME

NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)
TOKENS = Tokens(b"a key for tests")
KINDS = {GAME.name: GAME}
ANNA, BOB, EVE = (f"{name}@example.org" for name in ("anna", "bob", "eve"))
TABLE = "choices-1"


class Desk:
    """A store behind a reception: what a mail decides is written at once."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.reception = Reception(
            store=store,
            games=KINDS,
            host=HostAddress.of("games@example.org"),
            subject_tokens=False,
            schedule=Schedule(),
            entropy=lambda: "5e" * 32,
        )

    def write(self, address: str, token: str, *lines: str, subject: str = "Hello") -> Decided:
        """A mail from `address` to the reply address with `token`."""
        head = (f"From: {address}", f"To: games+{token}@example.org", f"Subject: {subject}", "Message-ID: <1@x>")
        decided = self.reception.decided(Arrived(0, "\n".join((*head, "", *lines)).encode(), NOW), NOW)
        self.store.write(decided, inbox=None, now=NOW)
        return decided

    def person(self, address: str) -> Person:
        person = self.store.person_by_address(address)
        assert person is not None
        return person

    def seated(self) -> list[str]:
        table = self.store.table(TABLE, KINDS)
        assert table is not None
        return [chair.person.address for chair in table.chairs if chair.person]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Anna has opened a table and invited Bob, who plays here already, and Eve, who does not."""
    database = tmp_path / "pbem.db"
    database.write_bytes(databases.empty())
    with Store.open(f"sqlite:///{database}", TOKENS) as store:
        store.write(Decided(people=(Person(0, "Anna", ANNA), Person(0, "Bob", BOB))), inbox=None, now=NOW)
        desk = Desk(store)
        desk.write(ANNA, token_of(desk, ANNA), f"NEW choices seats=3 {BOB} {EVE}")
        yield desk


def token_of(desk: Desk, address: str) -> str:
    person = desk.person(address)
    return TOKENS.person(person.id, person.epoch)


def said(decided: Decided) -> list[Said]:
    assert decided.verdict is not None
    return [line.said for line in decided.verdict.lines]


def test_an_invitation_to_a_registered_player_seats_him_under_the_name_he_has(desk: Desk) -> None:
    decided = desk.write(BOB, TOKENS.invited(TABLE, BOB), f"JOIN {TABLE}", "PHRASE Bob was here")
    assert said(decided) == [Said.DONE, Said.DONE]
    assert desk.seated() == [ANNA, BOB]
    assert [(each.table, each.address) for each in decided.accepted] == [(TABLE, BOB)]


@pytest.mark.parametrize("subject", ["Re: [pbem] your table is open", "Re: [my-club] Hello", f"Re: [{TABLE}] Hello"])
def test_what_else_stands_in_brackets_before_a_subject_is_no_table(desk: Desk, subject: str) -> None:
    decided = desk.write(ANNA, token_of(desk, ANNA), "PHRASE Anna was here", subject=subject)
    assert said(decided) == [Said.DONE]
