"""Verdicts and notices: everybody is told once, in one mail each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.parties import Changed, Decided, Notice, Party, Role, Unsent
from pbem.settle import Answers
from pbem.store import Conflict, Pending, Posting, Store
from pbem.verdicts import Line, Said, Verdict
from tests.store.scene import (
    NOW,
    address,
    incoming,
    new_table,
    notice,
    pick,
    register,
    running_table,
    seat_party,
    settle,
    the_table,
    unsent,
)

STATUS = Verdict((Line(1, "STATUS", Said.ANSWERED, info="state", facts={"game": "choices-1"}),), received_at=NOW)


def test_an_answer_waits_for_its_party(store: Store) -> None:
    table = running_table(store)
    to = seat_party(table, 2)
    store.write(Decided(verdict=STATUS, to=to), inbox=None, now=NOW)
    assert store.unanswered(table.name) == (Pending(Answers(to, (STATUS,)), (1,)),)


def test_a_question_alone_makes_its_table_restless_and_moves_it_on(store: Store) -> None:
    """Else a settling that has just looked would let it rest unanswered."""
    table = running_table(store)
    store.post([], now=NOW, before=table, after=table)
    table = the_table(store)
    store.write(Decided(verdict=STATUS, to=seat_party(table, 2)), inbox=None, now=NOW)
    assert store.restless(5) == (table.name,)
    with pytest.raises(Conflict):
        store.post([], now=NOW, before=table, after=table)


def test_all_that_one_party_is_told_is_gathered_in_order(store: Store) -> None:
    table = running_table(store)
    to, other = seat_party(table, 1), seat_party(table, 2)
    first, second = STATUS, Verdict((Line(1, "HELP", Said.ANSWERED, info="help"),))
    news = notice(to)
    store.write(Decided(verdict=first, to=to, notices=(news, notice(other))), inbox=None, now=NOW)
    store.write(Decided(verdict=second, to=to), inbox=None, now=NOW)
    assert store.unanswered(table.name) == (
        Pending(Answers(to, (first, second), (news,)), (1, 2), (1,)),
        Pending(Answers(other, (), (notice(other),)), (), (2,)),
    )


def test_seat_and_moderator_are_two_parties_of_one_person(store: Store) -> None:
    table = running_table(store)
    seat = seat_party(table, 1)
    moderator = Party(Role.MODERATOR, seat.address, seat.person, table.name)
    store.write(Decided(notices=(notice(seat), notice(moderator))), inbox=None, now=NOW)
    assert [pending.answers.to for pending in store.unanswered(table.name)] == [seat, moderator]


def test_people_who_are_invited_are_told_apart_by_address(store: Store) -> None:
    table = running_table(store)
    parties = [Party(Role.INVITED, address(name), table=table.name) for name in ("Dora", "Eve")]
    store.write(Decided(notices=tuple(map(notice, parties))), inbox=None, now=NOW)
    assert [pending.answers.to for pending in store.unanswered(table.name)] == parties


def test_what_is_about_no_table_waits_apart(store: Store) -> None:
    (anna,) = register(store, "Anna")
    to = Party(Role.PERSON, anna.address, anna)
    store.write(Decided(verdict=STATUS, to=to), inbox=None, now=NOW)
    assert store.unanswered_people() == (Pending(Answers(to, (STATUS,)), (1,)),)
    assert store.restless(5) == ()


def test_robots_are_told_nothing(store: Store) -> None:
    store.write(Decided(verdict=STATUS, to=None), inbox=None, now=NOW)
    assert store.unanswered_people() == ()


def test_news_of_a_plan_name_the_mail_that_it_came_in(store: Store) -> None:
    table = running_table(store)
    (mail,) = store.intake([incoming()])
    verdict = Verdict((Line(2, "PICK 3", Said.DONE),), inbox=mail)
    store.write(Decided(verdict=verdict, to=seat_party(table, 1)), inbox=None, now=NOW)
    assert store.unanswered(table.name)[0].answers.verdicts == (verdict,)


def test_a_new_person_at_a_new_table_is_told_about_both(store: Store) -> None:
    (anna,) = register(store, "Anna")
    dora = replace(anna, id=0, name="Dora", address=address("Dora"))
    to = Party(Role.MODERATOR, dora.address, dora, "choices-1")
    decided = Decided(verdict=STATUS, to=to, people=(dora,), tables=(Changed(None, new_table([dora])),))
    store.write(decided, inbox=None, now=NOW)
    (pending,) = store.unanswered("choices-1")
    assert pending.answers.to == replace(to, person=replace(dora, id=2))


def test_what_was_told_is_settled_with_its_mail(store: Store) -> None:
    table = pick(store, running_table(store), 1, 3)
    settle(store, table, lambda pending: unsent(pending.answers.to))
    assert store.unanswered(table.name) == ()
    assert [mail.to for mail in store.queue(NOW, 5)] == ["Anna@Example.org"]
    assert store.restless(5) == ()


def test_what_needs_no_mail_is_settled_without_one(store: Store) -> None:
    table = pick(store, running_table(store), 1, 3)
    settle(store, table, lambda _: None)
    assert store.unanswered(table.name) == ()
    assert store.queue(NOW, 5) == ()


def test_nothing_is_told_twice(store: Store) -> None:
    (anna,) = register(store, "Anna")
    to = Party(Role.PERSON, anna.address, anna)
    store.write(Decided(verdict=STATUS, to=to, notices=(notice(to),)), inbox=None, now=NOW)
    pending = store.unanswered_people()
    store.post([Posting(unsent(to, "<1@inn>"), pending)], now=NOW)
    with pytest.raises(Conflict):
        store.post([Posting(unsent(to, "<2@inn>"), pending)], now=NOW)
    assert [mail.message_id for mail in store.queue(NOW, 5)] == ["<1@inn>"]


def test_a_table_is_settled_only_as_it_was_read(store: Store) -> None:
    table = pick(store, running_table(store), 1, 3)
    pick(store, table, 2, 4)
    with pytest.raises(Conflict):
        settle(store, table, lambda pending: unsent(pending.answers.to))
    assert len(store.unanswered(table.name)) == 2
    assert store.queue(NOW, 5) == ()


def test_settling_keeps_how_far_each_chair_was_told(store: Store) -> None:
    table = running_table(store)
    after = table.with_chair(replace(table.chair(2), told=1, asked="1/choice/2/1", mailed_at=NOW))
    store.post([], now=NOW, before=table, after=after)
    assert the_table(store) == replace(after, version=table.version + 1)


def test_facts_of_a_notice_come_back_as_they_were(store: Store) -> None:
    (anna,) = register(store, "Anna")
    to = Party(Role.PERSON, anna.address, anna)
    news = Notice(to, "joined", {"name": "Zoë", "seats": [1, 2], "full": True, "none": None})
    store.write(Decided(notices=(news,)), inbox=None, now=NOW)
    assert store.unanswered_people()[0].answers.notices == (news,)


def test_one_settling_is_one_commit_and_everybody_gets_one_mail(store: Store) -> None:
    table = running_table(store)
    for seat in (1, 2, 3):
        store.write(Decided(verdict=STATUS, to=seat_party(table, seat)), inbox=None, now=NOW)
        store.write(Decided(notices=(notice(seat_party(table, seat)),)), inbox=None, now=NOW)
    table = the_table(store)

    def message(pending: Pending) -> Unsent:
        return unsent(pending.answers.to, f"<{pending.answers.to.seat}@inn>")

    settle(store, table, message)
    assert sorted(mail.message_id for mail in store.queue(NOW, 9)) == ["<1@inn>", "<2@inn>", "<3@inn>"]
