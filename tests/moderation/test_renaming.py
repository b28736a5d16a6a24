"""Names at one table, and of it: what may be taken, who else has it, and how it is taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.record import Override, Verb
from pbem.desk import decide
from pbem.draft import Mail
from pbem.parties import moderator_party
from pbem.table import Person
from pbem.verdicts import Reason, Said
from tests.desk.sitting import ANNA, PLAYERS, Sitting

DORA = Person(9, "Robert", "dora@example.org")


def renamed(*lines: str) -> Sitting:
    sitting = Sitting.at_night()
    for line in lines:
        assert [each.said for each in sitting.moderator(line).lines] == [Said.DONE]
    return sitting


@pytest.mark.parametrize(
    ("lines", "names", "label"),
    [
        (("RENAME Bob TO Robert",), ("Anna", "Robert", "Chen"), ""),
        (("RENAME seat 2 AS Jean-Luc because he asked",), ("Anna", "Jean-Luc", "Chen"), ""),
        (("RENAME Bob TO Robert", "RENAME robert TO bob"), ("Anna", "Bob", "Chen"), ""),
        (("RENAME Bob TO Robert", "RENAME Robert TO Ruth", "RENAME Anna TO Robert"), ("Robert", "Ruth", "Chen"), ""),
        (("RENAME GAME TO Winter night",), ("Anna", "Bob", "Chen"), "Winter night"),
        (("RENOMMER PARTIE EN Winter night",), ("Anna", "Bob", "Chen"), "Winter night"),
        (("RENOMMER place 2 EN Jean-Luc",), ("Anna", "Jean-Luc", "Chen"), ""),
        (("RENAME inn-7 TO Winter night", "RENAME TABLE TO inn-7"), ("Anna", "Bob", "Chen"), ""),
    ],
)
def test_a_new_name_stands_until_the_own_one_comes_back(
    lines: tuple[str, ...], names: tuple[str, ...], label: str
) -> None:
    sitting = renamed(*lines)
    assert (sitting.table.names, sitting.table.label, sitting.table.name) == (names, label, "inn-7")
    assert {person.name for person in PLAYERS} == {"Anna", "Bob", "Chen"}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("RENAME Bob TO Anna", Reason.NAME_TAKEN),
        ("RENAME Bob TO \u0410nna", Reason.NAME_UNCLEAR),
        ("RENAME Bob TO Dora", Reason.NAME_TAKEN),
        ("RENAME Bob TO pass", Reason.NAME_RESERVED),
        ("RENAME Bob TO seat 1", Reason.NAME_RESERVED),
        ("RENAME Bob TO x", Reason.NAME_BAD),
        ("RENAME Nobody TO Ruth", Reason.NO_SEAT),
        ("RENAME GAME TO inn-8", Reason.LABEL_BAD),
        ("RENAME GAME TO see www.example.org", Reason.LABEL_BAD),
        (f"RENAME GAME TO {'long ' * 9}", Reason.LABEL_BAD),
    ],
)
def test_a_name_that_misleads_is_refused_as_is_its_preview(line: str, reason: Reason) -> None:
    sitting = Sitting.at_night()
    before = sitting.table
    for said in (line, f"PREVIEW {line}"):
        known = sitting.known(moderator_party(before), taken=frozenset({"dora"}))
        verdict = decide(known, Mail(lines=(said,), received_at=sitting.now)).verdict
        assert verdict is not None
        assert [each.reason for each in verdict.lines] == [reason]


def test_the_record_holds_that_a_seat_was_renamed_and_no_name() -> None:
    entries = renamed("RENAME Bob TO Robert", "RENAME GAME TO Winter night").entries
    assert [entry.what for entry in entries[-2:]] == [Override(Verb.RENAME, seat=2), Override(Verb.RENAME)]


def test_orders_are_read_with_the_new_name() -> None:
    sitting = renamed("RENAME Bob TO Robert")
    assert sitting.moderator("SKIP Bob").lines[0].reason == Reason.NO_SEAT
    assert [each.said for each in sitting.moderator("SKIP Anna", "SKIP Robert").lines] == [Said.DONE, Said.DONE]


def test_a_new_name_gives_way_to_whoever_has_it_as_the_own_one() -> None:
    table = renamed("RENAME Bob TO Robert").table
    assert table.with_chair(replace(table.chair(3), person=DORA)).names == ("Anna", "Bob", "Robert")


def test_a_new_name_goes_with_its_player() -> None:
    sitting = renamed("RENAME Anna TO Hanna", "EJECT Hanna")
    assert sitting.table.names == ("Seat 1", "Bob", "Chen")
    assert sitting.table.chair(1).for_another(ANNA).name == "Anna"
