"""The conversations once more, with mail that really comes in and goes out: by folders, embedded server, Dovecot.

These are the tests of other modules, in worlds whose mailbox and courier are those of a `post`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from pbem.mailbox import Arrival, Outcome, Parcel, Receipt
from tests.conversations import (
    test_awkward_mails,
    test_clock,
    test_identity,
    test_lobby,
    test_moderator,
    test_orders,
    test_press,
    test_reading,
    test_troubles,
    test_who_it_is,
)
from tests.conversations.conftest import Past
from tests.conversations.world import INN, Courier, Mailbox, World
from tests.mailbox.samples import unix
from tests.servers.fixtures import DOMAIN, Post

pytestmark = pytest.mark.slow

MODULES: Final = (
    test_awkward_mails,
    test_clock,
    test_identity,
    test_lobby,
    test_moderator,
    test_orders,
    test_press,
    test_reading,
    test_troubles,
    test_who_it_is,
)
SHARED: Final = {"fail_on"}
"""Fixtures of these modules."""
IN_MEMORY: Final = {
    "test_a_mail_that_is_only_seen_again_is_not_answered",
    "test_nothing_in_a_mail_tells_who_has_said_something_without_his_name",
}
"""Conversations in which arrivals are made up that no server would give, or two worlds are held side by side."""
NOT_KEPT: Final = "loopback-half a character in a header"
"""A mail that the embedded server fails on when it is delivered; folders and Dovecot keep it."""
NOTHING: Final = b"\r\n"
"""The least that a server takes for a mail."""
_numbers = count(1)


class PostedMailbox(Mailbox):
    """Carries what people write to an inbox of the post, and reads it there.

    Conversations play at their own time, and Dovecot takes no mail from the future, so the arrival times are put
    right again.
    """

    def __init__(self, post: Post, before: Mailbox) -> None:
        super().__init__()
        self.arrivals, self.handled = before.arrivals, before.handled
        self._post = post
        self._address = f"inn{next(_numbers)}@{DOMAIN}"
        self._carried = len(before.arrivals)
        self._times: dict[bytes, datetime] = {}
        post.add_user(self._address, "secret")
        self._inbox = post.inbox(self._address)

    def fetch(self, limit: int) -> list[Arrival]:
        self._answer()
        fresh = self.arrivals[self._carried :]
        self._carried = len(self.arrivals)
        for each in fresh:
            self._carry(each)
        # A mail that a conversation only says to be too large cannot be carried.
        there = [each for each in fresh if each.raw is None]
        return there + [replace(each, received_at=self._time_of(each)) for each in self._inbox.fetch(limit)]

    def _carry(self, arrival: Arrival) -> None:
        if arrival.raw is not None:
            raw = arrival.raw or NOTHING
            self._times[unix(raw)] = arrival.received_at
            self._post.deliver(self._address, raw, arrival.received_at)

    def _time_of(self, arrival: Arrival) -> datetime:
        # A mail with bytes of zero Dovecot gives back with others.
        return self._times.get(unix(arrival.raw), arrival.received_at)

    def done(self, arrivals: Sequence[Arrival]) -> None:
        self._answer()
        self._inbox.done(arrivals)

    def rewind(self) -> None:
        self._inbox.rewind()


class PostedCourier(Courier):
    """Sends by the post, where everybody whom the host writes to has a mailbox."""

    def __init__(self, post: Post) -> None:
        super().__init__()
        self._post = post
        post.add_user(INN, "secret")
        self._sender = post.sender(INN)

    def send(self, parcels: Iterable[Parcel]) -> Iterator[Receipt]:
        for receipt in super().send(parcels):
            if receipt.outcome is not Outcome.ACCEPTED:
                yield receipt
                continue
            self._post.add_user(receipt.parcel.envelope_to, "secret")
            yield from self._sender.send([receipt.parcel])


def posted(world: World, post: Post) -> World:
    """The world, with all further mail going by the post."""
    world.mailbox, world.courier = PostedMailbox(post, world.mailbox), PostedCourier(post)
    world.store.close()
    world.restart()
    return world


@pytest.fixture(autouse=True)
def kept_by_the_server(request: pytest.FixtureRequest) -> None:
    if NOT_KEPT in request.node.name:
        pytest.skip("the embedded server cannot keep this mail")


@pytest.fixture
def world(tmp_path: Path, post: Post) -> World:
    return posted(World(tmp_path), post)


@pytest.fixture
def signed_up(_past: Past, tmp_path: Path, post: Post) -> World:
    return posted(_past.signed_up().copied(tmp_path), post)


@pytest.fixture
def at_night(_past: Past, tmp_path: Path, post: Post) -> World:
    return posted(_past.at_night().copied(tmp_path), post)


# Fixtures of the module in which a test is collected win over those of its folder. The order has to be the same in
# each process that runs a share of the tests.
for module in MODULES:
    globals().update(
        (name, value)
        for name, value in vars(module).items()
        if name in SHARED or (name.startswith("test_") and callable(value) and name not in IN_MEMORY)
    )
