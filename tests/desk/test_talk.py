"""Who may say something, to whom, and how much."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.desk import decide
from pbem.draft import HouseRules, Mail
from pbem.press import Rule
from pbem.verdicts import Said
from tests.desk.sitting import BOB, CHEN, NOW, Sitting

SHORT = HouseRules(press_a_day=2, press_characters=100, press_lines=3)


def said(sitting: Sitting, *lines: str, pressed: int = 0) -> tuple[str, list[str]]:
    """The reason against the last of Anna's lines, if there is one, and who is told something."""
    known = sitting.known(sitting.party(1), house=SHORT, pressed=pressed)
    decided = decide(known, Mail(lines=lines, received_at=NOW))
    assert decided.verdict is not None
    told = [notice.to.person.name for each in decided.spoken for notice in each.notices if notice.to.person]
    last = decided.verdict.lines[-1]
    return last.reason if last.said is not Said.DONE else "", told


@pytest.mark.parametrize(
    ("line", "reason", "told"),
    [
        ("SAY hello", "", ["Bob", "Chen", "Modi"]),
        ("TELL Chen: hello", "", ["Chen"]),
        ("TELL chen, BOB and Chen: hello", "", ["Bob", "Chen"]),
        ("TELL Bob, Anna: hello", "", ["Bob"]),
        ("TELL seat 3: hello", "", ["Chen"]),
        ("TELL Anna: hello", "nobody-listens", []),
        ("TELL Modi: hello", "no-seat", []),
        ("TELL Bob, Dora: hello", "no-seat", []),
        ("SAY \ue000", "no-words", []),
        ("SAY " + "x" * 101, "too-much-press", []),
        ("SAY a\nb\nc\nd\nEND", "too-much-press", []),
    ],
)
def test_words_reach_whom_they_are_for_or_nobody(line: str, reason: str, told: list[str]) -> None:
    assert said(Sitting.at_night(), line) == (reason, told)


def test_who_wants_no_mail_or_has_not_confirmed_is_told_nothing() -> None:
    sitting = Sitting.at_night()
    chairs = zip(sitting.table.chairs[1:], (replace(BOB, stopped=True), replace(CHEN, confirmed=False)), strict=True)
    for chair, person in chairs:
        sitting.table = sitting.table.with_chair(replace(chair, person=person))
    assert said(sitting, "SAY hello") == ("", ["Modi"])
    assert said(sitting, "TELL Bob: hello") == ("cannot-be-told", [])
    assert said(sitting, "TELL Chen: hello") == ("cannot-be-told", [])


def test_so_much_is_said_in_a_day() -> None:
    sitting = Sitting.at_night()
    assert said(sitting, "SAY 1", "SAY 2") == ("", ["Bob", "Chen", "Modi"] * 2)
    assert said(sitting, "SAY 1", "SAY 2", pressed=1) == ("press-spent", ["Bob", "Chen", "Modi"])


@pytest.mark.parametrize(("rule", "by", "also"), [(Rule.OPEN, "Anna", ["Bob"]), (Rule.ANONYMOUS, "", [])])
def test_anonymous_words_name_neither_their_writer_nor_who_else_gets_them(rule: Rule, by: str, also: list[str]) -> None:
    sitting = Sitting.at_night()
    sitting.moderator(f"OPTIONS press={rule.value}")
    decided = decide(sitting.known(sitting.party(1)), Mail(lines=("TELL Chen, Bob: x",), received_at=NOW))
    (spoken,) = decided.spoken
    assert spoken.notices[1].facts == {"by": by, "private": True, "also": also}
    assert (spoken.at > NOW) == (rule is Rule.ANONYMOUS)
