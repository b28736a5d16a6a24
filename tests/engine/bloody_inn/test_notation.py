"""Orders as people write them, and that every legal action has a line that reads back."""

# ruff: noqa: RUF001 (letters that look alike are what is tested)
from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Action, Bribe, Build, Bury, Dismiss, Grave, Kill, Lodge, Pass, Pay
from engine.bloody_inn.notation import fold, read, verbs, write
from engine.bloody_inn.reasons import Fault
from engine.bloody_inn.rules import check
from engine.bloody_inn.state import View
from engine.game import DEALER, Ambiguous, Deal, Illegal, Unreadable
from tests.engine.bloody_inn.positions import bury, busy_night, evening, night, player

NAMES: Final = ("Anna", "Bob", "Chén O'Neil-X")
NIGHT: Final[View] = busy_night(NAMES)


READ: Final[dict[str, Action]] = {
    # the forms of the rules
    "BRIBE landscaper WITH peasant, novice, mechanic": Bribe((1,), 0, ("mechanic", "novice", "peasant")),
    "BRIBE baron IN 4": Bribe((4,)),
    "BRIBE 2 PEASANTS": Bribe(peasants=2),
    "BRIBE PEASANT": Bribe(peasants=1),
    "KILL PEASANT": Kill(peasants=1),
    "BUILD mechanic WITH peasant": Build("mechanic", 0, ("peasant",)),
    "BUILD monk ROOM 4": Build("monk", 4),
    "BUILD monk WITH peasant ROOM 4": Build("monk", 4, ("peasant",)),
    "KILL brigadier, baron IN 2 WITH major": Kill((2, 3), 0, ("major",)),
    "BURY novice UNDER barn": bury("novice", 1, "barn"),
    "BURY count UNDER Bob's cellar WITH novice, abbot": bury("count", 2, "abbot", "abbot", "novice"),
    "BURY novice UNDER barn, count UNDER Bob's cellar WITH novice, abbot": Bury(
        (Grave("count", 2, "abbot"), Grave("novice", 1, "barn")), ("abbot", "novice")
    ),
    "PASS": Pass(),
    "PASS LAUNDER 20": Pass(launder=20),
    "PASS CASH 10": Pass(cash=10),
    "PAY 2 CHECKS": Pay(2),
    "DISMISS novice, peasant": Dismiss(("novice", "peasant")),
    "LODGE 3": Lodge((3,)),
    "LODGE ANY": Lodge((6,)),
    "lodge anywhere": Lodge((6,)),
    "LODGE 3 1 5 2 4": Lodge((3, 1, 5, 2, 4)),
    # case, width, accents, quotes, stops, articles
    "bribe the Baron in room 4.": Bribe((4,)),
    "  Kill  PEASANT !": Kill(peasants=1),
    "- kill peasant": Kill(peasants=1),
    "kill: peasant": Kill(peasants=1),
    "ＫＩＬＬ　ｂａｒｏｎ　ＩＮ　４": Kill((4,)),
    "Kíll the bàron in 4": Kill((4,)),
    "bury a novice under Chen O\u2019Neil\u2010X\u2019s room": bury("novice", 3, "monk"),
    "BUILD mechanic WITH one of my peasants": Build("mechanic", 0, ("peasant",)),
    # numbers and lists
    "bribe two peasants": Bribe(peasants=2),
    "BRIBE 2x peasant": Bribe(peasants=2),
    "bribe peasant, peasant": Bribe(peasants=2),
    "bribe peasant and peasant": Bribe(peasants=2),
    "bribe peasant + peasant": Bribe(peasants=2),
    "bribe peasant; a peasant, and the peasant": Bribe(peasants=3),
    "DISMISS 2 peasants & novice": Dismiss(("novice", "peasant", "peasant")),
    "DISMISS peasant novice 1 peasant": Dismiss(("novice", "peasant", "peasant")),
    "LODGE 3, 1 and 5": Lodge((3, 1, 5)),
    "lodge in room 6": Lodge((6,)),
    # guests by name and room
    "KILL ROOM 3": Kill((3,), 0, ("major",)),
    "KILL the monk in room 5 with the major": Kill((5,), 0, ("major",)),
    "KILL rooms 2, 4": Kill((2, 4)),
    "KILL rooms 2 and room 4": Kill((2, 4)),
    "KILL barons IN 2 and 4": Kill((2, 4)),
    "KILL 2 barons": Kill((2, 4)),
    "KILL baron, baron": Kill((2, 4)),
    "KILL baron IN 4, baron": Kill((2, 4)),
    "KILL baron IN 2, 2 peasants": Kill((2,), 2),
    # order of phrases
    "BRIBE monk WITH peasant IN 5": Bribe((5,), 0, ("peasant",)),
    "BRIBE monk IN 5 WITH peasant": Bribe((5,), 0, ("peasant",)),
    "BRIBE WITH peasant IN 5": Bribe((5,), 0, ("peasant",)),
    "BURY count WITH abbot, peasant UNDER barn": bury("count", 1, "barn", "abbot", "peasant"),
    # annexes by name, card and owner
    "BURY novice UNDER Bob's abbot": bury("novice", 2, "abbot"),
    "BURY novice UNDER Bobs cellar": bury("novice", 2, "abbot"),
    "BURY novice UNDER the cellar of Bob": bury("novice", 2, "abbot"),
    "BURY novice UNDER the cellar of Bob WITH nothing": bury("novice", 2, "abbot"),
    "BURY novice UNDER room": bury("novice", 3, "monk"),
    "BURY novice UNDER my workshop": bury("novice", 1, "mechanic"),
    "BURY novice UNDER my own barn": bury("novice", 1, "barn"),
    "BURY novice UNDER mechanic": bury("novice", 1, "mechanic"),
    "BURY novice UNDER chapel": bury("novice", 1, "priest"),
    "BURY 2 peasants UNDER barn": Bury((Grave("peasant", 1, "barn"),) * 2),
    "BURY novice, peasant UNDER barn": Bury((Grave("novice", 1, "barn"), Grave("peasant", 1, "barn"))),
    "BUILD workshop": Build("mechanic"),
    # remarks
    "BURY novice UNDER barn   (8F for you)": bury("novice", 1, "barn"),
    "PASS LAUNDER 10 (10F cash (all of it) become a check)": Pass(launder=10),
    "KILL PEASANT # poor man": Kill(peasants=1),
    "BURY novice UNDER barn (a remark that the mail client has bro": bury("novice", 1, "barn"),
    # money
    "pass and launder 20F": Pass(launder=20),
    "PASS LAUNDER 20 francs": Pass(launder=20),
    "PASS LAUNDER 20, CASH 10": Pass(launder=20, cash=10),
    "PAY A CHECK": Pay(1),
    "pay two cheques": Pay(2),
    # a payment that costs nothing need not be named
    "BRIBE baron IN 2": Bribe((2,)),
    "KILL monk": Kill((5,), 0, ("major",)),
    "BUILD mechanic": Build("mechanic"),
}


@pytest.mark.parametrize("line", READ)
def test_a_line_is_read(line: str) -> None:
    assert read(line, NIGHT) == READ[line]


UNREADABLE: Final[dict[str, tuple[Fault, dict[str, object]]]] = {
    "kil baron": (Fault.VERB, {"word": "kil", "near": ("kill",)}),
    "Thanks for the game": (Fault.VERB, {"word": "thanks", "near": ()}),
    "": (Fault.VERB, {"word": "", "near": ()}),
    "> KILL baron IN 4": (Fault.VERB, {"word": ">", "near": ()}),
    "KILL brigadeer": (Fault.CARD, {"word": "brigadeer", "near": ("brigadier", "gardener", "brewer")}),
    "BUILD barn": (Fault.CARD, {"word": "barn", "near": ("baron",)}),
    "BUILD xyzzy": (Fault.CARD, {"word": "xyzzy", "near": ()}),
    "BRIBE monk WITH novicce": (Fault.CARD, {"word": "novicce", "near": ("novice",)}),
    "BURY novice UNDER celler": (Fault.ANNEX, {"word": "celler", "near": ("cellar",)}),
    "BURY novice UNDER Karl's cellar": (Fault.PLAYER, {"word": "karl", "near": NAMES}),
    "BURY novice UNDER Rob's cellar": (Fault.PLAYER, {"word": "rob", "near": ("Bob",)}),
    "LODGE x": (Fault.NUMBER, {"word": "x"}),
    "PASS LAUNDER": (Fault.NUMBER, {"word": "launder"}),
    "KILL baron IN": (Fault.NUMBER, {"word": "in"}),
    "KILL 3 barons IN 2": (Fault.NUMBER, {"word": "3"}),
    "BRIBE 9999 peasants": (Fault.NUMBER, {"word": "9999"}),
    "BRIBE 99999999999 peasants": (Fault.NUMBER, {"word": "99999999999"}),
    "BRIBE monk WITH peasants": (Fault.NUMBER, {"word": "peasants"}),
    "BURY peasants UNDER barn": (Fault.NUMBER, {"word": "peasants"}),
    "KILL": (Fault.TARGET_MISSING, {"verb": "kill"}),
    "KILL 2": (Fault.TARGET_MISSING, {"verb": "kill"}),
    "KILL WITH major": (Fault.TARGET_MISSING, {"verb": "kill"}),
    "BURY UNDER barn": (Fault.TARGET_MISSING, {"verb": "bury"}),
    "BUILD ROOM 4": (Fault.TARGET_MISSING, {"verb": "build"}),
    "PAY": (Fault.TARGET_MISSING, {"verb": "pay"}),
    "DISMISS": (Fault.TARGET_MISSING, {"verb": "dismiss"}),
    "LODGE": (Fault.ROOM_MISSING, {"verb": "lodge", "near": ("6",)}),
    "BUILD monk": (Fault.ROOM_MISSING, {"verb": "build", "near": ("4", "5", "6")}),
    "KILL duke": (Fault.NOT_IN_INN, {"card": "duke", "room": 0}),
    "KILL 3 barons": (Fault.NOT_IN_INN, {"card": "baron", "room": 0}),
    "KILL baron IN 3": (Fault.NOT_IN_INN, {"card": "baron", "room": 3}),
    "KILL peasant IN 3": (Fault.NOT_IN_INN, {"card": "peasant", "room": 3}),
    "BURY novice UNDER barn IN 3": (Fault.NOT_HERE, {"verb": "bury", "words": "in 3"}),
    "KILL monk UNDER barn": (Fault.NOT_HERE, {"verb": "kill", "words": "under"}),
    "KILL baron, monk WITH major IN 2": (Fault.NOT_HERE, {"verb": "kill", "words": "in 2"}),
    "BRIBE monk": (Fault.PAYMENT_UNCLEAR, {"least": 1, "most": 1, "near": ("peasant", "abbot", "major")}),
    "KILL monk WITH": (Fault.PAYMENT_UNCLEAR, {"least": 1, "most": 1, "near": ("major", "abbot", "mechanic")}),
    "KILL monk WITH major WITH novice": (Fault.REPEATED, {"word": "with"}),
    "KILL monk IN 5 IN 5": (Fault.REPEATED, {"word": "in 5"}),
    "BURY novice UNDER barn UNDER cellar": (Fault.REPEATED, {"word": "under"}),
    "PASS LAUNDER 10 LAUNDER 20": (Fault.REPEATED, {"word": "launder"}),
    "KILL monk IN 5 tonight please": (Fault.REST, {"words": "tonight please"}),
    "BUILD mechanic, monk": (Fault.REST, {"words": "monk"}),
    "PASS me the salt": (Fault.REST, {"words": "me the salt"}),
    "PAY the baker": (Fault.REST, {"words": "the baker"}),
    "BRIBE landscaper WITH peasant, novice,": (Fault.REST, {"words": ","}),
    "BURY novice UNDER": (Fault.REST, {"words": "under"}),
    "BURY novice UNDER and count UNDER barn": (Fault.REST, {"words": "and"}),
}


@pytest.mark.parametrize("line", UNREADABLE)
def test_a_line_that_is_not_understood_says_why(line: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(line, NIGHT)
    assert (caught.value.reason, caught.value.facts) == UNREADABLE[line]


def test_without_under_the_corpse_needs_a_place_that_is_named() -> None:
    with pytest.raises(Unreadable) as caught:
        read("BURY novice", NIGHT)
    assert caught.value.reason == Fault.PLACE_MISSING
    assert caught.value.facts["corpse"] == "novice"


AMBIGUOUS: Final[dict[str, list[str]]] = {
    "BRIBE baron": ["BRIBE baron IN 2", "BRIBE baron IN 4"],
    "KILL barons": ["KILL baron IN 2", "KILL baron IN 4"],
    "KILL brigadier, baron WITH major": [
        "KILL baron IN 2, brigadier WITH major",
        "KILL brigadier, baron IN 4 WITH major",
    ],
    "BRIBE PEASANTS": ["BRIBE PEASANT", "BRIBE 2 PEASANTS"],
    "BURY novice UNDER cellar": ["BURY novice UNDER Bob's cellar", "BURY novice UNDER Chén O'Neil-X's cellar"],
}


@pytest.mark.parametrize("line", AMBIGUOUS)
def test_a_line_with_several_meanings_lists_them_all(line: str) -> None:
    with pytest.raises(Ambiguous) as caught:
        read(line, NIGHT)
    assert [write(reading, NIGHT) for reading in caught.value.readings] == AMBIGUOUS[line]


# --- what is left out ---


def test_under_is_not_needed_where_one_annex_has_a_free_place() -> None:
    view = GAME.view(night(player("", "barn", "novice"), player("", "barn[count]")), 1)
    assert read("BURY novice", view) == bury("novice", 1, "barn")


def test_the_room_is_not_needed_where_one_is_possible() -> None:
    view = GAME.view(night(player("monk concierge peasant peasant"), keys="1 2 1 - 2", tokens="1 1 - 2 2"), 1)
    assert read("BUILD monk WITH peasant", view) == Build("monk", 4, ("peasant",))
    assert read("BUILD concierge WITH 2 peasants", view) == Build("concierge", 3, ("peasant", "peasant"))


def test_a_monk_names_no_room_where_no_white_key_is_left() -> None:
    view = GAME.view(night(player("monk peasant"), keys="1 2 1 2 2"), 1)
    assert read("BUILD monk", view) == Build("monk", 0, ("peasant",))


def test_the_only_payment_possible_need_not_be_named() -> None:
    view = GAME.view(night(player("peasant peasant"), rooms="monk abbot - - -"), 1)
    assert read("BRIBE monk", view) == Bribe((1,), 0, ("peasant",))
    assert read("BRIBE abbot", view) == Bribe((2,), 0, ("peasant", "peasant"))


def test_a_discount_that_makes_an_action_free_is_used_when_no_payment_is_named() -> None:
    view = GAME.view(night(player("peasant novice", "representative"), rooms="monk - - - -"), 1)
    assert read("BRIBE monk", view) == Bribe((1,), 0, ())


def test_with_a_chapel_any_payment_for_a_burial_costs_nothing() -> None:
    view = GAME.view(night(player("peasant major", "priest", "monk")), 1)
    assert read("BURY monk UNDER chapel", view) == bury("monk", 1, "priest", "major")


def test_a_hand_that_is_too_small_is_for_the_rules_to_refuse() -> None:
    view = GAME.view(night(player(""), rooms="major - - - -"), 1)
    assert read("BRIBE major", view) == Bribe((1,))


def test_an_own_annex_goes_before_that_of_another() -> None:
    view = GAME.view(night(player("", "abbot[count count]", "novice"), player("", "abbot")), 1)
    assert read("BURY novice UNDER cellar", view) == bury("novice", 1, "abbot")


@pytest.mark.parametrize(
    ("cash", "checks", "in_checks", "in_cash"),
    [(20, 3, 2, 0), (10, 3, 2, 1), (20, 0, 0, 0), (5, 1, 1, 1), (40, 1, 1, 0)],
)
def test_paying_in_checks_means_as_many_and_in_cash_as_few_as_can_be(
    cash: int, checks: int, in_checks: int, in_cash: int
) -> None:
    view = GAME.view(night(player("", "", "novice count", cash, checks)), 1)
    assert read("PAY CHECKS", view) == Pay(in_checks)
    assert read("PAY CASH", view) == Pay(in_cash)


def test_the_traveler_who_is_up_may_be_named_with_his_room() -> None:
    view = GAME.view(evening(entrance="brigadier_chief baron baron", rooms="- - - - -"), 1)
    assert read("LODGE the brigadier chief IN 3", view) == Lodge((3,))
    with pytest.raises(Unreadable):
        read("LODGE baron IN 3", view)


# --- names of players ---

AWKWARD: Final = (
    "Tom and Jerry",
    "O'Neil with Hat",
    "小明",
    "under 3 Rooms",
    "Ann (the 2nd)",
    "Chris",
    "Åse #1",
    "Park",
    "My",
    "Max 's",
    "of Wight",
)


@pytest.mark.parametrize("name", AWKWARD)
def test_no_word_in_a_players_name_is_taken_for_an_order(name: str) -> None:
    view = GAME.view(night(player("abbot novice", "", "count novice"), player("", "mechanic")), 1, ("Anna", name))
    action = Bury((Grave("count", 2, "mechanic"), Grave("novice", 1, "barn")), ("abbot", "novice"))
    assert write(action, view) == f"BURY count UNDER {name}'s workshop, novice UNDER barn WITH abbot, novice"
    assert read(write(action, view), view) == action


def test_a_name_that_begins_another_name_is_not_taken_for_it() -> None:
    names = ("Eve", "Anna", "Annas")
    view = GAME.view(night(player("", "", "novice"), player("", "mechanic"), player("", "mechanic")), 1, names)
    assert read("BURY novice UNDER Anna's workshop", view) == bury("novice", 2, "mechanic")
    assert read("BURY novice UNDER Annas's workshop", view) == bury("novice", 3, "mechanic")
    assert read("BURY novice UNDER Annas' workshop", view) == bury("novice", 3, "mechanic")
    with pytest.raises(Unreadable):
        read("BURY novice UNDER Annas workshop", view)


# --- both ways ---


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ÀÉÎõü ", "aeiou"),
        ("Straße", "strasse"),
        ("O\u2019Neil\u00a0\u2014 X", "o'neil - x"),
        ("ＡＢＣ　１２", "abc 12"),
        ("Łódź Ægir Øre", "lodz aegir ore"),
        ("パーティー", "パーティー"),
        ("İstanbul ıs", "istanbul is"),
        ("soft\u00adhyphen\u200b", "softhyphen"),
    ],
)
def test_folding_makes_spellings_of_a_word_equal(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert fold(folded) == folded


def test_verbs_are_folded_words_that_an_order_may_begin_with() -> None:
    assert {"lodge", "bribe", "build", "kill", "bury", "pass", "pay", "dismiss"} <= set(verbs())
    assert all(verb == fold(verb) and " " not in verb for verb in verbs())


def test_a_language_without_words_is_english() -> None:
    assert verbs("tlh") == verbs()
    assert read("KILL PEASANT", NIGHT, "tlh") == Kill(peasants=1)


def test_the_dealer_has_no_order() -> None:
    with pytest.raises(TypeError):
        write(Deal((0,)), NIGHT)


@pytest.mark.parametrize("line", READ)
def test_what_is_read_is_written_so_that_it_reads_the_same(line: str) -> None:
    action = read(line, NIGHT)
    assert read(write(action, NIGHT), NIGHT) == action


def positions(seats: int, seed: int, **options: str) -> Iterator[tuple[View, list[Action]]]:
    """A random game: at each decision the view of the seat and a choice of its legal actions."""
    chance = random.Random(seed)
    state = GAME.start(seats, options)
    while waiting := GAME.waiting(state):
        seat = waiting[0].seat
        if seat == DEALER:
            order = chance.sample(range(waiting[0].size), waiting[0].size)
            state = GAME.apply(state, DEALER, Deal(tuple(order))).state
            continue
        listed = list(islice(GAME.legal(state, seat), 400))
        yield GAME.view(state, seat, ("Anna", *AWKWARD)[:seats]), chance.sample(listed, min(20, len(listed)))
        state = GAME.apply(state, seat, chance.choice(listed)).state


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_every_legal_action_has_a_line_that_reads_back(seats: int, seed: int) -> None:
    for view, actions in positions(seats, seed):
        for action in actions:
            assert read(write(action, view), view) == action


def test_actions_with_several_targets_have_lines_that_read_back() -> None:
    view = GAME.view(
        night(
            player("abbot novice peasant peasant", "butcher shopkeeper archbishop", "count monk peasant peasant"),
            player("", "abbot archbishop"),
            rooms="baron baron monk monk novice",
        ),
        1,
        ("Anna", "Bob"),
    )
    listed = list(islice(GAME.legal(view, 1), 3000))
    assert {len(action.rooms) for action in listed if isinstance(action, Kill)} == {1, 2, 3, 4, 5}
    assert {len(action.graves) for action in listed if isinstance(action, Bury)} >= {1, 2, 3}
    for action in listed:
        assert read(write(action, view), view) == action


def test_a_hostile_line_is_refused_without_counting_it_out() -> None:
    view = GAME.view(
        night(player("", "", "novice"), player("", "abbot"), player("", "abbot"), rooms="baron baron baron monk monk"),
        1,
    )
    for line in (
        "BURY " + ", ".join(["78 novices UNDER cellar"] * 40),
        "KILL " + ", ".join(["baron", "monk"] * 60),
        "BRIBE " + "1 " * 480 + "baron",
        "KILL baron WITH " + "the " * 240,
        "PASS" + " LAUNDER" * 120,
        "KILL ROOM " + "1, " * 320,
        "KILL baron " + "(" * 480,
        "KILL baron WITH" + " 2" * 490,
    ):
        with pytest.raises((Unreadable, Ambiguous)):
            read(line, view)


VOCABULARY: Final = """
novice peasant peasants barons count majors barn cellar room park abbot's Anna's Bob's my the a x two 2 3 9 78
with under in room rooms and of , ; + & . # ( ) launder cash checks check 20f 10 nothing '
"""
WORDS: Final = (*verbs(), *VOCABULARY.split(), "room service", "brigadier chief")
PLACES: Final = (
    NIGHT,
    GAME.view(night(player("", "", "novice"), player("", "abbot[duke]")), 2, NAMES),
    GAME.view(night(player("peasant")), None, NAMES),
    GAME.view(evening(rooms="- baron - - -", entrance="count"), 1, NAMES),
)


@given(st.sampled_from(verbs()), st.lists(st.sampled_from(WORDS), max_size=12), st.sampled_from(PLACES))
@settings(max_examples=500, deadline=None)
def test_any_row_of_words_is_an_order_or_is_refused_with_a_reason(verb: str, words: list[str], view: View) -> None:
    try:
        action = read(" ".join((verb, *words)), view)
    except (Unreadable, Ambiguous):
        return
    with suppress(Illegal):
        check(view, view.seat, action)
    if action in islice(GAME.legal(view, view.seat), 1000):
        assert read(write(action, view), view) == action
