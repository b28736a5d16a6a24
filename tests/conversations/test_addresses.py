"""One player, several addresses: each is confirmed from both sides, and mail goes to the main one."""

from __future__ import annotations

import re

import pytest

from tests.conversations.transcript import play
from tests.conversations.world import World

WORK = "anna@work.example"


def asked(world: World, address: str = WORK) -> str:
    """Anna adds an address; the line that it has to send back."""
    world.answer("anna", f"ADD ADDRESS {address}")
    world.tick()
    found = re.search(r"CONFIRM ADDRESS [A-Z2-7]{10}", world.last(address).lines)
    assert found, world.last(address).lines
    return found[0]


def added(world: World) -> None:
    line = asked(world)
    world.answer(WORK, line)
    (told,) = world.tick()
    assert told.to == "anna"
    assert "You may write from anna@work.example too" in told.text


def test_an_address_counts_once_it_has_answered_its_code(at_night: World) -> None:
    added(at_night)
    (private,) = (mail for mail in reversed(at_night.mails) if mail.to == "anna" and "your 1st action" in mail.subject)
    at_night.answer("anna", "PASS", to=private, sender=WORK)
    sent = at_night.tick()
    assert at_night.table().running.n == 3
    assert {mail.to for mail in sent} == {"anna", "bob"}


def test_before_that_it_is_a_strangers(at_night: World) -> None:
    private = at_night.last("anna")
    asked(at_night)
    at_night.answer("anna", "PASS", to=private, sender=WORK)
    assert [mail.to for mail in at_night.tick()] == ["anna"]
    at_night.write(WORK, "STATUS inn-1")
    assert at_night.tick() == []
    assert at_night.table().running.n == 2


def test_the_code_is_worth_nothing_from_elsewhere(at_night: World) -> None:
    line = asked(at_night)
    at_night.write("eve", line)
    assert "anna" not in {mail.to for mail in at_night.tick()}
    assert at_night.store.person_by_address("eve@example.org") is None
    assert at_night.store.person_by_address(WORK) is None


def test_a_wrong_code_confirms_nothing(at_night: World) -> None:
    asked(at_night)
    at_night.write(WORK, "CONFIRM ADDRESS AAAAAAAAAA")
    at_night.tick()
    assert at_night.store.person_by_address(WORK) is None


def test_an_address_is_asked_once_a_day_at_most(at_night: World) -> None:
    asked(at_night)
    at_night.answer("anna", f"ADD ADDRESS {WORK}")
    assert [mail.to for mail in at_night.tick()] == ["anna"]
    at_night.wait(hours=25)
    at_night.answer("anna", f"ADD ADDRESS {WORK.upper()}")
    assert "ANNA@WORK.EXAMPLE" in {mail.to for mail in at_night.tick()}


REFUSED = [
    ("ADD ADDRESS bob@example.org", "is the address of a player already"),
    ("ADD ADDRESS Anna@Example.org", "is the address of a player already"),
    ("ADD ADDRESS inn@example.org", "does not want mail from this host"),
    ("ADD ADDRESS mailto:d@x.org", "is no mail address that I can write to"),
    ("ADD ADDRESS d(at)@x.org", "is no mail address that I can write to"),
    ("ADD ADDRESS zo\u00eb@x.org", "is no mail address that I can write to"),
    ("ADD ADDRESS nobody@nowhere", "is no mail address that I can write to"),
    ("REMOVE ADDRESS carol@example.org", "none of your further addresses"),
    ("MAIN ADDRESS carol@example.org", "none of your further addresses"),
]


@pytest.mark.parametrize(("line", "why"), REFUSED)
def test_what_cannot_be_done_with_an_address_is_said(at_night: World, line: str, why: str) -> None:
    at_night.answer("anna", line)
    (told,) = at_night.tick()
    assert why in told.text


def test_one_mailbox_gets_one_code_a_day_however_it_is_spelt_and_whoever_asks(at_night: World) -> None:
    at_night.answer(
        "anna", "ADD ADDRESS eve@work.example", "ADD ADDRESS Eve@Work.example", "ADD ADDRESS eve+1@work.example"
    )
    at_night.answer("anna", "REMOVE ADDRESS eve@work.example", "ADD ADDRESS eve@work.example")
    at_night.answer("bob", "ADD ADDRESS eve@work.example")
    sent = at_night.tick()
    assert [mail.to for mail in sent if "work.example" in mail.to] == ["eve@work.example"]
    assert any("less than a day ago" in mail.text for mail in sent if mail.to == "anna")


def test_removing_addresses_makes_no_room_for_mails_to_more_strangers_on_one_day(at_night: World) -> None:
    for n in range(12):
        at_night.answer("anna", f"REMOVE ADDRESS eve{n - 1}@work.example")
        at_night.answer("anna", f"ADD ADDRESS eve{n}@work.example")
        at_night.tick()
    assert len([mail for mail in at_night.mails if "work.example" in mail.to]) == 5


def test_an_address_that_wants_no_mail_is_not_asked(at_night: World) -> None:
    at_night.write(WORK, "STOP")
    at_night.tick()
    at_night.answer("anna", f"ADD ADDRESS {WORK}")
    assert [mail.to for mail in at_night.tick()] == ["anna"]


def test_a_player_has_so_many_addresses_and_no_more(at_night: World) -> None:
    at_night.answer("anna", *(f"ADD ADDRESS anna{n}@work.example" for n in range(7)))
    assert len(at_night.tick()) == 1 + 5
    assert "that is all that I keep" in at_night.last("anna").text


def test_from_alone_adds_no_address(at_night: World) -> None:
    at_night.write("anna", f"ADD ADDRESS {WORK}")
    assert [mail.to for mail in at_night.tick()] == ["anna"]


def test_a_removed_address_is_a_strangers_again(at_night: World) -> None:
    added(at_night)
    at_night.answer("anna", f"REMOVE ADDRESS {WORK}")
    at_night.tick()
    assert at_night.store.person_by_address(WORK) is None
    at_night.write(WORK, "STATUS inn-1")
    assert at_night.tick() == []


def test_another_main_address_gets_the_mails_and_the_old_one_may_still_write(at_night: World) -> None:
    added(at_night)
    at_night.answer("anna", f"MAIN ADDRESS {WORK}")
    assert [mail.to for mail in at_night.tick()] == [WORK]
    at_night.write("anna", "STATUS inn-1")
    assert [mail.to for mail in at_night.tick()] == [WORK]
    at_night.answer(WORK, "PASS")
    assert {mail.to for mail in at_night.tick()} == {WORK, "bob"}
    assert at_night.table().running.n == 3


def test_no_one_else_can_register_from_a_further_address(at_night: World) -> None:
    added(at_night)
    at_night.write(WORK, "REGISTER Eve")
    at_night.tick()
    assert at_night.store.person_by_name("Eve") is None


def test_who_is_forgotten_has_no_address_left(world: World) -> None:
    play(
        world,
        """
        anna > REGISTER Anna
        ... <
        anna >> CONFIRM
        ... <
        """,
    )
    added(world)
    world.answer("anna", "FORGET ME")
    world.tick()
    code = re.search(r"FORGET ME \w+", world.last("anna").lines)
    assert code
    world.answer("anna", code[0])
    world.tick()
    assert world.store.person_by_address(WORK) is None
    assert world.store.person_by_address("anna@example.org") is None
