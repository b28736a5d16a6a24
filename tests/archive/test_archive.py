"""The archive of a finished game as values: its record, and what its page is to say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from engine import record
from engine.game import Secret
from engine.record import By, Dealt, Move, Verb
from pbem.archive import Page, Step, page_of, record_of
from pbem.table import Status
from tests.archive.finished import EVERY, NAMES, PACE, Finished, plain

Making = Callable[[], Finished]


def page(game: Finished) -> Page:
    return page_of(game.table, game.log)


def steps(game: Finished) -> list[Step]:
    """All steps in the order of the page."""
    return [step for chapter in page(game).chapters for step in chapter.steps]


every = pytest.mark.parametrize("make", EVERY.values(), ids=EVERY)


# The record


@every
def test_the_record_of_a_finished_game_holds_with_its_head(make: Making) -> None:
    game = make()
    whole = record_of(game.table, game.log)
    assert record.load(record.dump(whole)) == whole
    assert record.verify(game.table.game, whole, game.table.head).state == game.table.running.state


@every
def test_the_record_names_nobody(make: Making) -> None:
    game = make()
    data = record.dump(record_of(game.table, game.log)).decode()
    private = [chair.phrase for chair in game.table.chairs] + [game.table.moderator.name, "@"]
    assert not [word for word in (*game.table.names, *private) if word in data]


def test_no_record_leaves_while_the_game_runs() -> None:
    game = Finished(plain().table.game, 2).play(3)
    assert game.table.status is Status.RUNNING
    for make in (record_of, page_of):
        with pytest.raises(ValueError, match="is not over"):
            make(game.table, game.log)


@pytest.mark.parametrize(
    "cut",
    [
        lambda log: log[1:],
        lambda log: log[:-1],
        lambda _: [],
        lambda log: [*log[:5], *log[6:]],
        lambda log: log[::-1],
    ],
    ids=["no beginning", "no end", "nothing", "a hole", "backwards"],
)
def test_a_log_that_is_not_whole_gives_no_record(cut: Callable[[list[object]], list[object]]) -> None:
    game = plain()
    with pytest.raises(ValueError, match="whole log"):
        record_of(game.table, cut(list(game.log)))  # type: ignore[arg-type]


def test_a_log_of_another_game_gives_no_record() -> None:
    one, other = plain(seed=1), plain(seed=2)
    cut = min(len(one.log), len(other.log))
    table = replace(one.table, position=record.opening(one.table.game, record_of(one.table, one.log).header))
    with pytest.raises(ValueError, match="whole log"):
        record_of(table, other.log[:cut])


# The stills


@every
def test_there_is_a_still_of_the_opening_and_of_each_step_all_with_the_same_places(make: Making) -> None:
    shown = page(make())
    assert [still.n for still in shown.stills] == [0, *sorted(step.n for step in steps(make()))]
    assert len({tuple(still.fragments) for still in shown.stills}) == 1


def test_stills_lay_the_hands_open_once_the_game_is_over() -> None:
    game = plain()
    hands = [still.fragments["hand-2"].facts for still in page(game).stills]
    assert all(shown and len(cards) == size for cards, size, shown in hands)
    assert len(set(hands)) > 5


def test_the_standing_after_each_round_is_cash_and_ten_for_each_check() -> None:
    game = plain()
    shown = page(game)
    assert [standing.round for standing in shown.standings] == [chapter.round for chapter in shown.chapters]
    assert shown.standings[0].worth == (15, 15, 15)
    assert shown.standings[-1].worth == tuple(player.cash + 10 * player.checks for player in shown.view.players)
    assert page(EVERY["second game"]()).standings == ()


# The page


@every
def test_every_entry_stands_once_on_the_page_and_in_its_order_within_a_round(make: Making) -> None:
    game = make()
    assert sorted(step.n for step in steps(game)) == list(range(1, len(game.log) + 1))
    for chapter in page(game).chapters:
        assert all(before.n < after.n for before, after in pairwise(chapter.steps))


@every
def test_rounds_stand_in_their_order_each_once(make: Making) -> None:
    rounds = [chapter.round for chapter in page(make()).chapters]
    assert rounds == list(range(len(rounds)))


@every
def test_what_is_struck_through_is_what_no_longer_counts(make: Making) -> None:
    game = make()
    alive = record.living([logged.entry.what for logged in game.log])
    assert sorted(step.n for step in steps(game) if not step.undone) == alive


def test_a_step_that_was_taken_back_says_by_which_entry() -> None:
    game = EVERY["rolled back"]()
    rollback = next(step for step in steps(game) if step.verb is Verb.ROLLBACK)
    undone = [step for step in steps(game) if step.undone]
    assert {step.undone for step in undone} == {rollback.n}
    assert {step.n for step in undone} == set(range(rollback.what.to + 1, rollback.n))  # type: ignore[union-attr]


def test_a_round_that_was_taken_back_and_never_came_again_is_there_and_says_so() -> None:
    assert [chapter.undone for chapter in page(EVERY["given up"]()).chapters] == [False, False, False, True]
    assert not any(chapter.undone for chapter in page(EVERY["rolled back"]()).chapters)


@every
def test_each_order_reads_back_as_its_move(make: Making) -> None:
    game = make()
    header = record_of(game.table, game.log).header
    line = record.positions(game.table.game, header, [logged.entry.what for logged in game.log])
    for step in steps(game):
        if not isinstance(step.what, Move):
            assert step.order == ""
            continue
        view = game.table.game.view(line[step.n - 1].state, step.what.seat, game.table.names)
        action = game.table.game.read(step.order, view)
        assert record.move(game.table.game, step.what.seat, action, step.what.by) == step.what
        assert step.name == game.table.names[step.what.seat - 1]


def test_a_step_says_what_it_is() -> None:
    kinds = {(step.deal, step.by, step.verb) for step in steps(EVERY["rolled back"]())}
    assert {(True, None, None), (False, By.SEAT, None), (False, By.PLAN, None), (False, By.HOST, None)} < kinds
    overrides = (Verb.PAUSE, Verb.RESUME, Verb.ROLLBACK, Verb.REPLACE)
    assert {(False, None, verb) for verb in overrides} < kinds


def test_secret_events_are_laid_open() -> None:
    game = EVERY["second game"]()
    secrets = [event for logged in game.log for event in logged.events if isinstance(event, Secret)]
    shown = [event for step in steps(game) for event in step.events]
    assert secrets
    assert all(secret.event in shown and secret.twin not in shown for secret in secrets)
    assert not any(isinstance(event, Secret) for event in shown)


@every
def test_a_round_is_shown_as_it_left_the_table(make: Making) -> None:
    game = make()
    table, whole = game.table, record_of(game.table, game.log)
    line = record.positions(table.game, whole.header, [entry.what for entry in whole.entries])
    for chapter in page(game).chapters:
        played = [step for step in chapter.steps if step.verb is None]
        last = max(step.n for step in played if chapter.undone or not step.undone)
        assert chapter.last == last
        assert page(game).still(last).view == table.game.view(line[last].state, None, table.names)


def test_the_page_has_names_dates_and_the_result_beside_the_record() -> None:
    game = plain()
    shown, outcome = page(game), game.table.game.outcome(game.table.running.state)
    assert outcome is not None
    assert shown.names == NAMES[:3]
    assert [(sitter.place, sitter.score) for sitter in shown.sitters] == list(
        zip(outcome.places, outcome.scores, strict=True)
    )
    assert shown.winners == tuple(n for n, place in zip(NAMES[:3], outcome.places, strict=True) if place == 1)
    assert shown.ended - shown.begun == PACE * (len({logged.at for logged in game.log}) - 1)


def test_a_withdrawn_name_is_gone_from_the_page_and_the_record_is_the_same() -> None:
    game = plain()
    chairs = (game.table.chairs[0], replace(game.table.chairs[1], person=None), *game.table.chairs[2:])
    nameless = replace(game.table, chairs=chairs)
    assert page_of(nameless, game.log).names == (NAMES[0], "Seat 2", NAMES[2])
    assert record_of(nameless, game.log) == record_of(game.table, game.log)


def test_a_game_that_was_ended_has_no_result() -> None:
    shown = page(EVERY["ended"]())
    assert shown.outcome is None
    assert shown.winners == ()
    assert {sitter.place for sitter in shown.sitters} == {0}


@every
def test_the_proof_has_every_deal_the_secret_and_the_hashes(make: Making) -> None:
    game = make()
    proof, whole = page(game).proof, record_of(game.table, game.log)
    assert proof is not None
    assert proof.record == whole
    assert page(game).commitment == whole.header.commitment
    assert [whole.entries[n - 1].what for n, _ in proof.deals] == [deal for _, deal in proof.deals]
    assert len(proof.deals) == sum(isinstance(entry.what, Dealt) for entry in whole.entries)
