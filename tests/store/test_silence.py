"""Who wants no mail, and how often those are answered who have not said that they want any."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.draft import Answered, Invited
from pbem.parties import Changed, Decided, Invitation, Party, Role
from pbem.store import Posting, Store
from pbem.table import Person, Status
from pbem.verdicts import Verdict
from tests.store.scene import (
    NOW,
    address,
    ask,
    incoming,
    open_table,
    register,
    running_table,
    seat_party,
    the_table,
    unsent,
)

DAY = timedelta(days=1)
EVE = address("Eve")


def write(store: Store, **decided: object) -> None:
    store.write(Decided(**decided), inbox=None, now=NOW)  # type: ignore[arg-type]


def test_an_address_that_wants_no_mail_is_known_however_it_is_written(store: Store) -> None:
    write(store, silenced=(EVE,))
    write(store, silenced=(EVE,))
    assert store.silent([EVE.upper(), address("Anna")]) == {EVE.lower()}
    write(store, unsilenced=(EVE.lower(),))
    assert store.silent([EVE]) == frozenset()


def test_what_is_queued_for_an_address_is_not_sent_once_it_wants_no_mail(store: Store) -> None:
    for name in ("Eve", "Fay"):
        store.post([Posting(unsent(Party(Role.STRANGER, address(name)), f"<{name}@inn>"))], now=NOW)
    write(store, silenced=(EVE.lower(),))
    assert [mail.to for mail in store.queue(NOW, 5)] == [address("Fay")]


@pytest.mark.parametrize("last_word", [True, False])
def test_nothing_but_a_last_word_is_queued_for_a_silent_address(store: Store, last_word: bool) -> None:
    write(store, silenced=(EVE,))
    store.post([Posting(replace(unsent(Party(Role.STRANGER, EVE)), last_word=last_word))], now=NOW)
    assert len(store.queue(NOW, 5)) == last_word


def test_the_clock_of_a_player_who_wants_no_mail_runs_all_the_same(store: Store) -> None:
    table = running_table(store, deadline=DAY)
    person = table.chair(1).person
    assert person is not None
    write(store, people=(replace(person, stopped=True),), silenced=(person.address,))
    table = ask(store, the_table(store), 1)
    assert table.chair(1).due_at == NOW + DAY
    assert store.queue(NOW, 5) == ()


def test_strangers_are_counted_by_address_and_together_for_a_day(store: Store) -> None:
    for name in ("Eve", "Eve", "Fay"):
        write(store, stranger=address(name))
    assert store.strangers_answered(EVE.upper(), NOW + DAY / 2) == Answered(own=2, all=3)
    assert store.strangers_answered(EVE, NOW + DAY) == Answered()


def test_a_stranger_s_address_is_not_kept_once_he_is_answered(store: Store) -> None:
    to = Party(Role.STRANGER, EVE)
    store.write(Decided(verdict=Verdict(), to=to, stranger=EVE), inbox=None, now=NOW)
    store.post([Posting(unsent(to), store.unanswered_people())], now=NOW)
    store.accepted([mail.id for mail in store.queue(NOW, 5)], NOW)
    with store.engine.connect() as connection:
        for table in ("verdict", "outbox"):
            assert connection.exec_driver_sql(f"SELECT address FROM {table}").scalars().all() == [""]


def test_invitations_are_counted_by_day_and_while_they_are_open(store: Store) -> None:
    table = open_table(store, "Anna", "Bob")
    anna = table.moderator.id
    offers = tuple(Invitation(table.name, address(name), by=anna) for name in ("Dora", "Eve"))
    write(store, invitations=(*offers, Invitation("", address("Fay"))))
    assert store.invitations_made(anna, NOW + DAY / 2) == Invited(today=2, open=2)
    write(store, accepted=offers[:1])
    assert store.invitations_made(anna, NOW + DAY) == Invited(today=0, open=1)


def test_invitations_to_a_table_that_is_over_are_not_open(store: Store) -> None:
    table = open_table(store, "Anna", "Bob")
    write(store, invitations=(Invitation(table.name, EVE, by=table.moderator.id),))
    write(store, tables=(Changed(the_table(store), replace(the_table(store), status=Status.ENDED)),))
    assert store.invitations_made(table.moderator.id, NOW).open == 0


def test_an_address_is_invited_to_the_host_once_and_has_a_token(store: Store) -> None:
    offer = Invitation("", EVE)
    write(store, invitations=(offer,))
    write(store, invitations=(offer,))
    assert store.invitations_to(EVE) == (offer,)
    assert store.party(store._tokens.invited("", EVE)) == Party(Role.INVITED, EVE)


# What is kept


def test_the_bytes_of_old_mails_go_and_all_else_stays(store: Store) -> None:
    table = running_table(store)
    old, waiting = store.intake([incoming("old"), incoming("waiting", uid=2)])
    (young,) = store.intake([incoming("young", uid=3, received_at=NOW + 89 * DAY)])
    for done in (old, young):
        store.write(Decided(), inbox=done, now=NOW)
    postings = [Posting(unsent(seat_party(table, seat), f"<{seat}@inn>")) for seat in (1, 2)]
    store.post(postings, now=NOW, before=table, after=table)
    store.accepted([store.queue(NOW, 5)[0].id], NOW)
    assert store.sweep(NOW + 90 * DAY + DAY / 24, keep=90 * DAY) == 2
    assert [bool(store.raw(id)) for id in (old, waiting, young)] == [False, True, True]
    with store.engine.connect() as connection:
        senders = connection.exec_driver_sql("SELECT sender FROM inbox ORDER BY id").scalars().all()
    assert senders == ["", "anna@example.org", "anna@example.org"]
    sent, queued = (store.reference([f"<{seat}@inn>"]) for seat in (1, 2))
    assert sent is not None
    assert (sent.raw, sent.table, sent.seat) == (b"", "choices-1", 1)
    assert queued is not None
    assert queued.raw == b"raw"


def test_a_pass_clears_out_so_much_and_the_next_goes_on_until_the_day_is_done(store: Store) -> None:
    for id in store.intake([incoming(f"PICK {n}", uid=n) for n in range(5)]):
        store.write(Decided(), inbox=id, now=NOW)
    later = NOW + 100 * DAY
    assert [store.sweep(later, keep=DAY, limit=2) for _ in range(5)] == [2, 2, 1, 0, 0]
    (again,) = store.intake([incoming("again", uid=9)])
    store.write(Decided(), inbox=again, now=NOW)
    assert [store.sweep(later, keep=DAY), store.sweep(later + DAY, keep=DAY)] == [0, 1]


def test_whom_a_stranger_s_answer_went_to_is_forgotten_after_a_day(store: Store) -> None:
    write(store, stranger=EVE)
    store.sweep(NOW + 2 * DAY, keep=90 * DAY)
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM stranger").scalar() == 0


def test_a_person_who_wants_no_mail_comes_back_so(store: Store) -> None:
    (anna,) = register(store, "Anna")
    write(store, people=(replace(anna, stopped=True),))
    assert store.person_by_name("Anna") == replace(anna, stopped=True)


def test_a_name_that_nobody_confirms_is_free_after_a_week_and_so_is_its_address(store: Store) -> None:
    write(store, people=(Person(0, "Eve", EVE, confirmed=False), Person(0, "Fay", address("Fay"), confirmed=True)))
    write(store, invitations=(Invitation("", EVE),), silenced=(EVE,))
    eve = store.person_by_address(EVE)
    assert eve is not None
    token = store._tokens.person(eve.id, eve.epoch)
    found = []
    for days in (6, 8):
        store.sweep(NOW + days * DAY, keep=90 * DAY)
        taken = store.names_taken(["Eve", "Fay"])
        found.append((sorted(taken), store.person_by_address(EVE) == eve, store.party(token) is not None))
    assert found == [(["eve", "fay"], True, True), (["fay"], False, False)]
    assert store.invitations_to(EVE) == (Invitation("", EVE),)
    assert store.silent([EVE]) == {EVE.lower()}
    write(store, people=(Person(0, "Eve", address("Gil"), confirmed=False), Person(0, "Hal", EVE, confirmed=False)))
    store.sweep(NOW + 20 * DAY, keep=90 * DAY)
    assert store.names_taken(["Eve", "Hal", "Fay", f"Somebody {eve.id}"]) == {"fay", f"somebody {eve.id}"}


def test_who_asks_for_a_name_again_has_a_week_again(store: Store) -> None:
    write(store, people=(Person(0, "Eve", EVE, confirmed=False),))
    eve = store.person_by_address(EVE)
    assert eve is not None
    store.write(Decided(people=(eve,)), inbox=None, now=NOW + 5 * DAY)
    store.sweep(NOW + 8 * DAY, keep=90 * DAY)
    assert store.person_by_address(EVE) == eve


def test_who_sits_somewhere_keeps_his_name_though_he_has_not_confirmed_it(store: Store) -> None:
    table = running_table(store)
    anna = table.chair(1).person
    assert anna is not None
    write(store, people=(replace(anna, confirmed=False),))
    store.sweep(NOW + 30 * DAY, keep=90 * DAY)
    assert store.names_taken([anna.name]) == {"anna"}
