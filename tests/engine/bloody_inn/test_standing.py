"""Choices settled beforehand answer a decision wholly or leave it to its player."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.bloody_inn.actions import Action, Bribe, Dismiss, Kill, Lodge, Pay
from engine.bloody_inn.reasons import Fault
from engine.bloody_inn.standing import STANDING, Choice, Kept, Leaving, Lodging, Payment, Police
from engine.bloody_inn.state import Phase, Room, View
from engine.game import Unreadable
from tests.desk.sitting import Sitting

READ: dict[str, Choice] = {
    "LODGE ANY": Lodging(),
    "lodge anywhere": Lodging(),
    "LODGE 3 1 5": Lodging((3, 1, 5)),
    "LODGE 3, 1 and 3": Lodging((3, 1)),
    "PAY CHECKS": Police(checks=True),
    "pay in cash": Police(checks=False),
    "DISMISS peasants, novice": Leaving(("peasant", "novice")),
    "RETURNING FIRST": Payment(returning=True),
    "ASK": Payment(returning=False),
    "KEEP the abbot and bishop": Kept(("abbot", "bishop")),
}


@pytest.mark.parametrize("text", READ)
def test_a_choice_is_read_and_written(text: str) -> None:
    assert STANDING.read(text) == READ[text]
    assert STANDING.read(STANDING.write(READ[text])) == READ[text]


@pytest.mark.parametrize("text", ["", "LODGE", "KILL baron", "be happy", "PAY 2 CHECKS", "KEEP", "DISMISS"])
def test_what_cannot_be_settled_beforehand_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        STANDING.read(text)


def test_examples_stand_with_the_refusal() -> None:
    with pytest.raises(Unreadable) as fault:
        STANDING.read("KILL baron")
    assert fault.value.reason is Fault.CHOICE
    assert all(STANDING.read(text) for text in fault.value.facts["near"])


def seen(phase: Phase, cash: int = 5, hand: tuple[str, ...] = ("novice", "peasant", "peasant")) -> View:
    """Anna's view with rooms 2 and 3 taken and two corpses."""
    view: View = Sitting.at_night().table.view(1)
    me = replace(view.players[0], hand=hand, cash=cash, checks=3, corpses=("duke", "duke"))
    rooms = tuple(Room(number, guest="abbot" if number in (2, 3) else "") for number in range(1, 6))
    return replace(view, phase=phase, players=(me, *view.players[1:]), rooms=rooms)


ANSWERED = [
    ((Lodging(),), seen(Phase.EVENING), Lodge((1, 4, 5))),
    ((Lodging((5, 2, 1)),), seen(Phase.EVENING), Lodge((5, 1))),
    ((Lodging((2, 3)),), seen(Phase.EVENING), None),
    ((Police(checks=True),), seen(Phase.POLICE, cash=30), Pay(2)),
    ((Police(checks=False),), seen(Phase.POLICE, cash=30), Pay(0)),
    ((Leaving(("peasant", "novice")),), seen(Phase.WAGES, cash=0), Dismiss(("novice", "peasant", "peasant"))),
    ((Leaving(("peasant",)),), seen(Phase.WAGES, cash=1), Dismiss(("peasant", "peasant"))),
    ((Leaving(("peasant",)),), seen(Phase.WAGES, cash=0), None),
    ((Leaving(("novice", "peasant")), Kept(("novice",))), seen(Phase.WAGES, cash=1), Dismiss(("peasant", "peasant"))),
    ((Police(checks=True),), seen(Phase.EVENING), None),
    ((Lodging(), Police(checks=True)), seen(Phase.NIGHT), None),
    ((), seen(Phase.POLICE), None),
]


@pytest.mark.parametrize(("choices", "view", "action"), ANSWERED)
def test_a_decision_is_answered_wholly_or_not_at_all(
    choices: tuple[object, ...], view: View, action: Action | None
) -> None:
    assert STANDING.answer(choices, view) == action  # type: ignore[arg-type]


def test_a_payment_that_is_left_out_is_asked_for_unless_it_was_settled() -> None:
    view = seen(Phase.NIGHT, hand=("duke", "novice", "peasant", "peasant"))
    with pytest.raises(Unreadable):
        STANDING.order("KILL abbot IN 2", view, ())
    with pytest.raises(Unreadable):
        STANDING.order("KILL abbot IN 2", view, (Payment(returning=False),))
    killed = STANDING.order("KILL abbot IN 2", view, (Payment(returning=True),))
    assert isinstance(killed, Kill)
    assert set(killed.pay) <= {"peasant", "novice"}


def test_cards_that_are_kept_never_pay_unless_they_are_named() -> None:
    view = seen(Phase.NIGHT, hand=("duke", "novice", "novice"))
    choices = (Payment(returning=True), Kept(("novice",)))
    with pytest.raises(Unreadable):
        STANDING.order("KILL abbot IN 2", view, choices)
    assert STANDING.order("BRIBE abbot IN 2 WITH 2 novices", view, choices) == Bribe((2,), 0, ("novice", "novice"))


def test_what_is_offered_to_newcomers_can_be_sent_as_it_stands() -> None:
    assert all(STANDING.write(STANDING.read(text)) == text for text in STANDING.offers())
