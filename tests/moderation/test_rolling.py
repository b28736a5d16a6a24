"""Back to an earlier position, and forward again."""

from __future__ import annotations

import pytest

from engine.record import Override, Verb
from pbem.verdicts import Reason, Said
from tests.desk.sitting import Sitting


def night_played() -> Sitting:
    """All three have acted once in the first night."""
    sitting = Sitting.at_night()
    for seat in (1, 2, 3):
        sitting.seat(seat, "PASS")
    return sitting


def test_a_rollback_leads_to_where_a_phase_began() -> None:
    sitting = Sitting.at_night()
    began = sitting.table.running.state
    for seat in (1, 2):
        sitting.seat(seat, "PASS")
    verdict = sitting.moderator("ROLLBACK TO 1 night")
    assert verdict.lines[0].facts["moves"] == 2
    assert sitting.table.running.state == began


def test_a_rollback_to_where_the_game_has_not_been_is_refused() -> None:
    sitting = night_played()
    before = sitting.table
    for line in ("ROLLBACK TO 9 night", "ROLLBACK TO 1 siesta"):
        assert sitting.moderator(line).lines[0].reason == Reason.NO_SUCH_PHASE
    assert sitting.table == before


def test_a_rollforward_undoes_a_rollback_until_somebody_moves() -> None:
    sitting = night_played()
    state = sitting.table.running.state
    sitting.moderator("ROLLBACK 2")
    assert sitting.table.running.state != state
    sitting.moderator("ROLLFORWARD")
    assert sitting.table.running.state == state
    assert isinstance(what := sitting.entries[-1].what, Override)
    assert what.verb is Verb.ROLLFORWARD
    assert sitting.moderator("ROLLFORWARD").lines[0].reason == Reason.NOTHING_TO_ROLL_FORWARD


def test_after_a_move_there_is_no_way_forward() -> None:
    sitting = night_played()
    sitting.moderator("ROLLBACK 1")
    sitting.seat(3, "PASS")
    assert sitting.moderator("ROLLFORWARD").lines[0].reason == Reason.NOTHING_TO_ROLL_FORWARD


def test_a_rollback_may_follow_a_move_of_the_same_mail() -> None:
    sitting = Sitting.at_night()
    before = sitting.table.running.state
    lines = sitting.moderator("SKIP Anna", "SKIP Bob", "ROLLBACK 2", "ROLLFORWARD", "ROLLBACK 2").lines
    assert [line.said for line in lines] == [Said.DONE] * 5
    assert sitting.table.running.state == before


def test_a_rollback_says_where_the_game_stood_and_where_it_stands() -> None:
    sitting = Sitting.at_night()
    sitting.moderator("ROLLBACK TO 1 evening")
    remark = sitting.log[-1].remark
    assert remark is not None
    assert remark.facts["before"] == {"round": 1, "phase": "night"}
    assert remark.facts["after"] == {"round": 1, "phase": "evening"}


@pytest.mark.parametrize("line", ["ROLLBACK 2", "ROLLBACK TO 1 evening"])
def test_a_rollback_asks_anew_and_clears_the_plans(line: str) -> None:
    sitting = Sitting.at_night()
    sitting.seat(1, "PASS", "PASS")
    sitting.settle()
    sitting.moderator(line)
    assert sitting.table.plans == ()
    assert [telling.asks != "" for telling in sitting.settle() if telling.to.seat == 1] == [True]
