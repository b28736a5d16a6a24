"""A record whose chain somebody made anew: only what it says can give it away, or a head that somebody kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import record, shuffle
from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Pass
from engine.game import Outcome
from engine.record import By, Dealt, Flaw, Flawed, Move, Override, Record, Verb, What
from tests.engine.recorded import SECRET, Recorder, chained, ended, first, flaw_of, header, played, whats_of


def forged(change: Callable[[list[What]], None], whole: Record | None = None) -> Record:
    """A record with changed entries and a new chain."""
    base = whole or played(3)
    whats = whats_of(base)
    change(whats)
    return chained(base.header, whats, base.result)


def change_move(**facts: Any) -> Callable[[list[What]], None]:
    def change(whats: list[What]) -> None:
        place = first(whats, Move)
        whats[place] = replace(whats[place], **facts)

    return change


def change_deal(**facts: Any) -> Callable[[list[What]], None]:
    def change(whats: list[What]) -> None:
        place = first(whats, Dealt)
        whats[place] = replace(whats[place], **facts)

    return change


def leave_out(kind: type[Move | Dealt]) -> Callable[[list[What]], None]:
    def change(whats: list[What]) -> None:
        del whats[first(whats, kind)]

    return change


def deal_by_hand(whats: list[What]) -> None:
    """The last deal as a move of the dealer, which nobody would compare with the secret."""
    place = max(at for at, what in enumerate(whats) if isinstance(what, Dealt))
    deal = whats[place]
    assert isinstance(deal, Dealt)
    whats[place] = Move(0, {"type": "deal", "order": list(deal.order)})


def say_more(whats: list[What]) -> None:
    place = first(whats, Move)
    move = whats[place]
    assert isinstance(move, Move)
    whats[place] = replace(move, action={**move.action, "note": "anna@example.org"})


MOVES_THAT_CANNOT_BE: list[tuple[str, Callable[[list[What]], None], Flaw]] = [
    ("another seat moved", change_move(seat=3), Flaw.MOVE),
    ("a seat that is not there", change_move(seat=4), Flaw.MOVE),
    ("a seat below all", change_move(seat=-1), Flaw.MOVE),
    ("an action of another phase", change_move(action={"type": "pass", "launder": 0, "cash": 0}), Flaw.MOVE),
    ("an action that is none", change_move(action={"type": "fly"}), Flaw.MOVE),
    ("an action that is a number", change_move(action=7), Flaw.MOVE),
    ("a room that is not there", change_move(action={"type": "lodge", "rooms": [99]}), Flaw.MOVE),
    ("an action that says more than the game reads", say_more, Flaw.MOVE),
    ("a deal disguised as a move", deal_by_hand, Flaw.MOVE),
    ("another order", change_deal(order=(2, 1, 0)), Flaw.DEAL),
    ("a deal of fewer things", change_deal(order=(0, 1)), Flaw.DEAL),
    ("a deal out of number", change_deal(number=2), Flaw.DEAL),
    ("a move left out", leave_out(Move), Flaw.MOVE),
    ("a deal left out", leave_out(Dealt), Flaw.DEAL),
    ("a deal twice", lambda whats: whats.insert(1, whats[0]), Flaw.DEAL),
    ("a move twice", lambda whats: whats.insert(first(whats, Move), whats[first(whats, Move)]), Flaw.MOVE),
    ("the end left out", lambda whats: whats.__delitem__(slice(-1, None)), Flaw.UNFINISHED),
    ("nothing at all", lambda whats: whats.clear(), Flaw.UNFINISHED),
    ("a move after the end", lambda whats: whats.append(record.move(GAME, 1, Pass())), Flaw.MOVE),
]


@pytest.mark.parametrize(
    ("change", "flaw"), [each[1:] for each in MOVES_THAT_CANNOT_BE], ids=[e[0] for e in MOVES_THAT_CANNOT_BE]
)
def test_a_new_chain_does_not_hide(change: Callable[[list[What]], None], flaw: Flaw) -> None:
    found = flaw_of(forged(change))
    assert found is not None
    assert found[0] is flaw


OTHER_SECRET = "5f" * 32
HEADERS_THAT_CANNOT_BE: list[tuple[dict[str, Any], str, Flaw]] = [
    ({}, OTHER_SECRET, Flaw.COMMITMENT),
    ({"commitment": shuffle.commitment("inn-7", OTHER_SECRET)}, OTHER_SECRET, Flaw.DEAL),
    ({"commitment": shuffle.commitment("inn-7", "x")}, "x", Flaw.FORMAT),
    ({"commitment": shuffle.commitment("inn-7", SECRET.upper())}, SECRET.upper(), Flaw.FORMAT),
    ({"game": "inn-8"}, SECRET, Flaw.COMMITMENT),
    ({"game": "inn-8", "commitment": shuffle.commitment("inn-8", SECRET)}, SECRET, Flaw.DEAL),
    ({"phrases": ()}, SECRET, Flaw.DEAL),
    ({"phrases": (shuffle.phrase_hash("inn-7", 2, "vive le roi"),)}, SECRET, Flaw.DEAL),
    ({"phrases": ("vive le roi",)}, SECRET, Flaw.FORMAT),
    ({"phrases": ("0" * 64,) * 4}, SECRET, Flaw.FORMAT),
    ({"kind": "another-game"}, SECRET, Flaw.GAME),
    ({"version": GAME.version + 1}, SECRET, Flaw.GAME),
    ({"format": 2}, SECRET, Flaw.FORMAT),
    ({"seats": 2}, SECRET, Flaw.DEAL),
    ({"seats": 9}, SECRET, Flaw.FORMAT),
    ({"seats": 0}, SECRET, Flaw.FORMAT),
    ({"options": {"length": "long"}}, SECRET, Flaw.MOVE),
    ({"options": {"length": "endless"}}, SECRET, Flaw.FORMAT),
    ({"options": {"anna": "anna@example.org"}}, SECRET, Flaw.FORMAT),
]


@pytest.mark.parametrize(("facts", "secret", "flaw"), HEADERS_THAT_CANNOT_BE)
def test_a_new_chain_does_not_hide_another_header_or_secret(facts: dict[str, Any], secret: str, flaw: Flaw) -> None:
    found = flaw_of(chained(replace(header(3), **facts), whats_of(played(3)), played(3).result, secret))
    assert found is not None
    assert found[0] is flaw


def better(result: Outcome | None) -> Outcome:
    assert result is not None
    return replace(result, grade="legendary")


@pytest.mark.parametrize(
    ("whole", "result"),
    [
        (played(3), None),
        (played(3), Outcome((1, 1, 1), (9, 9, 9))),
        (played(3), better(played(3).result)),
        (ended(), Outcome((1, 2), (30, 20))),
    ],
    ids=["none", "another", "a better grade", "of a game that was ended"],
)
def test_another_result_is_refused(whole: Record, result: Outcome | None) -> None:
    assert flaw_of(replace(whole, result=result)) == (Flaw.RESULT, 0)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 60), st.integers(100, 10_000))
def test_another_legal_game_holds_by_itself_and_is_refused_by_a_kept_head(fork: int, seed: int) -> None:
    other = Recorder(header(3), seed, whats_of(played(3))[:fork]).play().finished()
    assume(other != played(3))
    assert flaw_of(other) is None
    assert flaw_of(other, played(3).head[:8]) == (Flaw.HEAD, 0)
    pairs = zip(other.entries, played(3).entries, strict=False)
    parted = next(kept.hash for entry, kept in pairs if entry != kept)
    assert flaw_of(other, parted[:12]) == (Flaw.HEAD, 0)
    assert flaw_of(other, played(3).entries[fork - 1].hash[:12]) is None, "so far it is the same game"


@pytest.mark.parametrize("by", [By.HOST, By.SKIP, By.FALLBACK])
def test_a_move_that_was_a_choice_is_not_the_hosts(by: By) -> None:
    found = flaw_of(forged(change_move(by=by)))
    assert found is not None
    assert found[0] is Flaw.MOVE


AFTER_THE_END: list[What] = [
    Override(Verb.END),
    Override(Verb.PAUSE),
    Override(Verb.RULING),
    Override(Verb.REPLACE, seat=1),
    Override(Verb.FINISH),
    Move(1, {"type": "pass"}, By.MODERATOR),
]


@pytest.mark.parametrize("what", AFTER_THE_END, ids=lambda what: getattr(what, "verb", "move"))
def test_nothing_is_added_behind_the_end_of_a_game(what: What) -> None:
    found = flaw_of(forged(lambda whats: whats.append(what)))
    assert found is not None
    assert found[0] in (Flaw.OVERRIDE, Flaw.MOVE)


@pytest.mark.parametrize("name", ["inn-7\x1b[2J", "inn-7\nThe record holds", "", "x" * 81])
def test_a_name_that_would_write_on_a_terminal_makes_it_no_record(name: str) -> None:
    whole = played(3)
    for facts in ({"game": name}, {"kind": name}):
        changed = replace(whole, header=replace(whole.header, **facts))
        with pytest.raises(Flawed):
            record.load(record.dump(changed))


def test_who_made_a_move_is_chained_too() -> None:
    other = forged(change_move(by=By.MODERATOR))
    assert flaw_of(other) is None
    assert flaw_of(other, played(3).head) == (Flaw.HEAD, 0)
