"""Everything about one person: laid open to him, and withdrawn."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from pbem.parties import Changed, Decided, Invitation
from pbem.store import Posting, Store
from pbem.table import Person, Status, Table
from pbem.tokens import Tokens
from tests.store.scene import (
    NOW,
    address,
    incoming,
    notice,
    open_table,
    pick,
    running_table,
    seat_party,
    settle,
    the_table,
    unsent,
)


def finished(store: Store) -> Table:
    """A table that is over, with mails in and out, notices, an invitation that was taken, a phrase and names beside."""
    table = running_table(store)
    (mail,) = store.intake([incoming("PICK 3")])
    pick(store, table, 1, 3, inbox=mail)
    write(store, notices=(notice(seat_party(table, 1)), notice(seat_party(table, 2))))
    settle(store, the_table(store), lambda pending: unsent(pending.answers.to, f"<{pending.answers.to.seat}@inn>"))
    offer = Invitation(table.name, address("Anna"), by=table.moderator.id)
    write(store, invitations=(offer,))
    write(store, accepted=(offer,))
    now = the_table(store)
    chair = replace(now.chair(1), phrase="Anna was here", called="Anna-Lena")
    over = replace(now.with_chair(chair), status=Status.OVER, label="The house of Anna")
    write(store, tables=(Changed(now, over),))
    return the_table(store)


def write(store: Store, **decided: object) -> None:
    store.write(Decided(**decided), inbox=None, now=NOW)  # type: ignore[arg-type]


def forgotten(store: Store) -> Person:
    anna = store.person_by_name("Anna")
    assert anna is not None
    write(store, forgotten=anna)
    return anna


def rows(store: Store) -> str:
    """All rows of all tables, as text."""
    found: list[str] = []
    with store.engine.connect() as connection:
        for table in ("person", "game", "chair", "entry", "inbox", "invitation", "outbox", "verdict", "notice"):
            found += (repr(tuple(row)) for row in connection.exec_driver_sql(f"SELECT * FROM {table}"))
    return "\n".join(found)


def test_a_forgotten_name_and_address_stand_in_no_row(store: Store) -> None:
    finished(store)
    assert "anna" in rows(store).lower()
    forgotten(store)
    assert "anna" not in rows(store).lower()
    assert "bob@example.org" in rows(store).lower()


def test_the_record_of_a_forgotten_player_is_not_touched(store: Store) -> None:
    table = finished(store)
    log = store.log(table)
    forgotten(store)
    assert store.log(the_table(store)) == log
    assert the_table(store).head == table.head


def test_a_forgotten_player_is_called_somebody_and_gets_no_mail(store: Store) -> None:
    finished(store)
    anna = forgotten(store)
    table = the_table(store)
    person = table.chair(1).person
    assert person is not None
    assert (person.id, person.name, person.confirmed, person.stopped) == (anna.id, f"Somebody {anna.id}", False, True)
    store.post([Posting(unsent(seat_party(table, 1), "<new@inn>"))], now=NOW, before=table, after=table)
    assert "<new@inn>" not in [mail.message_id for mail in store.queue(NOW, 9)]


def test_no_token_of_a_forgotten_player_works(store: Store, tokens: Tokens) -> None:
    finished(store)
    anna = forgotten(store)
    for token in (tokens.person(anna.id, 0), tokens.person(anna.id, 1), tokens.seat("choices-1", 1, anna.id, 0)):
        assert store.party(token) is None
    assert store.party(tokens.moderator("choices-1", anna.id, 0)) is None


def test_a_forgotten_player_s_games_are_looked_at_again_for_their_archive(store: Store) -> None:
    table = finished(store)
    store.post([], now=NOW, before=table, after=table)
    assert store.restless(5) == ()
    forgotten(store)
    assert store.restless(5) == (table.name,)


def test_two_can_be_forgotten_and_register_anew(store: Store) -> None:
    open_table(store)
    for name in ("Bob", "Chen"):
        person = store.person_by_name(name)
        assert person is not None
        write(store, forgotten=person)
    write(store, people=(Person(0, "Bob", address("Bob")),))
    bob = store.person_by_name("Bob")
    assert bob is not None
    assert bob.id == 4


def test_an_address_that_wants_no_mail_stays_known_when_it_is_forgotten(store: Store) -> None:
    open_table(store)
    write(store, silenced=(address("Anna"),))
    forgotten(store)
    assert store.silent([address("Anna")]) == {address("Anna").lower()}


def test_an_export_holds_all_about_its_person_and_nothing_of_others(store: Store) -> None:
    table = finished(store)
    anna = table.chair(1).person
    assert anna is not None
    export = store.export(anna)
    (seat,) = export.tables
    (offer,) = export.invitations
    (answer,) = export.answers
    assert (export.name, export.address, export.stopped) == ("Anna", address("Anna"), False)
    assert (seat.table, seat.seat, seat.moderator, seat.phrase) == ("choices-1", 1, True, "Anna was here")
    assert (offer.table, offer.open) == ("choices-1", False)
    assert export.received == (NOW,)
    assert [mail.subject for mail in export.sent] == ["[choices-1] Round 1"]
    assert answer.lines == (("PICK 3", "done", ""),)
    text = msgspec.json.encode(export).decode()
    assert [word for word in ("Bob", "Chen", table.secret) if word in text] == []
