"""What a moderator did, as entries: what it leads to, and what he could not have done."""

from __future__ import annotations

import pytest

from engine import record
from engine.bloody_inn import GAME
from engine.record import Dealt, Flaw, Flawed, Move, Override, Verb, What
from tests.engine.recorded import Recorder, chained, flaw_of, header


def halfway(*overrides: Override) -> Recorder:
    """A game of two after twelve entries, and what a moderator did then."""
    game = Recorder(header(2), 5).play(12)
    for what in overrides:
        game.add(what)
    return game


PAUSE, RESUME, END = Override(Verb.PAUSE), Override(Verb.RESUME), Override(Verb.END)


def back(to: int) -> Override:
    return Override(Verb.ROLLBACK, to=to)


@pytest.mark.parametrize(
    ("before", "what"),
    [
        ((), back(13)),
        ((), back(99)),
        ((), back(-1)),
        ((), Override(Verb.ROLLBACK, seat=1, to=5)),
        ((back(5),), back(8)),
        ((), RESUME),
        ((PAUSE,), PAUSE),
        ((PAUSE, RESUME), RESUME),
        ((), Override(Verb.PAUSE, seat=1)),
        ((), Override(Verb.PAUSE, to=3)),
        ((), Override(Verb.REPLACE)),
        ((), Override(Verb.REPLACE, seat=3)),
        ((), Override(Verb.REPLACE, seat=1, to=3)),
        ((), Override(Verb.END, seat=1)),
        ((END,), END),
        ((END,), PAUSE),
        ((END,), Override(Verb.REPLACE, seat=1)),
    ],
)
def test_an_override_that_no_moderator_could_make_is_refused(before: tuple[Override, ...], what: Override) -> None:
    game = halfway(*before)
    with pytest.raises(Flawed) as flawed:
        game.add(what)
    assert (flawed.value.flaw, flawed.value.n) == (Flaw.OVERRIDE, 13 + len(before))


@pytest.mark.parametrize("before", [(PAUSE,), (END,), (PAUSE, END)])
def test_nobody_moves_while_the_game_is_paused_or_ended(before: tuple[Override, ...]) -> None:
    game = halfway(*before)
    what = game.next()
    assert isinstance(what, Move)
    with pytest.raises(Flawed) as flawed:
        game.add(what)
    assert flawed.value.flaw is Flaw.MOVE


def test_after_a_pause_the_game_goes_on_where_it_stood() -> None:
    game = halfway(PAUSE, RESUME)
    assert game.position.state == game.line[12].state
    assert not game.position.paused
    assert flaw_of(game.play().finished()) is None


@pytest.mark.parametrize("to", range(13))
def test_a_rollback_leads_back_to_the_position_after_its_entry(to: int) -> None:
    game = halfway(back(to))
    assert game.position.state == game.line[to].state
    assert game.position.n == 13


def test_a_rollback_may_lead_back_over_another_one() -> None:
    game = halfway(back(9))
    game.play(4)
    game.add(back(13))
    assert game.position.state == game.line[9].state
    game.add(back(3))
    assert game.position.state == game.line[3].state
    assert record.living(game.whats) == [1, 2, 3, 19]


def test_shuffles_are_numbered_on_over_a_rollback_and_give_other_orders() -> None:
    game = halfway(back(0)).play(2)
    deals = [what for what in game.whats if isinstance(what, Dealt)]
    assert [deal.number for deal in deals] == [1, 2, 3, 4]
    assert deals[1].order != deals[3].order
    assert len(deals[1].order) == len(deals[3].order)


def test_a_rolled_back_deal_cannot_be_dealt_again() -> None:
    game = halfway(back(0))
    with pytest.raises(Flawed):
        record.verify(GAME, chained(game.header, [*game.whats, game.whats[0], END], None))


def test_a_rollback_over_the_end_reopens_the_game() -> None:
    game = halfway(END)
    assert game.position.ended
    game.add(back(12))
    assert not game.position.ended
    assert flaw_of(game.play().finished()) is None


def test_a_pause_outlasts_a_rollback() -> None:
    game = halfway(PAUSE, back(4))
    assert game.position.paused


@pytest.mark.parametrize(
    ("whats", "alive"),
    [
        ([], []),
        ([PAUSE, RESUME, PAUSE], [1, 2, 3]),
        ([PAUSE, RESUME, PAUSE, back(1)], [1, 4]),
        ([PAUSE, RESUME, back(0)], [3]),
        ([PAUSE, RESUME, PAUSE, back(2), RESUME, back(4), END], [1, 2, 4, 6, 7]),
        ([PAUSE, RESUME, PAUSE, back(2), RESUME, back(1), END], [1, 6, 7]),
    ],
)
def test_what_still_counts_is_what_no_rollback_took_back(whats: list[What], alive: list[int]) -> None:
    assert record.living(whats) == alive
