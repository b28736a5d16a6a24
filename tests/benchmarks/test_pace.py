"""`make pace`: what is counted, and that a few games reach its figures."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.correspondence import Score, played
from benchmarks.others import courses
from benchmarks.pace import LIMITS, everybody, illegal, one_planner, pace, wealth_lost
from benchmarks.planner import ahead, plainly
from engine.bloody_inn.cards import RANK
from pbem.verdicts import Line, Reason, Said, Source
from tests.desk.sitting import Sitting


def score(*wealth: int, mails: int = 0, waits: int = 0, rounds: int = 1, released: tuple[Line, ...] = ()) -> Score:
    return Score(mails, waits, rounds, released, (), wealth)


def test_mails_count_for_each_player_and_waits_for_the_table() -> None:
    assert pace([score(mails=30, waits=12, rounds=10), score(mails=36, waits=14, rounds=10)], 3) == (1.1, 1.3)


def test_the_wealth_of_one_planner_is_compared_deal_by_deal() -> None:
    lucky = [score(40, 100, 100), score(100, 90, 100), score(100, 100, 80)]
    """The first seat has the worst of this deal."""
    plain = [score(100, 100, 100)] * 3
    lost, error = wealth_lost([*lucky, *plain], 3)
    assert (round(lost, 3), round(error, 3)) == (0.15, 0.15)
    assert wealth_lost(plain * 2, 3) == (0, 0)


def test_each_deal_is_played_with_the_planner_at_every_seat() -> None:
    games = one_planner(3, 8)
    planners = [(game.deal, [seat for seat, player in game.players.items() if player is ahead]) for game in games]
    assert planners == [(f"pace {deal}", [seat]) for deal in range(2) for seat in (1, 2, 3)]


def test_a_line_that_fell_back_is_illegal_in_part_and_one_that_failed_wholly() -> None:
    gone = Line(1, "", Said.UNREAD, source=Source.GAME, reason="not-in-inn")
    unmet = Line(1, "", Said.REFUSED, reason=Reason.NOT_SO)
    lines = (
        Line(1, "", Said.DONE),
        Line(1, "", Said.DONE, tried=(unmet,)),
        Line(1, "", Said.DONE, tried=(unmet, gone)),
        Line(1, "", Said.REFUSED, reason=Reason.NO_WAY, tried=(gone,)),
    )
    assert illegal([score(released=lines)]) == {"illegal": 0.25, "illegal_in_part": 0.5, "misread": 0}


def test_a_planner_imagines_the_night_from_his_own_view_alike_each_time() -> None:
    sitting = Sitting.at_night()
    first, last = sitting.table.view(1), sitting.table.view(3)
    assert courses(last) == courses(last)
    assert {course.first.emptied for course in courses(first)} == {0}
    assert len({course.first for course in courses(last)}) > 1
    assert all(course.first.emptied | course.second.emptied == course.second.emptied for course in courses(last))


def test_nobody_is_imagined_to_take_a_guest_whom_he_cannot_pay_for() -> None:
    sitting = Sitting.at_night()
    view = sitting.table.view(3)
    emptied = Counter(room.number for c in courses(view) for room in view.rooms if c.second.emptied >> room.number & 1)
    assert emptied
    hand = view.players[0].hand_size
    assert all(RANK[view.rooms[number - 1].guest] <= hand for number in emptied)


@pytest.mark.slow
@pytest.mark.parametrize("in_step", [True, False])
def test_a_few_games_of_planners_reach_the_figures(in_step: bool) -> None:
    scores = [played(setting) for setting in everybody(3, ahead, 4, in_step=in_step)]
    mails, waits = pace(scores, 3)
    assert mails <= LIMITS["mails"]
    assert waits <= LIMITS["waits_in_step" if in_step else "waits_random"]
    assert illegal(scores)["misread"] == 0
    assert sum(len(each.released) for each in scores) > 100


@pytest.mark.slow
def test_plain_players_write_once_a_decision() -> None:
    mails, waits = pace([played(setting) for setting in everybody(3, plainly, 2, in_step=True)], 3)
    assert mails == pytest.approx(2.33, abs=0.15)
    assert waits == pytest.approx(7, abs=0.5)


@pytest.mark.slow
def test_the_same_deal_gives_the_same_game() -> None:
    setting = one_planner(3, 3)[1]
    assert played(setting) == played(setting)
