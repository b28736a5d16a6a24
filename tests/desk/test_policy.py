"""Who may use the host, as the desk decides it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.bloody_inn import GAME
from pbem.desk import decide
from pbem.draft import Answered, HouseRules, Invited, Known, Mail
from pbem.parties import Decided, Invitation, Notice, Party, Role
from pbem.table import Person, Status, Table
from pbem.verdicts import Reason, Said
from tests.desk.sitting import ANNA, BOB, CHEN, MODI, NOW, PLAYERS, Sitting, open_table

EVE = "eve@example.org"
UNCONFIRMED = Person(9, "Eve", EVE, confirmed=False)
STOPPED = replace(ANNA, stopped=True)
BY_INVITATION = HouseRules(by_invitation=True)
WORD = "winter"

STRANGER = Party(Role.STRANGER, EVE)
GUEST = Party(Role.INVITED, EVE)


def bare(person: Person) -> Party:
    """A registered address, and no token."""
    return Party(Role.KNOWN, person.address, person)


def proved(person: Person) -> Party:
    return Party(Role.PERSON, person.address, person)


def decided(party: Party, *lines: str, tables: tuple[Table, ...] = (), sender: str = "", **facts: Any) -> Decided:
    """What the desk makes of a mail by `party` with these lines; `sender`: "forged" or "vouched", as found."""
    known = Known(
        now=NOW,
        party=party,
        games={GAME.name: GAME},
        tables={table.name: table for table in tables},
        mine=tuple(table.name for table in tables),
        next_number=8,
        entropy="cd" * 32,
        code_word=WORD,
    )
    mail = Mail(lines=lines, received_at=NOW, inbox=1, forged=sender == "forged", vouched=sender == "vouched")
    return decide(replace(known, **facts), mail)


def last(found: Decided) -> tuple[Said, str, str]:
    """What was said to the last line: its fate, its reason, the template that answers it."""
    assert found.verdict is not None
    line = found.verdict.lines[-1]
    return line.said, line.reason, line.info


def kinds(notices: tuple[Notice, ...]) -> list[tuple[str, str]]:
    return [(notice.kind, notice.to.address) for notice in notices]


# Registration


@pytest.mark.parametrize(
    ("party", "invited", "expected"),
    [
        (STRANGER, (), (Said.REFUSED, Reason.BY_INVITATION, "")),
        (STRANGER, (Invitation("", EVE),), (Said.ANSWERED, "", "confirm")),
        (STRANGER, (Invitation("inn-7", EVE),), (Said.ANSWERED, "", "confirm")),
        (GUEST, (Invitation("", EVE),), (Said.DONE, "", "confirmed")),
        (bare(UNCONFIRMED), (), (Said.ANSWERED, "", "confirm")),
        (bare(ANNA), (), (Said.REFUSED, Reason.ALREADY_REGISTERED, "")),
    ],
)
def test_who_may_register_by_invitation(
    party: Party, invited: tuple[Invitation, ...], expected: tuple[Said, str, str]
) -> None:
    assert last(decided(party, "REGISTER Zoe", house=BY_INVITATION, invited=invited)) == expected


@pytest.mark.parametrize(
    ("house", "invited", "reason"),
    [
        (BY_INVITATION, (), Reason.BY_INVITATION),
        (BY_INVITATION, (Invitation("inn-7", EVE),), Reason.NOT_REGISTERED),
        (HouseRules(), (), Reason.NOT_REGISTERED),
    ],
)
def test_a_stranger_who_wants_to_join_is_told_how_to_come_in(
    house: HouseRules, invited: tuple[Invitation, ...], reason: Reason
) -> None:
    assert last(decided(STRANGER, "JOIN inn-7 AS Eve", house=house, invited=invited))[1] == reason


def test_whoever_answers_his_invitation_needs_no_other_code() -> None:
    found = decided(GUEST, "REGISTER Zoe", house=BY_INVITATION, invited=(Invitation("", EVE),))
    assert found.people == (Person(0, "Zoe", EVE, confirmed=True),)
    assert kinds(found.notices) == [("welcome", EVE)]


@pytest.mark.parametrize("name", ["Somebody", "Somebody 12", "pills.example", "Eve evil.com"])
def test_nobody_is_called_like_the_forgotten_or_like_a_link(name: str) -> None:
    assert last(decided(STRANGER, f"REGISTER {name}"))[1] in (Reason.NAME_BAD, Reason.NAME_RESERVED)


# Outsiders


@pytest.mark.parametrize("party", [STRANGER, bare(UNCONFIRMED), bare(STOPPED)], ids=["stranger", "new", "stopped"])
@pytest.mark.parametrize(
    "facts",
    [{"answered": Answered(own=3, all=3)}, {"answered": Answered(own=0, all=100)}, {"sender": "forged"}],
    ids=["own", "all", "forged"],
)
def test_an_outsider_is_not_answered_beyond_the_caps_nor_when_he_is_forged(party: Party, facts: dict[str, Any]) -> None:
    assert decided(party, "REGISTER Zoe", "HELP", **facts) == Decided()


@pytest.mark.parametrize(
    ("party", "lines", "answered"),
    [
        (STRANGER, ["HELP"], True),
        (STRANGER, ["Register"], True),
        (STRANGER, ["JOIN inn-7"], True),
        (STRANGER, ["GAMES", "STATUS", "Hello there"], False),
        (STRANGER, ["START AGAIN"], False),
        (STRANGER, [], False),
        (bare(UNCONFIRMED), ["GAMES"], True),
        (bare(UNCONFIRMED), ["Hello there"], True),
        (bare(STOPPED), ["GAMES", "HELP"], False),
        (bare(STOPPED), ["START AGAIN"], False),
        (bare(STOPPED), ["REGISTER Anna"], False),
        (bare(ANNA), ["Hello there"], True),
    ],
)
def test_what_an_outsider_may_say_to_be_answered(party: Party, lines: list[str], answered: bool) -> None:
    found = decided(party, *lines)
    assert (found.verdict is not None) == answered
    assert found.stranger == (party.address if answered and party != bare(ANNA) else "")


@pytest.mark.parametrize("sender", ["", "vouched", "forged"])
@pytest.mark.parametrize("line", ["START AGAIN", "REGISTER Eve", "HELP", "STOP"])
@pytest.mark.parametrize("party", [STRANGER, bare(UNCONFIRMED), bare(STOPPED)], ids=["stranger", "new", "player"])
def test_an_address_that_wants_no_mail_is_asked_only_where_our_server_vouches_for_it(
    party: Party, line: str, sender: str
) -> None:
    found = decided(party, line, sender=sender, silent=frozenset({party.address}))
    lifting = line in ("START AGAIN", "REGISTER Eve")
    assert (found.verdict is not None) == (sender == "vouched" and lifting)
    assert found.unsilenced == found.silenced == () or party == STRANGER


@pytest.mark.parametrize(
    "line",
    [
        "REGISTER pills@pills.example",
        "HELP pills",
        "HELP\nSTATUS pills-77",
        "JOIN pills-9 AS pills",
        "HELP\nPILLS pills",
    ],
)
@pytest.mark.parametrize("party", [STRANGER, bare(UNCONFIRMED)], ids=["stranger", "new"])
def test_no_word_of_an_outsider_is_sent_back(party: Party, line: str) -> None:
    found = decided(party, *line.splitlines(), "Buy pills")
    assert found.verdict is not None
    assert "pills" not in repr(found.verdict).lower()


def test_an_answer_to_an_outsider_is_never_empty() -> None:
    found = decided(bare(UNCONFIRMED), "STARTT pills")
    assert found.verdict is not None
    assert (found.verdict.lines, found.verdict.reason) == ((), Reason.PROSE)


# Invitations


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"silent": frozenset({EVE})}, Reason.WANTS_NO_MAIL),
        ({"invitees": frozenset({EVE})}, Reason.ALREADY_INVITED),
        ({"inviting": Invited(today=19)}, Reason.TOO_MANY_TODAY),
        ({"inviting": Invited(open=39)}, Reason.TOO_MANY_OPEN),
    ],
)
def test_an_invitation_that_may_not_be_invites_nobody(facts: dict[str, Any], reason: Reason) -> None:
    table = open_table(ANNA)
    party = Party(Role.PERSON, MODI.address, MODI, table.name)
    found = decided(party, f"INVITE zoe@example.org {EVE}", tables=(table,), **facts)
    assert last(found)[:2] == (Said.REFUSED, reason)
    assert (found.invitations, found.notices) == ((), ())


def test_the_invitations_of_one_mail_count_together() -> None:
    table = open_table(ANNA)
    party = Party(Role.PERSON, MODI.address, MODI, table.name)
    found = decided(party, f"INVITE {EVE}", "INVITE zoe@example.org", tables=(table,), inviting=Invited(today=19))
    assert last(found)[1] == Reason.TOO_MANY_TODAY
    assert found.invitations == (Invitation("inn-7", EVE, by=MODI.id),)


def test_a_seat_is_not_given_to_who_wants_no_mail() -> None:
    sitting = Sitting.started()
    party = Party(Role.MODERATOR, MODI.address, MODI, sitting.table.name)
    known = sitting.known(party, silent=frozenset({EVE}))
    found = decide(known, Mail(lines=(f"REPLACE Bob {EVE}",), received_at=NOW))
    assert last(found)[:2] == (Said.REFUSED, Reason.WANTS_NO_MAIL)
    assert found.tables == ()


# Silence


def test_stop_is_honoured_for_a_stranger_even_where_no_answer_is_left() -> None:
    assert decided(STRANGER, "STOP", answered=Answered(own=3)) == Decided(silenced=(EVE,))
    assert decided(STRANGER, "STOP", sender="forged") == Decided()


@pytest.mark.parametrize(
    ("party", "info", "silenced"),
    [
        (STRANGER, "stopped", (EVE,)),
        (GUEST, "stopped", (EVE,)),
        (bare(UNCONFIRMED), "stopped", (EVE,)),
        (proved(UNCONFIRMED), "stopped", (EVE,)),
        (bare(ANNA), "stop_asked", ()),
        (proved(ANNA), "stopped", (ANNA.address,)),
    ],
)
def test_who_silences_his_address_at_once(party: Party, info: str, silenced: tuple[str, ...]) -> None:
    found = decided(party, "STOP.")
    assert (last(found)[2], found.silenced) == (info, silenced)
    assert [person.stopped for person in found.people] == ([True] if silenced and party.person else [])
    assert found.notices == ()


def test_each_moderator_of_a_silent_player_is_told_but_not_he_himself() -> None:
    sitting = Sitting.started()
    own = replace(sitting.table, name="inn-8", moderator=BOB)
    waiting = replace(open_table(BOB), name="inn-9")
    found = decided(proved(BOB), "STOP", tables=(sitting.table, own, waiting))
    assert kinds(found.notices) == [("stopped", MODI.address)]
    assert found.verdict is not None
    assert found.verdict.lines[0].facts == {"games": ["inn-7", "inn-8"]}


@pytest.mark.parametrize(
    ("party", "info", "unsilenced"),
    [
        (bare(STOPPED), "again_asked", ()),
        (proved(STOPPED), "again", (STOPPED.address,)),
        (GUEST, "again", (EVE,)),
    ],
)
def test_who_gets_mail_again_at_once(party: Party, info: str, unsilenced: tuple[str, ...]) -> None:
    found = decided(party, "START AGAIN", sender="vouched")
    assert (last(found)[2], found.unsilenced) == (info, unsilenced)
    assert [person.stopped for person in found.people] == ([False] if unsilenced and party.person else [])


@pytest.mark.parametrize("line", ["Stop that, Bob", "stop it now please, I mean it", "Start again from the top"])
def test_prose_that_begins_with_stop_silences_nobody(line: str) -> None:
    found = decided(proved(ANNA), line)
    assert (found.silenced, found.people) == ((), ())


# Export and forgetting


@pytest.mark.parametrize("line", ["EXPORT ME", "FORGET ME", f"FORGET ME {WORD}"])
def test_an_address_alone_asks_for_nothing_about_a_player(line: str) -> None:
    found = decided(bare(ANNA), line)
    assert last(found)[:2] == (Said.REFUSED, Reason.NO_TOKEN)
    assert found.forgotten is None


def test_an_export_goes_to_the_registered_address_and_about_no_table() -> None:
    sitting = Sitting.started()
    found = decided(sitting.party(1), "EXPORT ME", tables=(sitting.table,))
    assert (last(found)[2], found.to) == ("export", proved(ANNA))


@pytest.mark.parametrize(
    ("line", "expected", "forgotten"),
    [
        ("FORGET ME", (Said.ANSWERED, "", "forget"), None),
        ("FORGET ME summer", (Said.REFUSED, Reason.WRONG_CODE, ""), None),
        ("forget me Winter.", (Said.DONE, "", "forgotten"), ANNA),
    ],
)
def test_forgetting_needs_the_code_word(line: str, expected: tuple[Said, str, str], forgotten: Person | None) -> None:
    found = decided(proved(ANNA), line)
    assert (last(found), found.forgotten) == (expected, forgotten)


def test_nothing_is_done_for_who_has_just_been_forgotten() -> None:
    found = decided(proved(ANNA), "TIMEZONE Europe/Brussels", f"FORGET ME {WORD}", "REGISTER Anna")
    assert last(found)[0] is Said.UNTRIED
    assert (found.people, found.to) == ((), Party(Role.STRANGER, ANNA.address))


@pytest.mark.parametrize("who", [ANNA, MODI], ids=["player", "moderator"])
def test_nobody_is_forgotten_whom_a_running_game_needs(who: Person) -> None:
    found = decided(proved(who), f"FORGET ME {WORD}", tables=(Sitting.started().table,))
    assert last(found)[:2] == (Said.REFUSED, Reason.STILL_PLAYING)
    assert found.forgotten is None


def test_who_is_forgotten_leaves_open_tables_and_closes_his_own_without_his_name() -> None:
    other, own = open_table(*PLAYERS), replace(open_table(ANNA, CHEN), name="inn-8", moderator=ANNA)
    over = replace(Sitting.started().table, name="inn-9", status=Status.OVER)
    found = decided(proved(ANNA), f"FORGET ME {WORD}", tables=(other, own, over))
    left, closed = (change.after for change in found.tables)
    assert [chair.person for chair in left.chairs] == [BOB, CHEN]
    assert (closed.status, closed.chairs) == (Status.ENDED, ())
    assert kinds(found.notices) == [("left", other.moderator.address), ("closed", CHEN.address)]
    assert "Anna" not in repr([notice.facts for notice in found.notices])
