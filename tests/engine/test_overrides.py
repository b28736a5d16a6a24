"""What a moderator did, as entries: what it leads to, and what he could not have done."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from engine import record
from engine.bloody_inn import GAME
from engine.game import Secret
from engine.record import By, Dealt, Flaw, Flawed, Move, Override, Verb, What
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


def forward(to: int) -> Override:
    return Override(Verb.ROLLFORWARD, to=to)


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
        ((END,), Override(Verb.RULING)),
        ((END,), Override(Verb.FINISH)),
        ((), Override(Verb.REVEAL)),
        ((Override(Verb.FINISH),), Override(Verb.REVEAL)),
        ((END,), Override(Verb.REVEAL, seat=1)),
        ((Override(Verb.FINISH),), Override(Verb.FINISH)),
        ((), Override(Verb.FINISH, seat=1)),
        ((), Override(Verb.EJECT)),
        ((), Override(Verb.OPEN, seat=3)),
        ((), Override(Verb.BOT)),
        ((), Override(Verb.PERSON)),
        ((), Override(Verb.TOKEN)),
        ((), Override(Verb.EXCUSE)),
        ((), Override(Verb.MODERATOR, seat=3)),
        ((), Override(Verb.RULING, seat=1)),
        ((), Override(Verb.OPTIONS, seat=1)),
        ((), Override(Verb.DEADLINE, seat=3, due="2026-12-03T18:00:00Z")),
        ((), Override(Verb.DEADLINE, due="2026-12-03 18:00")),
        ((), Override(Verb.DEADLINE, due="2026-12-03T18:00:00Z\n")),
        ((), Override(Verb.PAUSE, due="2026-12-03T18:00:00Z")),
        ((), Override(Verb.PAUSE, minutes=0)),
        ((), Override(Verb.EXTEND)),
        ((), Override(Verb.EXTEND, minutes=0)),
        ((), Override(Verb.EXTEND, minutes=10**7)),
        ((), Override(Verb.RULING, change={"words": "anna@example.org"})),
        ((), Override(Verb.PAUSE, votes=2)),
        ((), Override(Verb.END, votes=0)),
        ((), Override(Verb.END, votes=3)),
        ((), Override(Verb.CORRECT)),
        ((), Override(Verb.CORRECT, change={"type": "nothing"})),
        ((), Override(Verb.ROLLFORWARD, to=12)),
        ((back(5),), Override(Verb.ROLLFORWARD, to=11)),
        ((back(5),), Override(Verb.ROLLFORWARD, seat=1, to=12)),
        ((back(5), forward(12)), forward(12)),
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


def test_a_rollforward_undoes_a_rollback() -> None:
    game = halfway(back(5), PAUSE, RESUME, forward(12))
    assert game.position.state == game.line[12].state
    assert record.living(game.whats) == [*range(1, 13), 16]
    assert flaw_of(game.play().finished()) is None


def test_rollbacks_are_undone_in_turn() -> None:
    game = halfway(back(9), back(3), forward(13))
    assert game.position.state == game.line[9].state
    game.add(forward(12))
    assert game.position.state == game.line[12].state
    assert not record.undoable(game.whats)


def test_a_game_may_end_early_with_the_result_that_it_has() -> None:
    game = halfway(Override(Verb.FINISH))
    whole = game.finished()
    assert whole.result is not None
    assert flaw_of(whole) is None
    assert flaw_of(replace(whole, result=None)) is not None


def test_once_somebody_has_moved_a_rollback_stands() -> None:
    game = halfway(back(9)).play(1)
    assert not record.undoable(game.whats)
    with pytest.raises(Flawed):
        game.add(forward(12))


def test_a_rollforward_may_be_rolled_back() -> None:
    game = halfway(back(5), forward(12), back(7))
    assert game.position.state == game.line[7].state


@pytest.mark.parametrize(
    "what",
    [
        Override(Verb.EJECT, seat=1),
        Override(Verb.RESIGN, seat=1),
        Override(Verb.DEADLINE, seat=1),
        Override(Verb.OPEN, seat=2),
        Override(Verb.BOT, seat=1),
        Override(Verb.PERSON, seat=1),
        Override(Verb.TOKEN, seat=1),
        Override(Verb.EXCUSE, seat=1),
        Override(Verb.MODERATOR),
        Override(Verb.MODERATOR, seat=2),
        Override(Verb.RULING),
        Override(Verb.OPTIONS),
        Override(Verb.DEADLINE, due="2026-12-03T18:00:00Z"),
        Override(Verb.EXTEND, seat=2, minutes=60),
    ],
)
def test_what_concerns_the_table_leaves_the_position_as_it_is(what: Override) -> None:
    game = halfway(what)
    assert game.position == replace(game.line[12], n=13)
    whole = game.play().finished()
    assert flaw_of(whole) is None
    assert record.load(record.dump(whole)) == whole


def test_fields_that_came_later_do_not_change_the_hashes_of_older_records() -> None:
    assert record.link("", 7, back(3)).hash == "b4cca53e4cfe55641e21f988ba44ef862498147622c087c382c44854c46b1681"
    assert msgspec.to_builtins(PAUSE) == {"type": "override", "verb": "pause", "seat": 0, "to": 0}


def test_who_is_skipped_does_what_a_missed_deadline_does() -> None:
    game = halfway()
    seat = next(decision.seat for decision in GAME.waiting(game.position.state))
    fallback = GAME.fallback(game.position.state, seat)
    other = next(action for action in GAME.legal(game.position.state, seat) if action != fallback)
    with pytest.raises(Flawed):
        game.add(record.move(GAME, seat, other, By.SKIP))
    game.add(record.move(GAME, seat, fallback, By.SKIP))
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
        ([PAUSE, RESUME, PAUSE, back(1), forward(3), END], [1, 2, 3, 5, 6]),
        ([PAUSE, RESUME, back(1), PAUSE, back(0), forward(4)], [1, 3, 4, 6]),
    ],
)
def test_what_still_counts_is_what_no_rollback_took_back(whats: list[What], alive: list[int]) -> None:
    assert record.living(whats) == alive


# What a seat takes back itself


def with_hands(*kinds: By) -> Recorder:
    """A game of two in its first night, and moves of the seat that is awaited, made by `kinds`, each its own."""
    game = Recorder(header(2), 5)
    while GAME.waiting(game.position.state)[0].kind != "act":
        game.play(1)
    for by in kinds:
        state = game.position.state
        seat = GAME.waiting(state)[0].seat
        action = GAME.fallback(state, seat) if by is By.FALLBACK else next(GAME.legal(state, seat))
        game.add(record.move(GAME, seat, action, by))
    return game


def undo(seat: int, to: int) -> Override:
    return Override(Verb.UNDO, seat=seat, to=to)


@pytest.mark.parametrize("by", [By.SEAT, By.PLAN])
def test_a_seat_may_take_back_its_own_move_and_the_game_stands_where_it_stood(by: By) -> None:
    game = with_hands()
    before = game.position
    game = with_hands(by)
    seat = game.whats[-1].seat  # type: ignore[union-attr]
    game.add(undo(seat, before.n))
    assert game.position.state == before.state
    assert game.position.n == before.n + 2
    assert record.living(game.whats)[-2:] == [before.n, before.n + 2]
    assert record.undoable(game.whats) == 0


@pytest.mark.parametrize(
    ("kinds", "to"),
    [
        ((By.SEAT, By.SEAT), -2),
        ((By.MODERATOR,), -1),
        ((By.FALLBACK,), -1),
        ((By.BOT,), -1),
        ((By.SEAT,), 1),
        ((By.SEAT,), 99),
        ((), 0),
    ],
    ids=["another's too", "the moderator's", "a deadline's", "a bot's", "what was dealt", "what is not", "nothing"],
)
def test_nobody_takes_back_what_others_did_or_what_was_dealt(kinds: tuple[By, ...], to: int) -> None:
    game = with_hands(*kinds)
    mover = with_hands().position
    seat = GAME.waiting(mover.state)[0].seat
    with pytest.raises(Flawed):
        game.add(undo(seat, to if to > 0 else game.position.n + to))


def test_nobody_takes_back_a_move_of_another_seat() -> None:
    game = with_hands(By.SEAT)
    mover = game.whats[-1].seat  # type: ignore[union-attr]
    with pytest.raises(Flawed):
        game.add(undo(3 - mover, game.position.n - 1))


def test_what_does_not_uncover_leaves_the_stack_as_it_was_seen() -> None:
    """With moves at random through a whole game: nobody learns of a traveler by an order that he may take back."""
    uncovers = GAME.capabilities["uncovers"]
    game, quiet = Recorder(header(3), 11), 0
    while (what := game.next()) is not None:
        assert isinstance(what, Move | Dealt)
        before = GAME.view(game.position.state, None)
        position, events = record.follow(GAME, game.position, what)
        after = GAME.view(position.state, None)
        plain = [event.event if isinstance(event, Secret) else event for event in events]
        if not any(map(uncovers, plain)):
            quiet += 1
            assert (before.top, before.guest, before.entrance_size) == (after.top, after.guest, after.entrance_size)
            assert isinstance(what, Move)
        game.line.append(position)
        game.whats.append(what)
    assert quiet > 20
