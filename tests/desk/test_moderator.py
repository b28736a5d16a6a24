"""A moderator can override anything, openly."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.record import By, Move, Override, Verb
from pbem.desk import decide
from pbem.draft import Mail
from pbem.parties import Party, Role, moderator_party
from pbem.settle import Announced
from pbem.table import Person, Remark, Status
from pbem.verdicts import Reason, Said
from tests.desk.sitting import ANNA, BOB, MODI, Sitting

DORA = Person(7, "Dora", "dora@example.org")


def test_an_order_for_a_seat_stands_in_the_record_as_the_moderators() -> None:
    sitting = Sitting.at_night()
    sitting.moderator("ACT AS Anna: PASS")
    moves = [entry.what for entry in sitting.entries if isinstance(entry.what, Move)]
    assert (moves[-1].seat, moves[-1].by) == (1, By.MODERATOR)
    assert [decision.seat for decision in sitting.table.waiting] == [2]


def test_a_moderator_who_plays_may_give_his_own_orders_in_answer_to_either_mail() -> None:
    sitting = Sitting.at_night()
    sitting.table = replace(sitting.table, moderator=ANNA)
    verdict = sitting.send(Party(Role.MODERATOR, ANNA.address, ANNA, "inn-7"), ["PASS"])
    assert verdict.lines[0].said is Said.DONE
    assert [party.role for party in sitting.answers] == [Role.SEAT], "and a mail of his seat answers"


def test_a_moderator_who_does_not_play_has_no_orders_of_his_own() -> None:
    assert Sitting.at_night().moderator("PASS").lines[0].reason == Reason.NOT_PLAYING


def test_acting_for_a_seat_that_is_not_awaited_is_refused() -> None:
    verdict = Sitting.at_night().moderator("ACT AS Bob: PASS")
    assert (verdict.lines[0].said, verdict.lines[0].reason) == (Said.REFUSED, Reason.NOT_AWAITED)


def test_a_refused_order_for_a_seat_does_not_show_its_hand() -> None:
    orders = ["BRIBE 2 peasants", "DISMISS peasant", "LODGE 1"]
    for order in orders:
        sitting = Sitting.at_night()
        verdict = sitting.moderator(f"ACT AS Anna: {order}")
        assert verdict.lines[0].reason == Reason.ACT_REFUSED
        assert (verdict.lines[0].facts, verdict.lines[0].near) == ({"name": "Anna", "why": ""}, ())
        assert [(notice.kind, notice.to.seat) for notice in sitting.notices] == [("tried", 1)]


@pytest.mark.parametrize("line", ["PAUSE", "RESUME", "END", "ROLLBACK 1", "ACT AS Bob: PASS", "REPLACE Bob e@x.org"])
def test_a_seat_may_not_moderate(line: str) -> None:
    sitting = Sitting.at_night()
    before = sitting.table
    assert sitting.seat(1, line).lines[0].reason == Reason.NOT_MODERATOR
    assert sitting.table == before


def test_a_rollback_takes_back_a_move_with_all_that_followed_and_clears_plans() -> None:
    sitting = Sitting.at_night()
    before = sitting.table.running.state
    sitting.seat(2, "PASS")
    sitting.seat(1, "PASS")
    sitting.release()
    sitting.moderator("ROLLBACK 2")
    assert sitting.table.running.state == before
    assert sitting.table.plans == ()
    assert sitting.entries[-1].what == Override(Verb.ROLLBACK, to=len(sitting.entries) - 3)


def test_a_rollback_before_the_first_move_is_refused() -> None:
    verdict = Sitting.started().moderator("ROLLBACK 1")
    assert verdict.lines[0].reason == Reason.NOTHING_TO_ROLL_BACK


def test_a_second_rollback_counts_only_moves_that_still_stand() -> None:
    sitting = Sitting.at_night()
    sitting.seat(1, "PASS")
    sitting.moderator("ROLLBACK 1")
    sitting.moderator("ROLLBACK 1")
    assert [decision.kind for decision in sitting.table.waiting] == ["lodge"]


def test_an_answer_to_a_mail_from_before_a_rollback_has_passed() -> None:
    from tests.desk.sitting import reference

    sitting = Sitting.at_night()
    asked = next(telling for telling in sitting.settle() if telling.to.seat == 1)
    n = sitting.table.running.n
    sitting.seat(1, "PASS")
    sitting.moderator("ROLLBACK 1")
    assert sitting.seat(1, "PASS", reference=reference(asked, n)).reason == Reason.PASSED


def test_a_paused_game_waits_for_nobody_and_keeps_orders_for_later() -> None:
    sitting = Sitting.at_night()
    sitting.moderator("PAUSE")
    assert sitting.table.waiting == ()
    assert sitting.seat(1, "PASS").lines[0].said is Said.PLANNED
    sitting.moderator("RESUME")
    assert [line.said for line in sitting.release()] == [Said.DONE]


def test_pausing_twice_is_refused() -> None:
    sitting = Sitting.at_night()
    assert [line.reason for line in sitting.moderator("PAUSE", "PAUSE").lines] == ["", Reason.PAUSED]


def test_a_replaced_player_loses_plans_and_token_at_once() -> None:
    sitting = Sitting.at_night()
    sitting.seat(2, "PASS")
    epoch = sitting.table.chair(2).epoch
    sitting.moderator("REPLACE Bob dora@elsewhere.org")
    chair = sitting.table.chair(2)
    assert (chair.person, chair.epoch > epoch, sitting.table.plans) == (None, True, ())
    assert [(n.kind, n.to.address) for n in sitting.notices] == [
        ("unseated", BOB.address),
        ("seat-offered", "dora@elsewhere.org"),
    ]


def test_a_registered_replacement_is_asked_first() -> None:
    sitting = Sitting.at_night()
    known = sitting.known
    sitting.known = lambda *a, **k: known(*a, **(k | {"others": {DORA.address: DORA}}))  # type: ignore[method-assign]
    sitting.moderator(f"REPLACE Bob {DORA.address}")
    assert sitting.table.chair(2).person is None
    assert ("seat-offered", Role.INVITED) in [(notice.kind, notice.to.role) for notice in sitting.notices]


def test_a_replacement_whom_the_keeper_names_sits_down_at_once_and_gets_the_state() -> None:
    sitting = Sitting.at_night()
    sitting.settle()
    known = sitting.known(moderator_party(sitting.table), keeper=True, others={DORA.address: DORA})
    sitting.write(decide(known, Mail(lines=(f"REPLACE Bob {DORA.address}",), received_at=sitting.now)))
    assert sitting.table.chair(2).person == DORA
    mails = {telling.to.address: telling for telling in sitting.settle()}
    assert mails[DORA.address].state
    assert BOB.address in mails
    assert not mails[BOB.address].state


def test_an_override_is_told_to_every_seat() -> None:
    sitting = Sitting.at_night()
    sitting.settle()
    sitting.moderator("PAUSE")
    told = [telling for telling in sitting.settle() if telling.to.seat]
    assert [telling.to.seat for telling in told] == [1, 2, 3]
    assert all(Announced(Override(Verb.PAUSE), Remark(MODI.id, "Modi")) in telling.news for telling in told)


def test_an_ended_game_is_over_for_everybody() -> None:
    sitting = Sitting.at_night()
    sitting.moderator("END")
    assert sitting.table.status is Status.ENDED
    assert all(telling.final for telling in sitting.settle() if telling.to.seat)
    assert sitting.seat(1, "PASS").lines[0].reason == Reason.NOT_RUNNING


def test_a_game_that_ends_with_a_result_is_over_and_not_given_up() -> None:
    sitting = Sitting.at_night()
    sitting.moderator("END WITH RESULT because the train arrives")
    assert sitting.table.status is Status.OVER
    assert all(telling.final for telling in sitting.settle() if telling.to.seat)


def test_a_failing_line_stops_a_moderators_mail_and_keeps_what_was_done() -> None:
    sitting = Sitting.at_night()
    verdict = sitting.moderator("ACT AS Anna: PASS", "ACT AS Nobody: PASS", "END")
    assert [line.said for line in verdict.lines] == [Said.DONE, Said.REFUSED, Said.UNTRIED]
    assert sitting.table.status is Status.RUNNING
