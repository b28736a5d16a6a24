"""A position on a page, in fragments: the rooms, the stacks, and what lies before each seat and in its hand.

Built from views alone. How one looks is said by its macro in ``templates/replay.html.j2``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.bloody_inn.money import wealth
from engine.bloody_inn.show import in_order, who
from engine.bloody_inn.state import Room, Shown, View
from engine.game import Fragment, Replay


class _Replay:
    """Capability ``replay``."""

    def fragments(self, view: View, hands: Sequence[View], *, ended: bool) -> Mapping[str, Fragment]:
        """The inn as `view` shows it, by places: ``room-3``, ``purse-1``, ``hand-1`` and so on."""
        return dict(_fragments(view, hands, ended))

    def worth(self, view: View) -> tuple[int, ...]:
        """Cash and checks of each seat, in francs."""
        return tuple(wealth(player.cash, player.checks) for player in view.players)


def _fragments(view: View, hands: Sequence[View], ended: bool) -> Iterator[tuple[str, Fragment]]:
    yield "course", Fragment("course", (view, ended))
    for room in view.rooms:
        yield f"room-{room.number}", _room(view, room)
    yield "bistro", Fragment("bistro", (view.bistro,))
    yield "entrance", Fragment("entrance", (view.entrance_size, "" if ended else view.top, view.guest))
    yield "exit", Fragment("exit", (len(view.exit),))
    acting = {decision.seat for decision in view.waiting}
    for player in view.players:
        seat = player.seat
        yield f"who-{seat}", Fragment("who", (seat, player.name, seat == view.first, seat in acting))
        yield f"purse-{seat}", Fragment("purse", (seat, player.cash, player.checks))
        yield f"annexes-{seat}", Fragment("annexes", (player.annexes,))
        yield f"corpses-{seat}", Fragment("corpses", (player.corpses,))
        yield f"hand-{seat}", _hand(hands[seat - 1].players[seat - 1] if hands else player)
    yield "apart", Fragment("apart", (view.gone, view.removed))


def _room(view: View, room: Room) -> Fragment:
    key, token = (who(view, seat) if seat else "" for seat in (room.key, room.token))
    return Fragment("room", (room.number, room.key, key, room.guest, token))


def _hand(player: Shown) -> Fragment:
    return Fragment("hand", (in_order(player.hand), player.hand_size, player.hand_shown))


REPLAY: Final[Replay] = _Replay()
