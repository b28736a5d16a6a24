"""Seasons: the reshuffle, how long season 2 is, the last round, and travelers too few for one."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Lodge, Pass
from engine.bloody_inn.events import (
    Ended,
    Income,
    LastRoundSkipped,
    LeftoversArrived,
    PoliceCame,
    RoundBegan,
    SeasonBegan,
    Served,
    Shuffled,
    WagesPaid,
)
from engine.bloody_inn.season import rounds
from engine.bloody_inn.state import Phase, State
from engine.game import Deal
from tests.engine.bloody_inn.positions import (
    after,
    cards,
    dealt,
    evening,
    events,
    guests,
    last_of_night,
    legal,
    money,
    morning,
    player,
    told,
)

AT_ONCE = {"reshuffle": "at-once"}
FULL_INN = {"last-round": "full-inn"}


def travelers(count: int) -> str:
    return "viscount " * count


def before_season_two(count: int, **facts: Any) -> State:
    """Season 1 is played; the Exit Stack will hold `count` travelers, and their shuffle is due."""
    state = morning(last_of_night(entrance="", exit=travelers(count), **facts))
    assert state.shuffle_due
    return state


@pytest.mark.parametrize(
    ("count", "rooms", "needed", "expected"),
    [
        (0, 5, 2, 0),
        (1, 5, 2, 0),
        (2, 5, 2, 1),
        (4, 5, 2, 1),
        (5, 5, 2, 1),
        (6, 5, 2, 1),
        (7, 5, 2, 2),
        (10, 5, 2, 2),
        (12, 5, 2, 3),
        (5, 8, 4, 1),
        (3, 8, 4, 0),
        (4, 5, 5, 0),
        (5, 5, 5, 1),
        (9, 5, 5, 1),
        (10, 5, 5, 2),
    ],
)
def test_the_rounds_of_season_two_follow_from_the_exit_stack_d1(
    count: int, rooms: int, needed: int, expected: int
) -> None:
    assert rounds(count, rooms, needed) == expected


@pytest.mark.parametrize("options", [{}, FULL_INN])
@pytest.mark.parametrize("count", range(14))
def test_the_announced_number_of_rounds_is_played_d1(count: int, options: dict[str, str]) -> None:
    state = before_season_two(count, options={"welcome": "first-come"} | options)
    announced = next(event for event in events(state, identity(count), seat=0) if isinstance(event, SeasonBegan))
    state, begun, last = dealt(state), 0, []
    while state.phase is not Phase.OVER:
        begun += 1
        last.append(state.last_round)
        state = through_the_night(state)
    assert begun == announced.rounds == rounds(count, 5, 5 if options else 2)
    assert last == [False] * (begun - 1) + [True] * (begun > 0)


def through_the_night(state: State) -> State:
    number = state.round
    while state.round == number and state.phase is not Phase.OVER:
        state = after(state, Pass(), seat=state.turn)
    return state


def identity(size: int) -> Deal:
    return Deal(tuple(range(size)))


def test_the_empty_entrance_stack_is_refilled_when_the_next_welcome_begins() -> None:
    state = evening(entrance="baron duke", exit="monk count", rooms="- -")
    tonight = after(state, Lodge((1, 2)))
    assert (tonight.phase, tonight.season, tonight.entrance) == (Phase.NIGHT, 1, ())
    assert GAME.view(tonight, 1).top == ""
    due = morning(last_of_night(entrance="", exit="monk count", rooms="baron duke"))
    (decision,) = GAME.waiting(due)
    assert (decision.seat, decision.kind, decision.size, decision.phase) == (0, "deal", 4, "evening")


def test_the_exit_stack_is_permuted_sorted_by_id_d25() -> None:
    due = morning(last_of_night(entrance="", exit="monk count", rooms="baron duke"))
    told_all = events(due, Deal((3, 0, 2, 1)), seat=0)
    assert told_all == (Shuffled("season", 4), SeasonBegan(2, 2), RoundBegan(2, 2, 1, False))
    state = after(due, Deal((3, 0, 2, 1)), seat=0)
    assert (state.entrance, state.exit, state.season) == (("monk", "baron", "duke", "count"), (), 2)


@pytest.mark.parametrize("count", [0, 1])
def test_a_shuffle_of_no_or_one_card_is_still_a_deal_d25(count: int) -> None:
    state = before_season_two(count, rooms="- -")
    (decision,) = GAME.waiting(state)
    assert (decision.size, decision.answers) == (count, 1)
    assert list(GAME.legal(state, 0)) == [identity(count)]
    assert dealt(state).season == 2


def test_no_traveler_at_all_means_no_round_in_season_two_d1() -> None:
    state = before_season_two(0, rooms="- -")
    told_all = events(state, Deal(()), seat=0)
    assert [type(event) for event in told_all] == [Shuffled, SeasonBegan, Ended]
    assert dealt(state).phase is Phase.OVER


def test_in_season_two_rooms_may_stay_empty_d1() -> None:
    state = after(evening(entrance="baron duke", rooms="- - - -", season=2), Lodge((4, 1)))
    assert (state.phase, guests(state)) == (Phase.NIGHT, "duke - - baron")


def test_the_last_round_is_announced_when_it_begins_d1() -> None:
    state = last_of_night(entrance=travelers(5), season=2, rooms="- - - - -")
    assert told(state, Pass(), RoundBegan) == [RoundBegan(2, 2, 1, True)]
    longer = last_of_night(entrance=travelers(7), season=2, rooms="- - - - -")
    assert told(longer, Pass(), RoundBegan) == [RoundBegan(2, 2, 1, False)]


def test_as_many_travelers_as_players_make_a_last_round_in_a_half_empty_inn() -> None:
    state = morning(last_of_night(entrance=travelers(2), season=2, rooms="- - - - -"))
    assert (state.phase, state.last_round, state.short) == (Phase.EVENING, True, False)


def test_full_inn_only_skips_a_round_whenever_a_room_stays_empty_d1() -> None:
    state = last_of_night(entrance=travelers(4), season=2, rooms="- - - - -", options=FULL_INN)
    assert told(state, Pass(), LeftoversArrived) == [LeftoversArrived(4)]
    assert morning(state).phase is Phase.OVER


def test_too_few_for_a_round_are_lodged_in_number_order_and_leave_d2() -> None:
    state = last_of_night(player("baron"), entrance="major duke", season=2, seats=3, rooms="- - -", keys="1 2 3")
    told_all = events(state, Pass())
    assert told(state, Pass(), LeftoversArrived) == [LeftoversArrived(2)]
    assert told(state, Pass(), LastRoundSkipped) == [LastRoundSkipped(((1, "major"), (2, "duke")))]
    last_wages = max(index for index, event in enumerate(told_all) if isinstance(event, WagesPaid))
    after_wages = told_all[last_wages + 1 :]
    assert not [event for event in after_wages if isinstance(event, PoliceCame | Income | RoundBegan)]
    over = morning(state)
    assert (over.phase, over.exit, guests(over)) == (Phase.OVER, ("duke", "major"), "- - -")


def test_too_few_travelers_pay_room_service_and_the_first_player_is_asked_where_d2() -> None:
    state = morning(
        last_of_night(player(cash=0), entrance="duke", season=2, rooms="- - -", tokens="- 1 -", keys="1 2 -")
    )
    assert (state.phase, state.short, state.turn) == (Phase.EVENING, True, 1)
    assert legal(state, Lodge) == [Lodge((1,)), Lodge((2,)), Lodge((3,))]
    assert told(state, Lodge((2,)), Served) == [Served(1, 2, 3, 0)]
    over = after(state, Lodge((2,)))
    assert (over.phase, over.exit, money(over)) == (Phase.OVER, ("duke",), (3, 1))


def test_too_few_travelers_are_lodged_without_a_choice_when_first_come_is_first_served_d2() -> None:
    options = {"welcome": "first-come"}
    state = morning(last_of_night(entrance="duke", season=2, rooms="- - -", tokens="1 - -", options=options))
    assert (state.phase, money(state)) == (Phase.OVER, (8, 1))


def test_the_last_round_has_its_whole_morning_wages_included_d4() -> None:
    state = last_of_night(player("baron", cash=5), entrance="", season=2, rooms="duke -", last_round=True)
    kinds = [type(event) for event in events(state, Pass())]
    assert kinds.index(Income) < kinds.index(WagesPaid) < kinds.index(Ended)
    assert morning(state).accounts[0].cash == 5 + 1 - 1


def test_at_once_shuffles_at_the_end_of_the_welcome_that_took_the_last_card_d5() -> None:
    state = evening(entrance="baron duke", exit="monk count", rooms="- -", options=AT_ONCE)
    due = after(state, Lodge((1, 2)))
    (decision,) = GAME.waiting(due)
    assert (decision.kind, decision.size, decision.phase) == ("deal", 2, "evening")
    tonight = after(due, Deal((1, 0)), seat=0)
    assert (tonight.phase, tonight.turn, tonight.season) == (Phase.NIGHT, 1, 2)
    assert tonight.entrance == ("monk", "count")
    assert GAME.view(tonight, 1).top == "monk"


def test_guests_and_discards_of_that_night_go_to_the_new_exit_stack_d5() -> None:
    state = evening(entrance="baron duke", exit="monk count", rooms="- -", options=AT_ONCE)
    tonight = dealt(after(state, Lodge((1, 2))))
    while tonight.phase is Phase.NIGHT:
        tonight = after(tonight, Pass(), seat=tonight.turn)
    assert (tonight.exit, tonight.entrance) == (("baron", "duke"), ("count", "monk"))


def test_at_once_with_too_few_travelers_makes_the_running_round_the_last_one_d5() -> None:
    state = evening(entrance="baron duke", exit="monk", rooms="- -", options=AT_ONCE)
    tonight = dealt(after(state, Lodge((1, 2))))
    assert (tonight.phase, tonight.last_round) == (Phase.NIGHT, True)
    over = through_the_night(tonight)
    assert (over.phase, over.exit) == (Phase.OVER, cards("baron duke monk"))


def test_the_change_of_season_resets_nothing_d27() -> None:
    due = morning(last_of_night(player("baron", cash=9), entrance="", exit=travelers(6), seats=3, rooms="- - -"))
    state = dealt(due)
    assert (state.round, state.first, money(state)) == (2, 3, (8, 1))
