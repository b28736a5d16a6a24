"""Bury: corpses under annexes with free places, and what their pockets pay."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bloody_inn.actions import Bury, Grave, Pass, Pay
from engine.bloody_inn.cards import CAPACITY, FACES
from engine.bloody_inn.events import Burial, Buried
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.state import Annex, Phase
from tests.engine.bloody_inn.positions import after, cards, events, last_of_night, legal, money, night, player, refused

BARN = (Grave("baron", 1, "barn"),)


@pytest.mark.parametrize(
    ("corpse", "pay", "francs"),
    [
        ("peasant", "", 4),
        ("baron", "", 8),
        ("viscount", "peasant", 12),
        ("count", "peasant peasant", 18),
        ("duke", "peasant peasant baron", 26),
    ],
)
def test_a_corpse_under_an_own_annex_pays_its_whole_pocket(corpse: str, pay: str, francs: int) -> None:
    state = night(player("peasant peasant baron", corpses=corpse, cash=5))
    buried = after(state, Bury((Grave(corpse, 1, "barn"),), cards(pay)))
    assert money(buried) == (5 + francs, 1)
    assert buried.players[0].annexes == (Annex("barn", (corpse,)),)
    assert buried.players[0].corpses == ()


@pytest.mark.parametrize(
    ("corpse", "half"), [("peasant", 2), ("baron", 4), ("viscount", 6), ("count", 9), ("duke", 13)]
)
def test_a_corpse_under_anothers_annex_pays_half_to_each(corpse: str, half: int) -> None:
    state = night(player("peasant peasant peasant", corpses=corpse, cash=5))
    bury = next(action for action in legal(state, Bury) if action.graves[0].owner == 2)
    buried = after(state, bury)
    assert (money(buried), money(buried, seat=2)) == ((5 + half, 1), (5 + half, 1))
    assert buried.players[1].annexes == (Annex("barn", (corpse,)),)


def test_nobody_is_asked_before_his_annex_is_used() -> None:
    state = night(player(corpses="baron"), player("", "abbot"))
    bury = Bury((Grave("baron", 2, "abbot"),))
    assert events(state, bury) == (Buried(1, (Burial("baron", 2, "abbot", 4, 0, 4, 0),), (), ()),)


def test_the_owner_at_40_francs_loses_his_half_and_the_burier_gets_no_more_d19() -> None:
    state = night(player(corpses="baron", cash=5), player(cash=40))
    bury = Bury((Grave("baron", 2, "barn"),))
    assert (money(after(state, bury)), money(after(state, bury), seat=2)) == ((9, 1), (40, 1))
    assert events(state, bury)[0].burials == (Burial("baron", 2, "barn", 4, 0, 0, 4),)


def test_each_half_is_capped_by_itself() -> None:
    state = night(player(corpses="baron", cash=39), player(cash=38))
    buried = after(state, Bury((Grave("baron", 2, "barn"),)))
    assert (money(buried), money(buried, seat=2)) == ((40, 1), (40, 1))


def test_religious_cards_played_for_a_burial_come_back() -> None:
    state = night(player("bishop novice peasant", corpses="duke"))
    buried = after(state, Bury((Grave("duke", 1, "barn"),), cards("bishop novice peasant")))
    assert buried.players[0].hand == cards("bishop novice")
    assert buried.bistro == 1


def test_a_chapel_brings_everything_back_peasants_as_well_r14() -> None:
    state = night(player("major peasant peasant", "priest", corpses="duke"))
    bury = Bury((Grave("duke", 1, "priest"),), cards("major peasant peasant"))
    assert after(state, bury).players[0].hand == cards("major peasant peasant")
    assert (after(state, bury).exit, after(state, bury).bistro) == ((), 0)


@pytest.mark.parametrize("card", [face.id for face in FACES.values() if face.buildable])
def test_an_annex_holds_as_many_corpses_as_its_rank(card: str) -> None:
    assert CAPACITY[card] == FACES[card].rank
    full = player("", f"{card}[{'baron ' * CAPACITY[card]}]", corpses="baron")
    places = tuple((owner, "barn") for owner in (1, 2))
    refused(night(full), Bury((Grave("baron", 1, card),)), Refusal.NO_PLACE, owner=1, annex=card, places=places)
    if CAPACITY[card]:
        free = player("", f"{card}[{'baron ' * (CAPACITY[card] - 1)}]", corpses="baron")
        assert money(after(night(free), Bury((Grave("baron", 1, card),)))) == (13, 1)


def test_the_barn_holds_one_corpse_and_others_may_use_it_d16() -> None:
    state = night(player("", "barn[baron]", corpses="baron"))
    refused(state, Bury(BARN), Refusal.NO_PLACE, owner=1, annex="barn", places=((2, "barn"),))
    assert legal(state, Bury) == [Bury((Grave("baron", 2, "barn"),))]


def test_a_refusal_names_the_free_places() -> None:
    state = night(player("", "barn[baron] abbot", corpses="baron"), player("", "barn[count] duke[baron baron baron]"))
    refused(state, Bury(BARN), Refusal.NO_PLACE, owner=1, annex="barn", places=((1, "abbot"),))


@pytest.mark.parametrize(
    ("graves", "pay", "reason", "facts"),
    [
        ((), (), Refusal.NO_TARGET, {}),
        ((Grave("duke", 1, "barn"),), (), Refusal.NO_CORPSE, {"corpse": "duke"}),
        ((Grave("baron", 1, "abbot"),), (), Refusal.NO_ANNEX, {"owner": 1, "annex": "abbot"}),
        ((Grave("baron", 0, "barn"),), (), Refusal.NO_ANNEX, {"owner": 0, "annex": "barn"}),
        ((Grave("baron", 3, "barn"),), (), Refusal.NO_ANNEX, {"owner": 3, "annex": "barn"}),
        (BARN * 2, (), Refusal.NO_CORPSE, {"corpse": "baron"}),
        (
            (Grave("baron", 1, "barn"), Grave("count", 2, "barn")),
            (),
            Refusal.ONE_TARGET,
            {"action": "bury", "annex": "archbishop"},
        ),
        (BARN, ("peasant",), Refusal.CARD_COUNT, {"given": 1, "least": 0, "most": 0}),
        ((Grave("count", 1, "barn"),), ("peasant",), Refusal.HAND_TOO_SMALL, {"least": 2, "there": 1}),
    ],
)
def test_what_a_burial_may_not_do(
    graves: tuple[Grave, ...], pay: tuple[str, ...], reason: Refusal, facts: dict[str, Any]
) -> None:
    refused(night(player("peasant", corpses="baron count")), Bury(graves, pay), reason, **facts)


def test_corpses_of_others_are_not_buried() -> None:
    state = night(player(), player(corpses="baron"))
    refused(state, Bury(BARN), Refusal.NO_CORPSE, corpse="baron")
    assert legal(state, Bury) == []


def test_a_cellar_makes_burying_one_card_cheaper_and_is_optional_r2() -> None:
    state = night(player("peasant", "barn[baron] abbot", corpses="viscount"), player("", "barn[baron]"))
    grave = (Grave("viscount", 1, "abbot"),)
    assert legal(state, Bury) == [Bury(grave), Bury(grave, ("peasant",))]


def test_two_cellars_add_up_r3() -> None:
    state = night(player("", "abbot abbot", corpses="count"))
    assert money(after(state, Bury((Grave("count", 1, "abbot"),)))) == (23, 1)


def test_equal_annexes_of_one_owner_are_one_place_with_more_room_d27() -> None:
    state = night(player("", "barn[baron] monk[baron] monk", corpses="baron"), player("", "barn[baron]"))
    assert legal(state, Bury) == [Bury((Grave("baron", 1, "monk"),))]
    buried = after(state, Bury((Grave("baron", 1, "monk"),)))
    assert buried.players[0].annexes[1:] == (Annex("monk", ("baron",)), Annex("monk", ("baron",)))


def test_equal_corpses_are_interchangeable_d27() -> None:
    state = night(player(corpses="baron baron"), player("", "barn[count]"))
    assert legal(state, Bury) == [Bury(BARN)]


def test_a_crypt_buries_several_corpses_each_where_a_place_is_free_r7() -> None:
    state = night(player("peasant", "archbishop", corpses="baron peasant viscount", cash=0), player("", "barn", cash=0))
    graves = (Grave("baron", 1, "barn"), Grave("peasant", 2, "barn"), Grave("viscount", 1, "archbishop"))
    buried = after(state, Bury(graves, ("peasant",)))
    assert (money(buried), money(buried, seat=2)) == ((8 + 2 + 12, 1), (2, 1))
    assert buried.players[0].corpses == ()


def test_a_crypt_pays_the_sum_of_ranks_less_a_discount_once_r5() -> None:
    state = night(player("peasant peasant", "archbishop abbot", corpses="viscount count"))
    graves = (Grave("count", 1, "abbot"), Grave("viscount", 1, "archbishop"))
    refused(state, Bury(graves, ("peasant",)), Refusal.CARD_COUNT, given=1, least=2, most=3)
    assert after(state, Bury(graves, ("peasant", "peasant"))).players[0].corpses == ()


def test_places_are_counted_as_they_fill_d7() -> None:
    state = night(player("", "archbishop[baron baron]", corpses="baron baron"))
    graves = (Grave("baron", 1, "archbishop"),) * 2
    places = ((1, "archbishop"), (1, "barn"), (2, "barn"))
    refused(state, Bury(graves), Refusal.NO_PLACE, owner=1, annex="archbishop", places=places)
    assert Bury((Grave("baron", 1, "archbishop"), Grave("baron", 1, "barn"))) in legal(state, Bury)


def test_a_crypt_lists_single_burials_first_and_each_group_once_d7() -> None:
    state = night(player("", "archbishop", corpses="baron baron"), player("", "barn[count]"))
    crypt, barn = Grave("baron", 1, "archbishop"), Grave("baron", 1, "barn")
    assert legal(state, Bury) == [Bury((crypt,)), Bury((barn,)), Bury((crypt, crypt)), Bury((crypt, barn))]


def test_several_burials_are_capped_one_by_one_and_the_sum_is_the_same() -> None:
    state = night(player("", "archbishop", corpses="baron baron", cash=30))
    buried = events(state, Bury((Grave("baron", 1, "archbishop"),) * 2))[0]
    assert [(burial.gained, burial.lost) for burial in buried.burials] == [(8, 0), (2, 6)]


def test_a_dead_peasant_is_rank_0_with_4_francs_and_never_returns_to_the_bistro_d17() -> None:
    state = night(player(corpses="peasant", cash=0), player(cash=0))
    own = after(state, Bury((Grave("peasant", 1, "barn"),)))
    shared = after(state, Bury((Grave("peasant", 2, "barn"),)))
    assert (money(own), own.bistro) == ((4, 1), 0)
    assert (money(shared), money(shared, seat=2)) == ((2, 1), (2, 1))


def test_places_never_become_free_d16() -> None:
    state = last_of_night(player("", "barn[baron] count[duke]", corpses="peasant"), rooms="major")
    after_police = after(state, Pass())
    next_morning = after(after_police, Pay(1))
    assert next_morning.phase is Phase.EVENING
    assert next_morning.players[0].annexes == (Annex("barn", ("baron",)), Annex("count", ("duke",)))
