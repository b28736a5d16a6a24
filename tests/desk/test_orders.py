"""An order belongs to the decision it answers; a mail is a fold that stops at the first bad line."""

from __future__ import annotations

import pytest

from pbem.verdicts import Reason, Said
from tests.desk.sitting import Sitting, reference


def said(verdict_lines: object) -> list[str]:
    return [line.said.value for line in verdict_lines]  # type: ignore[attr-defined]


def test_the_first_line_is_done_and_the_next_is_a_plan_for_the_second_action() -> None:
    sitting = Sitting.at_night()
    verdict = sitting.seat(1, "PASS", "PASS")
    assert said(verdict.lines) == ["done", "planned"]
    assert [line.decision for line in verdict.lines] == ["1/night/1/1", "1/night/1/2"]
    assert [plan.decision for plan in sitting.table.plans] == ["1/night/1/2"]


def test_a_plan_runs_when_its_turn_comes_and_not_before() -> None:
    sitting = Sitting.at_night()
    sitting.seat(1, "PASS", "PASS")
    assert sitting.release() == []
    sitting.seat(2, "PASS")
    sitting.seat(3, "PASS")
    assert said(sitting.release()) == ["done"]
    assert [decision.seat for decision in sitting.table.waiting] == [2]


def test_lines_sent_before_ones_turn_wait_for_it() -> None:
    sitting = Sitting.at_night()
    assert said(sitting.seat(3, "PASS", "PASS").lines) == ["planned", "planned"]
    assert [decision.seat for decision in sitting.table.waiting] == [1]


def test_a_line_that_cannot_be_read_stops_the_mail_and_the_rest_is_not_tried() -> None:
    sitting = Sitting.at_night()
    verdict = sitting.seat(1, "KILL barn", "PASS")
    assert said(verdict.lines) == ["unread", "untried"]
    assert sitting.table.plans == ()
    assert [decision.seat for decision in sitting.table.waiting] == [1]


def test_a_refused_line_stops_the_mail_names_the_rule_and_offers_what_works() -> None:
    sitting = Sitting.at_night()
    verdict = sitting.seat(1, "BRIBE 2 peasants", "PASS")
    assert said(verdict.lines) == ["refused", "untried"]
    assert verdict.lines[0].reason == "bistro-short"
    assert verdict.lines[0].near != ()


def test_prose_never_stops_a_mail() -> None:
    sitting = Sitting.at_night()
    verdict = sitting.seat(1, "Hello everybody, what a night it was!", "PASS")
    assert said(verdict.lines) == ["done"]
    assert verdict.prose == ("Hello everybody, what a night it was!",)


@pytest.mark.parametrize("line", ["PAS", "KIL baron", "BURRY baron", "BRIIBE baron with peasant"])
def test_a_misspelt_verb_is_a_fault_with_a_guess_and_never_an_effect(line: str) -> None:
    sitting = Sitting.at_night()
    before = sitting.table.running
    verdict = sitting.seat(1, line)
    assert said(verdict.lines) == ["unread"]
    assert verdict.lines[0].near != ()
    assert sitting.table.running == before


def test_an_answer_to_a_decision_that_has_passed_changes_nothing_and_brings_the_newest_state() -> None:
    sitting = Sitting.at_night()
    asked = next(telling for telling in sitting.settle() if telling.to.seat == 1)
    sitting.seat(1, "PASS")
    before = sitting.table
    for order, reason in (("PASS CASH 10", Reason.PASSED), ("pass.", Reason.REPEATED)):
        verdict = sitting.seat(1, order, reference=reference(asked, before.running.n))
        assert (verdict.reason, verdict.state, verdict.lines) == (reason, True, ())
    assert sitting.table.running == before.running


def test_a_question_in_answer_to_an_old_mail_is_still_answered() -> None:
    sitting = Sitting.at_night()
    asked = next(telling for telling in sitting.settle() if telling.to.seat == 1)
    sitting.seat(1, "PASS")
    verdict = sitting.seat(1, "STATUS", reference=reference(asked, sitting.table.running.n))
    assert [line.said for line in verdict.lines] == [Said.ANSWERED]


def test_a_new_plan_for_the_same_action_replaces_the_old_one_and_says_so() -> None:
    sitting = Sitting.at_night()
    sitting.seat(2, "PASS")
    verdict = sitting.seat(2, "PASS CASH 10")
    assert verdict.lines[0].facts == {"replaces": "PASS"}
    assert [plan.text for plan in sitting.table.plans] == ["PASS CASH 10"]


def test_a_plan_that_is_refused_takes_the_rest_of_its_mail_with_it() -> None:
    sitting = Sitting.at_night()
    sitting.seat(2, "BRIBE 2 peasants", "PASS")
    sitting.seat(1, "PASS")
    assert said(sitting.release()) == ["refused", "untried"]
    assert sitting.table.plans == ()
    assert [decision.seat for decision in sitting.table.waiting] == [2]


def test_an_order_of_a_kind_that_is_no_more_to_come_this_round_is_refused() -> None:
    sitting = Sitting.at_night()
    verdict = sitting.seat(2, "LODGE 3")
    assert (verdict.lines[0].said, verdict.lines[0].reason) == (Said.REFUSED, Reason.NOT_AHEAD)


def test_plans_are_listed_and_withdrawn() -> None:
    sitting = Sitting.at_night()
    sitting.seat(2, "PASS", "PASS")
    assert sitting.seat(2, "PLAN").lines[0].facts["lines"] == ["PASS", "PASS"]
    sitting.seat(2, "CANCEL PLAN")
    assert sitting.table.plans == ()


def test_a_remark_does_not_hinder_an_order() -> None:
    sitting = Sitting.at_night()
    assert said(sitting.seat(1, "pass   (nothing to do)").lines) == ["done"]
