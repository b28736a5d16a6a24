"""What an order says to somebody who sees no position."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bloody_inn import GAME
from engine.bloody_inn.notation import read, verbs, write
from engine.bloody_inn.outline import outline
from engine.bloody_inn.reasons import Fault
from engine.game import Ambiguous, Unreadable
from tests.engine.bloody_inn.test_notation import NIGHT, READ, WORDS

OUTLINED = {
    "lodge3 1, 5": "LODGE 3 1 5",
    "lodge anywhere": "LODGE ANY",
    "lodge the Brigadier Chief in room 3": "LODGE 3",
    "bribe a landscaper with my peasant & novice": "BRIBE landscaper WITH novice, peasant",
    "BRIBE PEASANTS": "BRIBE peasants",
    "kill 2 barons": "KILL 2 barons",
    "KILL baron, novice IN 2 WITH major": "KILL baron, novice IN 2 WITH major",
    "KILL rooms 3 and 5": "KILL ROOM 3, 5",
    "murder the brig chief": "KILL brigadier chief",
    "Build the workshop": "BUILD mechanic",
    "BUILD concierge WITH novice, abbot ROOM 5": "BUILD concierge ROOM 5 WITH abbot, novice",
    "BURY viscount": "BURY viscount",
    "BURY count UNDER Tom and Jerry's cellar WITH abbot": "BURY count UNDER tom and jerry's cellar WITH abbot",
    "bury a baron under my barn, count under the cellar of Bob": "BURY baron UNDER barn, count UNDER bob's cellar",
    "BURY baron UNDER barn WITH nothing": "BURY baron UNDER barn",
    "pass and launder 20F": "PASS LAUNDER 20",
    "PASS": "PASS",
    "PAY CHECKS": "PAY CHECKS",
    "pay a cheque": "PAY 1 CHECK",
    "PAY 2 CHECKS (all I have)": "PAY 2 CHECKS",
    "pay in cash": "PAY CASH",
    "DISMISS 2 peasants, novice": "DISMISS 2 peasants, novice",
}


@pytest.mark.parametrize(("line", "understood"), OUTLINED.items())
def test_what_can_be_understood_is_written_in_canonical_words(line: str, understood: str) -> None:
    assert outline(line) == understood


@pytest.mark.parametrize("line", OUTLINED.values())
def test_an_outline_says_of_itself_the_same_again(line: str) -> None:
    assert outline(line) == line


FAULTS = {
    "kil baron": Fault.VERB,
    "KILL brigadeer": Fault.CARD,
    "BURY novice UNDER Anna's celler": Fault.ANNEX,
    "LODGE": Fault.ROOM_MISSING,
    "KILL": Fault.TARGET_MISSING,
    "KILL 2": Fault.NUMBER,
    "KILL monk UNDER barn": Fault.NOT_HERE,
    "KILL monk WITH major WITH novice": Fault.REPEATED,
    "PASS me the salt": Fault.REST,
    "BURY novice UNDER": Fault.REST,
}


@pytest.mark.parametrize(("line", "fault"), FAULTS.items())
def test_what_no_position_could_mend_is_a_fault(line: str, fault: Fault) -> None:
    with pytest.raises(Unreadable) as caught:
        outline(line)
    assert caught.value.reason is fault


@pytest.mark.parametrize("line", READ)
def test_whatever_reads_in_a_position_has_an_outline(line: str) -> None:
    assert outline(line).split()[0] == write(read(line, NIGHT), NIGHT).split()[0]


@given(st.sampled_from(verbs()), st.lists(st.sampled_from(WORDS), max_size=10))
@settings(max_examples=300, deadline=None)
def test_an_outline_never_refuses_what_a_position_reads(verb: str, words: list[str]) -> None:
    text = " ".join((verb, *words))
    try:
        read(text, NIGHT)
    except (Unreadable, Ambiguous):
        with suppress(Unreadable):
            outline(text)
        return
    assert outline(text)


def test_a_host_finds_it_among_the_capabilities() -> None:
    assert GAME.capabilities["outline"]("pass!", "en") == "PASS"
