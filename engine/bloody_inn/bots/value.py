"""What a position is worth to a seat, in francs at the end of the game: an estimate to compare actions by.

All figures are the bot's own opinion, found by playing; none of them is a rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from engine.bloody_inn.annexes import Rights, end_income, rights
from engine.bloody_inn.cards import APTITUDE, BUILDABLE, CAPACITY, FACES, FRANCS, RANK, Card
from engine.bloody_inn.hands import Cards
from engine.bloody_inn.payment import price
from engine.bloody_inn.state import Player, State, View
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
    return _money(me, left) + _hand(me, left) + _annexes(state, me, left) + _corpses(state, seat, left)


def _money(me: Player, left: float) -> float:
    tight = max(0, due(me) - me.cash) if left > 0 else 0
    return me.cash + 10 * me.checks - OVERFLOW * min(1.0, left) * max(0, me.cash - CASH_ROOM) - tight


def _hand(me: Player, left: float) -> float:
    return _held(me.hand, left) - 0.5 * due(me) * min(3.0, left)


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
    free = _free(me) - len(me.corpses)
    powers = sum([_power(annex.card, left) for annex in me.annexes if annex.card in FACES])
    income = sum([francs for _, francs in end_income(me.annexes, state.exit, me.checks)])
    return PLACE * max(0.0, min(free, left + 1)) * min(1.0, left / 2) + powers + income


def _corpses(state: State, seat: int, left: float) -> float:
    """What they will bring, less what those cost that cannot be buried in time."""
    me = state.players[seat - 1]
    if not me.corpses:
        return 0.0
    mine = rights(me.annexes)
    danger = _danger(state, left)
    late = min(len(me.corpses), max(0, _work(me, mine) - _time(state, danger)))
    buried = sorted(me.corpses, key=lambda corpse: -FRANCS[corpse])[: len(me.corpses) - late]
    gains = sum(_gain(corpse, share, me, mine) for corpse, share in zip(buried, _shares(state, seat), strict=False))
    return gains - danger * late * (LOST if len(state.players) == 1 else FOUND)


def _danger(state: State, left: float) -> float:
    """How likely corpses are found that lie unburied: this morning, or the next if no police is here now."""
    here = left <= 0 or any(room.guest and FACES[room.guest].police for room in state.rooms)
    return 1.0 if here else POLICE


def _time(state: State, danger: float) -> int:
    """The actions that the seat has until then."""
    return (2 - state.action) + (0 if danger == 1.0 else 2)


def _work(me: Player, mine: Rights) -> int:
    """The actions that burying all corpses takes, bribing the peasants who pay for it included."""
    lacking = sum(_used_up(corpse, me, mine) for corpse in me.corpses) - (len(me.hand) - _returning(me, mine))
    return len(me.corpses) + (max(0, lacking) + 1) // 2


def _used_up(corpse: Card, me: Player, mine: Rights) -> int:
    """How many cards the burial of `corpse` uses up."""
    return max(0, price(RANK[corpse], mine, "bury").least - _returning(me, mine))


def _returning(me: Player, mine: Rights) -> int:
    """How many cards of the hand come back from a burial."""
    return len(me.hand) if "bury" in mine.returning else sum(APTITUDE[card] == "bury" for card in me.hand)


def _shares(state: State, seat: int) -> list[float]:
    """The part of a pocket that each free place leaves to the seat, own places first."""
    free = [_free(player) for player in state.players]
    own = free[seat - 1]
    return [OWN] * own + [OWN / 2] * (sum(free) - own) + [0.0] * len(state.players[seat - 1].corpses)


def _free(owner: Player) -> int:
    """The free places under all annexes of `owner`."""
    return sum([CAPACITY[annex.card] - len(annex.graves) for annex in owner.annexes])


def _gain(corpse: Card, share: float, me: Player, mine: Rights) -> float:
    return share * FRANCS[corpse] - ACTION - PLAYED * _used_up(corpse, me, mine) if share else -FOUND / 2
