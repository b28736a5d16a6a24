"""What `engine.game` promises of values: they read back from lines and bytes, and tell nobody what is sealed."""

from __future__ import annotations

from engine.game import Secret, told
from tests.engine.contract import FEW, Played, every


def test_every_legal_action_reads_back_from_its_line(game: Played) -> None:
    rules = game.course.game
    for state, decision in every(tuple(game.asked()), FEW):
        view = rules.view(state, decision.seat, game.course.names)
        for action in game.listed(state, decision.seat):
            line = rules.write(action, view)
            assert line.split()[0].casefold() in rules.verbs()
            assert rules.read(line, view) == action


def test_states_survive_their_bytes(game: Played) -> None:
    rules = game.course.game
    for state in game.states:
        data = rules.encode(state)
        assert rules.decode_state(data) == state
        assert rules.encode(rules.decode_state(data)) == data


def test_actions_survive_their_bytes(game: Played) -> None:
    rules = game.course.game
    for moment in game.moments:
        assert rules.decode_action(rules.encode(moment.action)) == moment.action


def test_views_survive_their_bytes(game: Played) -> None:
    rules = game.course.game
    for state in every(game.states, FEW):
        for seat in game.readers:
            view = rules.view(state, seat, game.course.names)
            assert rules.decode_view(rules.encode(view)) == view


def test_events_survive_their_bytes_as_anybody_may_know_them(game: Played) -> None:
    rules = game.course.game
    for moment in game.moments:
        for seat in game.readers:
            for event in told(moment.events, seat):
                assert not isinstance(event, Secret)
                assert rules.decode_event(rules.encode(event)) == event


def test_what_touches_a_seat_touches_one_that_exists(game: Played) -> None:
    touches = game.course.game.capabilities.get("touches", lambda _: ())
    for moment in game.moments:
        for event in told(moment.events, None):
            assert set(touches(event)) <= set(range(1, game.course.seats + 1))


def test_while_others_are_still_awaited_an_answer_stays_sealed(game: Played) -> None:
    """Where several decide at once, nobody but the seat itself can tell its answers apart."""
    rules = game.course.game
    for moment in game.moments:
        waiting = rules.waiting(moment.state)
        for decision in waiting if len(waiting) > 1 else ():
            steps = [rules.apply(moment.state, decision.seat, a) for a in game.listed(moment.state, decision.seat, 5)]
            for reader in set(game.readers) - {decision.seat}:
                assert len({rules.encode(told(step.events, reader)) for step in steps}) == 1
                assert len({rules.encode(rules.view(step.state, reader)) for step in steps}) == 1
