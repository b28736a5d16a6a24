"""Signing up by mail: names, tables, places, the start."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.bloody_inn import GAME
from pbem.desk import decide
from pbem.draft import HouseRules, Known, Mail
from pbem.parties import Decided, Party, Role
from pbem.schedule import Span
from pbem.table import Chair, Person, Status, Table
from pbem.verdicts import Reason, Said
from tests.desk.sitting import ANNA, BOB, CHEN, MODI, NOW, PLAYERS, Sitting, offer, open_table

STRANGER = Party(Role.STRANGER, "eve@example.org")
SECRET = "cd" * 32


def known(party: Party, *tables: Table, **facts: object) -> Known:
    base = Known(
        now=NOW,
        party=party,
        games={GAME.name: GAME},
        tables={table.name: table for table in tables},
        mine=tuple(table.name for table in tables),
        next_number=8,
        entropy=SECRET,
    )
    return replace(base, **facts)  # type: ignore[arg-type]


def person(who: Person, table: str = "") -> Party:
    return Party(Role.PERSON, who.address, who, table)


def lines(*text: str) -> Mail:
    return Mail(lines=text, received_at=NOW, inbox=1)


def reason(decided: Decided) -> tuple[Said, str]:
    assert decided.verdict is not None
    return decided.verdict.lines[-1].said, decided.verdict.lines[-1].reason


def test_registering_stores_an_unconfirmed_name_and_answers_the_address() -> None:
    decided = decide(known(STRANGER), lines("REGISTER Eve"))
    assert decided.people == (Person(0, "Eve", "eve@example.org", confirmed=False),)
    assert decided.to is not None
    assert decided.to.address == "eve@example.org"


def test_who_has_chosen_nothing_gets_the_zone_and_language_of_the_host() -> None:
    house = HouseRules(zone="Europe/Brussels", language="nl")
    decided = decide(known(STRANGER, house=house), lines("REGISTER Eve"))
    assert [(person.zone, person.language) for person in decided.people] == [("Europe/Brussels", "nl")]


def test_a_stranger_who_writes_anything_else_gets_nothing() -> None:
    decided = decide(known(STRANGER), lines("KILL baron", "Hello?"))
    assert (decided.verdict, decided.to, decided.people, decided.notices) == (None, None, (), ())


def test_an_answer_to_the_code_that_asks_for_something_confirms_the_address_and_its_lines_run() -> None:
    eve = Person(9, "Eve", "eve@example.org", confirmed=False)
    decided = decide(known(person(eve)), lines("TIMEZONE Europe/Brussels"))
    assert decided.people == (replace(eve, confirmed=True, zone="Europe/Brussels"),)
    assert [notice.kind for notice in decided.notices] == ["welcome"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("E", Reason.NAME_BAD),
        ("A name that is far too long", Reason.NAME_BAD),
        ("Eve, the first", Reason.NAME_BAD),
        ("<b>Eve</b>", Reason.NAME_BAD),
        ("7up", Reason.NAME_BAD),
        ("Help", Reason.NAME_RESERVED),
        ("Baron", Reason.NAME_RESERVED),
        ("Old Baron", Reason.NAME_RESERVED),
        ("Änna", Reason.NAME_TAKEN),
        ("\u0410nna", Reason.NAME_UNCLEAR),
        ("An\u3164na", Reason.NAME_UNCLEAR),
        ("Anna\ufe0e", Reason.NAME_UNCLEAR),
        ("Ann\U000e0101a", Reason.NAME_UNCLEAR),
        ("Bo\u03bf", Reason.NAME_UNCLEAR),
        ("\u0421\u043e\u0441\u043e", Reason.NAME_TAKEN),
        ("\u00c6nna\u00ad", Reason.NAME_BAD),
        ("C\u00f8co", Reason.NAME_TAKEN),
        ("\u1d00nna", Reason.NAME_TAKEN),
        ("B\u1d00\u0280\u1d0f\u0274", Reason.NAME_RESERVED),
        ("Seat 2", Reason.NAME_RESERVED),
        ("Bot 1", Reason.NAME_RESERVED),
        ("Everybody", Reason.NAME_RESERVED),
    ],
)
def test_a_name_that_cannot_stand_in_an_order_is_refused(name: str, why: Reason) -> None:
    decided = decide(known(STRANGER, taken=frozenset({"anna", "coco"})), lines(f"REGISTER {name}"))
    assert decided.people == ()
    assert reason(decided) == (Said.REFUSED, why)


@pytest.mark.parametrize(
    "name",
    [
        "Zo\u00eb",
        "\u5b89\u5a1c",
        "\u305f\u308d\u3046",
        "\u0410\u043d\u043d\u0430 B",
        "Jean-Luc",
        "O'Neil",
        "Anna \U0001f3b2",
    ],
)
def test_a_name_in_any_one_alphabet_is_a_name(name: str) -> None:
    assert decide(known(STRANGER), lines(f"REGISTER {name}")).people[0].name == name


def test_what_a_stranger_wrote_is_not_sent_back() -> None:
    decided = decide(known(STRANGER), lines("REGISTER Eve", "Buy my watches at watches.example"))
    assert "atches" not in repr(decided.verdict)


def test_a_new_table_seats_its_opener_and_invites_the_addresses() -> None:
    decided = decide(known(person(ANNA)), lines("NEW bloody-inn length=long bob@example.org, chen@example.org"))
    table = decided.tables[0].after
    assert (table.name, table.moderator, table.places) == ("inn-8", ANNA, 3)
    assert table.chairs == (Chair(1, ANNA),)
    assert table.options["length"] == "long"
    assert [invitation.address for invitation in decided.invitations] == ["bob@example.org", "chen@example.org"]
    assert [notice.kind for notice in decided.notices] == ["invitation", "invitation"]


def test_the_commitment_is_mailed_before_anybody_can_add_a_phrase() -> None:
    decided = decide(known(person(ANNA)), lines("NEW bloody-inn bob@example.org"))
    assert decided.verdict is not None
    told = [decided.verdict.lines[0].facts["commitment"], decided.notices[0].facts["commitment"]]
    assert told[0] == told[1]
    assert len(told[0]) == 64
    assert SECRET not in repr(decided.verdict) + repr(decided.notices)


def test_an_opener_who_does_not_play_still_moderates() -> None:
    table = decide(known(person(ANNA)), lines("NEW bloody-inn NOT PLAYING bob@example.org")).tables[0].after
    assert (table.moderator, table.chairs) == (ANNA, ())


@pytest.mark.parametrize(
    "line",
    [
        "NEW bloody-inn length=medium",
        "NEW bloody-inn colour=red",
        "NEW bloody-inn seats=7",
        "NEW bloody-inn deadline=soon",
        "NEW bloody-inn deadline=0",
    ],
)
def test_an_option_that_does_not_exist_opens_nothing_and_names_what_does(line: str) -> None:
    decided = decide(known(person(ANNA)), lines(line))
    assert reason(decided) == (Said.REFUSED, Reason.BAD_OPTION)
    assert decided.tables == ()
    assert decided.verdict is not None
    assert decided.verdict.lines[0].near != ()


def test_a_deadline_is_hours() -> None:
    table = decide(known(person(ANNA)), lines("NEW bloody-inn deadline=36h")).tables[0].after
    assert table.schedule.time == Span(seconds=36 * 3600)


def test_an_unknown_game_is_named_with_those_that_exist() -> None:
    decided = decide(known(person(ANNA)), lines("NEW chess"))
    assert reason(decided) == (Said.REFUSED, Reason.NO_KIND)
    assert decided.verdict is not None
    assert decided.verdict.lines[0].near == ("bloody-inn",)


def test_opening_a_table_needs_more_than_a_from_line() -> None:
    decided = decide(known(Party(Role.KNOWN, ANNA.address, ANNA)), lines("NEW bloody-inn"))
    assert reason(decided) == (Said.REFUSED, Reason.NO_TOKEN)
    assert decided.tables == ()


def test_an_invited_stranger_joins_with_a_name_of_his_own() -> None:
    table = open_table(ANNA)
    party = Party(Role.INVITED, "dora@example.org", table=table.name)
    decided = decide(known(party, table, invited=(offer("dora@example.org"),)), lines("JOIN as Dora"))
    seated = decided.tables[0].after.chairs[1]
    assert seated.person == Person(0, "Dora", "dora@example.org")
    assert decided.accepted == (offer("dora@example.org"),)
    assert [(notice.kind, notice.to.role) for notice in decided.notices] == [("joined", Role.MODERATOR)]


@pytest.mark.parametrize("said", ["Dora please", "Dora, please!", "Dora Thanks."])
def test_a_word_of_courtesy_behind_a_name_is_no_part_of_it(said: str) -> None:
    assert decide(known(STRANGER), lines(f"REGISTER {said}")).people[0].name == "Dora"


def test_a_full_table_takes_nobody_more() -> None:
    table = replace(open_table(ANNA, BOB), places=2)
    decided = decide(known(person(CHEN), table), lines("JOIN inn-7"))
    assert reason(decided) == (Said.REFUSED, Reason.TABLE_FULL)


def test_nobody_sits_twice() -> None:
    assert reason(decide(known(person(ANNA), open_table(ANNA)), lines("JOIN inn-7")))[1] == Reason.ALREADY_SEATED


def test_leaving_before_the_start_moves_the_others_up() -> None:
    table = decide(known(person(ANNA), open_table(*PLAYERS)), lines("LEAVE inn-7")).tables[0].after
    assert table.chairs == (Chair(1, BOB), Chair(2, CHEN))


def test_to_leave_a_running_game_is_to_resign() -> None:
    sitting = Sitting.started()
    assert sitting.seat(2, "LEAVE").lines[0].info == "resigned"
    assert sitting.table.chair(2).given_up


def test_only_the_moderator_starts() -> None:
    assert reason(decide(known(person(ANNA), open_table(*PLAYERS)), lines("START inn-7")))[1] == Reason.NOT_MODERATOR


def test_the_start_deals_hashes_the_phrases_and_tells_every_seat() -> None:
    table = open_table(*PLAYERS)
    table = table.with_chair(replace(table.chairs[1], phrase="the sea is wide"))
    decided = decide(known(person(MODI), table), lines("START inn-7"))
    after = decided.tables[0].after
    assert after.status is Status.RUNNING
    assert after.header is not None
    assert len(after.header.phrases) == 1
    assert "the sea" not in repr(after.header)
    told = [notice.to.seat for notice in decided.notices if notice.kind == "started"]
    assert told == [1, 2, 3]
    assert decided.notices[0].facts["phrases"] == [["Bob", "the sea is wide"]]


def test_a_phrase_after_the_start_is_too_late() -> None:
    assert Sitting.started().seat(1, "PHRASE late").lines[0].reason == Reason.PHRASE_LATE


def test_nobody_starts_an_empty_table() -> None:
    assert reason(decide(known(person(MODI), open_table()), lines("START inn-7")))[1] == Reason.SEATS


@pytest.mark.parametrize(
    ("text", "zone"),
    [("Europe/Brussels", "Europe/Brussels"), ("brussels", "Europe/Brussels"), ("new york", "America/New_York")],
)
def test_a_time_zone_is_found_by_its_city(text: str, zone: str) -> None:
    assert decide(known(person(ANNA)), lines(f"TIMEZONE {text}")).people[0].zone == zone


def test_an_unknown_zone_offers_some_that_exist() -> None:
    decided = decide(known(person(ANNA)), lines("TIMEZONE Bruxels"))
    assert reason(decided) == (Said.REFUSED, Reason.BAD_ZONE)
    assert decided.verdict is not None
    assert "Europe/Brussels" in decided.verdict.lines[0].near


def test_a_mail_without_own_text_still_gets_an_answer_with_the_state() -> None:
    verdict = decide(known(person(ANNA)), lines()).verdict
    assert verdict is not None
    assert (verdict.reason, verdict.state) == (Reason.EMPTY, True)


def test_one_mail_opens_one_table_since_each_needs_a_secret_of_its_own() -> None:
    decided = decide(known(person(ANNA)), lines("NEW bloody-inn seats=1", "NEW bloody-inn"))
    assert [change.after.name for change in decided.tables] == ["inn-8"]
    assert decided.verdict is not None
    assert [line.said for line in decided.verdict.lines] == [Said.DONE, Said.REFUSED]


def test_a_mail_of_countless_questions_gets_a_bounded_answer() -> None:
    decided = decide(known(person(ANNA)), lines(*["HELP moderator"] * 1_999))
    assert decided.verdict is not None
    assert [line.said for line in decided.verdict.lines[-2:]] == [Said.ANSWERED, Said.UNTRIED]
    assert len(decided.verdict.lines) == 41
