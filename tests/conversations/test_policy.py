"""Who may use the host, as people find out: by invitation, not too often, and never against their will."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pbem.bootstrap import house_rules
from pbem.config import Limits, Registration
from pbem.parties import Decided, Invitation, Notice, Party, Role
from pbem.store.tables import METADATA
from tests.conversations.transcript import code_for, play
from tests.conversations.world import Mail, World

pytestmark = pytest.mark.slow

MX = "mx.example.org"


@pytest.fixture
def closed(tmp_path: Path) -> World:
    """A host that takes new players by invitation."""
    return World(tmp_path, registration=Registration.INVITED, authserv_id=MX)


def admit(world: World, address: str) -> None:
    """What `pbem invite` does."""
    notice = Notice(Party(Role.INVITED, address), "admitted", {"host": "Play by email"})
    world.store.write(Decided(invitations=(Invitation("", address),), notices=(notice,)), inbox=None, now=world.now)


def attachment(world: World, name: str) -> str:
    """The text of what is attached to somebody's last mail."""
    (part,) = world.last(name).message.iter_attachments()
    text: str = part.get_content().decode()
    return text


def everything(world: World) -> str:
    """All that the database holds, as text; blobs in hex."""
    with world.store.engine.connect() as connection:
        rows = [row for table in METADATA.sorted_tables for row in connection.execute(table.select())]
    values = (value for row in rows for value in row)
    return "\n".join(value.hex().upper() if isinstance(value, bytes) else str(value) for value in values)


def code_word(mail: Mail) -> str:
    """What somebody has to repeat to be forgotten."""
    found = re.search(r"^ +FORGET ME ([A-Z]+)\r?$", mail.lines, re.MULTILINE)
    assert found is not None, mail.lines
    return found[1]


# By invitation


def test_whoever_the_keeper_invites_registers_by_answering_and_may_begin_at_once(closed: World) -> None:
    admit(closed, "anna@example.org")
    play(
        closed,
        """
        anna < [pbem] you are invited
            REGISTER ...
            STOP makes sure
        anna >> REGISTER Anna / NEW bloody-inn bob@example.org
        anna < Re: [pbem] welcome
            You are registered as Anna.
            The table inn-1 is open, and you are its moderator.
        bob < [inn-1] you are invited
        bob >> JOIN AS Bob
        bob < Re: [inn-1] done
        anna < [inn-1] a new player
        """,
    )


def test_a_stranger_is_told_politely_that_he_needs_an_invitation(closed: World) -> None:
    play(
        closed,
        """
        eve > REGISTER Eve
        eve < Re: [pbem] not done
            This host takes new players by invitation.
        eve > JOIN inn-1 AS Eve
        eve < Re: [pbem] not done
            This host takes new players by invitation.
        """,
    )
    assert closed.store.person_by_name("Eve") is None


def test_an_open_invitation_to_a_table_is_enough_to_register(closed: World) -> None:
    admit(closed, "anna@example.org")
    play(
        closed,
        """
        ... <
        anna >> REGISTER Anna / NEW bloody-inn bob@example.org
        ... <
        bob > REGISTER Bob
        bob < Re: [pbem] please confirm your name
        """,
    )


# Strangers


def test_a_stranger_gets_a_few_answers_a_day_and_none_of_his_words(world: World) -> None:
    play(
        world,
        """
        eve > HELP buy-pills
        eve < Re: [pbem] help
            not: pills
        eve > REGISTER buy@pills.example / HELP
        eve < Re: [pbem] not done
            This cannot be a name here.
            not: pills
        eve > HELP / See pills.example
        eve < Re: [pbem] help
            not: pills
        eve > HELP / now
        nobody < anything
        wait 25h
        eve > HELP / again
        eve < Re: [pbem] help
        """,
    )


def test_all_strangers_together_get_so_many_answers_a_day(tmp_path: Path) -> None:
    world = World(tmp_path, limits=Limits(all_stranger_answers=2))
    play(
        world,
        """
        eve > HELP
        eve < Re: [pbem] help
        mallory > HELP
        mallory < Re: [pbem] help
        oscar > HELP
        nobody < anything
        """,
    )


def test_what_nobody_confirmed_is_no_way_around_the_cap(world: World) -> None:
    play(
        world,
        """
        eve > REGISTER Eve
        eve < Re: [pbem] please confirm your name
        eve > GAMES / one
        eve < Re: [pbem] your answer
        eve > buy at pills.example
        eve < Re: [pbem] not done
            not: pills
        eve > GAMES / two
        nobody < anything
        """,
    )


def test_a_sender_whom_our_own_server_finds_forged_is_not_answered(closed: World) -> None:
    forged = f"{MX}; spf=fail smtp.mailfrom=evil.example; dmarc=fail header.from=example.org"
    closed.write("eve", "REGISTER Eve", Authentication_Results=forged)
    assert closed.tick() == []
    closed.write("eve", "HELP", Authentication_Results=forged.replace(MX, "mx.evil.example"))
    assert [mail.subject for mail in closed.tick()] == ["Re: [pbem] help"]


# Invitations


def test_a_player_may_invite_so_many_a_day(tmp_path: Path) -> None:
    world = World(tmp_path, limits=Limits(invitations_a_day=2))
    play(
        world,
        """
        anna > REGISTER Anna
        ... <
        anna >> CONFIRM
        ... <
        anna >> NEW bloody-inn bob@example.org chen@example.org dora@example.org
        anna < Re: [pbem] not done
            You may send 2 invitations in 24 hours, and you have sent 0.
        anna >> NEW bloody-inn bob@example.org chen@example.org
        ... <
        anna >> INVITE dora@example.org
        anna < Re: [pbem] not done
            You may send 2 invitations in 24 hours, and you have sent 2.
        wait 25h
        anna >> INVITE dora@example.org
        anna < Re: [pbem] done
        dora < [inn-1] you are invited
        """,
    )


def test_only_so_many_invitations_may_be_open_at_once(tmp_path: Path) -> None:
    world = World(tmp_path, limits=Limits(open_invitations=1))
    play(
        world,
        """
        anna > REGISTER Anna
        ... <
        anna >> CONFIRM / NEW bloody-inn bob@example.org
        ... <
        wait 48h
        anna >> INVITE chen@example.org
        anna < Re: [pbem] not done
            At most 1 of your invitations may wait
        bob >> JOIN AS Bob
        ... <
        anna >> INVITE chen@example.org
        anna < Re: [inn-1] done
        chen < [inn-1] you are invited
        anna >> INVITE chen@example.org
        anna < Re: [inn-1] not done
            has been invited to this table already
        """,
    )


# Silence


def test_stop_from_any_address_ends_all_mail_to_it(signed_up: World) -> None:
    play(
        signed_up,
        """
        eve > STOP
        eve < Re: [pbem] no more mail
            This is the last mail
        eve > HELP
        nobody < anything
        modi >> INVITE eve@example.org
        modi < Re: [inn-1] not done
            eve@example.org does not want mail from this host
        """,
    )


def test_an_invited_guest_who_wants_no_mail_gets_one_last(signed_up: World) -> None:
    play(
        signed_up,
        """
        modi >> INVITE eve@example.org
        ... <
        eve >> STOP
        eve < Re: [inn-1] no more mail
            REGISTER ...
        eve > REGISTER Eve
        nobody < anything
        eve >> REGISTER Eve
        eve < Re: [inn-1] welcome
        """,
    )


def test_the_address_alone_does_not_silence_a_player(at_night: World) -> None:
    play(
        at_night,
        """
        bob > STOP
        bob < Re: [pbem] please confirm
            If it was not you, do nothing.
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
        bob < [inn-1] Round 1, night: your 1st action - by Thu 12:00
        """,
    )


def test_a_player_who_wants_no_mail_gets_none_and_his_moderator_is_told(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> STOP
        bob < Re: [pbem] no more mail
            Your seat at inn-1 stays yours
        modi < [inn-1] Round 1, night: moderator - a player wants no more mail
            REPLACE Bob
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
        wait 49h
        chen < [inn-1] Round 1, night: your 1st action - by Sat 13:00
        """,
    )
    assert "fallback" in repr([entry.what for entry in at_night.entries()][-1])


def test_mail_begins_again_only_when_the_owner_answers(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> STOP
        ... <
        bob > REGISTER Bob
        nobody < anything
        bob > START AGAIN
        nobody < anything
        bob >> START AGAIN
        bob < Re: [pbem] done
            You get mail from me again.
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
        bob < [inn-1] Round 1, night: your 1st action - by Thu 12:00
        """,
    )


def test_an_address_that_wants_no_mail_is_asked_where_our_own_server_vouches_for_it(at_night: World) -> None:
    at_night.set("host", authserv_id=MX)
    play(at_night, "bob >> STOP\n... <")
    vouched = f"{MX}; dmarc=pass header.from=example.org"
    for doubtful in (f"{MX}; dkim=pass header.d=example.org", vouched.replace(MX, "mx.evil.example")):
        at_night.write("bob", "START AGAIN", Authentication_Results=doubtful)
        play(at_night, "nobody < anything")
    at_night.write("bob", "STATUS", Authentication_Results=vouched)
    play(at_night, "nobody < anything")
    at_night.write("bob", "START AGAIN", Authentication_Results=vouched)
    play(
        at_night,
        """
        bob < Re: [pbem] please confirm
        bob >> START AGAIN
        bob < Re: [pbem] done
            You get mail from me again.
        """,
    )


# Export and forgetting


def test_everything_about_a_player_and_nothing_of_others_is_attached(at_night: World) -> None:
    play(
        at_night,
        """
        anna >> PASS / EXPORT ME
        anna < Re: [pbem] everything about you
        ... <
        """,
    )
    text = attachment(at_night, "anna")
    data = json.loads(text)
    assert (data["name"], data["address"]) == ("Anna", "anna@example.org")
    assert data["tables"][0]["table"] == "inn-1"
    assert ["LODGE 1 2 3 4 5 6", "done", ""] in data["answers"][1]["lines"]
    assert len(data["received"]) == 3
    for other in ("Bob", "bob@", "Modi", "ab" * 32):
        assert other not in text


def test_nobody_is_forgotten_while_a_game_needs_him(at_night: World) -> None:
    play(
        at_night,
        """
        anna >> FORGET ME
        anna < Re: [inn-1] Round 1, night: not done - your 1st action - by Thu 12:00
            You are still needed at inn-1.
            REPLACE
        modi >> FORGET ME
        modi < Re: [inn-1] Round 1, night: moderator - not done
            You are still needed at inn-1.
        """,
    )


def test_a_forgotten_player_stands_nowhere_and_his_game_stays_provable(at_night: World) -> None:
    play(
        at_night,
        """
        modi >> END
        ... <
        """,
    )
    at_night.answer("modi", code_for(at_night, "modi", "END"))
    play(
        at_night,
        """
        ... <
        anna > FORGET ME
        anna < Re: [pbem] not done
        anna >> FORGET ME
        anna < Re: [pbem] your code word
        anna >> FORGET ME wrong
        anna < Re: [pbem] not done
            This is not the code word
        """,
    )
    page = at_night.settings.archive.folder / "inn-1" / "index.html"
    before = (page.with_name("record.json").read_bytes(), page.read_text("utf-8"))
    at_night.answer("anna", f"FORGET ME {code_word(at_night.mails[-2])}", "GAMES")
    (farewell,) = at_night.tick()
    assert (farewell.to, farewell.subject) == ("anna", "Re: [pbem] farewell")
    assert "I have forgotten your name" in farewell.text
    assert "Anna" not in farewell.text
    assert at_night.tick() == []
    assert "Anna" in before[1]
    assert "Anna" not in page.read_text("utf-8")
    assert "Anna" not in (page.parent.parent / "index.html").read_text("utf-8")
    assert page.with_name("record.json").read_bytes() == before[0]
    dump = everything(at_night)
    assert "bob@example.org" in dump
    assert [form for form in ("Anna", "anna", b"Anna".hex().upper(), b"anna".hex().upper()) if form in dump] == []
    play(
        at_night,
        """
        anna > STATUS
        nobody < anything
        """,
    )


def test_a_table_whose_moderator_is_forgotten_before_its_start_is_closed(signed_up: World) -> None:
    play(signed_up, "modi >> FORGET ME\nmodi < Re: [pbem] your code word")
    play(
        signed_up,
        f"""
        modi >> FORGET ME {code_word(signed_up.last("modi"))}
        modi < Re: [pbem] farewell
        anna < [inn-1] the table is closed
        bob < [inn-1] the table is closed
        chen < [inn-1] the table is closed
            not: Modi
        """,
    )


# What is kept


def test_old_mails_go_and_an_answer_to_one_is_still_understood(at_night: World) -> None:
    old = at_night.last("anna")
    assert at_night.store.raw(1) != b""
    at_night.wait(days=91)
    at_night.tick()
    assert at_night.store.raw(1) == b""
    reference = at_night.store.reference([old.id])
    assert reference is not None
    assert (reference.table, reference.seat, reference.raw) == ("inn-1", 1, b"")
    at_night.answer("anna", "PLAN", to=old)
    (answer,) = at_night.tick()
    assert (answer.to, "ASKED PLAN" in answer.text) == ("anna", True)


def test_the_settings_are_the_house_rules(tmp_path: Path) -> None:
    limits = Limits(invitations_a_day=1, open_invitations=2, stranger_answers=3, all_stranger_answers=4)
    rules = house_rules(World(tmp_path, registration=Registration.INVITED, limits=limits).settings)
    assert rules.by_invitation
    assert (rules.invitations_a_day, rules.open_invitations) == (1, 2)
    assert (rules.stranger_answers, rules.all_stranger_answers) == (3, 4)
