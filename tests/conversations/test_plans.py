"""Plans as players mail them: alternatives, conditions, what is settled beforehand, and what the answers say."""

from __future__ import annotations

import pytest

from engine.bloody_inn.examples import examples
from tests.conversations.transcript import code_for, play
from tests.conversations.world import World


def test_a_plan_with_alternatives_costs_one_mail(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> BRIBE 2 PEASANTS ELSE BRIBE newsboy / IF ANNA PASSED PASS CASH 10 ELSE WAIT
        bob < Re: [inn-1] Round 1, night: planned - you are not awaited
            PLANNED BRIBE 2 PEASANTS ELSE BRIBE newsboy
            If it ran now
            PLANNED IF ANNA PASSED PASS CASH 10 ELSE WAIT
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
        bob < [inn-1] Round 1, night: done - you are not awaited
            DONE BRIBE 2 PEASANTS ELSE BRIBE newsboy
            Read as BRIBE newsboy
        chen < [inn-1] Round 1, night: your 1st action - by Thu 12:00
        chen >> PASS / PASS
        chen < Re: [inn-1] Round 1, night: done - you are not awaited
        anna < [inn-1] Round 1, night: your 2nd action - by Thu 12:00
        """,
    )


def test_where_nothing_is_possible_the_player_is_asked_and_told_why(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> BRIBE 2 PEASANTS ELSE PASS LAUNDER 90 / PASS
        bob < Re: [inn-1] Round 1, night: planned - you are not awaited
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
        bob < [inn-1] Round 1, night: not done - your 1st action - by Thu 12:00
            BRIBE 2 PEASANTS:
            PASS LAUNDER 90:
            No alternative of this line is possible
            NOT TRIED PASS
        """,
    )


def test_plans_are_listed_tried_and_withdrawn(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> ALWAYS PAY CHECKS / PASS / EVERY ROUND: / PASS CASH 10 / PLAN / CANCEL 1 / TRY PASS CASH 10
        bob < Re: [inn-1] Round 1, night: done - you are not awaited
            Settled: PAY CHECKS
            Kept for every round
            1. PASS 2. EVERY ROUND: PASS CASH 10 3. ALWAYS PAY CHECKS
            Put away: PASS.
            If it ran now
        """,
    )


def test_what_was_settled_before_the_start_is_not_asked(signed_up: World) -> None:
    play(
        signed_up,
        """
        anna >> ALWAYS LODGE ANY
        anna < Re: [inn-1] done
            Settled: LODGE ANY
        modi >> START
        ... <
        """,
    )
    assert signed_up.table().running.state.phase == "night"
    assert signed_up.last("anna").subject.startswith("[inn-1] Round 1, night: your 1st action")


@pytest.mark.parametrize("line", examples()["plans"])
def test_each_plan_that_help_shows_can_be_copied_in_a_first_night(at_night: World, line: str) -> None:
    at_night.answer("bob", "HELP plans")
    assert f"  {line}" in at_night.tick()[0].lines.splitlines()
    at_night.answer("bob", line)
    (planned,) = at_night.tick()
    assert f"PLANNED {line}" in planned.text
    at_night.answer("anna", "PASS")
    at_night.tick()
    released = at_night.last("bob").text
    assert f"DONE {line}" in released or f"LAPSED {line}" in released


def test_a_failing_plan_keeps_nothing_of_the_mail_that_released_it(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> BRIBE 2 PEASANTS
        ... <
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
            DONE PASS
        bob < [inn-1] Round 1, night: not done - your 1st action - by Thu 12:00
            NOT DONE BRIBE 2 PEASANTS
        """,
    )


def test_plans_of_a_seat_that_is_given_up_or_given_away_are_gone(at_night: World) -> None:
    at_night.answer("bob", "PASS", "EVERY ROUND: PASS", "ALWAYS LODGE ANY")
    at_night.answer("chen", "PASS")
    at_night.tick()
    modis = next(mail for mail in reversed(at_night.mails) if mail.to == "modi")
    at_night.answer("modi", "REPLACE Bob dora@elsewhere.org", to=modis)
    at_night.tick()
    assert [plan.seat for plan in at_night.table().plans] == [3]
    play(at_night, "chen >> RESIGN\n... <\n")
    at_night.answer("chen", code_for(at_night, "chen", "RESIGN"))
    at_night.tick()
    assert at_night.table().plans == ()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("KILL major ELSE", "ELSE needs an order on both sides"),
        ("PASS ELSE IF POLICE", "IF needs a condition and then an order"),
        ("IF POLICE AND CASH >= 1 OR HAND PASS", "can be taken in two ways"),
        ("PASS UNTIL CASH >= 10 ELSE PASS", "UNTIL stands behind a single order"),
        ("ROUND 99: LODGE 1 ELSE PASS", "have to answer the same question"),
        ("CANCEL 7", "There is no line 7"),
        ("ALWAYS EAT", ""),
        ("TRY EAT", ""),
    ],
)
def test_what_is_no_plan_is_refused_with_what_to_write(at_night: World, line: str, why: str) -> None:
    at_night.answer("bob", line)
    (told,) = at_night.tick()
    assert why in told.text
    assert "NOT" in told.text
    assert at_night.table().plans == ()


def test_a_pass_releases_so_many_plans_and_the_next_one_goes_on(
    at_night: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bob", "chen"):
        at_night.answer(name, "PASS", "PASS CASH 10")
    at_night.tick()
    monkeypatch.setattr("pbem.labor.MOST_RELEASED", 1)
    at_night.answer("anna", "PASS")
    before = at_night.table().running.n
    assert at_night.tick() == []
    first = at_night.table().running.n
    assert first == before + 2
    monkeypatch.undo()
    sent = at_night.tick()
    assert at_night.table().running.n > first
    assert len({mail.to for mail in sent}) == len(sent)
    assert "anna" in {mail.to for mail in sent}


def test_examples_are_lines_to_copy(at_night: World) -> None:
    at_night.answer("bob", "EXAMPLES")
    lines = at_night.tick()[0].lines.splitlines()
    for shown in examples().values():
        assert not shown or any(line in " ".join(lines) for line in shown)
    assert "  BRIBE 2 PEASANTS" in lines
    assert "  ALWAYS PAY CHECKS" in lines
