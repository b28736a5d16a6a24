"""What a person is shown as possible."""

from __future__ import annotations

from itertools import islice

import pytest
from msgspec import structs

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Bribe, Build, Bury, Kill, Pass
from engine.bloody_inn.state import Phase, State
from engine.bloody_inn.suggest import suggest
from engine.game import DEALER, Deal
from tests.engine.bloody_inn.positions import evening, last_of_night, night, player, position


def lines(state: State, count: int = 6, seat: int = 1) -> list[str]:
    view = GAME.view(state, seat, ("Anna", "Bob", "Chen", "Dora")[: len(state.players)])
    return [GAME.write(action, view) for action in suggest(view, count)]


def test_a_burial_that_pays_comes_first() -> None:
    state = night(player("abbot peasant", "abbot", "count"), rooms="baron monk - - -")
    assert lines(state)[0] == "BURY count UNDER cellar WITH abbot"


def test_police_are_killed_or_bribed_before_they_find_a_corpse_that_cannot_be_buried() -> None:
    state = last_of_night(player("major peasant", "barn[baron]", "duke duke duke"), rooms="brigadier monk - - -")
    assert lines(state)[0] in ("KILL brigadier WITH major", "BRIBE brigadier WITH peasant")


def test_money_near_the_limit_is_laundered() -> None:
    assert lines(night(player("", cash=38), rooms="major major - - -"))[0].startswith("PASS LAUNDER")


def test_nobody_is_told_to_waste_a_card_where_the_aptitude_brings_it_back() -> None:
    state = night(player("major peasant peasant novice", "abbot"), rooms="monk - - - -")
    assert "KILL monk WITH major" in lines(state)


def test_one_line_of_a_night_is_a_pass() -> None:
    state = night(
        player("abbot monk novice mechanic peasant", "abbot", "count novice"), rooms="baron monk abbot duke -"
    )
    assert sum(line.startswith("PASS") for line in lines(state, 3)) == 1


def test_suggestions_are_of_different_kinds_and_about_different_cards() -> None:
    state = night(
        player("abbot monk novice mechanic peasant", "abbot", "count count"), rooms="baron baron baron monk -", bistro=2
    )
    kinds = [type(action) for action in suggest(GAME.view(state, 1), 9)]
    assert set(kinds) >= {Bribe, Build, Bury, Kill, Pass}
    assert max(map(kinds.count, kinds)) <= 2
    assert len({line.split(" IN ")[0] for line in lines(state, 9)}) == len(lines(state, 9))


def test_in_the_evening_one_line_lodges_everybody() -> None:
    state = evening(rooms="baron - - - -", keys="1 2 - - -", entrance="monk monk monk monk")
    assert lines(state) == ["LODGE 3", "LODGE 2", "LODGE 2 3 4 5"]


def test_the_payments_to_the_police_are_all_shown_where_they_are_few() -> None:
    state = position(player("", "", "duke duke", cash=20, checks=3), phase=Phase.POLICE, turn=0, awaited=(1,))
    assert sorted(lines(state)) == ["PAY 1 CHECK", "PAY 2 CHECKS", "PAY CASH"]


def test_whom_one_misses_least_is_dismissed_first() -> None:
    state = position(player("abbot major peasant peasant", cash=2), phase=Phase.WAGES, turn=0, awaited=(1,))
    assert lines(state)[0] == "DISMISS 2 peasants"
    assert len(lines(state)) == 4


def test_the_public_is_shown_nothing() -> None:
    assert suggest(GAME.view(night(player("peasant")), None), 5) == ()


def test_who_waits_at_night_is_shown_what_would_be_legal_in_his_turn() -> None:
    state = night(player("peasant"))
    later = suggest(GAME.view(state, 2), 5)
    assert later == suggest(GAME.view(structs.replace(state, turn=2), 2), 5)
    assert Pass() in later


def test_who_has_taken_both_actions_is_shown_nothing() -> None:
    state = structs.replace(night(player("peasant")), first=2, turn=1, action=2)
    assert suggest(GAME.view(state, 2), 5) == ()


@pytest.mark.parametrize("phase", [Phase.EVENING, Phase.POLICE, Phase.WAGES])
def test_in_other_phases_only_who_is_awaited_is_shown_something(phase: Phase) -> None:
    state = structs.replace(night(player("peasant")), phase=phase)
    assert suggest(GAME.view(state, 2), 5) == ()


def test_all_suggestions_of_a_whole_game_are_legal_and_few() -> None:
    state = GAME.start(3, {})
    seen = 0
    while waiting := GAME.waiting(state):
        seat = waiting[0].seat
        if seat == DEALER:
            state = GAME.apply(state, DEALER, Deal(tuple(reversed(range(waiting[0].size))))).state
            continue
        suggested = suggest(GAME.view(state, seat), 5)
        assert 1 <= len(suggested) == len(set(suggested)) <= 5
        for action in suggested:
            GAME.apply(state, seat, action)
        seen += len(suggested)
        state = GAME.apply(state, seat, suggested[seen % len(suggested)]).state
    assert seen > 100


def test_a_great_many_legal_actions_are_not_all_listed() -> None:
    hand = "abbot abbot abbot baron brigadier count distiller major mechanic monk novice peasant peasant viscount"
    state = night(
        player(hand, "butcher shopkeeper archbishop abbot", "count duke monk novice viscount"),
        rooms="major duke prince bishop grocer",
    )
    assert len(list(islice(GAME.legal(state, 1), 20_000))) == 20_000
    assert len(suggest(GAME.view(state, 1), 6)) == 6
