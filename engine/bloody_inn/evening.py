"""The evening: a round begins, its travelers are welcomed, and night falls."""

from __future__ import annotations

from msgspec.structs import replace

from engine.bloody_inn import lodge, scoring, season
from engine.bloody_inn.actions import Lodge
from engine.bloody_inn.events import Event, LastRoundSkipped, LeftoversArrived, RoundBegan
from engine.bloody_inn.hands import added
from engine.bloody_inn.state import Phase, State
from engine.bloody_inn.targets import emptied, guests
from engine.game import Step


def begin(state: State) -> Step:
    """Step: a new round, the travelers that are too few for one, the next season, or the end."""
    evening = replace(state, phase=Phase.EVENING)
    if state.entrance:
        return _welcome(evening)
    if state.season < season.LAST_SEASON:
        return season.shuffle_due(evening)
    return scoring.finish(state)


def end(state: State) -> Step:
    """Step: all are lodged. Night falls, unless they were too few or the stack is shuffled at once."""
    if state.short:
        return _turned_away(state)
    if season.reshuffle_at_once(state):
        return season.shuffle_due(state)
    return Step(replace(state, phase=Phase.NIGHT, turn=state.first, action=1, deeds=()))


def _welcome(state: State) -> Step:
    short = season.too_few(state)
    last = season.is_last(state) and not short
    after = replace(state, round=state.round + 1, turn=state.first, last_round=last, short=short)
    told: Event = RoundBegan(after.round, after.season, after.first, last)
    if short:
        told = LeftoversArrived(len(state.entrance))
    lodged = _lodged_alone(after) if _by_itself(after) else Step(after)
    return Step(lodged.state, (told, *lodged.events))


def _by_itself(state: State) -> bool:
    """Rooms fill in number order where nobody chooses: by option (D23), or for the too few without a token (D2)."""
    tokens = any(room.token for room in state.rooms)
    return state.options.welcome == "first-come" or (state.short and not tokens)


def _lodged_alone(state: State) -> Step:
    return lodge.effect(state, state.first, Lodge(lodge.empty(state.rooms)))


def _turned_away(state: State) -> Step:
    """No night, no police, no income, no wages; they go to the Exit Stack and the game ends (D2, D4)."""
    here = guests(state.rooms)
    after = replace(
        state,
        rooms=emptied(state.rooms, tuple([room for room, _ in here])),
        exit=added(state.exit, [card for _, card in here]),
    )
    end_of_game = scoring.finish(after)
    return Step(end_of_game.state, (LastRoundSkipped(here), *end_of_game.events))
