"""The page of a game that runs: what everybody may know, up to the beginning of its round, and nothing else (law 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import msgspec
import pytest

from engine import bloody_inn, record
from engine.entries import Entry
from engine.game import AnyGame, told
from engine.record import By, Dealt, Move, Verb
from engine.shuffle import Stream
from pbem.archive import Page, Step, public_page_of
from pbem.settle import Logged
from pbem.table import Remark
from tests.archive.finished import GAMES, Finished
from tests.engine.unknown import UNKNOWN
from tests.games import choices

PLAYED: Final = {"bloody-inn": (10, 25, 40, 60), "choices": (1, 4, 5)}
"""After how many moves a game is looked at."""


def running(game: AnyGame, moves: int) -> Finished:
    return Finished(game, 3, game.name.replace("bloody-", "") + "-4").play(moves)


EVERY: Final = {
    f"{name}, {moves} moves": running(GAMES[name], moves) for name, counts in PLAYED.items() for moves in counts
}
every = pytest.mark.parametrize("game", EVERY.values(), ids=EVERY)


def page(game: Finished) -> Page:
    return public_page_of(game.table, game.log)


def steps(shown: Page) -> list[Step]:
    return [step for chapter in shown.chapters for step in chapter.steps]


def line(game: Finished) -> list[record.Position]:
    assert game.table.header is not None
    return record.positions(game.table.game, game.table.header, [logged.entry.what for logged in game.log])


def round_at(game: Finished, n: int) -> int:
    return game.table.game.waiting(line(game)[n].state)[0].round


@every
def test_it_ends_where_the_present_round_began(game: Finished) -> None:
    shown = page(game)
    last = steps(shown)[-1].n
    present = round_at(game, len(game.log))
    assert round_at(game, last) == present
    assert last == 1 or round_at(game, last - 1) < present
    assert shown.stills[-1].n == last
    assert (shown.over, shown.outcome, shown.proof, shown.views, shown.said) == (False, None, None, (), ())


@every
def test_it_holds_public_views_and_events_as_everybody_may_know_them(game: Finished) -> None:
    shown = page(game)
    past = line(game)
    for still in shown.stills:
        assert still.view == game.table.game.view(past[still.n].state, None, game.table.names)
    for step in steps(shown):
        logged = game.log[step.n - 1]
        assert step.events == told(logged.events, None)
        assert step.order == ""
        assert (step.at.hour, step.at.minute) == (0, 0)


@every
def test_no_step_says_what_was_moved_or_dealt_nor_whether_it_was_planned_or_the_only_answer(game: Finished) -> None:
    for step in steps(page(game)):
        if isinstance(step.what, Move):
            assert step.what.action is None
            assert step.by not in (By.PLAN, By.HOST)
        if isinstance(step.what, Dealt):
            assert step.what.order == ()


@every
def test_where_only_what_is_unseen_differs_the_page_is_the_same(game: Finished) -> None:
    """The positions are replaced by others of which everybody would see the same."""
    shown = page(game)
    stream = Stream(b"unseen")
    for still in shown.stills:
        position = line(game)[still.n]
        other = UNKNOWN[game.table.game.name](position.state, 0, stream)
        twin = msgspec.structs.replace(position, state=other)
        assert game.table.game.view(twin.state, None, game.table.names) == still.view


def test_hashes_are_nowhere_in_it() -> None:
    game = running(bloody_inn.GAME, 40)
    other = _with_hashes(game.log, "0" * 64)
    assert public_page_of(game.table, other) == page(game)


def _with_hashes(log: Sequence[Logged], hash: str) -> list[Logged]:
    return [replace(logged, entry=Entry(logged.entry.n, logged.entry.what, hash)) for logged in log]


def test_what_was_rolled_back_is_not_in_it_and_the_rollback_is_without_its_reason() -> None:
    game = running(bloody_inn.GAME, 30)
    game.overrule(Verb.ROLLBACK, to=len(game.log) - 4).play(30)
    log = [replace(each, remark=Remark(7, "Modi", "Anna was ill")) for each in game.log]
    shown = public_page_of(game.table, log)
    alive = record.living([logged.entry.what for logged in game.log])
    assert [step.n for step in steps(shown)] == alive[: len(steps(shown))]
    assert Verb.ROLLBACK in [step.verb for step in steps(shown)]
    assert {step.remark for step in steps(shown)} == {None}
    assert not any(step.undone for step in steps(shown))


def test_the_chart_of_a_game_that_runs_counts_what_lies_open() -> None:
    shown = page(running(bloody_inn.GAME, 60))
    assert [standing.round for standing in shown.standings] == [chapter.round for chapter in shown.chapters]
    assert page(running(choices.GAME, 4)).standings == ()
