"""The form of a line does not matter, its meaning does: numbering, bold letters, several orders on one line."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.grammar import WORDS, AddPhrase, Games, Join, ShowPlan
from pbem.desk import decide
from pbem.draft import Mail
from pbem.letters import normalised
from pbem.lines import Kind, bare, commands, is_order, looks, parts, pieces
from pbem.verdicts import Line, Reason
from tests.desk.sitting import Sitting

VERBS = ("kill", "bury", "pass", "lodge", "bribe", "pay")

BARE = {
    "1. PASS": "PASS",
    "2) PASS": "PASS",
    "(3) PASS": "PASS",
    "4: PASS": "PASS",
    "[5] PASS": "PASS",
    "[ ] PASS": "PASS",
    "a) PASS": "PASS",
    "- PASS": "PASS",
    "-PASS": "PASS",
    "* PASS": "PASS",
    "\u2022 PASS": "PASS",
    "\u2192 PASS": "PASS",
    "\u2713 PASS": "PASS",
    "- 1. PASS": "PASS",
    "*PASS*": "PASS",
    "**PASS**": "PASS",
    "_PASS_": "PASS",
    "* *PASS*": "PASS",
    "*KILL* baron *IN* 4": "KILL baron IN 4",
    "*KILL baron,* novice": "KILL baron, novice",
    '"PASS"': "PASS",
    "`PASS`": "PASS",
    "PASS;": "PASS",
    "BURY count UNDER Anna's cellar": "BURY count UNDER Anna's cellar",
    "LODGE 3 1 5": "LODGE 3 1 5",
    "3 1 5": "3 1 5",
    "BRIBE 2 peasants (a * b * c)": "BRIBE 2 peasants (a * b * c)",
    "snake_case_name": "snake_case_name",
    "": "",
    "-": "-",
}


@pytest.mark.parametrize(("line", "text"), BARE.items())
def test_numbering_bullets_and_emphasis_fall_away_and_nothing_else(line: str, text: str) -> None:
    assert bare(line) == text
    assert bare(bare(line)) == text


PARTS = {
    "PASS; PASS": ("PASS", "PASS"),
    "kill baron;pass;": ("kill baron", "pass"),
    "1. KILL baron; 2. PASS": ("KILL baron", "PASS"),
    "KILL baron (now; at once); PASS": ("KILL baron (now; at once)", "PASS"),
    "PASS # wait; PASS": ("PASS # wait; PASS",),
    "PASS; GAMES": ("PASS", "GAMES"),
    # what follows is no order: it belongs to the order before it, which then cannot be read
    "BRIBE peasant; a peasant": ("BRIBE peasant; a peasant",),
    "PASS; thanks for the game": ("PASS; thanks for the game",),
    # a misspelt order is an order of its own, and stops what stands behind it
    "KILL baron; PASSS; PASS": ("KILL baron", "PASSS", "PASS"),
    # prose is never parted
    "I would say; pass": ("I would say; pass",),
    # any words may stand in these
    "PHRASE red; pass; blue": ("PHRASE red; pass; blue",),
    "ACT AS Anna: PASS; PASS": ("ACT AS Anna: PASS; PASS",),
    "PASS" + "; PASS" * 10: ("PASS" + "; PASS" * 10,),
    "; PASS": ("; PASS",),
}


@pytest.mark.parametrize(("line", "texts"), PARTS.items())
def test_a_line_is_parted_only_between_orders(line: str, texts: tuple[str, ...]) -> None:
    assert parts(line, VERBS) == texts


def test_orders_on_one_line_have_its_number_and_only_the_last_may_go_on() -> None:
    found = pieces(("Hello", "KILL baron; PASS", "PASS"), VERBS, {1})
    assert [(piece.n, piece.text, piece.open) for piece in found] == [
        (1, "Hello", False),
        (2, "KILL baron", False),
        (2, "PASS", True),
        (3, "PASS", False),
    ]


PIECES = st.sampled_from(
    ["pass", "kill baron", "hello", ";", "; ", "(", ")", "#", "1. ", "*", "- ", '"', "phrase ", " "]
)


@given(st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=60))
def test_whatever_stands_on_a_line_is_parted_into_what_is_no_further_parted(line: str) -> None:
    found = parts(line, VERBS)
    assert found
    assert [text for text in found[1:] if looks(text, VERBS).kind is Kind.PROSE] == []


LOOKS = {
    "PASS": Kind.ORDER,
    "pass.": Kind.ORDER,
    "PASS!": Kind.ORDER,
    "Kill: baron": Kind.ORDER,
    "LODGE3": Kind.ORDER,
    "PÁSS": Kind.ORDER,
    "passing by": Kind.PROSE,
    "pass-through": Kind.PROSE,
    "GAMES": Kind.COMMAND,
    "Timezone Mars": Kind.COMMAND,
    "MAILS often": Kind.COMMAND,
    "Start whenever you like, I am at home the whole evening": Kind.PROSE,
    "KIL baron": Kind.MISSPELT,
    "BURRY baron": Kind.MISSPELT,
    "GAMEZ": Kind.MISSPELT,
    "Thanks, that was fun!": Kind.PROSE,
    "Hallo zusammen": Kind.PROSE,
    "我跳过": Kind.PROSE,
    "": Kind.PROSE,
}


@pytest.mark.parametrize(("line", "kind"), LOOKS.items())
def test_a_line_looks_like_what_its_first_word_is(line: str, kind: Kind) -> None:
    assert looks(line, VERBS).kind is kind


def test_a_command_in_the_wrong_form_knows_its_usage_and_does_nothing() -> None:
    seen = looks("MAILS often", VERBS)
    assert (seen.command, seen.usage) == (None, "MAILS ALL, MAILS TURN or MAILS DAILY")


@pytest.mark.parametrize("word", sorted(WORDS))
def test_a_word_of_the_host_is_never_taken_for_an_order(word: str) -> None:
    assert not is_order(word, VERBS)


def test_every_command_in_a_mail_is_found_before_it_is_decided() -> None:
    found = commands(("1. *GAMES*", "hello", "PASS; JOIN inn-7; plan", "PHRASE a; b"))
    assert found == [Games(), Join("inn-7", ""), ShowPlan(), AddPhrase("a; b")]


# --- through the desk ---


def said(lines: tuple[Line, ...]) -> list[tuple[int, str, str]]:
    return [(line.n, line.text, line.said.value) for line in lines]


def test_two_orders_on_one_line_are_done_and_planned_under_its_number() -> None:
    sitting = Sitting.at_night()
    verdict = sitting.seat(1, "Hello all", "1. *PASS*; 2. pass cash 10;")
    assert said(verdict.lines) == [(2, "PASS", "done"), (2, "pass cash 10", "planned")]
    assert [plan.text for plan in sitting.table.plans] == ["pass cash 10"]


def test_an_order_on_a_line_that_cannot_be_read_stops_those_behind_it() -> None:
    sitting = Sitting.at_night()
    verdict = sitting.seat(1, "KIL baron; PASS", "PASS")
    assert said(verdict.lines) == [(1, "KIL baron", "unread"), (1, "PASS", "untried"), (2, "PASS", "untried")]
    assert verdict.lines[0].near == ("KILL baron",)
    assert [decision.seat for decision in sitting.table.waiting] == [1]


def test_a_line_broken_in_two_behind_a_semicolon_is_put_together() -> None:
    sitting = Sitting.at_night()
    mail = Mail(
        lines=("BRIBE mechanic IN 1 WITH peasant; PASS", "CASH 10"),
        open_ends=frozenset({0}),
        received_at=datetime(2026, 12, 1, tzinfo=UTC),
    )
    decided = decide(sitting.known(sitting.party(1)), mail)
    assert decided.verdict is not None
    assert [line.reading for line in decided.verdict.lines] == ["BRIBE mechanic IN 1 WITH peasant", "PASS"]


TOLERATED = """\
bribe the mechanic in room 1 with a peasant
- Bribe the Mechanic in 1, with one of my peasants.
1. BRIBE MECHANIC IN 1 WITH PEASANT
* *BRIBE* mechanic *IN* 1 *WITH* peasant
*BRIBE mechanic IN 1 WITH peasant*
BRIBE m\u00e9chanic IN 1 WITH peasant!
BRIBE: mechanic in 1 with peasant
Bribe mechanic from room 1 using a peasant (as you say)
BRIBE mechanics in 1 with 1 peasant # cheap
bribe mech in 1 with peasant
recruit the mechanic in 1 with a peasant
\u201cBRIBE mechanic IN 1 WITH peasant\u201d
BRIBE\u00a0mechanic IN\u200b \uff11 WITH peasant
""".splitlines()


@pytest.mark.parametrize("line", TOLERATED)
def test_an_order_is_read_in_every_form_that_people_give_it(line: str) -> None:
    sitting = Sitting.at_night()
    verdict = sitting.seat(1, normalised(line))
    assert [(found.said.value, found.reading) for found in verdict.lines] == [
        ("done", "BRIBE mechanic IN 1 WITH peasant")
    ]


SLIPS = {
    "BRIBE mechannic IN 1 WITH peasant": ("card", ("mechanic",)),
    "BRIBE mechanic IN 1 WITH peasent": ("card", ("peasant",)),
    "BRIBBE mechanic IN 1 WITH peasant": (Reason.UNKNOWN, ("BRIBE mechanic IN 1 WITH peasant",)),
    "BRIBE mechanic IN one WITH peasant": ("number", ()),
    "BRIBE mechanic WITH peasant": (Reason.AMBIGUOUS, None),
    "BRIBE mechanic IN 1 WITH peasant please": ("card", ("peasant",)),
    "PASS?": ("verb", ("pass",)),
}


@pytest.mark.parametrize(("line", "fault"), SLIPS.items())
def test_a_slip_names_its_line_its_reason_and_what_may_be_meant_and_does_nothing(
    line: str, fault: tuple[str, tuple[str, ...] | None]
) -> None:
    sitting = Sitting.at_night()
    before = sitting.table
    verdict = sitting.seat(1, "Good evening!", line, "PASS")
    assert said(verdict.lines) == [(2, line, "unread"), (3, "PASS", "untried")]
    assert verdict.lines[0].reason == fault[0]
    if fault[1] is not None:
        assert verdict.lines[0].near == fault[1]
    assert sitting.table == before


PROSE = """\
Hi all, sorry for the delay!
I think I will pass this time.
We should kill the baron, no?
Danke, ich passe.
Je passe mon tour; \u00e0 demain.
\u6211\u9009\u62e9\u8df3\u8fc7
:-)
Anna
""".splitlines()


@pytest.mark.parametrize("line", PROSE)
def test_prose_is_answered_and_never_runs(line: str) -> None:
    sitting = Sitting.at_night()
    before = sitting.table
    verdict = sitting.seat(1, line)
    assert (verdict.lines, verdict.reason, verdict.prose) == ((), Reason.PROSE, (line,))
    assert sitting.table == before
