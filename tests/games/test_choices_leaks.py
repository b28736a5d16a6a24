"""Law 3 over whole mails of the second game: what somebody else has picked, and not yet shown, changes no byte of them.

The same conversation is held in worlds that differ in Anna's sealed picks alone, and every mail to anybody else is
compared as it is sent, headers and attachments too. One thing has to differ: the head of the record, which binds
Anna to her pick. It is put aside, and it is shown that nobody can work back from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from email import message_from_bytes
from itertools import count, permutations, product
from pathlib import Path
from typing import Final

import pytest

from engine import record
from engine.record import Dealt, Move
from pbem.files import resource
from pbem.render import Renderer
from tests.conversations.world import World
from tests.games import careless
from tests.games.choices import HIGHEST, ROUNDS
from tests.games.installed import installed
from tests.games.picking import TABLE

pytestmark = pytest.mark.slow

CURIOUS: Final = ("PICK 9", "PICK nine", "PUCK 3", "STATUS", "HISTORY", "PLAN", "GAMES", "RULES", "ACT AS Anna: PICK 9")
"""What somebody writes, a mail each and all at once, who wants to know more than he is told."""
SEALED: Final = ((1, 5), (5, 4), (3, 3))
"""What Anna picks, and what she picks when that was taken back."""

Conversation = list[tuple[str, ...]]


@pytest.fixture
def holding(pristine: World, tmp_path: Path) -> Callable[[int, int], Conversation]:
    """Holds the conversation in a world of its own, where Anna picks two numbers."""

    def hold(first: int, second: int) -> Conversation:
        return conversation(pristine.copied(tmp_path / f"{first}-{second}"), first, second)

    return hold


def conversation(world: World, first: int, second: int) -> Conversation:
    """Anna picks `first`; that is taken back, and `second` kept as a plan and carried out. The mails to all others.

    Message-IDs are counted, and no board is kept from another world.
    """
    numbers = count()
    world.host.postroom = replace(
        world.host.postroom,
        entropy=lambda: next(numbers).to_bytes(16, "big"),
        renderer=Renderer(world.host.games, resource("templates")),
    )
    step(world, "bob", "MACHINE ON")
    step(world, "anna", f"PICK {first}")
    ask_everything(world)
    step(world, "bob", "PICK 2", "PICK 3")
    world.wait(hours=37)
    world.tick()
    step(world, "modi", "ROLLBACK 2")
    step(world, "modi", "PAUSE")
    step(world, "anna", f"PICK {second}")
    ask_everything(world)
    step(world, "modi", "RESUME")
    ask_everything(world)
    assert world.table(TABLE).running.state.picks == (second, 0, 0)
    return mails_to_others(world)


def step(world: World, name: str, *lines: str) -> None:
    world.answer(name, *lines)
    world.tick()


def ask_everything(world: World) -> None:
    for line, name in product(CURIOUS, ("bob", "modi")):
        world.answer(name, line)
    world.tick()


def mails_to_others(world: World) -> Conversation:
    """All parts of every mail to anybody but Anna, with the place of each head instead of its digits."""
    heads = {entry.hash[: record.SHORT_HEAD].encode(): b"<head %d>" % entry.n for entry in world.entries(TABLE)}
    return [
        (parcel.envelope_to, *parts(parcel.raw, heads))
        for parcel in world.courier.taken
        if not parcel.envelope_to.startswith("anna@")
    ]


def parts(raw: bytes, heads: dict[bytes, bytes]) -> Iterator[str]:
    for part in message_from_bytes(raw).walk():
        yield str(part.items())
        content = part.get_payload(decode=True)
        if isinstance(content, bytes):
            yield re.sub(rb"[0-9a-f]{12}", lambda found: heads.get(found[0], found[0]), content).decode()


def unlike(one: Conversation, other: Conversation) -> list[str]:
    """To whom the mails went that are not the same in both."""
    return [mail[0] for mail, twin in zip(one, other, strict=True) if mail != twin]


@pytest.mark.usefixtures("choices")
def test_no_mail_to_anybody_else_depends_on_a_sealed_pick(holding: Callable[[int, int], Conversation]) -> None:
    one, *others = [holding(*picks) for picks in SEALED]
    assert {mail[0] for mail in one} == {f"{name}@example.org" for name in ("bob", "chen", "modi")}
    assert [unlike(one, other) for other in others] == [[], []]


def test_a_game_that_tells_of_sealed_picks_would_be_noticed(
    holding: Callable[[int, int], Conversation], tmp_path: Path
) -> None:
    with installed(tmp_path / "packages", choices=f"{careless.__name__}:GAME"):
        one, other = holding(1, 5), holding(3, 3)
    assert "bob@example.org" in unlike(one, other)


def guesses(start: str) -> dict[str, int]:
    """Short heads that may follow Anna's pick, and what she has picked then, for a chain that begins with `start`."""
    guessed: dict[str, int] = {}
    for order, number in product(permutations(range(ROUNDS)), range(1, HIGHEST + 1)):
        dealt = record.link(start, 1, Dealt(1, order))
        picked = record.link(dealt.hash, 2, Move(1, {"type": "pick", "number": number}))
        guessed[picked.hash[: record.SHORT_HEAD]] = number
    return guessed


@pytest.mark.usefixtures("choices")
def test_nobody_can_work_a_sealed_pick_out_of_the_head_without_the_secret(pristine: World, tmp_path: Path) -> None:
    world = pristine.copied(tmp_path / "world")
    step(world, "anna", "PICK 3")
    step(world, "bob", "STATUS")
    found = re.search(r"head ([0-9a-f]{12}) after entry 2", world.last("bob").text)
    assert found is not None
    header, secret = world.table(TABLE).header, world.table(TABLE).secret
    assert header is not None
    assert guesses(record.header_hash(header, secret))[found[1]] == 3
    for known in (header.commitment, "", "0" * 64):
        assert found[1] not in guesses(record.header_hash(header, known))
