"""The process may end between any two effects: then a new one on the same database loses nothing and repeats nothing.

An effect is a look at the mailbox, a commit, a mark in the mailbox, a mail that the server has taken over, or a file of
the archive. A pass is killed before and behind each of them in turn, and what comes out in the end is compared with a
pass that nobody killed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.publish import games, lists
from tests.conversations.conftest import Past
from tests.conversations.transcript import code_for
from tests.conversations.world import World, mail_in

pytestmark = pytest.mark.slow

WRITES: Final = ("intake", "try_again", "park", "write", "post", "accepted", "retry_later", "failed", "set_mark")
"""The methods of a store that commit."""


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
    mail = ((world.mailbox, ("fetch", "done")), (world.courier, ("_answer",)))
    archive = ((games, ("put",)), (lists, ("put",)), (Path, ("replace",)))
    return live(world, fate, (world.store, WRITES), *mail, *archive)


def busy(world: World) -> World:
    """The same world with orders, a plan that is released, a question and a stranger's mail in its mailbox."""
    world.answer("bob", "PASS")
    world.answer("anna", "BRIBE newsboy", "PASS")
    world.write("chen", "STATUS")
    world.write("eve", "REGISTER Eve")
    world.courier.taken.clear()
    return world


def late(world: World) -> World:
    """The same world when Anna's deadline has passed, and a mail of Bob's has come since."""
    world.wait(hours=49)
    world.answer("bob", "STATUS")
    world.courier.taken.clear()
    return world


def ending(world: World) -> World:
    """The same world when its moderator has confirmed that the game is to end: its archive is to be written."""
    world.answer("modi", "END")
    world.tick()
    world.answer("modi", code_for(world, "modi", "END"))
    world.courier.taken.clear()
    return world


SCENES: Final[Mapping[Callable[[World], World], int]] = {busy: 40, late: 26, ending: 90}
"""What happens in a pass, and more moments than it has."""


@pytest.fixture(scope="module")
def undisturbed(_past: Past, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Callable[..., World]], World]:
    """What comes out of a scene when nobody kills."""

    @cache
    def after(scene: Callable[[World], World]) -> World:
        fate = Fate(SCENES[scene])
        world = survived(scene(_past.at_night().copied(tmp_path_factory.mktemp("undisturbed"))), fate)
        assert not fate.struck, "a pass has more moments than are tried"
        return world

    return after


def letters(world: World) -> Counter[tuple[str, str]]:
    """To whom what was sent; the same mail sent twice counts once."""
    mails = {mail.id: mail for mail in map(mail_in, world.courier.taken)}
    return Counter((mail.to, mail.subject) for mail in mails.values())


def archive(world: World) -> dict[str, bytes]:
    """All files of the archive; they are the same byte for byte."""
    folder = world.settings.archive.folder
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("scene", "fatal"),
    [(scene, fatal) for scene, most in SCENES.items() for fatal in range(most)],
    ids=lambda value: value if isinstance(value, int) else value.__name__,
)
def test_a_death_at_any_moment_loses_no_order_and_no_mail_and_applies_none_twice(
    at_night: World,
    undisturbed: Callable[[Callable[..., World]], World],
    scene: Callable[[World], World],
    fatal: int,
) -> None:
    world, whole = survived(scene(at_night), Fate(fatal)), undisturbed(scene)
    assert world.entries() == whole.entries()
    assert world.table().chairs == whole.table().chairs
    assert [plan.text for plan in world.table().plans] == [plan.text for plan in whole.table().plans]
    assert letters(world) == letters(whole)
    assert len(set(world.courier.taken)) == letters(world).total()
    assert archive(world) == archive(whole)


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
