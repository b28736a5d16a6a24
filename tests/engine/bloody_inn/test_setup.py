"""Set-up: eight tables of numbers, the options, the deals before the first round."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Lodge, Pass
from engine.bloody_inn.cards import FACES, PEASANT, TRAVELERS
from engine.bloody_inn.events import FirstPlayer, RoundBegan, Shuffled
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.state import Phase, State
from engine.game import BadOption, Deal
from tests.engine.bloody_inn.positions import after, dealt, events, refused

SET_UPS = [
    # seats, length, removed, Entrance Stack, rooms, rounds of season 1
    (1, "short", 34, 36, 4, 9),
    (1, "long", 26, 44, 4, 11),
    (2, "short", 35, 35, 5, 7),
    (2, "long", 25, 45, 5, 9),
    (3, "short", 28, 42, 6, 7),
    (3, "long", 16, 54, 6, 9),
    (4, "short", 22, 48, 8, 6),
    (4, "long", 6, 64, 8, 8),
]


def begun(seats: int, **options: str) -> State:
    """A game once its first deals are made, in the evening of round 1."""
    state = GAME.start(seats, {"first": "1"} | {name.replace("_", "-"): text for name, text in options.items()})
    while state.shuffle_due:
        state = dealt(state)
    return state


def test_the_deck_has_70_travelers_and_8_peasants() -> None:
    ranks = Counter((FACES[card].type, FACES[card].rank) for card in TRAVELERS)
    kinds = {"artisan", "merchant", "religious", "noble", "police"}
    assert ranks == {(kind, rank): copies for kind in kinds for rank, copies in enumerate((4, 4, 3, 3))}
    assert FACES[PEASANT].copies == 8
    assert sum(face.copies for face in FACES.values()) == 78


def test_francs_depend_on_rank_and_aptitude_on_type() -> None:
    aptitudes = {"artisan": "build", "merchant": "bribe", "police": "kill", "religious": "bury", "noble": ""}
    for face in FACES.values():
        if face.id == PEASANT:
            assert (face.rank, face.francs, face.aptitude) == (0, 4, "")
        else:
            assert face.francs == (8, 12, 18, 26)[face.rank]
            assert face.aptitude == aptitudes[face.type]


def test_all_but_police_and_peasants_can_be_built() -> None:
    assert {face.id for face in FACES.values() if not face.buildable} == {
        "peacekeeper", "brigadier", "brigadier_chief", "major", "peasant",
    }  # fmt: skip
    assert sum(face.buildable for face in FACES.values()) == 24


@pytest.mark.parametrize(("seats", "length", "removed", "entrance", "rooms", "_rounds"), SET_UPS)
def test_each_set_up_has_its_numbers(
    seats: int, length: str, removed: int, entrance: int, rooms: int, _rounds: int
) -> None:
    state = begun(seats, length=length)
    assert (len(state.removed), len(state.entrance), len(state.rooms)) == (removed, entrance, rooms)


@pytest.mark.parametrize(("seats", "length", "_removed", "_entrance", "_rooms", "rounds"), SET_UPS)
def test_season_one_fills_the_rooms_exactly(
    seats: int, length: str, _removed: int, _entrance: int, _rooms: int, rounds: int
) -> None:
    state = begun(seats, length=length, welcome="first-come")
    while not state.shuffle_due:
        assert all(room.guest for room in state.rooms) or state.phase is not Phase.NIGHT
        state = after(state, GAME.fallback(state, GAME.waiting(state)[0].seat), GAME.waiting(state)[0].seat)
    assert (state.round, state.season, state.entrance) == (rounds, 1, ())


@pytest.mark.parametrize(("seats", "bistro", "box"), [(1, 2, 4), (2, 0, 4), (3, 0, 2), (4, 0, 0)])
def test_everybody_starts_with_5_francs_a_check_two_peasants_and_a_barn(seats: int, bistro: int, box: int) -> None:
    state = GAME.start(seats, {})
    for player in state.players:
        assert (player.cash, player.checks, player.hand) == (5, 1, ("peasant", "peasant"))
        assert [annex.card for annex in player.annexes] == ["barn"]
    assert (state.bistro, state.box) == (bistro, box)


@pytest.mark.parametrize(
    ("seats", "keys"),
    [(1, [1, 0, 0, 0]), (2, [1, 2, 0, 0, 0]), (3, [1, 2, 3, 0, 0, 0]), (4, [1, 2, 3, 4, 0, 0, 0, 0])],
)
def test_keys_lie_by_seat_then_white_ones(seats: int, keys: list[int]) -> None:
    state = GAME.start(seats, {})
    assert [room.key for room in state.rooms] == keys
    assert [room.number for room in state.rooms] == list(range(1, len(keys) + 1))


def test_the_first_player_is_drawn_before_the_deck_is_shuffled_d25() -> None:
    state = GAME.start(3, {})
    (draw,) = GAME.waiting(state)
    assert (draw.seat, draw.kind, draw.size, draw.key) == (0, "deal", 3, "0/setup/0/1")
    assert events(state, Deal((2, 0, 1)), seat=0) == (Shuffled("first", 3), FirstPlayer(3))
    (deck,) = GAME.waiting(after(state, Deal((2, 0, 1)), seat=0))
    assert (deck.size, deck.key) == (70, "0/setup/0/2")


def test_alone_the_first_player_is_drawn_from_one_d25() -> None:
    (draw,) = GAME.waiting(GAME.start(1, {}))
    assert (draw.size, draw.answers) == (1, 1)


def test_a_given_first_player_needs_no_draw() -> None:
    state = GAME.start(3, {"first": "2"})
    (deck,) = GAME.waiting(state)
    assert (deck.size, deck.key) == (70, "0/setup/0/1")
    assert dealt(state).turn == 2


def test_the_first_cards_of_the_shuffled_deck_are_the_removed_ones_d25() -> None:
    state = GAME.start(4, {"first": "1", "length": "long"})
    order = tuple(reversed(range(70)))
    dealt_state = after(state, Deal(order), seat=0)
    deck = tuple(TRAVELERS[index] for index in order)
    assert dealt_state.removed == tuple(sorted(deck[:6]))
    assert dealt_state.entrance == deck[6:]


def test_the_deck_is_permuted_sorted_by_id_d25() -> None:
    assert list(TRAVELERS) == sorted(TRAVELERS)
    assert dealt(GAME.start(2, {"first": "1"})).entrance == TRAVELERS[35:]


def test_the_first_round_begins_by_itself_after_the_deal() -> None:
    state = GAME.start(2, {"first": "2"})
    told = events(state, Deal(tuple(range(70))), seat=0)
    assert told == (Shuffled("entrance", 70), RoundBegan(1, 1, 2, False))


@pytest.mark.parametrize("order", [(), (0, 1), (0, 1, 1), (0, 1, 3), (-1, 0, 1), (0, 1, 2, 3)])
def test_a_deal_that_is_no_permutation_is_refused(order: tuple[int, ...]) -> None:
    refused(GAME.start(3, {}), Deal(order), Refusal.NO_PERMUTATION, by=0, size=3)


def test_while_a_shuffle_is_due_only_the_dealer_may_move() -> None:
    state = GAME.start(2, {"first": "1"})
    refused(state, Lodge((1,)), Refusal.NOT_AWAITED, by=1, seat=1)
    refused(state, Pass(), Refusal.WRONG_KIND, by=0, kind="deal")


def test_the_dealer_may_not_move_when_no_shuffle_is_due() -> None:
    refused(begun(2), Deal(tuple(range(70))), Refusal.NOT_AWAITED, by=0, seat=0)


@pytest.mark.parametrize(
    ("option", "default", "values"),
    [
        ("length", "short", ("short", "long")),
        ("welcome", "choose", ("choose", "first-come")),
        ("first", "drawn", ("drawn", "1", "2", "3", "4")),
        ("unlimited", "off", ("off", "on")),
        ("reshuffle", "next-welcome", ("next-welcome", "at-once")),
        ("last-round", "rulebook", ("rulebook", "full-inn")),
        ("hands", "private", ("private", "open")),
    ],
)
def test_every_option_has_its_default_and_values(option: str, default: str, values: tuple[str, ...]) -> None:
    found = next(known for known in GAME.options if known.name == option)
    assert (found.default, found.values) == (default, values)
    field = option.replace("-", "_")
    assert getattr(GAME.start(4, {}).options, field) == default
    for value in values:
        assert getattr(GAME.start(4, {option: value}).options, field) == value


@pytest.mark.parametrize(
    ("seats", "options", "wrong"),
    [
        (0, {}, ("seats", "0", ("1", "2", "3", "4"))),
        (5, {}, ("seats", "5", ("1", "2", "3", "4"))),
        (2, {"length": "medium"}, ("length", "medium", ("short", "long"))),
        (2, {"first": "3"}, ("first", "3", ("drawn", "1", "2"))),
        (1, {"first": "2"}, ("first", "2", ("drawn", "1"))),
    ],
)
def test_what_is_not_offered_is_named(seats: int, options: dict[str, str], wrong: tuple[object, ...]) -> None:
    with pytest.raises(BadOption) as caught:
        GAME.start(seats, options)
    assert (caught.value.option, caught.value.value, caught.value.allowed) == wrong


def test_an_unknown_option_is_answered_with_those_that_exist() -> None:
    with pytest.raises(BadOption) as caught:
        GAME.start(2, {"speed": "fast"})
    assert caught.value.option == "speed"
    assert "last-round" in caught.value.allowed
