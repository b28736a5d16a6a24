"""Bribe: a guest, or peasants of the bistro, into the hand."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bloody_inn.actions import Bribe
from engine.bloody_inn.events import Bribed
from engine.bloody_inn.reasons import Refusal
from tests.engine.bloody_inn.positions import after, cards, events, guests, legal, money, night, player, refused


@pytest.mark.parametrize(
    ("guest", "pay"),
    [("baron", ""), ("viscount", "peasant"), ("count", "peasant peasant"), ("duke", "peasant peasant baron")],
)
def test_a_bribe_costs_as_many_cards_as_the_targets_rank(guest: str, pay: str) -> None:
    state = after(night(player("peasant peasant baron"), rooms=f"- {guest} -"), Bribe((2,), 0, cards(pay)))
    assert guest in state.players[0].hand
    assert len(state.players[0].hand) == 3 - len(pay.split()) + 1
    assert guests(state) == "- - -"


def test_played_cards_go_to_the_exit_stack_and_peasants_to_the_bistro() -> None:
    state = after(night(player("peasant baron monk"), rooms="count"), Bribe((1,), 0, cards("peasant baron")))
    assert state.players[0].hand == cards("count monk")
    assert (state.exit, state.bistro) == (("baron",), 1)


def test_merchants_played_for_a_bribe_come_back() -> None:
    state = night(player("grocer newsboy peasant"), rooms="duke")
    bribe = Bribe((1,), 0, cards("grocer newsboy peasant"))
    assert after(state, bribe).players[0].hand == cards("duke grocer newsboy")
    assert events(state, bribe) == (
        Bribed(1, ((1, "duke"),), 0, cards("grocer newsboy peasant"), cards("grocer newsboy")),
    )


def test_only_merchants_have_the_aptitude_for_a_bribe() -> None:
    state = after(night(player("gardener bishop major"), rooms="duke"), Bribe((1,), 0, cards("gardener bishop major")))
    assert state.players[0].hand == ("duke",)
    assert state.exit == cards("bishop gardener major")


def test_it_does_not_matter_whose_key_lies_at_the_room() -> None:
    state = night(player(), rooms="- baron", keys="1 2")
    assert after(state, Bribe((2,))).players[0].hand == ("baron",)
    assert money(after(state, Bribe((2,))), seat=2) == (5, 1)


def test_police_can_be_bribed() -> None:
    assert after(night(player(), rooms="peacekeeper"), Bribe((1,))).players[0].hand == ("peacekeeper",)


@pytest.mark.parametrize("peasants", [1, 2])
def test_one_or_two_peasants_are_bribed_for_nothing(peasants: int) -> None:
    state = after(night(player(), bistro=3), Bribe((), peasants))
    assert state.players[0].hand == ("peasant",) * peasants
    assert state.bistro == 3 - peasants


def test_more_than_two_peasants_are_too_many() -> None:
    refused(night(player(), bistro=5), Bribe((), 3), Refusal.PEASANT_LIMIT, asked=3, most=2)


def test_a_brewery_lets_four_peasants_come() -> None:
    state = night(player("", "brewer"), bistro=5)
    assert after(state, Bribe((), 4)).players[0].hand == ("peasant",) * 4
    refused(state, Bribe((), 5), Refusal.PEASANT_LIMIT, asked=5, most=4)


def test_more_peasants_than_lie_in_the_bistro_are_refused_d17() -> None:
    refused(night(player(), bistro=1), Bribe((), 2), Refusal.BISTRO_SHORT, asked=2, there=1)
    assert legal(night(player(), bistro=1), Bribe) == [Bribe((), 1)]


def test_peasants_played_for_a_bribe_can_be_bribed_again() -> None:
    state = after(night(player("peasant"), rooms="viscount"), Bribe((1,), 0, ("peasant",)))
    assert state.bistro == 1


@pytest.mark.parametrize(
    ("action", "reason", "facts"),
    [
        (Bribe(), Refusal.NO_TARGET, {}),
        (Bribe((), -1), Refusal.NO_TARGET, {}),
        (Bribe((1,), 1), Refusal.MIXED_TARGETS, {}),
        (Bribe((2,)), Refusal.ROOM_EMPTY, {"room": 2}),
        (Bribe((4,)), Refusal.ROOM_CLOSED, {"room": 4}),
        (Bribe((1, 3)), Refusal.ONE_TARGET, {"action": "bribe", "annex": "shopkeeper"}),
        (Bribe((1, 1)), Refusal.TARGET_TWICE, {"room": 1}),
        (Bribe((1,), 0, ("peasant",)), Refusal.CARD_COUNT, {"given": 1, "least": 0, "most": 0}),
        (Bribe((), 1, ("peasant",)), Refusal.CARD_COUNT, {"given": 1, "least": 0, "most": 0}),
        (Bribe((3,)), Refusal.CARD_COUNT, {"given": 0, "least": 2, "most": 2}),
        (Bribe((3,), 0, ("peasant",)), Refusal.CARD_COUNT, {"given": 1, "least": 2, "most": 2}),
        (Bribe((3,), 0, ("monk", "peasant")), Refusal.NOT_IN_HAND, {"cards": ("monk",)}),
        (Bribe((3,), 0, ("peasant",) * 3), Refusal.NOT_IN_HAND, {"cards": ("peasant",)}),
    ],
)
def test_what_a_bribe_may_not_do(action: Bribe, reason: Refusal, facts: dict[str, Any]) -> None:
    refused(night(player("peasant peasant"), rooms="baron - count", bistro=2), action, reason, **facts)


def test_too_few_cards_in_hand_make_a_bribe_impossible() -> None:
    state = night(player("peasant peasant"), rooms="duke")
    refused(state, Bribe((1,), 0, cards("peasant peasant")), Refusal.HAND_TOO_SMALL, least=3, there=2)
    assert legal(state, Bribe) == []


def test_the_target_does_not_pay_for_itself() -> None:
    state = night(player("peasant"), rooms="viscount")
    refused(state, Bribe((1,), 0, ("viscount",)), Refusal.NOT_IN_HAND, cards=("viscount",))


def test_a_parlor_makes_a_bribe_one_card_cheaper() -> None:
    state = night(player("peasant", "representative"), rooms="count")
    assert after(state, Bribe((1,), 0, ("peasant",))).players[0].hand == ("count",)


def test_a_discount_need_not_be_used_r2() -> None:
    state = night(player("peasant newsboy", "representative"), rooms="viscount")
    assert legal(state, Bribe) == [Bribe((1,)), Bribe((1,), 0, ("newsboy",)), Bribe((1,), 0, ("peasant",))]
    assert after(state, Bribe((1,), 0, ("peasant",))).players[0].hand == cards("newsboy viscount")


def test_equal_discounts_add_up_and_end_at_zero_r3() -> None:
    two = player("peasant", "representative representative")
    assert legal(night(two, rooms="count"), Bribe) == [Bribe((1,)), Bribe((1,), 0, ("peasant",))]
    assert legal(night(two, rooms="baron"), Bribe) == [Bribe((1,))]
    refused(
        night(two, rooms="viscount"), Bribe((1,), 0, cards("peasant peasant")), Refusal.NOT_IN_HAND, cards=("peasant",)
    )


def test_a_store_takes_several_guests_for_the_sum_of_their_ranks() -> None:
    state = night(player("peasant peasant newsboy", "shopkeeper"), rooms="viscount baron count")
    taken = after(state, Bribe((1, 2, 3), 0, cards("newsboy peasant peasant")))
    assert taken.players[0].hand == cards("baron count newsboy viscount")
    assert guests(taken) == "- - -"


def test_discounts_count_once_an_action_from_the_sum_r5() -> None:
    state = night(player("peasant peasant", "shopkeeper representative"), rooms="viscount count")
    least = Bribe((1, 2), 0, cards("peasant peasant"))
    assert after(state, least).players[0].hand == cards("count viscount")
    refused(state, Bribe((1, 2), 0, ("peasant",)), Refusal.CARD_COUNT, given=1, least=2, most=3)


def test_a_store_does_not_reach_the_bistro_r6() -> None:
    state = night(player("", "shopkeeper"), rooms="baron", bistro=5)
    refused(state, Bribe((), 3), Refusal.PEASANT_LIMIT, asked=3, most=2)


def test_rooms_and_bistro_are_never_bribed_together_d7() -> None:
    refused(night(player("", "shopkeeper"), rooms="baron", bistro=5), Bribe((1,), 1), Refusal.MIXED_TARGETS)


def test_one_bad_target_refuses_the_whole_bribe_d7() -> None:
    state = night(player("", "shopkeeper"), rooms="baron - cultivator")
    refused(state, Bribe((1, 2, 3)), Refusal.ROOM_EMPTY, room=2)


def test_no_target_pays_for_a_target_d7() -> None:
    state = night(player("", "shopkeeper"), rooms="newsboy viscount")
    refused(state, Bribe((1, 2), 0, ("newsboy",)), Refusal.HAND_TOO_SMALL, least=1, there=0)


def test_a_returned_card_pays_once_an_action_d7() -> None:
    state = night(player("newsboy", "shopkeeper"), rooms="viscount brigadier")
    refused(state, Bribe((1, 2), 0, ("newsboy",)), Refusal.HAND_TOO_SMALL, least=2, there=1)


def test_equal_guests_in_different_rooms_stay_different_d27() -> None:
    assert legal(night(player(), rooms="baron baron"), Bribe) == [Bribe((1,)), Bribe((2,))]


def test_equal_cards_in_hand_are_interchangeable_d27() -> None:
    state = night(player("peasant peasant peasant"), rooms="count")
    assert legal(state, Bribe) == [Bribe((1,), 0, ("peasant", "peasant"))]
