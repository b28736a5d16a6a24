"""Kill: a guest, or one peasant of the bistro, becomes a corpse."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bloody_inn.actions import Kill
from engine.bloody_inn.events import Killed
from engine.bloody_inn.reasons import Refusal
from tests.engine.bloody_inn.positions import after, cards, events, guests, legal, money, night, player, refused


@pytest.mark.parametrize(
    ("guest", "pay"),
    [("baron", ""), ("viscount", "peasant"), ("count", "peasant peasant"), ("duke", "peasant peasant baron")],
)
def test_a_kill_costs_as_many_cards_as_the_victims_rank(guest: str, pay: str) -> None:
    state = after(night(player("peasant peasant baron"), rooms=f"- {guest} -"), Kill((2,), 0, cards(pay)))
    assert state.players[0].corpses == (guest,)
    assert len(state.players[0].hand) == 3 - len(pay.split())
    assert guests(state) == "- - -"


def test_a_kill_brings_no_money_yet() -> None:
    assert money(after(night(player(), rooms="baron"), Kill((1,)))) == (5, 1)


def test_police_played_for_a_kill_come_back() -> None:
    state = night(player("major peacekeeper peasant"), rooms="duke")
    kill = Kill((1,), 0, cards("major peacekeeper peasant"))
    assert after(state, kill).players[0].hand == cards("major peacekeeper")
    assert after(state, kill).bistro == 1
    assert events(state, kill) == (
        Killed(1, ((1, "duke"),), 0, cards("major peacekeeper peasant"), cards("major peacekeeper")),
    )


def test_only_police_have_the_aptitude_for_a_kill() -> None:
    state = after(night(player("gardener bishop grocer"), rooms="duke"), Kill((1,), 0, cards("gardener bishop grocer")))
    assert (state.players[0].hand, state.exit) == ((), cards("bishop gardener grocer"))


def test_police_can_be_killed_too() -> None:
    assert after(night(player(), rooms="peacekeeper"), Kill((1,))).players[0].corpses == ("peacekeeper",)


def test_a_peasant_of_the_bistro_is_killed_for_nothing_d17() -> None:
    state = after(night(player(), bistro=2), Kill((), 1))
    assert (state.players[0].corpses, state.bistro) == (("peasant",), 1)


def test_never_more_than_one_peasant_a_kill_r16() -> None:
    refused(night(player("", "brewer"), bistro=3), Kill((), 2), Refusal.PEASANT_LIMIT, asked=2, most=1)


def test_a_butchers_shop_does_not_reach_the_bistro_r6() -> None:
    refused(night(player("", "butcher"), bistro=3), Kill((), 2), Refusal.PEASANT_LIMIT, asked=2, most=1)


def test_an_empty_bistro_has_nobody_to_kill() -> None:
    refused(night(player()), Kill((), 1), Refusal.BISTRO_SHORT, asked=1, there=0)


def test_too_few_cards_make_a_kill_impossible() -> None:
    state = night(player("peasant"), rooms="count")
    refused(state, Kill((1,), 0, ("peasant",)), Refusal.HAND_TOO_SMALL, least=2, there=1)
    assert legal(state, Kill) == []


@pytest.mark.parametrize(
    ("action", "reason", "facts"),
    [
        (Kill(), Refusal.NO_TARGET, {}),
        (Kill((1,), 1), Refusal.MIXED_TARGETS, {}),
        (Kill((2,)), Refusal.ROOM_EMPTY, {"room": 2}),
        (Kill((7,)), Refusal.ROOM_CLOSED, {"room": 7}),
        (Kill((1, 3)), Refusal.ONE_TARGET, {"action": "kill", "annex": "butcher"}),
        (Kill((3,)), Refusal.CARD_COUNT, {"given": 0, "least": 1, "most": 1}),
        (Kill((3,), 0, ("major",)), Refusal.NOT_IN_HAND, {"cards": ("major",)}),
    ],
)
def test_what_a_kill_may_not_do(action: Kill, reason: Refusal, facts: dict[str, Any]) -> None:
    refused(night(player("peasant peasant"), rooms="baron - viscount", bistro=2), action, reason, **facts)


def test_a_butchers_shop_kills_several_guests_for_the_sum_of_their_ranks_r5() -> None:
    state = night(player("peasant peasant major", "butcher"), rooms="viscount baron count")
    done = after(state, Kill((1, 2, 3), 0, cards("major peasant peasant")))
    assert done.players[0].corpses == cards("baron count viscount")
    assert done.players[0].hand == ("major",)
    refused(state, Kill((1, 3), 0, cards("major peasant")), Refusal.CARD_COUNT, given=2, least=3, most=3)


def test_discounts_of_other_actions_do_not_help_a_kill() -> None:
    state = night(player("peasant", "representative mechanic abbot"), rooms="count")
    refused(state, Kill((1,), 0, ("peasant",)), Refusal.HAND_TOO_SMALL, least=2, there=1)


def test_there_is_no_limit_on_corpses_d27() -> None:
    state = night(player("", corpses="baron " * 9), rooms="baron")
    assert after(state, Kill((1,))).players[0].corpses == ("baron",) * 10
