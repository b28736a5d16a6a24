"""Who is awaited, what may come, and what a missed deadline does."""

from __future__ import annotations

import random

import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Bribe, Dismiss, Kill, Lodge, Pass, Pay
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.state import Phase, State
from engine.game import Deal, Illegal
from tests.engine.bloody_inn.positions import (
    after,
    evening,
    last_of_night,
    morning,
    night,
    player,
    refused,
)
from tests.engine.bloody_inn.random_games import positions_of_a_game


def ahead(state: State, seat: int) -> list[str]:
    return [decision.key for decision in GAME.ahead(state, seat)]


def test_out_of_turn_nothing_is_legal_and_everything_is_refused() -> None:
    state = night(bistro=1)
    assert list(GAME.legal(state, 2)) == []
    refused(state, Pass(), Refusal.NOT_AWAITED, by=2, seat=2)
    refused(state, Bribe((), 1), Refusal.NOT_AWAITED, by=7, seat=7)


@pytest.mark.parametrize("action", [Lodge((1,)), Pay(0), Dismiss(()), Deal(())])
def test_an_answer_to_something_else_says_what_is_awaited(action: Lodge | Pay | Dismiss | Deal) -> None:
    refused(night(), action, Refusal.WRONG_KIND, kind="act")


def test_when_the_game_is_over_nothing_is_done() -> None:
    over = morning(last_of_night(entrance="", season=2))
    assert GAME.waiting(over) == ()
    refused(over, Pass(), Refusal.OVER)
    refused(over, Deal(()), Refusal.OVER, by=0)
    with pytest.raises(Illegal) as caught:
        GAME.fallback(over, 1)
    assert caught.value.reason is Refusal.OVER


def test_a_missed_deadline_lodges_in_number_order_for_the_rest_of_the_evening_d26() -> None:
    state = evening(entrance="baron monk duke count", rooms="- viscount - -")
    assert GAME.fallback(state, 1) == Lodge((1, 3, 4))
    assert after(state, Lodge((1, 3, 4))).phase is Phase.NIGHT


def test_a_missed_deadline_at_night_is_a_plain_pass_d26() -> None:
    assert GAME.fallback(night(player(cash=40)), 1) == Pass()


@pytest.mark.parametrize(("cash", "checks", "answer"), [(40, 3, 2), (40, 1, 1), (40, 0, 0), (5, 1, 1), (0, 0, 0)])
def test_a_missed_deadline_pays_the_police_with_checks_first_d26(cash: int, checks: int, answer: int) -> None:
    state = morning(last_of_night(player(corpses="baron duke", cash=cash, checks=checks), rooms="major"))
    assert GAME.fallback(state, 1) == Pay(answer)


@pytest.mark.parametrize(
    ("hand", "cash", "gone"),
    [
        ("baron peasant duke peasant", 2, ("peasant", "peasant")),
        ("baron peasant duke peasant", 1, ("baron", "peasant", "peasant")),
        ("viscount brigadier count", 2, ("brigadier",)),
        ("viscount brigadier count", 1, ("brigadier", "viscount")),
    ],
)
def test_a_missed_deadline_dismisses_peasants_then_the_lowest_rank_then_by_id_d26(
    hand: str, cash: int, gone: tuple[str, ...]
) -> None:
    state = morning(last_of_night(player(hand, cash=cash)))
    assert GAME.fallback(state, 1) == Dismiss(gone)


def test_a_deadline_can_only_be_missed_by_who_is_awaited() -> None:
    for state, seat in ((night(), 2), (GAME.start(2, {}), 0), (GAME.start(2, {}), 1)):
        with pytest.raises(Illegal) as caught:
            GAME.fallback(state, seat)
        assert (caught.value.reason, caught.value.facts) == (Refusal.NOT_AWAITED, {"seat": seat})


def test_a_plan_can_be_made_for_both_actions_and_the_morning() -> None:
    state = night(seats=2, first=1, turn=1)
    assert ahead(state, 1) == ["1/night/1/1", "1/night/1/2", "1/police/1/1", "1/wages/1/1"]
    assert ahead(state, 2) == ["1/night/2/1", "1/night/2/2", "1/police/2/1", "1/wages/2/1"]


def test_an_action_already_taken_is_no_longer_ahead() -> None:
    state = night(seats=3, first=2, turn=3, rooms="- - -")
    assert ahead(state, 2)[0] == "1/night/2/2"
    assert ahead(state, 3)[0] == "1/night/3/1"
    assert ahead(state, 1)[0] == "1/night/1/1"
    second = night(seats=3, first=2, turn=3, action=2, rooms="- - -")
    assert ahead(second, 2) == ["1/police/2/1", "1/wages/2/1"]


def test_in_the_evening_the_first_player_has_a_lodging_for_each_traveler() -> None:
    state = evening(entrance="baron monk duke count", rooms="- viscount - -", first=2)
    lodgings = ["1/evening/2/2", "1/evening/2/3", "1/evening/2/4"]
    assert ahead(state, 2)[:4] == [*lodgings, "1/night/2/1"]
    assert ahead(state, 1)[0] == "1/night/1/1"


def test_too_few_travelers_leave_nothing_ahead_but_their_lodging() -> None:
    state = evening(entrance="baron", rooms="- - -", tokens="1 - -", season=2, short=True)
    assert (ahead(state, 1), ahead(state, 2)) == (["1/evening/1/1"], [])


def test_alone_nobody_plans_to_pay_the_police() -> None:
    assert ahead(night(seats=1), 1) == ["1/night/1/1", "1/night/1/2", "1/wages/1/1"]


def test_a_given_answer_is_no_longer_ahead() -> None:
    payer = player(corpses="baron", cash=20)
    state = morning(last_of_night(payer, payer, rooms="major -"))
    assert ahead(after(state, Pay(0), seat=2), 2) == ["1/wages/2/1"]
    assert ahead(state, 2) == ["1/police/2/1", "1/wages/2/1"]


def test_before_the_next_round_is_dealt_nothing_is_ahead() -> None:
    assert ahead(GAME.start(2, {}), 1) == []
    assert ahead(morning(last_of_night(entrance="", exit="baron")), 1) == []


@pytest.mark.parametrize("seed", range(4))
def test_the_open_decision_comes_first_and_no_decision_twice(seed: int) -> None:
    for state in positions_of_a_game(random.Random(seed), seats=1 + seed):
        waiting = {decision.seat: decision for decision in GAME.waiting(state) if decision.seat}
        for seat in range(1, len(state.players) + 1):
            found = GAME.ahead(state, seat)
            assert len({decision.key for decision in found}) == len(found)
            assert seat not in waiting or found[0] == waiting[seat]


def test_each_action_answers_its_kind_of_decision() -> None:
    assert [GAME.kind(action) for action in (Lodge((1,)), Kill(), Pass(), Pay(0), Dismiss(()), Deal(()))] == [
        "lodge", "act", "act", "pay", "dismiss", "deal",
    ]  # fmt: skip
