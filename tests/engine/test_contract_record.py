"""What `engine.record` promises of every game: its record alone gives all its positions, and is verified."""

from __future__ import annotations

from engine import record
from engine.game import DEALER
from engine.record import Override, Position, Record, Verb
from tests.engine.contract import Played


def test_the_fold_of_a_record_is_every_cached_state(game: Played) -> None:
    line = record.positions(game.course.game, game.header, game.whats)
    assert [position.state for position in line] == list(game.states)
    deals = sum(moment.seat == DEALER for moment in game.moments)
    assert (line[-1].n, line[-1].deals) == (len(game.whats), deals)


def test_a_finished_game_is_verified_from_its_record_alone(game: Played) -> None:
    file = record.dump(whole(game))
    last: Position = record.verify(game.course.game, record.load(file), file_head(game))
    assert last.state == game.last


def whole(game: Played) -> Record:
    before, entries = record.header_hash(game.header, game.secret), []
    for n, what in enumerate(game.whats, 1):
        entries.append(record.link(before, n, what))
        before = entries[-1].hash
    result = game.course.game.outcome(game.last)
    return Record(game.header, tuple(entries), before, game.secret, result)


def file_head(game: Played) -> str:
    return whole(game).head[: record.SHORT_HEAD]


def test_a_game_taken_back_and_played_again_ends_the_same(game: Played) -> None:
    middle = len(game.whats) // 2
    back = Override(Verb.ROLLBACK, to=middle)
    again = (*game.whats[: middle + 1], back, *game.whats[middle:])
    if any(moment.seat == DEALER for moment in game.moments[middle:]):
        again = again[: middle + 2]
    line = record.positions(game.course.game, game.header, again)
    assert line[middle + 2].state == game.states[middle]
    assert line[-1].state == game.states[len(again) - 2]
