"""The police: when they come, what they take, and how several payers answer."""

from __future__ import annotations

import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Bribe, Kill, Pass, Pay
from engine.bloody_inn.events import Answered, AnswerSealed, PoliceCame, PolicePaid
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.state import Phase, State
from engine.game import Secret, told
from tests.engine.bloody_inn.positions import (
    after,
    cards,
    events,
    last_of_night,
    legal,
    money,
    morning,
    player,
    refused,
)
from tests.engine.bloody_inn.positions import told as told_of


def corpses(count: int) -> str:
    return "peasant " * count


def investigated(count: int, cash: int, checks: int) -> State:
    """The police are here, and only seat 1 has corpses."""
    return morning(last_of_night(player(corpses=corpses(count), cash=cash, checks=checks), rooms="major"))


@pytest.mark.parametrize("rooms", ["peacekeeper -", "- brigadier", "brigadier_chief baron", "major major"])
def test_police_in_any_room_take_10_francs_a_corpse_whatever_their_number(rooms: str) -> None:
    state = morning(last_of_night(player(corpses="baron", cash=15, checks=0), rooms=rooms, keys="- -"))
    assert money(after(state, Pay(0))) == (5, 0)


def test_without_police_in_a_room_nobody_pays() -> None:
    state = morning(last_of_night(player("major", corpses="major baron", cash=5), rooms="baron"))
    assert state.phase is Phase.EVENING
    assert state.players[0].corpses == ("baron", "major")


def test_police_in_hands_and_among_corpses_do_not_count() -> None:
    state = last_of_night(player("major", corpses="major"), player("brigadier", corpses="brigadier"), rooms="duke")
    assert told_of(state, Pass(), PoliceCame) == []


def test_corpses_leave_the_game_not_to_the_exit_stack() -> None:
    state = after(morning(last_of_night(player(corpses="baron duke", cash=20), rooms="major -")), Pay(1))
    assert (state.players[0].corpses, state.gone) == ((), cards("baron duke"))
    assert state.exit == ("major",)


def test_buried_corpses_cost_nothing() -> None:
    state = morning(last_of_night(player("", "barn[baron]"), rooms="major"))
    assert state.phase is Phase.EVENING


@pytest.mark.parametrize("action", [Bribe((1,)), Kill((1,))])
def test_the_last_officer_may_be_bribed_or_killed_before_morning_r15(action: Bribe | Kill) -> None:
    state = last_of_night(player("peasant", corpses="baron", cash=9), rooms="peacekeeper baron")
    assert told_of(state, action, PoliceCame) == []
    assert "baron" in after(state, action).players[0].corpses


@pytest.mark.parametrize(
    ("count", "cash", "checks", "least", "most"),
    [
        (1, 10, 0, 0, 0),
        (1, 10, 1, 0, 1),
        (1, 9, 1, 1, 1),
        (2, 40, 5, 0, 2),
        (3, 15, 5, 2, 3),
        (3, 25, 1, 1, 1),
        (4, 19, 3, 3, 3),
        (2, 9, 1, 1, 1),
        (5, 3, 0, 0, 0),
        (3, 29, 0, 0, 0),
    ],
)
def test_the_checks_of_an_exact_payment_d9(count: int, cash: int, checks: int, least: int, most: int) -> None:
    state = investigated(count, cash, checks)
    assert legal(state, Pay) == [Pay(number) for number in range(least, most + 1)]
    for wrong in (least - 1, most + 1):
        refused(state, Pay(wrong), Refusal.CHECKS_RANGE, checks=wrong, least=least, most=most)


@pytest.mark.parametrize(
    ("count", "cash", "checks", "answer", "left"),
    [
        (2, 25, 3, 0, (5, 3)),
        (2, 25, 3, 1, (15, 2)),
        (2, 25, 3, 2, (25, 1)),
        (1, 9, 1, 1, (9, 0)),
        (3, 12, 1, 1, (0, 0)),
        (1, 9, 0, 0, (0, 0)),
        (3, 29, 0, 0, (0, 0)),
    ],
)
def test_what_is_left_after_the_police_d9(
    count: int, cash: int, checks: int, answer: int, left: tuple[int, int]
) -> None:
    state = investigated(count, cash, checks)
    paid = events(state, Pay(answer))
    before_income = (cash - left[0], checks - left[1])
    assert told(paid, None)[1] == PolicePaid(1, ("peasant",) * count, *before_income)
    assert after(state, Pay(answer)).players[0].corpses == ()


def test_who_cannot_pay_all_pays_all_he_has_and_the_corpses_go_anyway_d9() -> None:
    state = investigated(4, 7, 2)
    assert GAME.waiting(state)[0].answers == 1
    paid = after(state, Pay(2))
    assert (paid.players[0].corpses, paid.gone) == ((), ("peasant",) * 4)
    assert money(paid) == (1, 0)


def test_one_possible_payment_is_no_choice_d9() -> None:
    assert GAME.waiting(investigated(1, 9, 1))[0].answers == 1
    assert GAME.waiting(investigated(1, 10, 1))[0].answers == 2


def three_payers() -> State:
    rich = player(corpses="baron", cash=20, checks=2)
    return morning(last_of_night(rich, rich, rich, rooms="major - -"))


def test_several_payers_are_asked_at_once_d10() -> None:
    waiting = GAME.waiting(three_payers())
    assert [(decision.seat, decision.kind, decision.key) for decision in waiting] == [
        (1, "pay", "1/police/1/1"),
        (2, "pay", "1/police/2/1"),
        (3, "pay", "1/police/3/1"),
    ]


def test_who_has_no_corpse_is_not_asked() -> None:
    state = morning(last_of_night(player(), player(corpses="baron", cash=20), rooms="major"))
    assert [decision.seat for decision in GAME.waiting(state)] == [2]
    refused(state, Pay(0), Refusal.NOT_AWAITED, seat=1)


def test_answers_stay_sealed_until_all_are_in_d10() -> None:
    state = three_payers()
    said = events(state, Pay(1), seat=2)
    assert said == (Secret(2, AnswerSealed(2, "pay", 1, ()), Answered(2, "pay")),)
    one = after(state, Pay(1), seat=2)
    assert money(one, seat=2) == (20, 2)
    assert one.players[1].corpses == ("baron",)
    assert GAME.encode(GAME.view(one, 1)) == GAME.encode(GAME.view(after(state, Pay(0), seat=2), 1))
    refused(one, Pay(0), Refusal.NOT_AWAITED, by=2, seat=2)


def test_the_order_of_answers_has_no_effect_d10() -> None:
    answers = {1: Pay(1), 2: Pay(0), 3: Pay(1)}
    ends = set()
    for order in ((1, 2, 3), (3, 2, 1), (2, 3, 1)):
        state = three_payers()
        for seat in order:
            state = after(state, answers[seat], seat)
        ends.add(GAME.encode(state))
    assert len(ends) == 1


def test_all_answers_are_carried_out_together_from_the_first_player_on_d10() -> None:
    state = three_payers()
    assert state.first == 2
    state = after(after(state, Pay(1), 1), Pay(0), 3)
    paid = told_of(state, Pay(1), PolicePaid, seat=2)
    assert [(event.seat, event.cash, event.checks) for event in paid] == [(2, 0, 1), (3, 10, 0), (1, 0, 1)]


def test_the_police_cannot_be_paid_from_that_mornings_income_d21() -> None:
    state = morning(last_of_night(player("", "gardener", corpses="baron", cash=8, checks=0), rooms="major -"))
    assert legal(state, Pay) == [Pay(0)]
    paid = after(state, Pay(0))
    assert money(paid) == (0 + 1 + 2, 0)


def test_other_actions_are_refused_while_the_police_wait() -> None:
    refused(three_payers(), Pass(), Refusal.WRONG_KIND, kind="pay")
