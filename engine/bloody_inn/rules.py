"""The rules as five functions: waiting, legal, apply, fallback, and what each needs, found by table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any, Final

from engine.bloody_inn import bribe, build, bury, deal, kill, lodge, night, passing, police, wages
from engine.bloody_inn.actions import Action, Bribe, Build, Bury, Dismiss, Kill, Lodge, Pass, Pay
from engine.bloody_inn.cards import PEASANT, RANK
from engine.bloody_inn.money import bill
from engine.bloody_inn.morning import advance
from engine.bloody_inn.reasons import Refusal
from engine.bloody_inn.setup import DRAWN
from engine.bloody_inn.state import Board, Kind, Phase, State
from engine.game import DEALER, Deal, Decision, Illegal, Step

_OVER: Final = Phase.OVER
"""Looked up once: on the class of an enumeration a member costs as much as a call."""
MANY: Final = 2
"""Answers are counted up to here."""

KINDS: Final = {Phase.EVENING: Kind.LODGE, Phase.NIGHT: Kind.ACT, Phase.POLICE: Kind.PAY, Phase.WAGES: Kind.DISMISS}
"""What a seat decides in each phase."""

ORDINALS: Final[dict[Phase, Callable[[State], int]]] = {
    Phase.EVENING: lambda state: 1 + len([room for room in state.rooms if room.guest]),
    Phase.NIGHT: lambda state: state.action,
    Phase.POLICE: lambda _: 1,
    Phase.WAGES: lambda _: 1,
}
"""In the evening the number of the traveler, at night of the action."""

_Listing = Callable[[Board, int], Iterator[Any]]


def _of_all(*listings: _Listing) -> _Listing:
    return lambda board, seat: chain.from_iterable(listed(board, seat) for listed in listings)


LISTS: Final[dict[Phase, _Listing]] = {
    Phase.EVENING: lodge.options,
    Phase.NIGHT: _of_all(bribe.options, build.options, kill.options, bury.options, passing.options),
    Phase.POLICE: police.options,
    Phase.WAGES: wages.options,
}
"""How the legal actions of a phase are listed."""
COUNTED: Final[dict[Phase, _Listing]] = LISTS | {
    Phase.NIGHT: _of_all(passing.options, bury.options, kill.options, build.options, bribe.options)
}
"""How they are counted: what is found soonest comes first. To pass is always allowed, and maybe to change money."""

ACTION_KINDS: Final[dict[type, Kind]] = {
    Lodge: Kind.LODGE,
    Bribe: Kind.ACT,
    Build: Kind.ACT,
    Kill: Kind.ACT,
    Bury: Kind.ACT,
    Pass: Kind.ACT,
    Pay: Kind.PAY,
    Dismiss: Kind.DISMISS,
    Deal: Kind.DEAL,
}
"""The kind of decision that an action answers."""
VERBS: Final[dict[type, str]] = {Bribe: "bribe", Build: "build", Kill: "kill", Bury: "bury", Pass: "pass"}
"""What is done at night."""
CHECKS: Final[dict[type, Callable[[Board, int, Any], None]]] = {
    Lodge: lodge.check,
    Bribe: bribe.check,
    Build: build.check,
    Kill: kill.check,
    Bury: bury.check,
    Pass: passing.check,
    Pay: police.check,
    Dismiss: wages.check,
}
EFFECTS: Final[dict[type, Callable[[State, int, Any], Step]]] = {
    Lodge: lodge.effect,
    Bribe: bribe.effect,
    Build: build.effect,
    Kill: kill.effect,
    Bury: bury.effect,
    Pass: passing.effect,
    Pay: police.effect,
    Dismiss: wages.effect,
}


def awaited(board: Board, seat: int) -> bool:
    """Whether `seat` has to decide now."""
    return seat != DEALER and (board.turn == seat or seat in board.awaited)


def waiting(state: State) -> tuple[Decision, ...]:
    """The open decisions by seat; the dealer waits alone."""
    if state.shuffle_due:
        return (_deal_due(state),)
    if state.turn:
        return (_decision(state, state.turn),)
    if state.phase == _OVER:
        return ()
    return tuple([_decision(state, seat) for seat in state.awaited])


def legal(board: Board, seat: int) -> Iterator[Action]:
    """The legal actions of a player's seat, lazily."""
    if not awaited(board, seat):
        return iter(())
    return LISTS[board.phase](board, seat)


def check(board: Board, seat: int, action: Action) -> None:
    """Refuse, with the reason, what `seat` may not do now."""
    _check_awaited(board, seat)
    kind = KINDS[board.phase]
    if ACTION_KINDS.get(type(action)) != kind:
        raise Illegal(Refusal.WRONG_KIND, kind=kind)
    CHECKS[type(action)](board, seat, action)


def _check_awaited(board: Board, seat: int) -> None:
    if board.phase == _OVER:
        raise Illegal(Refusal.OVER)
    if not awaited(board, seat):
        raise Illegal(Refusal.NOT_AWAITED, seat=seat)


def apply(state: State, seat: int, action: Action) -> Step:
    """Check, then build the next value, then all that follows by itself."""
    if seat == DEALER:
        return _dealt(state, action)
    check(state, seat, action)
    step = EFFECTS[type(action)](state, seat, action)
    if verb := VERBS.get(type(action)):
        step = Step(night.turned(step.state, verb), step.events)
    return advance(step)


def fallback(state: State, seat: int) -> Action:
    """What a missed deadline does (D26). The dealer has none."""
    _check_awaited(state, seat)
    return FALLBACKS[state.phase](state, seat)


def _lodge_in_order(state: State, _: int) -> Lodge:
    return Lodge(lodge.empty(state.rooms))


def _plain_pass(_: State, __: int) -> Pass:
    return Pass()


def _checks_first(state: State, seat: int) -> Pay:
    return Pay(bill(state.players[seat - 1]).most)


def _lowest_leave(state: State, seat: int) -> Dismiss:
    """Peasants, then the lowest rank, then by id."""
    me = state.players[seat - 1]
    order = sorted(me.hand, key=lambda card: (card != PEASANT, RANK[card], card))
    return Dismiss(tuple(sorted(order[: wages.unpaid(me)])))


FALLBACKS: Final[dict[Phase, Callable[[State, int], Action]]] = {
    Phase.EVENING: _lodge_in_order,
    Phase.NIGHT: _plain_pass,
    Phase.POLICE: _checks_first,
    Phase.WAGES: _lowest_leave,
}


def _dealt(state: State, action: Action) -> Step:
    if state.phase == _OVER:
        raise Illegal(Refusal.OVER)
    if not state.shuffle_due:
        raise Illegal(Refusal.NOT_AWAITED, seat=DEALER)
    if not isinstance(action, Deal):
        raise Illegal(Refusal.WRONG_KIND, kind=Kind.DEAL)
    deal.check(state, action)
    return advance(deal.effect(state, action))


def _deal_due(state: State) -> Decision:
    size = deal.size(state)
    second = state.phase == Phase.SETUP and state.first != 0 and state.options.first == DRAWN
    return Decision(
        seat=DEALER,
        kind=Kind.DEAL,
        round=state.round,
        phase=state.phase,
        ordinal=2 if second else 1,
        answers=min(MANY, max(1, size)),
        size=size,
    )


def _decision(state: State, seat: int) -> Decision:
    return Decision(
        seat=seat,
        kind=KINDS[state.phase],
        round=state.round,
        phase=state.phase,
        ordinal=ORDINALS[state.phase](state),
        answers=len(list(islice(COUNTED[state.phase](state, seat), MANY))),
    )
