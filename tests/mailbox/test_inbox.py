"""What an inbox promises, whichever way mail comes in: oldest first, nothing lost, nothing given twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from pbem.mailbox import Inbox
from tests.mailbox.samples import mail, subjects, unix
from tests.servers.fixtures import Post, Users

LONG = 60.0


@pytest.fixture
def address(post: Post, new_address: Callable[[Users], str]) -> str:
    return new_address(post)


@pytest.fixture
def opened(post: Post, address: str) -> Callable[..., Inbox]:
    """The inbox, as a new process would open it."""

    def opened(**options: int) -> Inbox:
        return post.inbox(address, **options)

    return opened


@pytest.fixture
def deliver(post: Post, address: str) -> Callable[..., None]:
    """Puts a mail for each subject into the mailbox."""

    def each(*subjects: object, size: int = 0) -> None:
        for subject in subjects:
            post.deliver(address, mail(subject, size))

    return each


def test_mails_come_oldest_first_and_in_batches(opened: Callable[..., Inbox], deliver: Callable[..., None]) -> None:
    deliver(*range(5))
    with opened() as inbox:
        batches = [subjects(inbox.fetch(2)) for _ in range(4)]
    assert batches == [["0", "1"], ["2", "3"], ["4"], []]


def test_an_empty_folder_gives_nothing_and_new_mail_is_found_later(
    opened: Callable[..., Inbox], deliver: Callable[..., None]
) -> None:
    with opened() as inbox:
        assert inbox.fetch(50) == []
        deliver("first")
        assert subjects(inbox.fetch(50)) == ["first"]
        assert inbox.fetch(50) == []


def test_an_arrival_is_the_mail_byte_for_byte_with_its_time_in_utc(
    opened: Callable[..., Inbox], deliver: Callable[..., None]
) -> None:
    before = datetime.now(UTC)
    deliver("one")
    with opened() as inbox:
        (arrival,) = inbox.fetch(50)
    assert arrival.raw is not None
    assert unix(arrival.raw).endswith(unix(mail("one")))
    assert arrival.size == len(arrival.raw)
    assert arrival.headers == b""
    assert arrival.received_at.tzinfo is UTC
    assert abs(arrival.received_at - before) < timedelta(seconds=5)


def test_a_mail_that_was_copied_from_elsewhere_keeps_its_arrival_time(
    post: Post, address: str, opened: Callable[..., Inbox]
) -> None:
    then = datetime(2025, 12, 1, 12, 34, 56, tzinfo=UTC)
    post.deliver(address, mail("one"), then)
    with opened() as inbox:
        assert [arrival.received_at for arrival in inbox.fetch(50)] == [then]


def test_mail_that_was_not_done_comes_again_to_the_next_process(
    opened: Callable[..., Inbox], deliver: Callable[..., None]
) -> None:
    deliver("done", "not done")
    with opened() as inbox:
        inbox.done(inbox.fetch(50)[:1])
    with opened() as inbox:
        assert subjects(inbox.fetch(50)) == ["not done"]


def test_rewinding_gives_undone_mail_once_more(opened: Callable[..., Inbox], deliver: Callable[..., None]) -> None:
    deliver("a", "b", "c")
    with opened() as inbox:
        first, second, third = inbox.fetch(50)
        inbox.done([first, third])
        inbox.rewind()
        assert inbox.fetch(50) == [second]


def test_handled_mail_is_moved_to_a_folder_that_is_made_for_it(
    post: Post, address: str, opened: Callable[..., Inbox], deliver: Callable[..., None]
) -> None:
    deliver("a", "b", "c")
    with opened() as inbox:
        inbox.done(inbox.fetch(2))
    assert len(post.handled(address)) == 2
    with opened() as inbox:
        assert subjects(inbox.fetch(50)) == ["c"]


def test_saying_done_twice_is_harmless(
    post: Post, address: str, opened: Callable[..., Inbox], deliver: Callable[..., None]
) -> None:
    deliver("a", "b")
    with opened() as inbox:
        arrivals = inbox.fetch(50)
        inbox.done(arrivals)
        inbox.done(arrivals)
        inbox.done([])
    assert len(post.handled(address)) == 2
    with opened() as inbox:
        assert inbox.fetch(50) == []


def test_a_mail_over_the_cap_comes_without_its_body_and_the_ones_behind_it_come_whole(
    opened: Callable[..., Inbox], deliver: Callable[..., None]
) -> None:
    deliver("huge", size=400_000)
    deliver("small")
    with opened(largest_mail=50_000) as inbox:
        huge, small = inbox.fetch(50)
    assert huge.raw is None
    assert huge.size > 400_000
    assert subjects([huge, small]) == ["huge", "small"]
    assert b"filling" not in huge.headers
    assert small.raw is not None


def test_a_large_mail_under_the_cap_comes_whole(opened: Callable[..., Inbox], deliver: Callable[..., None]) -> None:
    deliver("large", size=700_000)
    with opened() as inbox:
        (large,) = inbox.fetch(50)
    assert large.raw is not None
    assert unix(large.raw).endswith(unix(mail("large", size=700_000)))


def test_new_mail_ends_a_wait(opened: Callable[..., Inbox], deliver: Callable[..., None]) -> None:
    with opened() as inbox:
        assert inbox.fetch(50) == []
        postman = threading.Timer(0.1, deliver, ("while waiting",))
        postman.start()
        assert inbox.wait(LONG) is True
        postman.join()
        assert subjects(inbox.fetch(50)) == ["while waiting"]


def test_mail_that_came_before_the_wait_ends_it(opened: Callable[..., Inbox], deliver: Callable[..., None]) -> None:
    with opened() as inbox:
        assert inbox.fetch(50) == []
        deliver("just before")
        assert inbox.wait(LONG) is True


def test_a_wait_in_silence_is_over_when_its_time_is(opened: Callable[..., Inbox]) -> None:
    with opened() as inbox:
        inbox.fetch(50)
        inbox.wait(0.01)
        begun = time.monotonic()
        assert inbox.wait(0.2) is False
        assert 0.15 < time.monotonic() - begun < 5


def test_a_call_from_elsewhere_ends_a_wait(opened: Callable[..., Inbox]) -> None:
    with opened() as inbox:
        inbox.fetch(50)
        caller = threading.Timer(0.1, inbox.wake)
        caller.start()
        assert inbox.wait(LONG) is False
        caller.join()


def test_two_readers_of_one_folder_do_not_disturb_each_other(
    post: Post, address: str, opened: Callable[..., Inbox], deliver: Callable[..., None]
) -> None:
    deliver("a", "b")
    with opened() as one, opened() as other:
        mine, theirs = one.fetch(50), other.fetch(50)
        one.done(mine)
        other.done(theirs)
        deliver("c")
        assert subjects(one.fetch(50)) == subjects(other.fetch(50)) == ["c"]
    assert len(post.handled(address)) == 2
