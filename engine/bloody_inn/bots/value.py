"""What a position is worth to a seat, in francs at the end of the game: an estimate to compare actions by.

All figures are the bot's own opinion, found by playing; none of them is a rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from engine.bloody_inn.annexes import Rights, end_income, rights
from engine.bloody_inn.cards import APTITUDE, BUILDABLE, CAPACITY, FACES, FRANCS, POLICEMEN, RANK
from engine.bloody_inn.hands import Cards
from engine.bloody_inn.state import Annex, Player, State, View
from engine.bloody_inn.wages import due

CARDS: Final = {
    "bury": (3.4, 2.0, 1.0),
    "kill": (2.7, 1.7, 0.7),
    "build": (2.0, 1.0, 0.7),
    "bribe": (1.7, 1.0, 0.7),
    "": (1.7, 1.7, 1.3, 0.7),
}
"""What the first, second.. card of an aptitude is worth in hand while the game is long."""
FURTHER: Final = 0.5
"""Any card beyond those."""
ACTION: Final = 4.0
"""What one action is worth: the burial that a corpse still needs."""
PLAYED: Final = 1.5
"""What a card is worth that a burial will use up."""
PLACE: Final = 4.0
"""A free place under an own annex."""
FOUND: Final = 10.0
"""What a corpse costs when it is found."""
LOST: Final = 1000.0
"""And alone, where it ends the game."""
POLICE: Final = 0.6
"""How likely there is police in the inn tomorrow."""
OWN: Final = 0.9
"""How much of a pocket is counted on before the corpse lies under an own annex."""
CASH_ROOM: Final = 22
"""Cash above this is likely to meet the limit of 40F soon."""
OVERFLOW: Final = 0.4
POWERS: Final[dict[str, Callable[[float], float]]] = {
    "DISCOUNT": lambda left: min(6.0, 1.5 * left),
    "RETURN_ALL": lambda left: min(8.0, 2.0 * left),
    "MULTI_TARGET": lambda left: min(5.0, left),
    "FREE_WAGE": lambda left: 0.8 * left,
    "LEAVE_INCOME": lambda left: 2.0 * left,
    "CLAIM_WHITE_KEY": lambda left: 0.6 * left,
    "ROOM_SERVICE": lambda left: 1.2 * left,
}
"""What an annex's power will still bring in so many rounds."""


def rounds_left(view: View) -> float:
    """About how many rounds follow this one."""
    if view.last_round:
        return 0.0
    second = (len(view.exit) + view.entrance_size / 2) if view.season == 1 else 0.0
    return (view.entrance_size + second) / len(view.rooms)


def value(state: State, seat: int, left: float) -> float:
    """Of `state` to `seat` with so many rounds `left`; the night's remaining action of the seat is counted on."""
    me = state.players[seat - 1]
    wages = due(me)
    hand = _held(me.hand, left) - 0.5 * wages * min(3.0, left)
    return _money(me, wages, left) + hand + _annexes(state, me, left) + _corpses(state, seat, left)


def _money(me: Player, wages: int, left: float) -> float:
    tight = max(0, wages - me.cash) if left > 0 else 0
    return me.cash + 10 * me.checks - OVERFLOW * min(1.0, left) * max(0, me.cash - CASH_ROOM) - tight


@lru_cache(maxsize=4096)
def _held(hand: Cards, left: float) -> float:
    """What the cards of a hand are worth, wages apart: few actions change them."""
    counts = Counter([APTITUDE[card] for card in hand])
    kept = sum([_cards(aptitude, count) for aptitude, count in counts.items()]) * min(1.0, left / 4)
    return kept + sum([_plan(card, left) for card in dict.fromkeys(hand)])


def _cards(aptitude: str, count: int) -> float:
    known = CARDS[aptitude]
    return sum(known[:count]) + FURTHER * max(0, count - len(known))


def _plan(card: str, left: float) -> float:
    """A card in hand that could be built is worth part of its annex."""
    if card not in BUILDABLE:
        return 0.0
    return 0.25 * min(1.0, left / 3) * (PLACE * CAPACITY[card] + _power(card, left))


def _power(card: str, left: float) -> float:
    power = POWERS.get(FACES[card].power)
    return power(left) if power else 0.0


def _annexes(state: State, me: Player, left: float) -> float:
    income = end_income(me.annexes, state.exit, me.checks)
    return _premises(me.annexes, len(me.corpses), left) + sum([francs for _, francs in income])


@lru_cache(maxsize=4096)
def _premises(annexes: tuple[Annex, ...], corpses: int, left: float) -> float:
    """The places that so many corpses leave free, and what powers will still bring."""
    powers = sum([_power(annex.card, left) for annex in annexes if annex.card in FACES])
    return PLACE * max(0.0, min(_free(annexes) - corpses, left + 1)) * min(1.0, left / 2) + powers


@lru_cache(maxsize=4096)
def _free(annexes: tuple[Annex, ...]) -> int:
    """The free places under one owner's annexes."""
    return sum([CAPACITY[annex.card] - len(annex.graves) for annex in annexes])


def _corpses(state: State, seat: int, left: float) -> float:
    """What they will bring, less what those cost that cannot be buried in time; the richest are buried first."""
    me = state.players[seat - 1]
    if not me.corpses:
        return 0.0
    danger, mine = _danger(state, left), rights(me.annexes)
    returning = _returning(me.hand, mine)
    costs = _costs(me.corpses, mine.discounts.count("bury") + returning)
    work = _work([cost for _, cost in costs], len(me.hand) - returning)
    late = min(len(costs), max(0, work - _time(state, danger)))
    places = [_free(player.annexes) for player in state.players]
    own, everywhere = places[seat - 1], sum(places)
    buried = costs[: len(costs) - late]
    gains = sum([_gain(pocket, cost, _share(n, own, everywhere)) for n, (pocket, cost) in enumerate(buried)])
    return gains - danger * late * (LOST if len(state.players) == 1 else FOUND)


def _danger(state: State, left: float) -> float:
    """How likely corpses are found that lie unburied: this morning, or the next if no police is here now."""
    here = left <= 0 or not POLICEMEN.isdisjoint([room.guest for room in state.rooms])
    return 1.0 if here else POLICE


def _time(state: State, danger: float) -> int:
    """The actions that the seat has until then."""
    return (2 - state.action) + (0 if danger == 1.0 else 2)


def _returning(hand: Cards, mine: Rights) -> int:
    """How many cards of the hand come back from a burial."""
    return len(hand) if "bury" in mine.returning else len([card for card in hand if APTITUDE[card] == "bury"])


@lru_cache(maxsize=4096)
def _costs(corpses: Cards, saved: int) -> tuple[tuple[int, int], ...]:
    """The pocket of each corpse and how many cards its burial uses up, the richest first."""
    richest = sorted(corpses, key=lambda corpse: -FRANCS[corpse])
    return tuple([(FRANCS[corpse], max(0, RANK[corpse] - saved)) for corpse in richest])


def _work(costs: Sequence[int], spare: int) -> int:
    """The actions that burying all corpses takes, bribing the peasants who pay for it included."""
    return len(costs) + (max(0, sum(costs) - spare) + 1) // 2


def _share(taken: int, own: int, everywhere: int) -> float:
    """The part of a pocket that the next free place leaves to the seat, own places first."""
    if taken >= everywhere:
        return 0.0
    return OWN if taken < own else OWN / 2


def _gain(pocket: int, cost: int, share: float) -> float:
    return share * pocket - ACTION - PLAYED * cost if share else -FOUND / 2
