"""What `engine.game` promises of the course of a game: who decides when, and what lies ahead."""

from __future__ import annotations

from collections import defaultdict

from engine.game import DEALER
from tests.engine.contract import Course, Played, play


def test_the_dealer_waits_alone_and_nobody_is_waited_for_twice(game: Played) -> None:
    for state in game.states:
        waiting = [decision.seat for decision in game.course.game.waiting(state)]
        assert waiting == sorted(set(waiting))
        assert waiting == [DEALER] or DEALER not in waiting


def test_a_game_has_an_outcome_exactly_when_nobody_is_waited_for(game: Played) -> None:
    rules = game.course.game
    assert all(rules.outcome(moment.state) is None for moment in game.moments)
    assert rules.waiting(game.last) == ()
    outcome = rules.outcome(game.last)
    assert outcome is not None
    assert len(outcome.places) == len(outcome.scores) == game.course.seats
    assert all((place == 0) == (score is None) for place, score in zip(outcome.places, outcome.scores, strict=True))


def test_the_same_seed_makes_the_same_game(course: Course, game: Played) -> None:
    again = play(course, 1)
    assert again.whats == game.whats
    assert [course.game.encode(state) for state in again.states] == [course.game.encode(s) for s in game.states]


def test_a_decision_that_has_been_answered_never_comes_again(game: Played) -> None:
    answered: set[str] = set()
    for moment in game.moments:
        assert not answered & {decision.key for decision in game.course.game.waiting(moment.state)}
        answered.add(moment.decision.key)


def test_a_decision_stays_what_it_is_until_its_own_seat_answers_it(game: Played) -> None:
    for moment in game.moments:
        others = {d for d in game.course.game.waiting(moment.state) if d.seat != moment.seat}
        assert others <= set(game.course.game.waiting(moment.after))


def test_what_is_ahead_begins_with_the_open_decision(game: Played) -> None:
    for state, decision in game.asked():
        ahead = game.course.game.ahead(state, decision.seat)
        assert ahead[0] == decision
        assert len({each.key for each in ahead}) == len(ahead)
        assert {(each.seat, each.round) for each in ahead} == {(decision.seat, decision.round)}


def test_every_decision_of_a_round_was_ahead_before_it_opened_and_in_that_order(game: Played) -> None:
    later: dict[tuple[int, int], list[str]] = defaultdict(list)
    for moment in reversed(game.moments):
        waiting = game.course.game.waiting(moment.state)
        for decision in waiting:
            opened = later[decision.seat, decision.round]
            if decision.seat != DEALER and decision.key not in opened:
                opened.insert(0, decision.key)
        for seat in range(1, game.course.seats + 1):
            ahead = [decision.key for decision in game.course.game.ahead(moment.state, seat)]
            opened = later[seat, waiting[0].round]
            assert [key for key in ahead if key in opened] == opened
