"""Thousands of games in every set-up to their end, and what holds at every step of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn.cards import CAPACITY, FACES
from engine.bloody_inn.events import LeftoversArrived, RoundBegan, SeasonBegan
from engine.bloody_inn.state import Phase, State
from engine.game import told
from engine.shuffle import Stream
from tests.engine.bloody_inn.bookkeeping import hands, hands_after, purses, purses_after
from tests.engine.bloody_inn.random_games import all_cards
from tests.engine.contract import Course, Moment, Played, play

pytestmark = pytest.mark.slow

E = TypeVar("E")
DECK: Final = Counter({face.id: face.copies for face in FACES.values()})
SEASON_ONE: Final = {
    (1, "short"): (9, 4),
    (1, "long"): (11, 4),
    (2, "short"): (7, 5),
    (2, "long"): (9, 5),
    (3, "short"): (7, 6),
    (3, "long"): (9, 6),
    (4, "short"): (6, 8),
    (4, "long"): (8, 8),
}
"""By seats and length: the rounds of season 1 and the open rooms, as the table of the rules has them."""
BOTS: Final = ("random", "steady")
QUICK: Final = {"random": 24, "steady": 6}
"""Games of each set-up and bot in every run: in all 240."""
MANY: Final = {"random": 250, "steady": 125}
"""And where time allows: in all three thousand."""

set_ups = pytest.mark.parametrize(("seats", "length"), SEASON_ONE)
bots = pytest.mark.parametrize("bot", BOTS)


def games(seats: int, length: str, bot: str, seeds: range) -> Iterator[Played]:
    """One game for each seed, with options drawn for it."""
    for seed in seeds:
        stream = Stream(f"{seats} {length} {bot} {seed}".encode())
        options = [("length", length)]
        for option in GAME.options:
            if option.name not in ("length", "first"):
                options.append((option.name, option.values[stream.below(len(option.values))]))
        first = stream.below(seats + 1)
        yield play(Course(GAME, seats, (*options, ("first", str(first) if first else "drawn")), bot), seed)


@set_ups
@bots
def test_a_few_games_of_every_set_up_hold_at_every_step(seats: int, length: str, bot: str) -> None:
    for game in games(seats, length, bot, range(QUICK[bot])):
        hold(game)


@pytest.mark.slow
@set_ups
@bots
def test_many_games_of_every_set_up_hold_at_every_step(seats: int, length: str, bot: str) -> None:
    for game in games(seats, length, bot, range(QUICK[bot], QUICK[bot] + MANY[bot])):
        hold(game)


def hold(game: Played) -> None:
    """All that must be true of a game."""
    for state in game.states:
        cards_are_all_there(state)
        money_is_within_its_limits(state)
        no_annex_holds_too_many(state)
    for moment in game.moments:
        the_news_add_up(moment)
    season_one_fills_the_rooms_exactly(game)
    season_two_is_as_long_as_announced(game)
    it_ends_in_time(game)


def cards_are_all_there(state: State) -> None:
    assert state.phase is Phase.SETUP or all_cards(state) == DECK


def money_is_within_its_limits(state: State) -> None:
    assert all(0 <= player.cash <= 40 and player.checks >= 0 for player in state.players)


def no_annex_holds_too_many(state: State) -> None:
    annexes = [annex for player in state.players for annex in player.annexes]
    assert all(len(annex.graves) <= CAPACITY[annex.card] for annex in annexes)


def the_news_add_up(moment: Moment) -> None:
    """What everybody is told accounts for every franc and every card in hand."""
    news = told(moment.events, None)
    assert purses_after(purses(moment.state), news) == purses(moment.after)
    assert hands_after(hands(moment.state), news) == hands(moment.after)


def season_one_fills_the_rooms_exactly(game: Played) -> None:
    rounds, rooms = SEASON_ONE[game.course.seats, dict(game.course.options)["length"]]
    nights = [after for after in _states_at_nightfall(game) if after.round <= rounds]
    assert all(len(state.rooms) == rooms == sum(room.guest != "" for room in state.rooms) for state in nights)
    begun = [event.round for event in _events(game, RoundBegan) if event.season == 1]
    assert begun == list(range(1, rounds + 1)) or (game.last.lost and len(begun) < rounds)
    assert game.last.lost or len(nights) == rounds


def season_two_is_as_long_as_announced(game: Played) -> None:
    """D1: S div R rounds, one more if as many travelers as players are left over, and none is a surprise."""
    begun = [event for event in _events(game, RoundBegan) if event.season == 2]
    if game.last.lost:
        assert not any(event.last for event in begun[:-1])
        return
    (moment,) = [moment for moment in game.moments if _of((moment,), SeasonBegan)]
    rooms, full_inn = len(game.last.rooms), moment.state.options.last_round == "full-inn"
    full, over = divmod(len(moment.state.exit), rooms)
    expected = full + (over >= game.course.seats and not full_inn)
    assert [event.rounds for event in _events(game, SeasonBegan)] == [expected] == [len(begun)]
    assert [event.last for event in begun] == [False] * (expected - 1) + [True] * (expected > 0)
    left = len(moment.state.exit) - sum(min(rooms, len(moment.state.exit) - rooms * n) for n in range(expected))
    assert [event.size for event in _events(game, LeftoversArrived)] == [left] * (left > 0)


def it_ends_in_time(game: Played) -> None:
    """Nobody is asked more often than the rounds of a game allow."""
    seats, rooms = game.course.seats, len(game.last.rooms)
    a_round = rooms + 2 * seats + 2 * seats
    assert len(game.moments) <= 3 + a_round * (game.last.round + 1)
    assert game.last.round <= 2 * SEASON_ONE[seats, dict(game.course.options)["length"]][0] + 2


def _states_at_nightfall(game: Played) -> Iterator[State]:
    """Every position in which somebody has the first action of a night."""
    for before, state in zip((None, *game.states), game.states, strict=False):
        if state.phase is Phase.NIGHT and (before is None or (before.phase, before.round) != ("night", state.round)):
            yield state


def _events(game: Played, kind: type[E]) -> list[E]:
    return _of(game.moments, kind)


def _of(moments: Iterable[Moment], kind: type[E]) -> list[E]:
    return [event for moment in moments for event in told(moment.events, None) if isinstance(event, kind)]
