"""The capability ``sample``: whole positions that look as a seat's own does, and tell nothing of what it cannot see."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn.cards import PEASANT, TRAVELERS
from engine.bloody_inn.state import State
from engine.shuffle import Stream
from tests.engine.contract import Played, every
from tests.engine.unknown import UNKNOWN


def stream(number: int) -> Stream:
    return Stream(bytes([number]) * 32)


def test_a_sample_looks_to_its_reader_as_the_position_does(game: Played) -> None:
    rules, sample = game.course.game, game.course.game.capabilities["sample"]
    for moment in every(game.moments, 25):
        for reader in (None, *range(1, len(game.course.names) + 1)):
            view = rules.view(moment.state, reader, game.course.names)
            assert rules.view(sample(view, stream(1)), reader, game.course.names) == view


def test_a_sample_is_the_same_whatever_lies_hidden(game: Played) -> None:
    """It follows from the view and the stream alone."""
    rules, sample = game.course.game, game.course.game.capabilities["sample"]
    for moment in every(game.moments, 10):
        other = UNKNOWN[rules.name](moment.state, 1, stream(2))
        seen, unseen = (rules.view(state, 1, game.course.names) for state in (moment.state, other))
        assert sample(seen, stream(1)) == sample(unseen, stream(1))


def cards(state: State) -> Counter[str]:
    hands = (card for player in state.players for card in (*player.hand, *player.corpses))
    built = (card for player in state.players for annex in player.annexes for card in (annex.card, *annex.graves))
    guests = (room.guest for room in state.rooms if room.guest)
    piles = (*state.entrance, *state.exit, *state.removed, *state.gone)
    found = Counter((*hands, *built, *guests, *piles))
    found[PEASANT] += state.bistro + state.box
    return found


def test_no_card_of_the_deck_is_made_or_lost(game: Played) -> None:
    if game.course.game is not GAME:
        pytest.skip("this game has no deck")
    for moment in every(game.moments, 25):
        if moment.state.phase != "setup":
            view = GAME.view(moment.state, 1)
            assert cards(GAME.capabilities["sample"](view, stream(3))) == cards(moment.state)
            assert sum(cards(moment.state)[card] for card in set(TRAVELERS)) == len(TRAVELERS)
