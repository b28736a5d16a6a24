"""Mails that go out, and the clocks that begin when they were accepted for sending."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from engine.record import Override, Verb
from pbem.parties import Changed, Decided, Party, Reference, Role
from pbem.schedule import reminded
from pbem.store import Conflict, Posting, Store
from pbem.table import Table, overrule
from tests.store.scene import NOW, ask, pick, register, running_table, seat_party, the_table, unsent

HOUR = timedelta(hours=1)
TWO_DAYS = timedelta(days=2)


def queued(store: Store, *message_ids: str) -> None:
    (anna,) = register(store, "Anna")
    to = Party(Role.PERSON, anna.address, anna)
    store.post([Posting(unsent(to, message_id)) for message_id in message_ids], now=NOW)


def waiting_ids(store: Store, now: datetime = NOW) -> list[str]:
    return [mail.message_id for mail in store.queue(now, 10)]


def send(store: Store, when: datetime) -> None:
    store.accepted([mail.id for mail in store.queue(when, 10)], when)


# The queue


def test_mails_are_queued_in_the_order_in_which_they_were_posted(store: Store) -> None:
    queued(store, "<1@inn>", "<2@inn>", "<3@inn>")
    assert waiting_ids(store) == ["<1@inn>", "<2@inn>", "<3@inn>"]
    assert len(store.queue(NOW, 2)) == 2


def test_a_queued_mail_has_all_that_sending_needs(store: Store) -> None:
    queued(store, "<1@inn>")
    (mail,) = store.queue(NOW, 1)
    assert (mail.to, mail.raw, mail.attempts) == ("Anna@Example.org", b"raw", 0)


def test_a_queued_mail_says_which_seat_it_is_for(store: Store) -> None:
    ask(store, running_table(store), 2)
    (mail,) = store.queue(NOW, 1)
    assert (mail.table, mail.seat) == ("choices-1", 2)


def test_an_accepted_mail_leaves_the_queue(store: Store) -> None:
    queued(store, "<1@inn>")
    send(store, NOW)
    assert waiting_ids(store) == []


def test_a_mail_that_failed_for_now_waits_for_its_time(store: Store) -> None:
    queued(store, "<1@inn>", "<2@inn>")
    store.retry_later(store.queue(NOW, 1)[0].id, NOW + HOUR, "421 come back later")
    assert waiting_ids(store) == ["<2@inn>"]
    assert waiting_ids(store, NOW + HOUR) == ["<2@inn>", "<1@inn>"]
    assert store.queue(NOW + HOUR, 2)[1].attempts == 1


def test_a_mail_that_failed_for_good_leaves_the_queue(store: Store) -> None:
    queued(store, "<1@inn>")
    store.failed(store.queue(NOW, 1)[0].id, "550 no such user")
    assert waiting_ids(store, NOW + TWO_DAYS) == []


# What is answered


def test_a_mail_that_is_answered_is_found_by_its_message_id(store: Store) -> None:
    ask(store, running_table(store), 2, "<ask@inn>")
    found = Reference("<ask@inn>", "choices-1", 2, "1/choice/2/1", 1, b"raw", "Bob@Example.org")
    assert store.reference(["<ask@inn>"]) == found


def test_the_newest_known_mail_is_the_one_that_is_answered(store: Store) -> None:
    queued(store, "<1@inn>", "<2@inn>")
    found = store.reference(["<unknown@elsewhere>", "<2@inn>", "<1@inn>"])
    assert found is not None
    assert found.message_id == "<2@inn>"


@pytest.mark.parametrize("message_ids", [[], ["<unknown@elsewhere>"]])
def test_a_mail_of_somebody_else_is_not_found(store: Store, message_ids: list[str]) -> None:
    queued(store, "<1@inn>")
    assert store.reference(message_ids) is None


# Clocks


def test_a_clock_begins_when_the_mail_that_asks_is_accepted(store: Store) -> None:
    ask(store, running_table(store, deadline=TWO_DAYS), 2)
    assert the_table(store).chair(2).due_at is None
    send(store, NOW + HOUR)
    assert the_table(store).chair(2).due_at == NOW + HOUR + TWO_DAYS
    assert the_table(store).chair(1).due_at is None


def test_a_table_without_a_deadline_has_no_clock(store: Store) -> None:
    ask(store, running_table(store), 2)
    send(store, NOW)
    assert the_table(store).chair(2).due_at is None


def test_a_second_mail_about_the_same_decision_does_not_begin_its_clock_again(store: Store) -> None:
    table = ask(store, running_table(store, deadline=TWO_DAYS), 2)
    send(store, NOW)
    table = the_table(store)
    mail = unsent(seat_party(table, 2), "<2@inn>", asks="1/choice/2/1")
    store.post([Posting(mail)], now=NOW, before=table, after=table)
    send(store, NOW + HOUR)
    assert the_table(store).chair(2).due_at == NOW + TWO_DAYS


def test_a_mail_that_is_accepted_late_starts_no_clock_of_another_decision(store: Store) -> None:
    table = ask(store, running_table(store, deadline=TWO_DAYS), 2)
    asked_again = table.with_chair(replace(table.chair(2), asked="2/choice/2/1"))
    store.write(Decided(tables=(Changed(table, asked_again),)), inbox=None, now=NOW)
    send(store, NOW)
    assert the_table(store).chair(2).due_at is None


def test_whoever_read_a_chair_before_its_clock_began_cannot_write_it(store: Store) -> None:
    table = ask(store, running_table(store, deadline=TWO_DAYS), 2)
    send(store, NOW)
    with pytest.raises(Conflict):
        pick(store, table, 2, 3)


def due_table(store: Store) -> Table:
    table = ask(store, running_table(store, deadline=TWO_DAYS), 2)
    send(store, NOW)
    return the_table(store, table.name)


def test_a_game_is_due_when_its_time_is_over(store: Store) -> None:
    due_table(store)
    assert store.due(NOW + TWO_DAYS - HOUR) == ()
    assert store.due(NOW + TWO_DAYS) == ("choices-1",)


def test_a_game_with_two_late_seats_is_due_once(store: Store) -> None:
    ask(store, due_table(store), 3, "<3@inn>")
    send(store, NOW + HOUR)
    assert store.due(NOW + TWO_DAYS + HOUR) == ("choices-1",)


def test_a_paused_game_is_never_due(store: Store) -> None:
    table = due_table(store)
    after, written = overrule(table, Override(Verb.PAUSE))
    store.write(Decided(tables=(Changed(table, after, written),)), inbox=None, now=NOW)
    assert store.due(NOW + TWO_DAYS) == store.to_remind(NOW + TWO_DAYS) == ()


def test_a_game_that_was_ended_is_never_due(store: Store) -> None:
    table = due_table(store)
    after, written = overrule(table, Override(Verb.END))
    store.write(Decided(tables=(Changed(table, after, written),)), inbox=None, now=NOW)
    assert store.due(NOW + TWO_DAYS) == ()


def test_a_game_is_reminded_once(store: Store) -> None:
    table = due_table(store)
    chair = table.chair(2)
    assert chair.clock is not None
    assert chair.clock.remind_at == NOW + TWO_DAYS - HOUR
    assert store.to_remind(NOW + TWO_DAYS - 2 * HOUR) == ()
    assert store.to_remind(NOW + TWO_DAYS) == ("choices-1",)
    after = table.with_chair(replace(chair, clock=reminded(table.schedule, chair.clock, NOW + TWO_DAYS)))
    store.write(Decided(tables=(Changed(table, after),)), inbox=None, now=NOW)
    assert store.to_remind(NOW + TWO_DAYS) == ()
