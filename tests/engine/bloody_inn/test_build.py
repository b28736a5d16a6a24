"""Build: a card of the hand becomes an annex; and what each of the 24 annexes does when it is built."""

from __future__ import annotations

import pytest

from engine.bloody_inn.actions import Bribe, Build
from engine.bloody_inn.events import Built
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.state import Annex
from tests.engine.bloody_inn.positions import after, cards, events, legal, money, night, player, refused


@pytest.mark.parametrize(
    ("card", "pay"),
    [("baron", ""), ("mechanic", "peasant"), ("distiller", "peasant peasant"), ("gardener", "peasant peasant baron")],
)
def test_building_costs_as_many_other_cards_as_the_rank(card: str, pay: str) -> None:
    state = after(night(player(f"peasant peasant baron {card}")), Build(card, 0, cards(pay)))
    assert state.players[0].annexes == (Annex("barn"), Annex(card))
    assert len(state.players[0].hand) == 3 - len(pay.split())


def test_artisans_played_for_building_come_back() -> None:
    state = night(player("gardener butcher mechanic peasant"))
    build = Build("gardener", 0, cards("butcher mechanic peasant"))
    assert after(state, build).players[0].hand == cards("butcher mechanic")
    assert events(state, build) == (
        Built(1, "gardener", cards("butcher mechanic peasant"), cards("butcher mechanic"), 0, 0, 0),
    )


def test_the_built_card_does_not_pay_for_itself() -> None:
    refused(night(player("mechanic")), Build("mechanic", 0, ("mechanic",)), Refusal.HAND_TOO_SMALL, least=1, there=0)
    refused(
        night(player("mechanic baron")), Build("mechanic", 0, ("mechanic",)), Refusal.NOT_IN_HAND, cards=("mechanic",)
    )


def test_a_second_equal_card_may_pay() -> None:
    state = after(night(player("mechanic mechanic")), Build("mechanic", 0, ("mechanic",)))
    assert state.players[0].hand == ("mechanic",)


def test_the_last_card_in_hand_may_be_built_if_the_payment_is_nothing_d27() -> None:
    state = after(night(player("mechanic", "mechanic")), Build("mechanic"))
    assert (state.players[0].hand, len(state.players[0].annexes)) == ((), 3)


def test_equal_annexes_are_allowed_without_limit_d27() -> None:
    state = after(night(player("baron", "baron baron baron baron baron baron")), Build("baron"))
    assert len(state.players[0].annexes) == 8


@pytest.mark.parametrize("card", ["peacekeeper", "brigadier", "brigadier_chief", "major", "peasant"])
def test_police_and_peasants_cannot_be_built(card: str) -> None:
    state = night(player(f"{card} baron baron baron"))
    refused(state, Build(card, 0, ("baron", "baron", "baron")), Refusal.NOT_BUILDABLE, card=card)


@pytest.mark.parametrize("card", ["duke", "barn", "nobody"])
def test_only_a_card_of_the_hand_is_built(card: str) -> None:
    refused(night(player("peasant")), Build(card), Refusal.NOT_IN_HAND, cards=(card,))


def test_a_wrong_number_of_cards_is_refused() -> None:
    state = night(player("count peasant peasant peasant"))
    for given in (0, 1, 3):
        refused(state, Build("count", 0, ("peasant",) * given), Refusal.CARD_COUNT, given=given, least=2, most=2)


def test_a_workshop_makes_building_one_card_cheaper() -> None:
    state = night(player("count peasant", "mechanic"))
    assert money(after(state, Build("count", 0, ("peasant",)))) == (14, 1)


def test_a_workshop_does_not_help_its_own_building_r4() -> None:
    state = night(player("mechanic peasant"))
    refused(state, Build("mechanic"), Refusal.CARD_COUNT, given=0, least=1, most=1)
    assert legal(state, Build) == [Build("mechanic", 0, ("peasant",))]


def test_the_discount_for_building_is_optional_r2() -> None:
    state = night(player("viscount peasant", "mechanic"))
    assert legal(state, Build) == [Build("viscount"), Build("viscount", 0, ("peasant",))]


def test_two_workshops_add_up_r3() -> None:
    assert Build("count") in legal(night(player("count", "mechanic mechanic")), Build)
    assert Build("baron") in legal(night(player("baron", "mechanic mechanic")), Build)


@pytest.mark.parametrize(
    ("card", "annexes", "francs"),
    [
        ("cultivator", "", 1),
        ("cultivator", "gardener mechanic baron", 3),
        ("newsboy", "", 1),
        ("newsboy", "newsboy concierge abbot", 3),
        ("novice", "", 1),
        ("novice", "monk novice priest duke", 4),
        ("baron", "", 4),
        ("viscount", "", 6),
        ("count", "", 9),
        ("marquis", "", 18),
        ("landscaper", "", 4),
        ("grocer", "", 4),
        ("bishop", "", 4),
        ("duke", "", 4),
        ("prince", "", 0),
        ("mechanic", "", 0),
        ("distiller", "", 0),
        ("gardener", "", 0),
        ("butcher", "", 0),
        ("representative", "", 0),
        ("shopkeeper", "", 0),
        ("brewer", "", 0),
        ("abbot", "", 0),
        ("priest", "", 0),
        ("archbishop", "", 0),
    ],
)
def test_what_each_annex_gains_at_once(card: str, annexes: str, francs: int) -> None:
    state = night(player(f"{card} peasant peasant peasant", annexes, cash=5))
    build = next(action for action in legal(state, Build) if action.card == card)
    assert money(after(state, build)) == (5 + francs, 1)


@pytest.mark.parametrize("card", ["cultivator", "newsboy", "novice"])
def test_the_barn_has_no_color_r13(card: str) -> None:
    assert money(after(night(player(card, cash=0)), Build(card))) == (1, 1)


def test_the_barn_has_no_color_and_peasants_under_it_neither_d16() -> None:
    assert money(after(night(player("novice", "barn[novice]", cash=0)), Build("novice"))) == (1, 1)


def test_annexes_of_others_do_not_count() -> None:
    assert money(after(night(player("novice", cash=0), player("", "novice novice")), Build("novice"))) == (1, 1)


def test_a_gain_above_40_francs_is_lost() -> None:
    state = night(player("marquis peasant peasant peasant", cash=30))
    build = Build("marquis", 0, ("peasant",) * 3)
    assert money(after(state, build)) == (40, 1)
    assert events(state, build) == (Built(1, "marquis", ("peasant",) * 3, (), 0, 10, 8),)


def test_a_gain_at_40_francs_is_never_refused_d6() -> None:
    assert money(after(night(player("baron", cash=40)), Build("baron"))) == (40, 1)


def test_a_monk_takes_a_white_key() -> None:
    state = after(night(player("monk peasant"), rooms="- - duke -", keys="1 2 - -"), Build("monk", 3, ("peasant",)))
    assert [room.key for room in state.rooms] == [1, 2, 1, 0]
    assert state.rooms[2].guest == "duke"


def test_a_monk_may_name_any_white_key_occupied_or_with_a_token_d18() -> None:
    state = night(player("monk peasant"), rooms="- - duke -", keys="1 2 - -", tokens="- - 2 -")
    assert [build.room for build in legal(state, Build)] == [3, 4]


def test_a_monk_must_name_a_room_if_one_is_possible_d18() -> None:
    state = night(player("monk peasant"), rooms="- - - -", keys="1 2 - -")
    refused(state, Build("monk", 0, ("peasant",)), Refusal.ROOM_NEEDED, card="monk", rooms=(3, 4))
    for room in (1, 2, 9):
        refused(
            state, Build("monk", room, ("peasant",)), Refusal.ROOM_NOT_POSSIBLE, card="monk", room=room, rooms=(3, 4)
        )


def test_a_monk_without_a_white_key_left_is_built_and_nothing_happens_r11() -> None:
    state = night(player("monk peasant"), rooms="- -", keys="1 2")
    done = after(state, Build("monk", 0, ("peasant",)))
    assert done.players[0].annexes[-1].card == "monk"
    assert done.rooms == state.rooms
    refused(state, Build("monk", 1, ("peasant",)), Refusal.ROOM_NOT_POSSIBLE, card="monk", room=1, rooms=())


def test_a_concierge_puts_a_token_on_any_open_room_without_one_r9() -> None:
    state = night(player("concierge peasant peasant"), rooms="- baron - -", keys="1 2 - -", tokens="- - 2 -")
    assert [build.room for build in legal(state, Build)] == [1, 2, 4]
    done = after(state, Build("concierge", 2, ("peasant", "peasant")))
    assert [room.token for room in done.rooms] == [0, 1, 2, 0]


def test_a_concierge_must_name_a_room_without_a_token_d18() -> None:
    state = night(player("concierge peasant peasant"), rooms="- -", tokens="- 2")
    pay = ("peasant", "peasant")
    refused(state, Build("concierge", 0, pay), Refusal.ROOM_NEEDED, card="concierge", rooms=(1,))
    refused(state, Build("concierge", 2, pay), Refusal.ROOM_NOT_POSSIBLE, card="concierge", room=2, rooms=(1,))


def test_a_room_is_named_for_monk_and_concierge_only() -> None:
    refused(night(player("baron")), Build("baron", 3), Refusal.ROOM_NOT_USED, card="baron")


def test_an_ongoing_power_helps_from_the_next_action_on() -> None:
    state = night(player("representative peasant"), rooms="viscount", seats=1)
    built = after(state, Build("representative", 0, ("peasant",)))
    assert after(built, Bribe((1,))).players[0].hand == ("viscount",)
