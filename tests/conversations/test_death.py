"""The process may end between any two effects: then a new one on the same database loses nothing and repeats nothing.

An effect is a commit, a mark in the mailbox, or a mail that the server has taken over. A pass is killed before and
behind each of them in turn, and what comes out in the end is compared with a pass that nobody killed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import pytest

from tests.conversations.world import World, mail_in

pytestmark = pytest.mark.slow

WRITES: Final = ("intake", "try_again", "park", "write", "post", "accepted", "retry_later", "failed", "set_mark")
"""The methods of a store that commit."""
MOMENTS: Final = range(36)
"""More than the pass has."""


class Killed(BaseException):
    """The process ends; nothing that it would still do happens."""


class Fate:
    """Counts the moments before and behind each effect; at the fatal one, and ever after, everything ends."""

    def __init__(self, fatal: int) -> None:
        self._left = fatal

    @property
    def struck(self) -> bool:
        return self._left < 0

    def surrounds(self, effect: Callable[..., Any]) -> Callable[..., Any]:
        """`effect` with a moment before it and one behind it."""

        def lived(*args: Any, **named: Any) -> Any:
            self._moment()
            done = effect(*args, **named)
            self._moment()
            return done

        return lived

    def _moment(self) -> None:
        self._left -= 1
        if self.struck:
            raise Killed


def live(world: World, fate: Fate, *effects: tuple[object, tuple[str, ...]]) -> World:
    """The world after a pass in which `fate` surrounds these effects, and the passes of another process."""
    with pytest.MonkeyPatch.context() as patch:
        for owner, names in effects:
            for name in names:
                patch.setattr(owner, name, fate.surrounds(getattr(owner, name)))
        with suppress(Killed):
            world.tick()
    world.store.close()
    world.restart()
    world.tick()
    world.tick()
    return world


def survived(world: World, fate: Fate) -> World:
    """The same with all effects that there are."""
    return live(world, fate, (world.store, WRITES), (world.mailbox, ("done",)), (world.courier, ("_answer",)))


def busy(world: World) -> World:
    """The same world with orders, a plan that is released, a question and a stranger's mail in its mailbox."""
    world.answer("bob", "PASS")
    world.answer("anna", "BRIBE newsboy", "PASS")
    world.write("chen", "STATUS")
    world.write("eve", "REGISTER Eve")
    world.courier.taken.clear()
    return world


@pytest.fixture(scope="module")
def undisturbed(_at_night: World, tmp_path_factory: pytest.TempPathFactory) -> World:
    """What comes out when nobody kills."""
    fate = Fate(len(MOMENTS))
    world = survived(busy(_at_night.copied(tmp_path_factory.mktemp("undisturbed"))), fate)
    assert not fate.struck, "a pass has more moments than are tried"
    return world


def letters(world: World) -> Counter[tuple[str, str]]:
    """To whom what was sent; the same mail sent twice counts once."""
    mails = {mail.id: mail for mail in map(mail_in, world.courier.taken)}
    return Counter((mail.to, mail.subject) for mail in mails.values())


@pytest.mark.slow
@pytest.mark.parametrize("fatal", MOMENTS)
def test_a_death_at_any_moment_loses_no_order_and_no_mail_and_applies_none_twice(
    at_night: World, undisturbed: World, fatal: int
) -> None:
    world = survived(busy(at_night), Fate(fatal))
    assert world.entries() == undisturbed.entries()
    assert world.table().chairs == undisturbed.table().chairs
    assert [plan.text for plan in world.table().plans] == [plan.text for plan in undisturbed.table().plans]
    assert letters(world) == letters(undisturbed)
    assert len(set(world.courier.taken)) == letters(world).total()


def test_a_death_between_sending_and_noting_it_sends_the_same_mail_again_byte_for_byte(at_night: World) -> None:
    at_night.answer("anna", "BRIBE newsboy", "PASS")
    at_night.courier.taken.clear()
    live(at_night, Fate(1), (at_night.courier, ("_answer",)))
    first, again, *_ = at_night.courier.taken
    assert first == again
    assert letters(at_night).total() == len(at_night.courier.taken) - 1


def test_a_death_after_everything_else_leaves_the_mail_in_the_mailbox_and_it_is_not_done_again(
    at_night: World,
) -> None:
    at_night.answer("anna", "PASS")
    at_night.tick()
    at_night.mailbox.handled.clear()
    at_night.restart()
    assert at_night.tick() == []
