"""Alternatives, conditions, later rounds, standing choices: nothing is guessed, and what is settled is never asked."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from engine.bloody_inn.show import show
from pbem.desk import decide
from pbem.draft import Mail
from pbem.orders import ordered
from pbem.plans.syntax import Unclear, is_plan, parse
from pbem.verdicts import Line, Reason, Said
from tests.desk.sitting import Sitting, open_table

VERBS = open_table().game.verbs()


def said(lines: tuple[Line, ...] | list[Line]) -> list[str]:
    return [line.said.value for line in lines]


def asked(sitting: Sitting) -> list[int]:
    """The seats that wait, once everything has run that runs by itself."""
    sitting.release()
    return [decision.seat for decision in sitting.table.waiting]


def passes(sitting: Sitting, *seats: int) -> None:
    for seat in seats:
        sitting.seat(seat, "PASS")


PROSE = (
    "If you like, we can play tomorrow",
    "if I pass he will kill the baron, I am sure",
    "Wait for me, please",
    "Round 7 was great",
    "Every round I lose",
    "If only",
    "Always a pleasure to be killed by you",
    "Try to be kind next time",
)


@pytest.mark.parametrize("line", PROSE)
def test_a_sentence_is_no_plan(line: str) -> None:
    sitting = Sitting.at_night()
    verdict = sitting.seat(1, line, "PASS")
    assert said(verdict.lines) == ["done"]
    assert verdict.prose == (line,)


UNCLEAR = {
    "KILL baron ELSE": Reason.ELSE_WITHOUT_ORDER,
    "IF POLICE": Reason.PROSE,
    "IF POLICE AND CASH OR CHECKS PASS": Reason.AND_WITH_OR,
    "IF PASS": Reason.PROSE,
    "PASS UNTIL POLICE ELSE PASS": Reason.UNTIL_UNCLEAR,
    "PASS ELSE PAY CHECKS": Reason.MIXED_KINDS,
    "IF duke PASS": "condition",
    "IF barron IN INN PASS": "card",
    "PASS UNTIL tomorrow": "condition",
    " ELSE ".join(["PASS"] * 13): Reason.PLAN_TOO_LONG,
    "EVERY ROUND: PASS ELSE PAY CHECKS": Reason.MIXED_KINDS,
    "EVERY ROUND: KILL barron": "card",
    "EVERY ROUND: WAIT": Reason.NO_LATER,
}


@pytest.mark.parametrize("line", UNCLEAR)
def test_what_is_put_together_wrongly_is_named_and_has_no_effect(line: str) -> None:
    sitting = Sitting.at_night()
    before = sitting.table
    verdict = sitting.seat(1, line)
    assert (verdict.lines[0].reason if verdict.lines else verdict.reason) == UNCLEAR[line]
    assert (sitting.table.running, sitting.table.plans) == (before.running, before.plans)


def test_remarks_hold_no_alternatives() -> None:
    assert len(parse("PASS (or ELSE KILL baron)", VERBS).ways) == 1
    assert len(parse("PASS # ELSE KILL baron", VERBS).ways) == 1


@pytest.mark.parametrize("line", ["if cash >= 10 then build monk, else pass", "IF CASH >= 10: BUILD monk ELSE PASS"])
def test_small_words_between_condition_and_order_do_not_matter(line: str) -> None:
    first, second = parse(line, VERBS).ways
    assert (first.order.lower(), first.test.terms[0].text.lower(), second.order.lower()) == (
        "build monk", "cash >= 10", "pass",
    )  # fmt: skip


def test_a_line_without_order_is_no_plan() -> None:
    assert not is_plan("IF POLICE", VERBS)
    with pytest.raises(Unclear):
        parse("IF POLICE", VERBS)


# ELSE and IF


def test_the_first_alternative_that_the_rules_allow_is_done_and_the_others_say_why_not() -> None:
    sitting = Sitting.at_night()
    (line,) = sitting.seat(1, "BRIBE 2 peasants ELSE PASS LAUNDER 90 ELSE PASS").lines
    assert (line.said, line.reading) == (Said.DONE, "PASS")
    assert [tried.reason for tried in line.tried] == ["bistro-short", "cash-short"]


def test_where_none_is_allowed_nothing_is_guessed_and_the_mail_stops() -> None:
    sitting = Sitting.at_night()
    first, second = sitting.seat(1, "BRIBE 2 peasants ELSE PASS LAUNDER 90", "PASS").lines
    assert (first.said, first.reason, second.said) == (Said.REFUSED, Reason.NO_WAY, Said.UNTRIED)
    assert first.near != ()
    assert asked(sitting) == [1]


CONDITIONS = {
    "IF POLICE PASS CASH 10 ELSE PASS": "PASS CASH 10",
    "IF NOT POLICE PASS CASH 10 ELSE PASS": "PASS",
    "IF POLICE AND CASH >= 10 PASS CASH 10 ELSE PASS": "PASS",
    "IF POLICE OR CASH >= 10 PASS CASH 10 ELSE PASS": "PASS CASH 10",
    "IF baron IN INN PASS CASH 10 ELSE IF major IN 3 PASS": "PASS",
    "IF BOB KILLED PASS CASH 10 ELSE PASS": "PASS",
}


@pytest.mark.parametrize("line", CONDITIONS)
def test_a_condition_chooses_the_alternative(line: str) -> None:
    sitting = Sitting.at_night()
    (done,) = sitting.seat(1, line).lines
    assert (done.said, done.reading) == (Said.DONE, CONDITIONS[line])


def test_a_plan_chooses_when_its_turn_comes() -> None:
    sitting = Sitting.at_night()
    sitting.seat(2, "IF ANNA PASSED PASS CASH 10 ELSE PASS")
    sitting.seat(1, "PASS")
    (line,) = sitting.release()
    assert (line.said, line.reading) == (Said.DONE, "PASS CASH 10")


def test_a_plan_of_which_nothing_is_possible_leaves_the_decision_to_its_player() -> None:
    sitting = Sitting.at_night()
    sitting.seat(2, "BRIBE 2 peasants ELSE PASS LAUNDER 90", "PASS")
    sitting.seat(1, "PASS")
    failed, untried = sitting.release()
    assert (failed.reason, untried.said) == (Reason.NO_WAY, Said.UNTRIED)
    assert asked(sitting) == [2]
    assert said(sitting.seat(2, "PASS").lines) == ["done"]


def test_wait_asks_and_the_lines_behind_it_keep_their_own_decisions() -> None:
    sitting = Sitting.at_night()
    assert said(sitting.seat(2, "BRIBE 2 peasants ELSE WAIT", "PASS").lines) == ["planned", "planned"]
    sitting.seat(1, "PASS")
    (line,) = sitting.release()
    assert (line.said, line.reason) == (Said.LAPSED, Reason.WAITS)
    assert asked(sitting) == [2]
    passes(sitting, 2, 3, 1)
    assert said(sitting.release()) == ["done"]
    assert asked(sitting) == [3]


def test_a_line_behind_another_is_read_as_it_will_stand_then() -> None:
    sitting = Sitting.at_night()
    first, second = sitting.seat(2, "BRIBE distiller WITH 2 peasants", "BUILD distiller").lines
    assert (first.said, second.said, second.reason) == (Said.PLANNED, Said.PLANNED, "")


# Later rounds


def round_2(sitting: Sitting) -> None:
    """Everybody passes until the next night."""
    for _ in range(40):
        if sitting.table.running.state.round == 2 and sitting.table.waiting[0].phase == "night":
            return
        decision = sitting.table.waiting[0]
        order = "LODGE 1 2 3 4 5 6" if decision.phase == "evening" else "PASS"
        assert sitting.seat(decision.seat, order).lines[0].said is Said.DONE
    raise AssertionError("the night did not come")


def test_a_line_for_a_later_round_runs_in_that_round() -> None:
    sitting = Sitting.at_night()
    lines = sitting.seat(2, "ROUND 2:", "PASS CASH 10", "PASS", "THIS ROUND: PASS").lines
    assert said(lines) == ["planned", "planned", "planned"]
    assert [line.decision for line in lines] == ["2:act/1", "2:act/2", "1/night/2/1"]
    round_2(sitting)
    passes(sitting, *([sitting.table.waiting[0].seat] if sitting.table.waiting[0].seat != 2 else []))
    done = sitting.release()
    assert done[0].reading == "PASS CASH 10"


def test_a_line_for_a_round_that_is_over_is_refused() -> None:
    sitting = Sitting.at_night()
    round_2(sitting)
    assert sitting.seat(2, "ROUND 1: PASS").lines[0].reason == Reason.ROUND_PAST


def test_a_line_for_every_round_stays_and_a_closer_one_goes_first() -> None:
    sitting = Sitting.at_night()
    sitting.seat(2, "EVERY ROUND: PASS", "THIS ROUND: PASS CASH 10")
    sitting.seat(1, "PASS")
    assert [line.reading for line in sitting.release()] == ["PASS CASH 10"]
    round_2(sitting)
    assert [plan.decision for plan in sitting.table.plans] == ["*:act/1"]


def test_a_line_for_every_round_that_is_not_possible_is_asked_once_and_tried_again_next_round() -> None:
    sitting = Sitting.at_night()
    sitting.seat(2, "EVERY ROUND: BRIBE 2 peasants")
    sitting.seat(1, "PASS")
    assert said(sitting.release()) == ["refused"]
    assert sitting.release() == []
    assert asked(sitting) == [2]
    sitting.seat(2, "PASS")
    assert [plan.decision for plan in sitting.table.plans] == ["*:act/1"]


def test_pass_until_passes_again_and_again_and_then_asks() -> None:
    sitting = Sitting.at_night()
    sitting.seat(2, "PASS UNTIL ANNA KILLED OR CASH >= 30")
    sitting.seat(1, "PASS")
    assert said(sitting.release()) == ["done"]
    passes(sitting, 3)
    sitting.seat(1, "KILL mechanic IN 1 WITH peasant")
    (line,) = sitting.release()
    assert (line.said, line.reason) == (Said.LAPSED, Reason.CAME_ABOUT)
    assert asked(sitting) == [2]
    passes(sitting, 2)
    assert sitting.table.plans == ()


# What is kept


def test_lines_are_numbered_and_withdrawn_one_by_one() -> None:
    sitting = Sitting.at_night()
    sitting.seat(2, "ALWAYS PAY CHECKS", "PASS", "PASS CASH 10", "ROUND 3: PASS")
    (shown,) = sitting.seat(2, "PLAN").lines
    assert shown.facts["lines"] == ["PASS", "PASS CASH 10", "ROUND 3: PASS", "ALWAYS PAY CHECKS"]
    assert sitting.seat(2, "CANCEL 2").lines[0].facts["lines"] == ["PASS CASH 10"]
    assert sitting.seat(2, "CANCEL 9").lines[0].reason == Reason.NO_PLAN
    assert sitting.seat(2, "CANCEL PLAN").lines[0].facts["lines"] == ["PASS", "ROUND 3: PASS"]
    assert sitting.seat(2, "CANCEL ALWAYS").lines[0].facts["lines"] == ["ALWAYS PAY CHECKS"]
    assert sitting.table.plans == ()


def test_nobody_cancels_what_is_anothers() -> None:
    sitting = Sitting.at_night()
    sitting.seat(2, "PASS")
    assert sitting.seat(3, "CANCEL 1").lines[0].reason == Reason.NO_PLAN
    assert [plan.seat for plan in sitting.table.plans] == [2]


def test_plans_and_choices_of_a_replaced_seat_are_gone() -> None:
    sitting = Sitting.at_night()
    sitting.seat(2, "ALWAYS PAY CHECKS", "PASS", "EVERY ROUND: PASS")
    sitting.seat(3, "PASS")
    sitting.moderator("REPLACE Bob modi@example.org")
    assert [plan.seat for plan in sitting.table.plans] == [3]


def test_a_rollback_clears_plans_and_keeps_choices() -> None:
    sitting = Sitting.at_night()
    sitting.seat(2, "ALWAYS PAY CHECKS", "PASS", "EVERY ROUND: PASS")
    sitting.seat(1, "PASS")
    sitting.moderator("ROLLBACK 1")
    assert [plan.decision for plan in sitting.table.plans] == ["always:pay"]


# Standing choices


def test_what_is_settled_is_never_asked() -> None:
    sitting = Sitting.started()
    (line,) = sitting.seat(1, "ALWAYS LODGE ANY").lines
    assert (line.said, line.facts) == (Said.DONE, {"choice": "LODGE ANY"})
    tellings = sitting.settle()
    assert sitting.table.running.state.phase == "night"
    assert [telling.asks for telling in tellings if telling.to.seat] == ["1/night/1/1", "", ""]


def test_a_newer_choice_about_the_same_takes_the_olders_place() -> None:
    sitting = Sitting.at_night()
    sitting.seat(1, "ALWAYS LODGE ANY")
    (line,) = sitting.seat(1, "ALWAYS LODGE 3 1").lines
    assert line.facts == {"choice": "LODGE 3 1", "replaces": "LODGE ANY"}
    assert [plan.text for plan in sitting.table.plans] == ["LODGE 3 1"]


def test_what_cannot_be_settled_is_refused_with_what_can() -> None:
    sitting = Sitting.at_night()
    (line,) = sitting.seat(1, "ALWAYS KILL baron").lines
    assert (line.said, line.reason) == (Said.UNREAD, "choice")
    assert "LODGE ANY" in line.near


def test_a_payment_that_is_left_out_follows_the_choice() -> None:
    sitting = Sitting.at_night()
    sitting.seat(1, "BRIBE mechanic IN 1 WITH peasant")
    passes(sitting, 2, 3)
    assert sitting.seat(1, "KILL representative").lines[0].reason == "payment-unclear"
    done = sitting.seat(1, "ALWAYS RETURNING FIRST", "KILL representative").lines[1]
    assert (done.said, done.reading) == (Said.DONE, "KILL representative WITH peasant")


# Forecast


def test_a_plan_tells_what_it_would_bring_now() -> None:
    sitting = Sitting.at_night()
    first, second = sitting.seat(2, "BRIBE mechanic IN 1 WITH peasant", "BRIBE 2 peasants").lines
    assert first.forecast is not None
    assert [event["type"] for event in first.forecast.events] == ["Bribed"]
    assert second.forecast is not None
    assert second.forecast.reason == "bistro-short"


def test_try_shows_the_outcome_and_does_nothing() -> None:
    sitting = Sitting.at_night()
    before = sitting.table
    (line,) = sitting.seat(1, "TRY IF POLICE PASS CASH 10 ELSE PASS").lines
    assert line.said is Said.ANSWERED
    assert line.forecast is not None
    assert line.forecast.events == ({"type": "Passed", "seat": 1, "launder": 0, "cash": 10},)
    assert (sitting.table.running, sitting.table.plans) == (before.running, before.plans)


def test_try_of_what_the_rules_refuse_tells_why() -> None:
    sitting = Sitting.at_night()
    (line,) = sitting.seat(3, "TRY PASS LAUNDER 90").lines
    assert line.forecast is not None
    assert line.forecast.reason == "cash-short"


def test_what_cannot_be_told_yet_is_said_so() -> None:
    sitting = Sitting.started()
    (line,) = sitting.seat(2, "TRY PASS").lines
    assert (line.forecast, line.reason) == (None, Reason.NOT_FORESEEN)


# Lines on several lines

TOGETHER = (
    ("BRIBE 2 peasants", "ELSE PASS LAUNDER 90", "ELSE PASS CASH 10"),
    ("BRIBE 2 peasants ELSE", "PASS CASH 10"),
    ("IF NOT POLICE", "PASS", "ELSE", "PASS CASH 10"),
    ("- BRIBE 2 peasants", "- else pass cash 10"),
)


@pytest.mark.parametrize("lines", TOGETHER)
def test_alternatives_on_lines_of_their_own_are_one_line(lines: tuple[str, ...]) -> None:
    sitting = Sitting.at_night()
    (done,) = sitting.seat(1, *lines).lines
    assert (done.said, done.reading) == (Said.DONE, "PASS CASH 10")


def test_a_sentence_that_begins_with_else_is_still_prose() -> None:
    sitting = Sitting.at_night()
    verdict = sitting.seat(1, "I must win.", "Else I will cry", "PASS")
    assert (said(verdict.lines), len(verdict.prose)) == (["done"], 2)


def test_a_long_line_that_a_program_has_broken_twice_is_read_whole() -> None:
    sitting = Sitting.at_night()
    lines = ("BRIBE grocer WITH peasant, peasant ELSE PASS LAUNDER", "90 ELSE PASS CASH", "10")
    mail = Mail(lines=lines, open_ends=frozenset({0, 1}), received_at=sitting.now)
    decided = sitting.write(decide(sitting.known(sitting.party(1)), mail))
    assert decided.verdict is not None
    assert [line.reading for line in decided.verdict.lines] == ["PASS CASH 10"]


def test_the_night_to_copy_can_be_sent_as_it_stands() -> None:
    sitting, copied = Sitting.at_night(), 0
    while sitting.table.waiting and sitting.table.running.state.round < 6:
        decision = sitting.table.waiting[0]
        view = sitting.table.view(decision.seat)
        actions = sitting.table.game.suggest(view, 5)
        lines = show()["night"](view, actions) if decision.phase == "night" and decision.ordinal == 1 else ()
        copied += len(lines)
        verdict = sitting.seat(decision.seat, *(lines or (sitting.table.game.write(actions[0], view),)))
        assert set(said(verdict.lines)) <= {"done", "planned"}
        sitting.release()
    assert copied > 20


def test_a_line_is_joined_with_three_more_at_most() -> None:
    sitting = Sitting.at_night()
    lines = ("BRIBE grocer WITH", *("peasant,",) * 30)
    mail = Mail(lines=lines, open_ends=frozenset(range(30)), received_at=sitting.now)
    with patch("pbem.desk.ordered", wraps=ordered) as tried:
        decide(sitting.known(sitting.party(1)), mail)
    assert tried.call_count <= 4


def test_a_seat_keeps_a_hundred_lines_and_replaces_among_them_without_end() -> None:
    sitting = Sitting.at_night()
    for _ in range(2):
        for mail in range(5):
            lines = [f"ROUND {20 * mail + n + 2}: PASS" for n in range(20)]
            assert set(said(sitting.seat(2, *lines).lines)) == {"planned"}
    (refused,) = sitting.seat(2, "ROUND 200: PASS").lines
    assert (refused.said, refused.reason, refused.facts) == (Said.REFUSED, Reason.TOO_MANY_PLANS, {"most": 100})
    assert said(sitting.seat(3, "ROUND 2: PASS").lines) == ["planned"]
