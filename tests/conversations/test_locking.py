"""`pbem lock`: whose mails are read by nobody, and how much of one sender is heard."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem import config, locking
from pbem.config import Limits
from pbem.errors import Trouble
from tests.conversations.transcript import play
from tests.conversations.world import World


@pytest.fixture
def keeper(at_night: World, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration of the world, as the command line would read it."""
    monkeypatch.setattr(config, "load", lambda _: at_night.settings)
    monkeypatch.setattr(locking, "real_time", lambda: at_night.now)
    return Path("pbem.toml")


@pytest.mark.parametrize("whom", ["Bob", "bob@example.org"])
def test_a_locked_player_is_told_once_and_his_moderator_too(at_night: World, keeper: Path, whom: str) -> None:
    at_night.set("host", contact="keeper@example.org")
    assert "is locked" in locking.lock(keeper, whom, "he sells pills")
    (told,) = at_night.tick()
    assert (told.to, "has locked Bob" in told.text) == ("modi", True)
    before = at_night.entries()
    at_night.answer("bob", "PASS")
    at_night.write("bob", "STATUS")
    (answer,) = at_night.tick()
    assert answer.to == "bob"
    assert "The reason: he sells pills." in answer.text
    assert "write to keeper@example.org" in answer.text
    at_night.answer("bob", "PASS")
    at_night.answer("bob", "PASS", sender="eve")
    assert at_night.tick() == []
    assert at_night.entries() == before
    assert at_night.table().plans == ()
    locking.unlock(keeper, whom)
    at_night.write("bob", "STATUS inn-1")
    assert [mail.to for mail in at_night.tick()] == ["bob"]


def test_an_address_that_nobody_has_can_be_locked(at_night: World, keeper: Path) -> None:
    locking.lock(keeper, "Eve@Example.org", "")
    at_night.write("eve", "REGISTER Eve")
    at_night.write("eve", "HELP")
    assert [mail.to for mail in at_night.tick()] == ["eve"]
    assert at_night.store.person_by_name("Eve") is None


@pytest.mark.parametrize(
    ("whom", "why"), [("Nobody", ""), ("eve@example.org", ""), ("Bob", "\x1b[2J")], ids=["who", "not locked", "escape"]
)
def test_what_cannot_be_locked_or_unlocked_is_said(keeper: Path, whom: str, why: str) -> None:
    with pytest.raises(Trouble):
        locking.lock(keeper, whom, why) if why else locking.unlock(keeper, whom)


def test_who_writes_too_much_in_a_day_is_told_when_he_is_heard_again_and_others_are_served(at_night: World) -> None:
    at_night.set("limits", mails_a_day=3)
    at_night.wait(hours=25)
    for _ in range(5):
        at_night.answer("bob", "HELP")
    at_night.write("bob", "HELP")
    at_night.answer("anna", "PASS")
    sent = at_night.tick()
    text = " ".join(mail.text for mail in sent if mail.to == "bob")
    assert text.count("nothing of this one was done. Please send it again after Thursday 3 December") == 1
    assert at_night.table().running.n == 3, "and Anna has moved"
    at_night.wait(hours=25)
    at_night.answer("bob", "HELP")
    assert [mail.to for mail in at_night.tick()].count("bob") == 1


def test_who_moderates_enough_opens_no_other_table(tmp_path: Path) -> None:
    world = World(tmp_path, limits=Limits(games_of_a_moderator=1))
    play(
        world,
        """
        modi > REGISTER Modi
        ... <
        modi >> CONFIRM / NEW bloody-inn seats=2
        ... <
        modi >> NEW bloody-inn seats=2
        modi < Re: [pbem] not done
            You may moderate 1 table at once
        ... <
        """,
    )
