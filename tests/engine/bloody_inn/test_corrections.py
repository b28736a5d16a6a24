"""What a moderator may correct, and that no card is made, lost or told of by it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn.cards import PEASANT
from engine.bloody_inn.events import CardMoved, Place, PurseCorrected, Spot
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.state import Phase, State
from engine.game import Corrections, Illegal, Unreadable
from tests.engine.bloody_inn.positions import player, position

CORRECTIONS: Corrections = GAME.capabilities["corrections"]
NAMES = ("Anna", "Bob")


def night(**facts: Any) -> State:
    table: dict[str, Any] = {
        "rooms": "baron - major - -",
        "exit": "monk",
        "gone": "count",
        "bistro": 2,
        "phase": Phase.NIGHT,
    }
    return position(player("novice", corpses="abbot"), player("peasant"), **(table | facts))


def corrected(state: State, text: str) -> State:
    after: State = CORRECTIONS.apply(state, CORRECTIONS.read(text, GAME.view(state, None, NAMES))).state
    return after


def cards(state: State) -> Counter[str]:
    """Every card that lies anywhere, with the peasants of the bistro."""
    found = [room.guest for room in state.rooms if room.guest] + [*state.entrance, *state.exit, *state.gone]
    for each in state.players:
        found += [*each.hand, *each.corpses, *(annex.card for annex in each.annexes)]
        found += [grave for annex in each.annexes for grave in annex.graves]
    return Counter(found + [PEASANT] * state.bistro)


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("CASH Anna 12", PurseCorrected(1, "cash", 5, 12)),
        ("cash bob to 0F", PurseCorrected(2, "cash", 5, 0)),
        ("CHECKS seat 2 3", PurseCorrected(2, "checks", 1, 3)),
        ("PUT baron FROM room 1 TO room 2", CardMoved("baron", Spot(Place("room"), 1), Spot(Place("room"), 2))),
        (
            "PUT the baron FROM room 1 TO corpses of Bob",
            CardMoved("baron", Spot(Place("room"), 1), Spot(Place("corpses"), 2)),
        ),
        ("MOVE monk FROM the exit stack TO room 5", CardMoved("monk", Spot(Place("exit")), Spot(Place("room"), 5))),
        ("PUT count FROM gone TO exit", CardMoved("count", Spot(Place("gone")), Spot(Place("exit")))),
        ("PUT abbot FROM corpses of Anna TO gone", CardMoved("abbot", Spot(Place("corpses"), 1), Spot(Place("gone")))),
        (
            "PUT peasant FROM bistro TO hand of Anna",
            CardMoved("peasant", Spot(Place("bistro")), Spot(Place("hand"), 1)),
        ),
    ],
)
def test_a_correction_is_told_and_keeps_every_card(text: str, event: object) -> None:
    state = night()
    change = CORRECTIONS.read(text, GAME.view(state, None, NAMES))
    step = CORRECTIONS.apply(state, change)
    assert step.events == (event,)
    assert step.state != state
    assert cards(step.state) == cards(state)
    assert msgspec.json.decode(msgspec.json.encode(change)) == change


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("CASH Anna 41", Refusal.NO_AMOUNT),
        ("CHECKS Anna 100", Refusal.NO_AMOUNT),
        ("PUT monk FROM room 1 TO exit", Refusal.NOT_THERE),
        ("PUT baron FROM room 2 TO exit", Refusal.NOT_THERE),
        ("PUT baron FROM room 1 TO room 3", Refusal.NOT_THERE),
        ("PUT baron FROM room 1 TO room 9", Refusal.NOT_THERE),
        ("PUT baron FROM room 1 TO bistro", Refusal.NOT_THERE),
        ("PUT peasant FROM bistro TO exit", Refusal.NOT_THERE),
        ("PUT peasant FROM bistro TO room 2", Refusal.NOT_THERE),
        ("PUT monk FROM bistro TO exit", Refusal.NOT_THERE),
        ("PUT novice FROM hand of Anna TO exit", Refusal.NOT_THERE),
        ("PUT barn FROM exit TO room 2", Refusal.NOT_THERE),
    ],
)
def test_a_position_that_would_not_hold_is_refused(text: str, reason: Refusal) -> None:
    with pytest.raises(Illegal) as illegal:
        corrected(night(), text)
    assert illegal.value.reason is reason


def test_a_hand_is_refused_whatever_it_holds() -> None:
    """Else a correction that nobody means would tell whether somebody holds a card."""
    reasons = []
    for card in ("novice", "monk"):
        with pytest.raises(Illegal) as illegal:
            corrected(night(), f"PUT {card} FROM hand of Anna TO exit")
        reasons.append((illegal.value.reason, set(illegal.value.facts)))
    assert reasons[0] == reasons[1]


@pytest.mark.parametrize("phase", [Phase.EVENING, Phase.POLICE, Phase.WAGES])
def test_there_is_nothing_to_correct_while_something_is_sealed_or_on_its_way(phase: Phase) -> None:
    with pytest.raises(Illegal) as illegal:
        corrected(night(phase=phase), "CASH Anna 7")
    assert illegal.value.reason is Refusal.NOT_NOW


@pytest.mark.parametrize(
    "text", ["", "GOLD Anna 7", "CASH Zoe 7", "CASH Anna", "PUT baron", "PUT baron FROM here TO exit"]
)
def test_what_is_no_correction_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        CORRECTIONS.read(text, GAME.view(night(), None, NAMES))


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"type": "purse", "seat": 1, "what": "cash"},
        {"type": "purse", "seat": 1, "what": "hand", "amount": 3},
        {"type": "purse", "seat": 9, "what": "cash", "amount": 3},
        {"type": "purse", "seat": 1, "what": "cash", "amount": 3, "note": "anna@example.org"},
        {"type": "put", "card": "baron", "source": {"place": "room", "number": 1}, "target": {"place": "sky"}},
        {"type": "put", "card": "baron", "source": {"place": "sky"}, "target": {"place": "exit"}},
    ],
)
def test_a_change_that_somebody_forged_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises((Illegal, msgspec.ValidationError)):
        CORRECTIONS.apply(night(), change)
