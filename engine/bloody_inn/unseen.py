"""The capability ``sample``: a whole position that looks to a seat as its own does, with all that it cannot see drawn.

It is made from the view alone, and so tells nothing of what really lies hidden. What a seat could work out from the
history, it leaves aside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec.structs import replace

from engine.bloody_inn import police, wages
from engine.bloody_inn.cards import BARN, PEASANT, TRAVELERS, Card
from engine.bloody_inn.setup import HAND, PEASANTS, SET_UPS
from engine.bloody_inn.state import Phase, Player, Sealed, Shown, State, View
from engine.game import DEALER, Stream

T = TypeVar("T")


def sample(view: View, stream: Stream) -> State:
    """A state of which `view` is the view of its seat; hands of others, stack, put-away cards and sealed answers are
    as likely one way as another."""
    here = tuple(_visible(view))
    pool = _shuffled((Counter(TRAVELERS) - Counter(here)).elements(), stream)
    box = PEASANTS - HAND * len(view.players) - SET_UPS[len(view.players)].bistro
    peasants = PEASANTS - box - view.bistro - here.count(PEASANT)
    players = tuple(_dealt(view.players, peasants, pool, stream))
    known = tuple(card for card in (view.guest, view.top) if card)
    below = view.entrance_size - bool(view.top)
    entrance = (*known, *(pool.pop() for _ in range(below)))
    removed = view.removed or (() if view.phase is Phase.SETUP else tuple(sorted(pool)))
    return _with_answers(_board(view, players, entrance, removed, box), stream)


def _board(
    view: View, players: tuple[Player, ...], entrance: tuple[Card, ...], removed: tuple[Card, ...], box: int
) -> State:
    return State(
        options=view.options,
        phase=view.phase,
        players=players,
        rooms=view.rooms,
        round=view.round,
        season=view.season,
        first=view.first,
        turn=view.turn,
        action=view.action,
        entrance=entrance,
        exit=view.exit,
        bistro=view.bistro,
        box=box,
        removed=removed,
        gone=view.gone,
        awaited=view.awaited,
        shuffle_due=any(decision.seat == DEALER for decision in view.waiting),
        last_round=view.last_round,
        short=view.short,
        lost=view.lost,
        accounts=view.accounts,
        deeds=view.deeds,
    )


def _visible(view: View) -> Iterator[Card]:
    """Every card that the seat sees, each as often as it does."""
    yield from (room.guest for room in view.rooms if room.guest)
    yield from (*view.exit, *view.gone, *view.removed)
    yield from (card for card in (view.top, view.guest) if card)
    for player in view.players:
        yield from (*player.hand, *player.corpses)
        for annex in player.annexes:
            yield from annex.graves
            yield from () if annex.card == BARN else (annex.card,)


def _shuffled(things: Iterable[T], stream: Stream) -> list[T]:
    left = list(things)
    return [left.pop(stream.below(len(left))) for _ in range(len(left))]


def _dealt(players: tuple[Shown, ...], peasants: int, pool: list[Card], stream: Stream) -> Iterator[Player]:
    """The players with their hands, where those are hidden from `pool` and the `peasants` that must be in them."""
    hidden = sum(player.hand_size for player in players if not player.hand_shown)
    slots = _shuffled((slot < peasants for slot in range(hidden)), stream)
    for player in players:
        drawn = (PEASANT if slots.pop() else pool.pop() for _ in range(player.hand_size))
        hand = player.hand if player.hand_shown else tuple(sorted(drawn))
        yield Player(hand, player.annexes, player.corpses, player.cash, player.checks)


def _with_answers(state: State, stream: Stream) -> State:
    """`state` with an answer of each seat that has given one, sealed, in this phase."""
    if not state.awaited:
        return state
    answered = [seat for seat in range(1, len(state.players) + 1) if seat not in state.awaited]
    found = (answer for seat in answered if (answer := _sealed(state, seat, stream)))
    return replace(state, sealed=tuple(found))


def _sealed(state: State, seat: int, stream: Stream) -> Sealed | None:
    player = state.players[seat - 1]
    if state.phase is Phase.POLICE and player.corpses:
        checks = [pay.checks for pay in police.options(state, seat)]
        return Sealed(seat, checks=checks[stream.below(len(checks))])
    if state.phase is Phase.WAGES and wages.unpaid(player):
        return Sealed(seat, cards=tuple(sorted(_shuffled(player.hand, stream)[: wages.unpaid(player)])))
    return None
