"""What plans may ask: the view of the seat that asks decides, and nothing else."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.bloody_inn import GAME, conditions
from engine.bloody_inn.conditions import Amount, Did, Holds, Lodges, Police
from engine.bloody_inn.reasons import Fault
from engine.bloody_inn.state import Deed, Room, View
from engine.game import Ambiguous, Unreadable
from engine.shuffle import Stream
from tests.desk.sitting import Sitting
from tests.engine.unknown import of_bloody_inn


@pytest.fixture(scope="module")
def view() -> View:
    """Anna's, at night: a Baron in 1, a Novice in 2, a Major in 3, and two peasants in her hand."""
    seen: View = Sitting.at_night().table.view(1)
    names = ("baron", "novice", "major", "novice", "", "grocer")
    rooms = tuple(Room(room.number, guest=guest) for room, guest in zip(seen.rooms, names, strict=True))
    return replace(seen, rooms=rooms, deeds=(Deed(2, "kill"), Deed(3, "pass")))


READ = {
    "baron IN INN": (Lodges("baron"), True),
    "the Baron in the inn": (Lodges("baron"), True),
    "baron IN 1": (Lodges("baron", 1), True),
    "baron in room 2": (Lodges("baron", 2), False),
    "duke IN INN": (Lodges("duke"), False),
    "peasant IN HAND": (Holds("peasant"), True),
    "abbot in my hand": (Holds("abbot"), False),
    "POLICE": (Police(), True),
    "police in the inn": (Police(), True),
    "CASH >= 10": (Amount("cash", ">=", 10), False),
    "cash at least 5f": (Amount("cash", ">=", 5), True),
    "CASH => 5": (Amount("cash", ">=", 5), True),
    "CHECKS": (Amount("checks", ">=", 1), True),
    "HAND < 2": (Amount("hand", "<", 2), False),
    "ROUND = 1": (Amount("round", "=", 1), True),
    "BISTRO > 90": (Amount("bistro", ">", 90), False),
    "CORPSES": (Amount("corpses", ">=", 1), False),
    "BOB KILLED": (Did(2, "kill"), True),
    "Anna killed": (Did(1, "kill"), False),
    "chen passed": (Did(3, "pass"), True),
}


@pytest.mark.parametrize("text", READ)
def test_a_condition_is_read_answered_and_written(text: str, view: View) -> None:
    condition, true = READ[text]
    assert conditions.read(text, view) == condition
    assert conditions.holds(condition, view) is true
    assert conditions.read(conditions.write(condition, view), view) == condition


@pytest.mark.parametrize(
    "text", ["", "the weather is fine", "CASH >=", "baron IN", "Zoe KILLED", "ROUND", "CASH >= 10 or so"]
)
def test_what_is_no_condition_is_refused_with_examples(text: str, view: View) -> None:
    with pytest.raises(Unreadable) as fault:
        conditions.read(text, view)
    assert fault.value.reason is Fault.CONDITION
    assert fault.value.facts["near"]


def test_a_card_alone_may_mean_the_inn_or_the_hand_and_is_asked_about(view: View) -> None:
    with pytest.raises(Unreadable) as fault:
        conditions.read("baron", view)
    assert fault.value.facts["near"] == ("baron IN INN", "baron IN HAND")


def test_a_misspelt_card_is_offered_and_never_taken(view: View) -> None:
    with pytest.raises(Unreadable) as fault:
        conditions.read("barron IN INN", view)
    assert (fault.value.reason, fault.value.facts["near"]) == (Fault.CARD, ("baron",))


def test_a_name_that_two_players_have_is_ambiguous(view: View) -> None:
    twins = tuple(replace(shown, name="Ann") for shown in view.players)
    with pytest.raises(Ambiguous) as fault:
        conditions.read("Ann KILLED", replace(view, players=twins))
    assert len(fault.value.readings) == len(twins)


@pytest.mark.parametrize("text", READ)
def test_no_answer_leans_on_what_the_asker_cannot_know(text: str) -> None:
    state = Sitting.at_night().table.running.state
    stream = Stream(text.encode())
    asked = GAME.view(state, 1, ("Anna", "Bob", "Chen"))
    condition = conditions.read(text, asked)
    for _ in range(5):
        other = GAME.view(of_bloody_inn(state, 1, stream), 1, ("Anna", "Bob", "Chen"))
        assert conditions.holds(condition, other) is conditions.holds(condition, asked)


def test_deeds_are_those_of_the_last_night() -> None:
    sitting = Sitting.at_night()
    sitting.seat(1, "PASS")
    sitting.seat(2, "PASS")
    assert sitting.table.view(3).deeds == (Deed(1, "pass"), Deed(2, "pass"))
