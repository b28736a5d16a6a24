"""Mails that come in: kept once, begun a few times at most, handled once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.parties import Decided
from pbem.store import ATTEMPTS, Conflict, Store
from tests.store.ear import Ear
from tests.store.scene import NOW, incoming

MAILS = [incoming("PICK 1", uid=1), incoming("PICK 2", uid=2), incoming("PICK 3", uid=3)]


def test_a_batch_is_taken_in_with_one_commit(store: Store, ear: Ear) -> None:
    with ear.listening() as heard:
        store.intake(MAILS)
    assert heard.commits == 1


def test_mails_wait_in_the_order_of_their_intake(store: Store) -> None:
    ids = store.intake(MAILS)
    assert tuple(work.id for work in store.work(10)) == ids


def test_a_mail_is_kept_byte_for_byte(store: Store) -> None:
    raw = bytes(range(256)) * 3
    (id,) = store.intake([replace(incoming(), raw=raw)])
    assert store.raw(id) == raw


@pytest.mark.parametrize("sender", ["a\0nna", "anna\udcff", ""])
def test_a_sender_who_cannot_be_written_down_does_not_stop_a_batch(store: Store, sender: str) -> None:
    store.intake([replace(incoming(), sender=sender)])
    assert len(store.work(1)) == 1


def test_work_says_whose_mail_it_is_and_when_it_came(store: Store) -> None:
    store.intake([incoming()])
    (work,) = store.work(1)
    assert (work.sender, work.received_at, work.attempts) == ("anna@example.org", NOW, 1)


def test_a_mail_that_comes_again_is_the_same_mail(store: Store) -> None:
    first = store.intake([incoming("PICK 1", uid=1)])
    assert store.intake([incoming("PICK 1", uid=77)]) == ()
    assert tuple(work.id for work in store.work(10)) == first


def test_a_mail_that_comes_twice_in_one_batch_is_kept_once(store: Store) -> None:
    (id,) = store.intake([incoming("PICK 1", uid=1), incoming("PICK 1", uid=2)])
    assert [work.id for work in store.work(10)] == [id]


def test_a_mail_that_comes_again_is_not_begun_by_that(store: Store) -> None:
    store.intake([incoming()])
    store.intake([incoming()])
    assert store.work(1)[0].attempts == 1


def test_a_handled_mail_that_comes_again_is_not_work(store: Store) -> None:
    (id,) = store.intake([incoming()])
    store.write(Decided(), inbox=id, now=NOW)
    store.intake([incoming()])
    assert store.work(10) == ()


def test_no_more_work_is_given_than_was_asked_for(store: Store) -> None:
    store.intake(MAILS)
    assert len(store.work(2)) == 2


def test_a_mail_is_begun_three_times_and_then_worn_out(store: Store) -> None:
    (id,) = store.intake([incoming()])
    begun = 1
    while store.work(1):
        store.try_again(id)
        begun += 1
    assert begun == ATTEMPTS == 3
    assert [work.id for work in store.worn_out(10)] == [id]


def test_a_parked_mail_is_no_longer_work(store: Store) -> None:
    (id,) = store.intake([incoming()])
    store.park(id, "it always failed")
    assert store.work(10) == store.worn_out(10) == ()


def test_a_mail_may_be_parked_with_an_answer(store: Store) -> None:
    (id,) = store.intake([incoming()])
    store.write(Decided(), inbox=id, now=NOW, problem="it always failed")
    assert store.work(10) == ()


@pytest.mark.parametrize("problem", ["", "it failed"])
def test_a_mail_is_handled_only_once(store: Store, problem: str) -> None:
    (id,) = store.intake([incoming()])
    store.write(Decided(), inbox=id, now=NOW)
    with pytest.raises(Conflict):
        store.write(Decided(), inbox=id, now=NOW, problem=problem)


def test_the_host_keeps_marks_in_mind(store: Store) -> None:
    assert store.mark("heartbeat") is None
    store.set_mark("heartbeat", "noon")
    store.set_mark("heartbeat", "one o'clock")
    assert store.mark("heartbeat") == "one o'clock"
