"""What `engine.game` promises of actions: which are listed, which apply, and how the others are refused."""

from __future__ import annotations

from enum import StrEnum

from engine.game import DEALER, Illegal
from tests.engine.contract import FEW, SHOWN, Played, every, near_misses, refusal, words_of


def test_every_legal_action_applies_answers_its_decision_and_changes_nothing_else(game: Played) -> None:
    for state, decision in every(tuple(game.asked()), FEW):
        actions = game.listed(state, decision.seat)
        assert len(set(actions)) == len(actions)
        for action in actions:
            assert refusal(game.course.game, state, decision.seat, action) is None
            assert game.course.game.kind(action) == decision.kind


def test_answers_say_whether_there_is_a_choice_and_there_is_always_an_answer(game: Played) -> None:
    for state, decision in game.asked():
        assert decision.answers == len(game.listed(state, decision.seat, 2)) > 0


def test_a_list_of_legal_actions_is_the_same_twice_and_from_the_view(game: Played) -> None:
    rules = game.course.game
    for state, decision in game.asked():
        actions = game.listed(state, decision.seat)
        assert game.listed(state, decision.seat) == actions
        assert game.listed(rules.view(state, decision.seat, game.course.names), decision.seat) == actions


def test_who_is_not_awaited_has_no_legal_action_and_is_refused(game: Played) -> None:
    rules = game.course.game
    for moment in game.moments:
        awaited = {decision.seat for decision in rules.waiting(moment.state)}
        for seat in set(range(game.course.seats + 2)) - awaited:
            assert game.listed(moment.state, seat) == ()
            assert refusal(rules, moment.state, seat, moment.action) is not None


def test_when_the_game_is_over_every_action_of_it_is_refused(game: Played) -> None:
    for moment in game.moments:
        assert refusal(game.course.game, game.last, moment.seat, moment.action) is not None


def test_a_near_miss_is_refused_with_a_reason_or_is_legal(game: Played) -> None:
    rules = game.course.game
    words = words_of(rules, tuple(moment.action for moment in game.moments))
    count = 0
    for state, decision in every(tuple(game.asked()), FEW):
        listed = game.listed(state, decision.seat, 1000)
        for action in every(listed, 6):
            for near in near_misses(rules, action, words):
                illegal = refusal(rules, state, decision.seat, near)
                assert illegal is None or near not in listed
                count += illegal is not None and well_said(game, illegal)
    assert count > FEW


def well_said(game: Played, illegal: Illegal) -> bool:
    """Whether a refusal is data: a reason from an enumeration, and facts that can be kept."""
    assert isinstance(illegal.reason, StrEnum)
    assert game.course.game.encode(illegal.facts)
    return True


def test_an_answer_to_another_kind_of_decision_is_refused(game: Played) -> None:
    rules = game.course.game
    by_kind = {moment.decision.kind: moment.action for moment in game.moments}
    for moment in game.moments:
        for kind, action in by_kind.items():
            illegal = refusal(rules, moment.state, moment.seat, action) if kind != moment.decision.kind else None
            assert kind == moment.decision.kind or (illegal is not None and well_said(game, illegal))


def test_a_deal_that_does_not_hold_each_number_once_is_refused(game: Played) -> None:
    rules = game.course.game
    deals = [moment for moment in game.moments if moment.seat == DEALER]
    assert deals
    for moment in deals:
        for near in near_misses(rules, moment.action, ()):
            illegal = refusal(rules, moment.state, DEALER, near)
            assert near == moment.action or (illegal is not None and well_said(game, illegal))


def test_a_missed_deadline_can_always_be_answered(game: Played) -> None:
    rules = game.course.game
    for state, decision in game.asked():
        fallback = rules.fallback(state, decision.seat)
        assert rules.kind(fallback) == decision.kind
        assert refusal(rules, state, decision.seat, fallback) is None


def test_what_is_suggested_is_legal_and_not_more_than_asked_for(game: Played) -> None:
    rules = game.course.game
    for state, decision in every(tuple(game.asked()), FEW):
        view = rules.view(state, decision.seat, game.course.names)
        for count in (1, 6):
            suggested = rules.suggest(view, count)
            assert 1 <= len(suggested) == len(set(suggested)) <= count
            assert all(refusal(rules, state, decision.seat, action) is None for action in suggested)


def test_bounded_lists_are_long_enough_to_hold_most_positions(game: Played) -> None:
    """Else the questions above would be asked about too little."""
    lengths = [len(game.listed(state, decision.seat, SHOWN)) for state, decision in game.asked()]
    assert sum(length < SHOWN for length in lengths) * 2 > len(lengths)
