"""Who is invited twice: an address that was forgotten meanwhile, or a second one to the same seat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.config import Registration
from pbem.postroom import Postroom
from tests.conversations.test_policy import admit, code_word
from tests.conversations.transcript import play
from tests.conversations.world import World


def forget(world: World, name: str) -> None:
    """Somebody lets himself be forgotten."""
    world.answer(name, "FORGET ME")
    world.tick()
    world.answer(name, f"FORGET ME {code_word(world.last(name))}")
    world.tick()


@pytest.fixture
def invited(world: World) -> World:
    """Anna has opened inn-1 and invited Chen, who has not answered yet."""
    play(
        world,
        """
        anna > REGISTER Anna
        ... <
        anna >> CONFIRM / NEW bloody-inn chen@example.org
        ... <
        """,
    )
    return world


def test_who_was_forgotten_and_is_invited_anew_joins_as_anybody_and_everybody_gets_his_mail(invited: World) -> None:
    play(invited, "chen >> JOIN inn-1 AS Zoe\n... <")
    forget(invited, "chen")
    play(
        invited,
        """
        anna >> INVITE inn-1 chen@example.org
        ... <
        chen >> JOIN inn-1 AS Chen
        chen < Re: [inn-1] done
            You are at the table inn-1, Chen.
        anna < [inn-1] a new player
        anna >> START
        ... <
        """,
    )
    assert invited.passed()[0].failures == 0
    assert [chair.person.address for chair in invited.table().chairs if chair.person] == [
        "anna@example.org",
        "chen@example.org",
    ]


def test_the_moderator_learns_that_somebody_who_was_forgotten_is_not_at_his_table_any_more(invited: World) -> None:
    play(invited, "chen >> JOIN inn-1 AS Zoe\n... <\nchen >> FORGET ME\n... <")
    play(
        invited,
        f"""
        chen >> FORGET ME {code_word(invited.last("chen"))}
        chen < Re: [pbem] farewell
        anna < [inn-1] a player has left
            Somebody has left inn-1. At the table: Anna
            not: Zoe
        """,
    )


def test_the_private_address_of_a_forgotten_invitation_is_nobody_s(invited: World) -> None:
    before = invited.last("chen")
    play(invited, "chen >> JOIN inn-1 AS Zoe\n... <")
    forget(invited, "chen")
    invited.answer("chen", "JOIN inn-1 AS Chen", to=before)
    done, sent = invited.passed()
    assert done.failures == 0
    assert [(mail.to, "JOIN" in mail.text) for mail in sent] == [("chen", True)]
    assert invited.store.person_by_name("Chen") is None


def test_who_was_forgotten_may_be_invited_to_the_host_anew(tmp_path: Path) -> None:
    world = World(tmp_path, registration=Registration.INVITED)
    for name in ("Zoe", "Chen"):
        admit(world, "chen@example.org")
        world.tick()
        play(world, f"chen >> REGISTER {name}\n... <")
        person = world.store.person_by_name(name)
        assert person is not None
        assert (person.address, person.confirmed) == ("chen@example.org", True)
        if name == "Zoe":
            forget(world, "chen")


def test_a_new_offer_of_a_seat_voids_the_one_before_and_who_comes_late_is_told_so(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> REPLACE Bob zoe@example.rog
        ... <
        modi >> REPLACE seat 2 zoe@example.org
        ... <
        zoe@example.rog >> JOIN inn-1 AS Eve
        zoe@example.rog < Re: [inn-1] Round 1, night: not done
            The seat that you were offered at inn-1 has gone to somebody else
        zoe >> JOIN inn-1 AS Zoe
        zoe < Re: [inn-1] Round 1, night: done - you are not awaited
            Modi gave the seat of Bob to somebody else
        ... <
        zoe@example.rog >> JOIN inn-1 AS Eve
        zoe@example.rog < Re: [inn-1] Round 1, night: not done
            has gone to somebody else
        """,
    )
    assert at_night.table().names == ("Anna", "Zoe", "Chen")


def test_a_seat_is_not_offered_to_what_is_no_address(at_night: World) -> None:
    play(at_night, "modi >> REPLACE Bob zoe@example\n... <")
    assert '"zoe@example" is no mail address that I can write to' in at_night.last("modi").text
    assert at_night.table().names == ("Anna", "Bob", "Chen")


def test_who_is_known_and_gets_a_seat_is_who_plays_on_from_there(at_night: World) -> None:
    play(
        at_night,
        """
        eve > REGISTER Eve
        ... <
        eve >> CONFIRM
        ... <
        modi >> REPLACE Bob eve@example.org
        ... <
        """,
    )
    assert "The seat is free; I have offered it to eve@example.org" in at_night.last("modi").text
    play(at_night, "eve >> JOIN inn-1\n... <")
    assert at_night.table().names == ("Anna", "Eve", "Chen")


def test_somebody_who_is_known_moderates_once_he_has_accepted_it(at_night: World) -> None:
    play(
        at_night,
        """
        eve > REGISTER Eve
        ... <
        eve >> CONFIRM
        ... <
        modi >> TRANSFER eve@example.org
        modi < Re: [inn-1] Round 1, night: moderator - done
            You moderate it until the answer comes
        eve < [inn-1] Round 1, night: would you moderate?
            not: TRANSFER
        eve >> JOIN inn-1
        modi < [pbem] somebody else moderates
            Eve has accepted
        ... <
        eve >> PAUSE
        eve < Re: [inn-1] Round 1, night: moderator - done - the game is paused
        ... <
        """,
    )
    assert at_night.table().moderator.name == "Eve"


def test_an_order_sent_to_the_address_of_a_mail_before_the_game_is_answered_to_one_that_takes_it(
    signed_up: World,
) -> None:
    before = signed_up.last("anna")
    play(signed_up, "modi >> START\n... <")
    signed_up.answer("anna", "LODGE 1 2 3 4 5 6", to=before)
    (sent,) = signed_up.tick()
    assert "The address of the mail that you answered cannot give orders for your seat" in sent.text
    signed_up.answer("anna", "LODGE 1 2 3 4 5 6", to=sent)
    signed_up.tick()
    assert signed_up.table().waiting[0].phase == "night"


def test_a_mail_that_cannot_be_written_holds_up_nobody_else_s_and_is_tried_until_it_can(
    at_night: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    healthy = Postroom._unsent

    def fail(self: Any, telling: Any, *rest: Any) -> Any:
        if "anna" in telling.to.address:
            raise ValueError("an address that cannot stand in a header")
        return healthy(self, telling, *rest)

    at_night.answer("anna", "BRIBE newsboy")
    with monkeypatch.context() as patch:
        patch.setattr(Postroom, "_unsent", fail)
        done, sent = at_night.passed()
        assert (done.failures, [mail.to for mail in sent]) == (1, ["bob"])
        done, sent = at_night.passed()
        assert (done.failures, sent) == (1, [])
    done, sent = at_night.passed()
    assert (done.failures, [mail.to for mail in sent]) == (0, ["anna"])
    assert "DONE BRIBE newsboy" in sent[0].text
